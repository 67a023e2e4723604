import Runtime

/// Room for texts that live for a while: each is written behind the one before, and over the oldest at the end.
final class ScratchRing {
  private let buffer: ReservedBuffer
  private var end = 0

  init(capacity: Int) throws(Errno) {
    buffer = try ReservedBuffer(capacity: capacity)
  }

  /// Room for `count` bytes at most, which `keep` makes a text.
  func room(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if buffer.bytes.count - end < count { end = 0 }
    return UnsafeMutableBufferPointer(
      start: buffer.bytes.baseAddress! + end, count: min(count, buffer.bytes.count - end))
  }

  /// The first bytes of the room just given.
  func keep(_ count: Int) -> Bytes {
    let start = end
    end += count
    return Bytes(start: buffer.bytes.baseAddress! + start, count: count)
  }

  /// Gives the memory back.
  func release() {
    end = 0
    buffer.release()
  }
}
