import CLinux
import Camera
import Runtime

/// A camera that is open, perhaps streaming into mapped buffers. Whatever happens, its end stops the stream,
/// unmaps the buffers and closes the file.
struct V4L2Stream: ~Copyable {
  private let camera: Descriptor
  private var buffers = InlineArray<8, UnsafeRawBufferPointer>(
    repeating: UnsafeRawBufferPointer(start: nil, count: 0))
  private var count = 0
  private var picture = tl_video_picture()
  private var format = PixelFormat.mjpeg

  /// Takes over an open camera.
  init(_ camera: Descriptor) { self.camera = camera }

  deinit {
    // Harmless when the stream never started or the device is gone.
    _ = tl_video_stream(camera.number, 0)
    for index in 0..<count {
      tl_munmap(
        UnsafeMutableRawPointer(mutating: buffers[index].baseAddress!), numericCast(buffers[index].count))
    }
    _ = tl_video_request_buffers(camera.number, 0)
    camera.close()
  }

  /// Sets the best mode for a picture of `width` pixels across and starts the stream.
  mutating func start(width: Int) throws(CameraError) {
    guard let mode = V4L2Mode.best(of: camera, wanted: width) else { throw .unsupportedFormat }
    try set(mode)
    try mapBuffers()
    for index in 0..<count { try V4L2Camera.check(tl_video_queue(camera.number, UInt32(index))) }
    try V4L2Camera.check(tl_video_stream(camera.number, 1))
  }

  /// A driver may grant something else than was asked; what it granted counts when it is usable.
  private mutating func set(_ mode: V4L2Mode) throws(CameraError) {
    picture.fourcc = V4L2Format.all[mode.index].fourcc
    picture.width = UInt32(mode.width)
    picture.height = UInt32(mode.height)
    try V4L2Camera.check(tl_video_set_picture(camera.number, &picture))
    guard let index = V4L2Format.index(of: picture.fourcc) else { throw .unsupportedFormat }
    guard picture.image_bytes <= UInt32(Budget.cameraFrameBytes) else { throw .unsupportedFormat }
    format = V4L2Format.all[index].format
  }

  private mutating func mapBuffers() throws(CameraError) {
    let granted = try V4L2Camera.check(tl_video_request_buffers(camera.number, UInt32(Budget.cameraBuffers)))
    guard granted > 0 else { throw .io(.outOfMemory) }
    for index in 0..<min(Int(granted), buffers.count) {
      var (length, offset): (UInt32, UInt32) = (0, 0)
      try V4L2Camera.check(tl_video_buffer(camera.number, UInt32(index), &length, &offset))
      var address: UnsafeMutableRawPointer?
      try V4L2Camera.check(tl_mmap(camera.number, numericCast(length), Int64(offset), &address))
      buffers[index] = UnsafeRawBufferPointer(start: address, count: Int(length))
      count = index + 1
    }
  }

  /// Lends the next filled buffer to `visit`, and gives it back to the driver when another one is wanted.
  /// `.next` also when none was filled within `milliseconds`, or only a damaged one.
  func next(
    within milliseconds: Int32, _ visit: (RawFrame) -> FrameVerdict
  ) throws(CameraError) -> FrameVerdict {
    do throws(Errno) {
      guard try Syscall.waitReadable(camera, or: nil, milliseconds: milliseconds).ready else { return .next }
    } catch {
      throw V4L2Camera.error(error)
    }
    var filled = tl_video_filled()
    let result = tl_video_dequeue(camera.number, &filled)
    if Errno(Int32(truncatingIfNeeded: -result)) == .wouldBlock { return .next }
    try V4L2Camera.check(result)
    guard filled.index < count else { throw .io(.inputOutput) }
    let isWhole = filled.is_damaged == 0 && filled.bytes_used > 0
    if isWhole, visit(frame(filled)) == .done { return .done }
    try V4L2Camera.check(tl_video_queue(camera.number, filled.index))
    return .next
  }

  private func frame(_ filled: tl_video_filled) -> RawFrame {
    let buffer = buffers[Int(filled.index)]
    let used = min(Int(clamping: filled.bytes_used), buffer.count)
    return RawFrame(
      format: format, width: Int(clamping: picture.width), height: Int(clamping: picture.height),
      rowBytes: Int(clamping: picture.bytes_per_line), isFullRange: picture.is_full_range != 0,
      bytes: UnsafeRawBufferPointer(rebasing: buffer[..<used]).assumingMemoryBound(to: UInt8.self))
  }
}
