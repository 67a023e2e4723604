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
  private let developer: RawDeveloper
  private let ranges = SampleRanges()
  /// The photo.
  private let encoded: ReservedBuffer
  /// The picture at the first size to encode.
  private let reduced: ReservedBuffer
  /// What the decoder gives, or R, G and B, or what a bare sensor saw; later the picture at smaller sizes.
  private let stage: ReservedBuffer
  private var state = State.empty

  init(codec: any JPEGCodec) throws(Errno) {
    self.codec = codec
    scaler = try BoxScaler()
    developer = try RawDeveloper()
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
    developer.release()
  }

  /// Gives the photo's memory back to the kernel.
  func releasePhoto() { encoded.release() }

  // MARK: While the camera is open

  /// Takes what is needed of a frame. Throws `.brokenFrame` when the next frame may be better.
  func take(_ frame: RawFrame, _ wanted: SnapParameters) throws(CameraError) {
    state = .empty
    switch frame.format {
    case .mjpeg: try takeJPEG(frame.bytes, wanted)
    case .bayer: try takeMosaic(frame, wanted)
    case .y10: try takeWords(frame, wanted)
    case .rgb24, .bgr24: try takeRGB(try Self.components(frame), wanted)
    default:
      let parts = try Self.components(frame)
      try reduce(parts, try attempts(parts.first.width, parts.first.height, wanted), Self.ranges(frame))
    }
  }

  /// Light and colour of a frame, to tell when a camera has settled. Uses the memory of the work.
  func measure(_ frame: RawFrame) throws(CameraError) -> FrameStatistics {
    let parts: FrameComponents
    switch frame.format {
    case .bayer:
      guard let mosaic = Mosaic(frame), BoxScaler.accepts(width: mosaic.width, height: mosaic.height) else {
        throw .brokenFrame
      }
      return developer.measure(mosaic)
    case .mjpeg:
      let layout = try Self.coded { () throws(JPEGError) in try JPEGLayout(frame.bytes) }
      let whole = UnsafeBufferPointer(rebasing: frame.bytes[..<layout.length])
      let image = try Self.coded { () throws(JPEGError) in
        try codec.decode(whole, atLeast: 1, into: stage.bytes)
      }
      return FrameComponents(image).statistics(isRGB: false, ranges, isFullRange: true)
    case .y10: parts = FrameComponents(try narrow(frame))
    default: parts = try Self.components(frame)
    }
    let isRGB = frame.format == .rgb24 || frame.format == .bgr24
    return parts.statistics(isRGB: isRGB, ranges, isFullRange: isRGB || frame.isFullRange)
  }

  private static func components(_ frame: RawFrame) throws(CameraError) -> FrameComponents {
    guard let parts = FrameComponents(frame) else { throw .brokenFrame }
    return parts
  }

  private static func ranges(_ frame: RawFrame) -> (SampleRange, SampleRange) {
    frame.isFullRange ? (.full, .full) : (.videoLuma, .videoChroma)
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
    try reduce(FrameComponents(image), try attempts(image.width, image.height, wanted), (.full, .full))
  }

  private func takeMosaic(_ frame: RawFrame, _ wanted: SnapParameters) throws(CameraError) {
    guard let mosaic = Mosaic(frame) else { throw .brokenFrame }
    let attempts = try attempts(mosaic.width, mosaic.height, wanted)
    let (width, height) = (attempts.first.width, attempts.first.height)
    // Squares of four pixels are enough for half the size, and much cheaper than to make up colours and average.
    let isHalf = 2 * width <= mosaic.width && 2 * height <= mosaic.height
    let (across, down) = isHalf ? (mosaic.width / 2, mosaic.height / 2) : (mosaic.width, mosaic.height)
    let isFinal = across == width && down == height
    guard
      let image = PlanarImage(
        in: isFinal ? reduced.bytes : stage.bytes, width: across, height: down, chroma: .quarter)
    else { throw .unsupportedFormat }
    let balance = WhiteBalance(grayWorld: developer.measure(mosaic), mosaic.sensor)
    developer.develop(mosaic, balance, into: image, isHalf: isHalf)
    if isFinal {
      state = .reduced(image, attempts.first, attempts.rest)
    } else {
      try reduce(FrameComponents(image), attempts, (.full, .full))
    }
  }

  private func takeWords(_ frame: RawFrame, _ wanted: SnapParameters) throws(CameraError) {
    let attempts = try attempts(frame.width, frame.height, wanted)
    try reduce(FrameComponents(try narrow(frame)), attempts, Self.ranges(frame))
  }

  /// The upper 8 of 10 bits.
  private func narrow(_ frame: RawFrame) throws(CameraError) -> PlanarImage {
    let plane = frame.planes[0]
    let (count, overflow) = plane.rowBytes.multipliedReportingOverflow(by: frame.height)
    guard frame.planeCount == 1, let base = plane.bytes.baseAddress, frame.width >= 2, frame.height >= 2,
      plane.rowBytes / 2 >= frame.width, !overflow, count <= plane.bytes.count
    else { throw .brokenFrame }
    guard let image = PlanarImage(in: stage.bytes, width: frame.width, height: frame.height, chroma: .gray)
    else {
      throw .unsupportedFormat
    }
    for y in 0..<frame.height {
      let (from, to) = (base + y * plane.rowBytes, image.luma.base + y * image.luma.rowBytes)
      for x in 0..<frame.width {
        let word = UInt16(from[2 &* x]) | UInt16(from[2 &* x &+ 1]) &<< 8
        to[x] = UInt8(truncatingIfNeeded: min(word &>> 2, 255))
      }
    }
    return image
  }

  private func takeRGB(_ parts: FrameComponents, _ wanted: SnapParameters) throws(CameraError) {
    let attempts = try attempts(parts.first.width, parts.first.height, wanted)
    guard
      let image = PlanarImage(
        in: stage.bytes, width: attempts.first.width, height: attempts.first.height, chroma: .full)
    else { throw .unsupportedFormat }
    fill(image, from: parts)
    ColorConverter.convert(image)
    try reduce(FrameComponents(image), attempts, (.full, .full))
  }

  private typealias Attempts = (first: PhotoAttempts.Attempt, rest: PhotoAttempts)

  private func attempts(_ width: Int, _ height: Int, _ wanted: SnapParameters) throws(CameraError) -> Attempts
  {
    guard BoxScaler.accepts(width: width, height: height) else { throw .unsupportedFormat }
    var attempts = PhotoAttempts(
      width: width, height: height, maxWidth: wanted.maxWidth, quality: wanted.quality)
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
