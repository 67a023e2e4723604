/// Bytes of a stream that have arrived and are used from the front, a piece at a time. Its memory is taken once.
public struct IntakeBuffer: ~Copyable {
  private let memory: FixedBuffer
  private var count = 0
  /// Bytes at the front that were used, and are moved away when the buffer is used again.
  private var used = 0

  /// A buffer for so many bytes, which is the longest piece that can be waited for.
  public init(capacity: Int) { memory = FixedBuffer(capacity: capacity) }

  /// Forgets everything.
  public mutating func reset() { (count, used) = (0, 0) }

  /// Where the next bytes are to be written; empty when it is full.
  public mutating func room() -> UnsafeMutableBufferPointer<UInt8> {
    drop()
    return UnsafeMutableBufferPointer(rebasing: memory.bytes[count...])
  }

  /// So many bytes were written there; more than there is room for count as that.
  public mutating func wrote(_ bytes: Int) { count = min(count + max(bytes, 0), memory.bytes.count) }

  /// All that has arrived and was not used. Valid until the buffer is used again.
  public mutating func bytes() -> UnsafeBufferPointer<UInt8> {
    drop()
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(memory.bytes)[..<count])
  }

  /// So many bytes at the front are used up; they stay where they are until the buffer is used again.
  public mutating func use(_ bytes: Int) { used = min(max(bytes, 0), count) }

  private mutating func drop() {
    guard used > 0, let start = memory.bytes.baseAddress else { return }
    start.update(from: start + used, count: count - used)
    (count, used) = (count - used, 0)
  }
}
