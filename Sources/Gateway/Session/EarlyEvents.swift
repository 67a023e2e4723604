import Runtime

/// Messages that arrive before `hello-ok` and wait for it (gateway reference 1.6): limited in number and bytes.
struct EarlyEvents: ~Copyable {
  private let buffer: ReservedBuffer
  private var ends = InlineArray<32, Int>(repeating: 0)
  private var next = 0
  private var count = 0

  init() throws(Errno) {
    precondition(Budget.earlyEvents == 32)
    buffer = try ReservedBuffer(capacity: Budget.earlyEventBytes)
  }

  var isEmpty: Bool { next == count }

  /// Keeps a copy; false when there is no room.
  mutating func push(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = count == 0 ? 0 : ends[count - 1]
    guard count < Budget.earlyEvents, start + text.count <= buffer.bytes.count else { return false }
    if let source = text.baseAddress {
      (buffer.bytes.baseAddress! + start).update(from: source, count: text.count)
    }
    ends[count] = start + text.count
    count += 1
    return true
  }

  /// The oldest message; valid until `clear` or the next `push` after the queue ran empty.
  mutating func pop() -> UnsafeBufferPointer<UInt8>? {
    if isEmpty { return nil }
    let start = next == 0 ? 0 : ends[next - 1]
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[start..<ends[next]])
    next += 1
    return text
  }

  /// Drops everything.
  mutating func clear() {
    if count > 0 { buffer.release() }
    next = 0
    count = 0
  }
}
