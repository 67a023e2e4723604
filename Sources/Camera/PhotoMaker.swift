import Runtime

/// Turns a frame into a photo that keeps to the width and the bytes allowed. While the camera is open,
/// `take` copies or reduces the frame; after it was closed, `develop` encodes as often as needed.
final class PhotoMaker {
  private enum State {
    case empty
    /// The camera's own JPEG, in `encoded`, needs no work.
    case passedThrough(Photo)
    /// A picture in `reduced` waits for its encoding, at the first of these attempts.
    case reduced(PlanarImage, PhotoAttempts.Attempt, PhotoAttempts)
  }

  private let codec: any JPEGCodec
  private let scaler: BoxScaler
  /// The photo.
  private let encoded: ReservedBuffer
  /// The picture at the first size to encode.
  private let reduced: ReservedBuffer
  /// What the decoder gives, or R, G and B; later the picture at smaller sizes.
  private let stage: ReservedBuffer
  private var state = State.empty

  init(codec: any JPEGCodec) throws(Errno) {
    self.codec = codec
    scaler = try BoxScaler()
    encoded = try ReservedBuffer(capacity: Budget.photoStorageBytes)
    reduced = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    stage = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Gives the memory of the work back to the kernel; the photo stays.
  func releaseWork() {
    state = .empty
    reduced.release()
    stage.release()
    scaler.release()
  }

  /// Gives the photo's memory back to the kernel.
  func releasePhoto() { encoded.release() }

  // MARK: While the camera is open

  /// Takes what is needed of a frame. Throws `.brokenFrame` when the next frame may be better.
  func take(_ frame: RawFrame, _ wanted: SnapParameters) throws(CameraError) {
    state = .empty
    if frame.format == .mjpeg { return try takeJPEG(frame.bytes, wanted) }
    guard let parts = FrameComponents(frame) else { throw .brokenFrame }
    if frame.format == .rgb24 { return try takeRGB(parts, wanted) }
    let ranges: (SampleRange, SampleRange) =
      frame.isFullRange ? (.full, .full) : (.videoLuma, .videoChroma)
    try reduce(parts, try attempts(parts.first, wanted), ranges)
  }

  private func takeJPEG(_ bytes: UnsafeBufferPointer<UInt8>, _ wanted: SnapParameters) throws(CameraError) {
    let layout = try Self.coded { () throws(JPEGError) in try JPEGLayout(bytes) }
    if layout.width <= wanted.maxWidth,
      let count = layout.copy(bytes, into: encoded.bytes, limit: Budget.photoBytes)
    {
      state = .passedThrough(photo(count, layout.width, layout.height))
      return
    }
    let whole = UnsafeBufferPointer(rebasing: bytes[..<layout.length])
    let width = min(wanted.maxWidth, layout.width)
    let image = try Self.coded { () throws(JPEGError) in
      try codec.decode(whole, atLeast: width, into: stage.bytes)
    }
    let parts = FrameComponents(image)
    try reduce(parts, try attempts(parts.first, wanted), (.full, .full))
  }

  private func takeRGB(_ parts: FrameComponents, _ wanted: SnapParameters) throws(CameraError) {
    let attempts = try attempts(parts.first, wanted)
    guard
      let image = PlanarImage(
        in: stage.bytes, width: attempts.first.width, height: attempts.first.height, chroma: .full)
    else { throw .unsupportedFormat }
    fill(image, from: parts)
    ColorConverter.convert(image)
    try reduce(FrameComponents(image), attempts, (.full, .full))
  }

  private typealias Attempts = (first: PhotoAttempts.Attempt, rest: PhotoAttempts)

  private func attempts(_ picture: SampleGrid, _ wanted: SnapParameters) throws(CameraError) -> Attempts {
    guard BoxScaler.accepts(width: picture.width, height: picture.height) else { throw .unsupportedFormat }
    var attempts = PhotoAttempts(
      width: picture.width, height: picture.height, maxWidth: wanted.maxWidth, quality: wanted.quality)
    guard let first = attempts.next() else { throw .unsupportedFormat }
    return (first, attempts)
  }

  private func reduce(
    _ parts: FrameComponents, _ attempts: Attempts, _ ranges: (SampleRange, SampleRange)
  ) throws(CameraError) {
    let chroma = parts.second.width == 0 ? ChromaLayout.gray : .quarter
    guard
      let image = PlanarImage(
        in: reduced.bytes, width: attempts.first.width, height: attempts.first.height, chroma: chroma)
    else { throw .unsupportedFormat }
    fill(image, from: parts, ranges)
    state = .reduced(image, attempts.first, attempts.rest)
  }

  private func fill(
    _ image: PlanarImage, from parts: FrameComponents, _ ranges: (SampleRange, SampleRange) = (.full, .full)
  ) {
    scaler.scale(parts.first, into: image.luma, ranges.0)
    scaler.scale(parts.second, into: image.blue, ranges.1)
    scaler.scale(parts.third, into: image.red, ranges.1)
  }

  // MARK: After it was closed

  /// Encodes what was taken until it is small enough.
  /// - Parameter mayGoOn: asked before each encoding; throws to stop.
  func develop(_ mayGoOn: () throws(CameraError) -> Void) throws(CameraError) -> Photo {
    switch state {
    case .empty: throw .brokenFrame
    case .passedThrough(let photo): return photo
    case .reduced(let picture, let first, var attempts):
      var (image, attempt, smallest) = (picture, first, Int.max)
      while true {
        try mayGoOn()
        let count = try encode(image, attempt)
        if count <= Budget.photoBytes {
          // A larger attempt before may have touched pages behind the photo.
          encoded.release(keeping: count)
          return photo(count, image.width, image.height)
        }
        smallest = min(smallest, count)
        guard let next = attempts.next() else { throw .tooLarge(smallest) }
        if next.width != image.width || next.height != image.height { image = try smaller(picture, next) }
        attempt = next
      }
    }
  }

  private func encode(_ image: PlanarImage, _ attempt: PhotoAttempts.Attempt) throws(CameraError) -> Int {
    let percent = Int((attempt.quality * 100).rounded())
    return try Self.coded { () throws(JPEGError) in
      try codec.encode(image, quality: percent, into: encoded.bytes)
    }
  }

  /// The picture at a smaller size, made from the first one each time so that blur does not add up.
  private func smaller(_ picture: PlanarImage, _ attempt: PhotoAttempts.Attempt) throws(CameraError)
    -> PlanarImage
  {
    guard
      let image = PlanarImage(
        in: stage.bytes, width: attempt.width, height: attempt.height, chroma: picture.chroma)
    else { throw .unsupportedFormat }
    fill(image, from: FrameComponents(picture))
    return image
  }

  private func photo(_ count: Int, _ width: Int, _ height: Int) -> Photo {
    Photo(bytes: UnsafeBufferPointer(rebasing: encoded.bytes[..<count]), width: width, height: height)
  }

  private static func coded<Value>(_ body: () throws(JPEGError) -> Value) throws(CameraError) -> Value {
    do throws(JPEGError) {
      return try body()
    } catch {
      throw error == .broken ? .brokenFrame : .unsupportedFormat
    }
  }
}
