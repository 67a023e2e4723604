import CV4LConvert
import Camera
import Runtime

/// Converts vendor formats to YU12 by libv4lconvert, with bounds checks around it because its decoders trust their
/// input. One per stream: takes memory at the first conversion and frees it in deinit.
public final class FormatConverter {
  private let handle: OpaquePointer
  private var source: ReservedBuffer?
  private var result: ReservedBuffer?

  /// A converter for the camera of an open descriptor, which has to outlive it; nil for frames without a camera.
  /// libv4lconvert flips the picture for cameras that are known to be mounted upside down.
  @export(interface)
  public init(descriptor: Int32?) throws(CameraError) {
    guard let handle = tl_converter_open(descriptor ?? -1) else { throw .io(.outOfMemory) }
    self.handle = handle
  }

  deinit { tl_converter_close(handle) }

  /// Bytes of the YU12 picture that a frame of this size becomes.
  public static func bytes(width: Int, height: Int) -> Int { width * height * 3 / 2 }

  /// True when frames of this format and size can be converted.
  public func canConvert(_ fourcc: UInt32, width: Int, height: Int) -> Bool {
    guard let format = VendorFormat.of(fourcc) else { return false }
    return format.fits(width: width, height: height)
  }

  /// True when such a frame's Y, once converted, uses 0 to 255; false: 16 to 235.
  public func isFullRange(_ fourcc: UInt32) -> Bool { VendorFormat.of(fourcc)?.isFullRange ?? false }

  /// Converts a frame to Y, Cb and Cr at 4:2:0, one after the other without gaps: how many bytes.
  /// - Parameter rowBytes: from one row to the next, where the format has rows; 0 when they have no gaps.
  /// - Throws: `.unsupportedFormat` for what `canConvert` denies or finds no room in `buffer`, `.brokenFrame` for one
  ///   that is too short or damaged, `.io(.outOfMemory)`.
  public func convert(
    _ bytes: UnsafeBufferPointer<UInt8>, _ fourcc: UInt32, width: Int, height: Int, rowBytes: Int,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) throws(CameraError) -> Int {
    let needed = Self.bytes(width: width, height: height)
    guard let format = VendorFormat.of(fourcc), format.fits(width: width, height: height), buffer.count >= needed
    else { throw .unsupportedFormat }
    let frame = try copy(bytes, format, width, height, rowBytes)
    let picture = try room(&result, needed + Budget.converterSlackBytes)
    var layout = tl_converter_frame(
      fourcc: fourcc, width: UInt32(width), height: UInt32(height),
      bytes_per_line: UInt32(format.rowBytes(width: width)))
    let count = tl_converter_run(
      handle, &layout, frame.baseAddress, Int32(frame.count), picture.baseAddress, Int32(needed))
    guard count == needed else { throw Self.error(count) }
    buffer.baseAddress!.update(from: picture.baseAddress!, count: needed)
    return needed
  }

  /// Buffers as large as the decoders may read and write for any picture of this size.
  private func copy(
    _ bytes: UnsafeBufferPointer<UInt8>, _ format: VendorFormat, _ width: Int, _ height: Int, _ rowBytes: Int
  ) throws(CameraError) -> UnsafeMutableBufferPointer<UInt8> {
    let most = Budget.converterBytesPerPixel * width * height
    let room = try room(&source, most + Budget.converterSlackBytes)
    guard let least = format.bytes(width: width, height: height) else {
      guard !bytes.isEmpty, bytes.count <= most else { throw .brokenFrame }
      room.baseAddress!.update(from: bytes.baseAddress!, count: bytes.count)
      // Clears what an earlier frame left.
      (room.baseAddress! + bytes.count).update(repeating: 0, count: min(4096, room.count - bytes.count))
      return UnsafeMutableBufferPointer(rebasing: room[..<bytes.count])
    }
    let row = format.rowBytes(width: width)
    if format.layout == .rows, rowBytes > row {
      guard bytes.count >= rowBytes * (height - 1) + row else { throw .brokenFrame }
      for y in 0..<height {
        (room.baseAddress! + y * row).update(from: bytes.baseAddress! + y * rowBytes, count: row)
      }
    } else {
      guard bytes.count >= least else { throw .brokenFrame }
      room.baseAddress!.update(from: bytes.baseAddress!, count: least)
    }
    return UnsafeMutableBufferPointer(rebasing: room[..<least])
  }

  private func room(
    _ buffer: inout ReservedBuffer?, _ count: Int
  ) throws(CameraError) -> UnsafeMutableBufferPointer<UInt8> {
    if let buffer, buffer.bytes.count >= count { return buffer.bytes }
    do throws(Errno) {
      let fresh = try ReservedBuffer(capacity: count)
      buffer = fresh
      return fresh.bytes
    } catch {
      throw .io(error)
    }
  }

  private static func error(_ result: Int64) -> CameraError {
    switch Errno(Int32(truncatingIfNeeded: -result)) {
    case .outOfMemory: .io(.outOfMemory)
    case .invalidArgument: .unsupportedFormat
    default: .brokenFrame
    }
  }
}
