import Runtime

/// Converts frames of any format to pictures for photos and clips: with 4:2:0 chroma, or gray. Owns scratch memory; the
/// picture is in the caller's memory.
final class FrameConverter {
  /// The size of a picture from that of the frame.
  typealias Sizing = (_ width: Int, _ height: Int) -> PhotoSize

  /// Two buffers for pictures. A conversion may use both; its result is in one of them.
  struct Places {
    /// The result, unless it had its final size already in the other.
    let first: UnsafeMutableBufferPointer<UInt8>
    let second: UnsafeMutableBufferPointer<UInt8>
  }

  /// A picture, and its buffer.
  struct Result {
    let image: PlanarImage
    let isInSecond: Bool
  }

  let scaler: BoxScaler
  private let codec: any JPEGCodec
  private let developer: RawDeveloper
  private let ranges = SampleRanges()
  private var habits = FrameHabits()

  init(codec: any JPEGCodec) throws(Errno) {
    self.codec = codec
    scaler = try BoxScaler()
    developer = try RawDeveloper()
  }

  /// What every frame of a camera lacked, since the start of the program; nil: nothing.
  var habit: FrameFault? { habits.known }

  /// Releases the scratch memory until the next use, which may be of another camera.
  func release() {
    habits.reset()
    scaler.release()
    developer.release()
  }

  /// The checked layout of a camera's JPEG; nil for other frames. See `FrameHabits.check`.
  func layout(of frame: RawFrame, _ faults: inout FrameFaults) throws(CameraError) -> JPEGLayout? {
    try habits.check(frame, &faults)
  }

  // MARK: Pictures

  /// The picture of a frame. Throws `.brokenFrame` when the next frame may be better, `.unsupportedFormat` when it
  /// would not be.
  /// - Parameters:
  ///   - layout: the checked layout of a camera's JPEG.
  ///   - keepsChroma: true when a decoded JPEG may keep its chroma subsampling.
  func convert(
    _ frame: RawFrame, _ layout: JPEGLayout? = nil, keepsChroma: Bool = false, in places: Places, _ sizing: Sizing
  ) throws(CameraError) -> Result {
    switch frame.format {
    case .h264: throw .unsupportedFormat
    case .mjpeg:
      guard let layout else { throw .brokenFrame }
      return try convertJPEG(frame.bytes, layout, keepsChroma, places, sizing)
    case .bayer: return try convertMosaic(frame, places, sizing)
    case .y10:
      let gray = FrameComponents(try narrow(frame, places.second))
      return try scale(gray, Self.ranges(frame), to: try size(of: gray.first, sizing), places)
    case .rgb24, .bgr24: return try convertRGB(try Self.components(frame), places, sizing)
    default:
      let parts = try Self.components(frame)
      return try scale(parts, Self.ranges(frame), to: try size(of: parts.first, sizing), places)
    }
  }

  private func convertJPEG(
    _ bytes: UnsafeBufferPointer<UInt8>, _ layout: JPEGLayout, _ keepsChroma: Bool, _ places: Places,
    _ sizing: Sizing
  ) throws(CameraError) -> Result {
    let size = sizing(layout.width, layout.height)
    let image = try Self.coded { () throws(JPEGError) -> PlanarImage in
      if layout.isWhole {
        return try codec.decode(
          UnsafeBufferPointer(rebasing: bytes[..<layout.length]), atLeast: size.width, into: places.second)
      }
      // Without an end marker the decoder would warn of that, and no longer of blocks that are missing.
      guard let ended = layout.copyEnded(bytes, into: places.first) else { throw .unsupported }
      let image = try codec.decode(ended, atLeast: size.width, into: places.second)
      guard codec.hadAllData else { throw .broken }
      return image
    }
    let isReady = keepsChroma || image.chroma == .quarter || image.chroma == .gray
    // The decoder scales down by 2, 4 or 8 in the DCT domain. A picture with its final size then stays in place.
    if isReady, image.width == size.width, image.height == size.height {
      return Result(image: image, isInSecond: true)
    }
    return try scale(FrameComponents(image), (.full, .full), to: size, places)
  }

  private func convertMosaic(
    _ frame: RawFrame, _ places: Places, _ sizing: Sizing
  ) throws(CameraError) -> Result {
    guard let mosaic = Mosaic(frame) else { throw .brokenFrame }
    guard BoxScaler.accepts(width: mosaic.width, height: mosaic.height) else { throw .unsupportedFormat }
    let size = sizing(mosaic.width, mosaic.height)
    // For half the size, binning squares of four pixels is enough, and much cheaper than demosaicing and scaling.
    let isHalf = 2 * size.width <= mosaic.width && 2 * size.height <= mosaic.height
    let (width, height) = isHalf ? (mosaic.width / 2, mosaic.height / 2) : (mosaic.width, mosaic.height)
    let isFinal = width == size.width && height == size.height
    let place = isFinal ? places.first : places.second
    guard let image = PlanarImage(in: place, width: width, height: height, chroma: .quarter) else {
      throw .unsupportedFormat
    }
    let balance = WhiteBalance(grayWorld: developer.measure(mosaic), mosaic.sensor)
    developer.develop(mosaic, balance, into: image, isHalf: isHalf)
    if isFinal { return Result(image: image, isInSecond: false) }
    return try scale(FrameComponents(image), (.full, .full), to: size, places)
  }

