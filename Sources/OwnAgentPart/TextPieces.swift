import Codec
import Runtime

/// Makes text of another process fit to be shown: it may be cut anywhere, and may be no UTF-8 at all. A character whose
/// bytes come in two pieces is kept until it is whole; what is no character becomes U+FFFD.
struct TextPieces: ~Copyable {
  /// Each byte of a frame may be one that is replaced, by three; and a character that was kept.
  private let output: ReservedBuffer
  private var count = 0
  private var validator = UTF8Validator()
  private var open = InlineArray<4, UInt8>(repeating: 0)
  private var openCount = 0

  init() throws(Errno) { output = try ReservedBuffer(capacity: 3 * Budget.agentFrameBytes + 8) }

  /// Forgets a character that is not whole.
  mutating func reset() {
    validator = UTF8Validator()
    openCount = 0
  }

  /// The characters that are whole with these bytes; valid until the next call.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    count = 0
    for index in 0..<min(bytes.count, Budget.agentFrameBytes) { take(bytes[index]) }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[..<count])
  }

  /// What is left at the end of the text.
  mutating func finish() -> UnsafeBufferPointer<UInt8> {
    count = 0
    if openCount > 0 { replace() }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[..<count])
  }

  /// A whole text.
  mutating func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    reset()
    _ = add(bytes)
    if openCount > 0 { replace() }
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output.bytes)[..<count])
  }

  private mutating func take(_ byte: UInt8) {
    if accept(byte) { return }
    let wasOpen = openCount > 0
    replace()
    // The byte that ends a broken character may begin another one.
    if wasOpen, !accept(byte) { replace() }
  }

  private mutating func accept(_ byte: UInt8) -> Bool {
    let one = InlineArray<1, UInt8>(repeating: byte)
    guard validator.accept(one.span) else { return false }
    open[openCount] = byte
    openCount += 1
    guard validator.isComplete else { return true }
    for index in 0..<openCount { put(open[index]) }
    openCount = 0
    return true
  }

  private mutating func replace() {
    reset()
    put(0xEF)
    put(0xBF)
    put(0xBD)
  }

  private mutating func put(_ byte: UInt8) {
    guard count < output.bytes.count else { return }
    output.bytes[count] = byte
    count += 1
  }
}
