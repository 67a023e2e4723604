import Codec
import Runtime

/// Makes a photo of a frame within limits of width and bytes. While the camera is open, `take` copies or scales the
/// frame; after it was closed, `develop` encodes it.
final class PhotoMaker: FrameMeasuring, StreamMemory {
  private enum State {
    case empty
    /// The camera's own JPEG, unchanged, in `encoded`.
    case passedThrough(Photo)
    /// A picture to be encoded, in `reduced` or in `stage`.
    case reduced(PlanarImage, isInStage: Bool)
  }

  /// Damaged frames since the start, by fault.
  private(set) var faults = FrameFaults()
  /// What every frame of a camera lacked, since the start of the program; nil: nothing.
  var habit: FrameFault? { converter.habit }

  private let codec: any JPEGCodec
  private let converter: FrameConverter
  private let fitter: PhotoFitter
  /// The photo.
  private let encoded: ReservedBuffer
  /// The picture at the size to encode first.
  private let reduced: ReservedBuffer
  /// The decoder's output, R, G and B, or raw samples; later the picture at smaller sizes.
  private let stage: ReservedBuffer
  private var state = State.empty
  private var wanted = SnapParameters()
  private var limits = PhotoLimits()

  init(codec: any JPEGCodec) throws(Errno) {
    self.codec = codec
    converter = try FrameConverter(codec: codec)
    fitter = PhotoFitter(codec: codec, scaler: converter.scaler, model: try JPEGSizeModel())
    encoded = try ReservedBuffer(capacity: Budget.photoStorageBytes)
    reduced = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
    stage = try ReservedBuffer(capacity: Budget.cameraFrameBytes)
  }

  /// Releases the work memory; the photo stays.
  func releaseWork() {
    state = .empty
    reduced.release()
    stage.release()
    converter.release()
    fitter.release()
  }

  /// Releases the photo's memory.
  func releasePhoto() { encoded.release() }

  // MARK: While the camera is open

  /// Copies what is needed of a frame. Throws `.brokenFrame` when the next frame may be better.
  func take(
    _ frame: RawFrame, _ wanted: SnapParameters, _ limits: PhotoLimits, _ orientation: Orientation = Orientation()
  ) throws(CameraError) {
    state = .empty
    self.wanted = wanted
    self.limits = limits
    let layout = try converter.layout(of: frame, &faults)
    if let layout, try pass(frame, layout, orientation) { return }
    let places = FrameConverter.Places(first: reduced.bytes, second: stage.bytes)
    let result = try converter.convert(frame, layout, keepsChroma: orientation.isIdentity, in: places) {
      PhotoSize(width: $0, height: $1, maxWidth: wanted.maxWidth, orientation)
    }
    state = .reduced(result.image, isInStage: result.isInSecond)
    if !orientation.isIdentity { try turn(result, orientation) }
  }

  /// Brightness and color of a frame, to detect when a camera has settled. Uses the work memory.
  func measure(_ frame: RawFrame) throws(CameraError) -> FrameStatistics {
    try converter.measure(frame, in: stage.bytes)
  }

  /// Takes a camera's JPEG unchanged, or losslessly rotated, if it is small enough; false if it is not.
  private func pass(
    _ frame: RawFrame, _ layout: JPEGLayout, _ orientation: Orientation
  ) throws(CameraError) -> Bool {
    let width = orientation.isTransposed ? layout.height : layout.width
    guard layout.isWhole, width <= wanted.maxWidth else { return false }
    if orientation.isIdentity {
      guard let count = layout.copy(frame.bytes, into: encoded.bytes, limit: limits.bytes) else { return false }
      state = .passedThrough(photo(count, layout.width, layout.height))
      return true
    }
    guard layout.length <= limits.bytes else { return false }
    let whole = UnsafeBufferPointer(rebasing: frame.bytes[..<layout.length])
    do throws(JPEGError) {
      let count = try codec.transform(whole, orientation, into: encoded.bytes)
      let turned = try JPEGLayout(UnsafeBufferPointer(rebasing: encoded.bytes[..<count]))
      guard count <= limits.bytes else { return false }
      state = .passedThrough(photo(count, turned.width, turned.height))
      return true
    } catch {
      if error == .broken { throw .brokenFrame }
      return false
    }
  }

  private func turn(_ result: FrameConverter.Result, _ orientation: Orientation) throws(CameraError) {
    let free = result.isInSecond ? reduced.bytes : stage.bytes
    guard let upright = orientation.apply(result.image, in: free) else { throw .unsupportedFormat }
    state = .reduced(upright, isInStage: !result.isInSecond)
  }

  // MARK: After it was closed

  /// Encodes the picture.
  /// - Parameter checkCancelled: asked before each encoding; throws to stop.
  func develop(_ checkCancelled: () throws(CameraError) -> Void) throws(CameraError) -> Photo {
    switch state {
    case .empty: throw .brokenFrame
    case .passedThrough(let photo): return photo
    case .reduced(let picture, let isInStage):
      let spare = isInStage ? reduced.bytes : stage.bytes
      let quality = Int(clamping: (wanted.quality * 100).rounded())
      let fitted = try fitter.fit(
        picture, quality: quality, limits, spare: spare, into: encoded.bytes, checkCancelled)
      // An earlier, larger encoding may have touched pages after the photo.
      encoded.release(keeping: fitted.count)
      return photo(fitted.count, fitted.width, fitted.height)
    }
  }

  private func photo(_ count: Int, _ width: Int, _ height: Int) -> Photo {
    Photo(bytes: UnsafeBufferPointer(rebasing: encoded.bytes[..<count]), width: width, height: height)
  }
}
