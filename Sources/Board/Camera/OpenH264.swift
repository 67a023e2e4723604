import COpenH264
import Camera
import Runtime

/// H.264 by openh264 2.3, in software: constrained baseline profile, on the calling thread.
public final class OpenH264: H264Encoder {
  private var encoder: OpaquePointer?
  private var format = VideoFormat(width: 0, height: 0, picturesPerKilosecond: 0, isFullRange: false)
  private var rate = 0
  private var first: Int64?

  /// Largest picture in pixels (level 5.2) and highest picture rate that openh264 encodes.
  private static let pixels = 36_864 * 256
  private static let picturesPerKilosecond = 1000...60_000
  /// Shortest side that its motion search accepts.
  private static let side = 16

  /// An encoder that takes memory while it runs: 9 MB for 1280 x 720.
  @export(interface)
  public init() {}

  deinit { stop() }

  /// See `H264Encoder`.
  public func start(_ format: VideoFormat, most: Int) throws(ClipError) {
    stop()
    guard format.width >= Self.side, format.height >= Self.side, format.width % 2 == 0, format.height % 2 == 0,
      format.width <= Self.pixels / format.height,
      Self.picturesPerKilosecond.contains(format.picturesPerKilosecond)
    else { throw .encoder }
    let bits = Int32(clamping: max(most, 1))
    var settings = tl_h264_settings(
      width: Int32(format.width), height: Int32(format.height),
      pictures_per_kilosecond: Int32(format.picturesPerKilosecond), bits_per_second: bits,
      most_bits_per_second: bits, is_full_range: format.isFullRange ? 1 : 0)
    guard let opened = tl_h264_open(&settings) else { throw .encoder }
    encoder = opened
    self.format = format
    rate = Int(bits)
    first = nil
  }

  /// See `H264Encoder`. The picture is returned by the same call.
  public func encode(
    _ image: PlanarImage, at time: Int64, _ order: PictureOrder
  ) throws(ClipError) -> EncodedPicture? {
    guard let encoder, image.width == format.width, image.height == format.height, image.chroma == .quarter else {
      throw .encoder
    }
    try aim(encoder, order.bitsPerSecond)
    let begin = first ?? time
    first = begin
    var planes: InlineArray<3, UnsafeMutablePointer<UInt8>?> = [image.luma.base, image.blue.base, image.red.base]
    let strides: InlineArray<3, Int32> = [
      Int32(image.luma.rowBytes), Int32(image.blue.rowBytes), Int32(image.red.rowBytes),
    ]
    var bytes: UnsafePointer<UInt8>?
    var planeSpan = planes.mutableSpan
    let count = planeSpan.withUnsafeMutableBufferPointer { planes in
      strides.span.withUnsafeBufferPointer { strides in
        tl_h264_encode(
          encoder, planes.baseAddress!, strides.baseAddress!, (time - begin) / 1000, order.isKeyframe ? 1 : 0, &bytes)
      }
    }
    guard count >= 0 else { throw .encoder }
    guard count > 0 else { return nil }
    return EncodedPicture(bytes: UnsafeBufferPointer(start: bytes, count: Int(count)), time: time)
  }

  /// See `H264Encoder`. There is nothing left to drain.
  public func drain() throws(ClipError) -> EncodedPicture? { nil }

  /// See `H264Encoder`.
  public func stop() {
    if let encoder { tl_h264_close(encoder) }
    encoder = nil
  }

  private func aim(_ encoder: OpaquePointer, _ bitsPerSecond: Int) throws(ClipError) {
    guard bitsPerSecond != rate else { return }
    guard tl_h264_rate(encoder, Int32(clamping: max(bitsPerSecond, 1))) == 0 else { throw .encoder }
    rate = bitsPerSecond
  }
}
