import Runtime

/// A ring for temporary texts: each is written after the previous one, and at the end over the oldest.
final class ScratchRing {
  private let buffer: ReservedBuffer
  private var end = 0

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity)
  }

  /// Room for at most `count` bytes, to be committed by `keep`.
  func room(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if buffer.bytes.count - end < count { end = 0 }
    return UnsafeMutableBufferPointer(
      start: buffer.bytes.baseAddress! + end, count: min(count, buffer.bytes.count - end))
  }

  /// Commits the first bytes of the last room.
  func keep(_ count: Int) -> Bytes {
    let start = end
    end += count
    return Bytes(start: buffer.bytes.baseAddress! + start, count: count)
  }

  /// Releases the memory.
  func release() {
    end = 0
    buffer.release()
  }
}
