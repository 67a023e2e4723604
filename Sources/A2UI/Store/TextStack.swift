import Runtime

/// Memory for texts that are put together of others: each begins where the one that it is for has got to, and gives its
/// room back when it is finished.
final class TextStack {
  private let buffer: ReservedBuffer
  private var end = 0

  init(capacity: Int) throws(Errno) { buffer = try ReservedBuffer(capacity: capacity) }

  /// Where a text begins; to be given to `finish`.
  var start: Int { end }

  /// Adds to the text that was begun last; what there is no room for is left out.
  func append(_ text: Bytes) {
    let count = min(text.count, buffer.bytes.count - end)
    guard count > 0 else { return }
    (buffer.bytes.baseAddress! + end).update(from: text.baseAddress!, count: count)
    end += count
  }

  /// The same for one byte.
  func append(byte: UInt8) {
    guard end < buffer.bytes.count else { return }
    buffer.bytes[end] = byte
    end += 1
  }

  /// The text that began at `start`, cut at a character, valid until another is begun.
  func finish(from start: Int) -> Bytes {
    let text = Bytes(start: buffer.bytes.baseAddress! + start, count: end - start)
    end = start
    return text.withoutPartialEnd.cut(to: Budget.a2uiStringBytes)
  }

  /// Releases the memory.
  func release() {
    end = 0
    buffer.release()
  }
}