  private func convertRGB(
    _ parts: FrameComponents, _ places: Places, _ sizing: Sizing
  ) throws(CameraError) -> Result {
    let size = try size(of: parts.first, sizing)
    guard let image = PlanarImage(in: places.second, width: size.width, height: size.height, chroma: .full) else {
      throw .unsupportedFormat
    }
    fill(image, from: parts, (.full, .full))
    ColorConverter.convert(image)
    return try scale(FrameComponents(image), (.full, .full), to: size, places)
  }

  /// The upper 8 of 10 bits.
  private func narrow(
    _ frame: RawFrame, _ place: UnsafeMutableBufferPointer<UInt8>
  ) throws(CameraError) -> PlanarImage {
    let plane = frame.planes[0]
    let (count, overflow) = plane.rowBytes.multipliedReportingOverflow(by: frame.height)
    guard frame.planeCount == 1, let base = plane.bytes.baseAddress, frame.width >= 2, frame.height >= 2,
      plane.rowBytes / 2 >= frame.width, !overflow, count <= plane.bytes.count
    else { throw .brokenFrame }
    guard let image = PlanarImage(in: place, width: frame.width, height: frame.height, chroma: .gray) else {
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

  // MARK: Measuring

  /// Brightness and color of a frame, to detect when a camera has settled.
  func measure(
    _ frame: RawFrame, in place: UnsafeMutableBufferPointer<UInt8>
  ) throws(CameraError) -> FrameStatistics {
    let parts: FrameComponents
    switch frame.format {
    case .bayer:
      guard let mosaic = Mosaic(frame), BoxScaler.accepts(width: mosaic.width, height: mosaic.height) else {
        throw .brokenFrame
      }
      return developer.measure(mosaic)
    case .mjpeg:
      // Only frames for a picture are counted.
      var uncounted = FrameFaults()
      guard let layout = try layout(of: frame, &uncounted) else { throw .brokenFrame }
      let whole = UnsafeBufferPointer(rebasing: frame.bytes[..<layout.length])
      let image = try Self.coded { () throws(JPEGError) in try codec.decode(whole, atLeast: 1, into: place) }
      return FrameComponents(image).statistics(isRGB: false, ranges, isFullRange: true)
    case .y10: parts = FrameComponents(try narrow(frame, place))
    default: parts = try Self.components(frame)
    }
    let isRGB = frame.format == .rgb24 || frame.format == .bgr24
    return parts.statistics(isRGB: isRGB, ranges, isFullRange: isRGB || frame.isFullRange)
  }

  // MARK: Parts

  private static func components(_ frame: RawFrame) throws(CameraError) -> FrameComponents {
    guard let parts = FrameComponents(frame) else { throw .brokenFrame }
    return parts
  }

  private static func ranges(_ frame: RawFrame) -> (SampleRange, SampleRange) {
    frame.isFullRange ? (.full, .full) : (.videoLuma, .videoChroma)
  }

  private static func coded<Value>(_ body: () throws(JPEGError) -> Value) throws(CameraError) -> Value {
    do throws(JPEGError) { return try body() } catch { throw error == .broken ? .brokenFrame : .unsupportedFormat }
  }

  private func size(of picture: SampleGrid, _ sizing: Sizing) throws(CameraError) -> PhotoSize {
    guard BoxScaler.accepts(width: picture.width, height: picture.height) else { throw .unsupportedFormat }
    return sizing(picture.width, picture.height)
  }

  private func scale(
    _ parts: FrameComponents, _ ranges: (SampleRange, SampleRange), to size: PhotoSize, _ places: Places
  ) throws(CameraError) -> Result {
    let chroma = parts.second.width == 0 ? ChromaLayout.gray : .quarter
    guard let image = PlanarImage(in: places.first, width: size.width, height: size.height, chroma: chroma) else {
      throw .unsupportedFormat
    }
    fill(image, from: parts, ranges)
    return Result(image: image, isInSecond: false)
  }

  private func fill(_ image: PlanarImage, from parts: FrameComponents, _ ranges: (SampleRange, SampleRange)) {
    scaler.scale(parts.first, into: image.luma, ranges.0)
    scaler.scale(parts.second, into: image.blue, ranges.1)
    scaler.scale(parts.third, into: image.red, ranges.1)
  }
}
