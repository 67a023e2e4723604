import Runtime

/// Turns a frame into a photo that keeps to the width and the bytes allowed. While the camera is open,
/// `take` copies or reduces the frame; after it was closed, `develop` encodes it.
final class PhotoMaker {
  private enum State {
    case empty
    /// The camera's own JPEG, in `encoded`, needs no work.
    case passedThrough(Photo)
    /// A picture, in `reduced` or in `stage`, waits for its encoding.
    case reduced(PlanarImage, isInStage: Bool)
  }

  /// Damaged frames since the start, by what was wrong with them.
  private(set) var faults = FrameFaults()

  private let codec: any JPEGCodec
  private let scaler: BoxScaler
  private let fitter: PhotoFitter
  /// The photo.
  private let encoded: ReservedBuffer
  /// The picture at the size to encode first.
  private let reduced: ReservedBuffer
  /// What the decoder gives, or R, G and B; later the picture at smaller sizes.
  private let stage: ReservedBuffer
  private var state = State.empty
  private var wanted = SnapParameters()
  private var limits = PhotoLimits()

  init(codec: any JPEGCodec) throws(Errno) {
    self.codec = codec
    scaler = try BoxScaler()
    fitter = PhotoFitter(codec: codec, scaler: scaler, model: try JPEGSizeModel())
    encoded = try ReservedBuffer(capacity: Budget.photoStorageBytes)
    reduced = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    stage = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Gives the memory of the work back to the kernel; the photo stays.
  func releaseWork() {
    state = .empty
    reduced.release()
    stage.release()
    fitter.release()
  }

  /// Gives the photo's memory back to the kernel.
  func releasePhoto() { encoded.release() }

  // MARK: While the camera is open

  /// Takes what is needed of a frame. Throws `.brokenFrame` when the next frame may be better.
  func take(_ frame: RawFrame, _ wanted: SnapParameters, _ limits: PhotoLimits) throws(CameraError) {
    state = .empty
    self.wanted = wanted
    self.limits = limits
    if frame.format == .mjpeg { return try takeJPEG(frame) }
    guard let parts = FrameComponents(frame) else { throw .brokenFrame }
    if frame.format == .rgb24 { return try takeRGB(parts) }
    try reduce(parts, frame.isFullRange ? (.full, .full) : (.videoLuma, .videoChroma))
  }

  private func takeJPEG(_ frame: RawFrame) throws(CameraError) {
    let layout: JPEGLayout
    do throws(FrameFault) {
      layout = try JPEGLayout(checking: frame.bytes)
      try layout.checkSize(frame.width, frame.height)
    } catch {
      faults.count(error)
      throw error == .unsupported ? .unsupportedFormat : .brokenFrame
    }
    if layout.width <= wanted.maxWidth,
      let count = layout.copy(frame.bytes, into: encoded.bytes, limit: limits.bytes)
    {
      state = .passedThrough(photo(count, layout.width, layout.height))
      return
    }
    let whole = UnsafeBufferPointer(rebasing: frame.bytes[..<layout.length])
    let size = PhotoSize(width: layout.width, height: layout.height, maxWidth: wanted.maxWidth)
    let image: PlanarImage
    do throws(JPEGError) {
      image = try codec.decode(whole, atLeast: size.width, into: stage.bytes)
    } catch {
      throw error == .broken ? .brokenFrame : .unsupportedFormat
    }
    // The decoder reduces by 2, 4 or 8 among the coefficients. What has its size then is encoded from where it lies.
    if image.width == size.width, image.height == size.height {
      state = .reduced(image, isInStage: true)
    } else {
      try reduce(FrameComponents(image), (.full, .full))
    }
  }

  private func takeRGB(_ parts: FrameComponents) throws(CameraError) {
    let size = try size(of: parts.first)
    guard let image = PlanarImage(in: stage.bytes, width: size.width, height: size.height, chroma: .full) else {
      throw .unsupportedFormat
    }
    fill(image, from: parts, (.full, .full))
    ColorConverter.convert(image)
    try reduce(FrameComponents(image), (.full, .full))
  }

  private func size(of picture: SampleGrid) throws(CameraError) -> PhotoSize {
    guard BoxScaler.accepts(width: picture.width, height: picture.height) else { throw .unsupportedFormat }
    return PhotoSize(width: picture.width, height: picture.height, maxWidth: wanted.maxWidth)
  }

  private func reduce(_ parts: FrameComponents, _ ranges: (SampleRange, SampleRange)) throws(CameraError) {
    let size = try size(of: parts.first)
    let chroma = parts.second.width == 0 ? ChromaLayout.gray : .quarter
    guard let image = PlanarImage(in: reduced.bytes, width: size.width, height: size.height, chroma: chroma) else {
      throw .unsupportedFormat
    }
    fill(image, from: parts, ranges)
    state = .reduced(image, isInStage: false)
  }

  private func fill(_ image: PlanarImage, from parts: FrameComponents, _ ranges: (SampleRange, SampleRange)) {
    scaler.scale(parts.first, into: image.luma, ranges.0)
    scaler.scale(parts.second, into: image.blue, ranges.1)
    scaler.scale(parts.third, into: image.red, ranges.1)
  }

  // MARK: After it was closed

  /// Encodes what was taken.
  /// - Parameter mayGoOn: asked before each encoding; throws to stop.
  func develop(_ mayGoOn: () throws(CameraError) -> Void) throws(CameraError) -> Photo {
    switch state {
    case .empty: throw .brokenFrame
    case .passedThrough(let photo): return photo
    case .reduced(let picture, let isInStage):
      let spare = isInStage ? reduced.bytes : stage.bytes
      let quality = Int((wanted.quality * 100).rounded())
      let fitted = try fitter.fit(
        picture, quality: quality, limits, spare: spare, into: encoded.bytes, mayGoOn)
      // A larger encoding before may have touched pages behind the photo.
      encoded.release(keeping: fitted.count)
      return photo(fitted.count, fitted.width, fitted.height)
    }
  }

  private func photo(_ count: Int, _ width: Int, _ height: Int) -> Photo {
    Photo(bytes: UnsafeBufferPointer(rebasing: encoded.bytes[..<count]), width: width, height: height)
  }
}
