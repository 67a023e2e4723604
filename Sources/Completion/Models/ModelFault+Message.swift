import Codec
import Runtime

// What servers say in errors, made fit for a line of a log.

extension ModelFault {
  /// Of a key that is repeated in part, so many bytes from its beginning are enough to hide it.
  private static let knownBytes = 8
  /// Shorter keys are parts of words; a message that has one is dropped as a whole.
  private static let shortestKey = 6

  /// Copies a message without control characters, line ends and the key, as much of it as there is room for.
  static func clean(_ message: Span<UInt8>, hiding key: Span<UInt8>, into text: inout InlineText<160>) {
    let message = message.trimmed
    text.fill { room in
      let count = clean(message, hiding: key, into: room)
      return cut(UnsafeBufferPointer(room), count)
    }
  }

  /// Returns how many bytes the message has, of which the first are in `room`.
  private static func clean(
    _ message: Span<UInt8>, hiding key: Span<UInt8>, into room: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var writer = ByteWriter(into: room)
    var index = 0
    while index < message.count, writer.isComplete {
      let hidden = keyLength(message.extracting(index..<message.count), key)
      if hidden > 0, key.count < shortestKey { return 0 }
      if hidden > 0 {
        writer.text("[key]")
        index += hidden
        continue
      }
      writer.byte(shown(message[index]))
      index += 1
    }
    return writer.count
  }

  /// Control characters are shown as blanks.
  private static func shown(_ byte: UInt8) -> UInt8 { byte < 0x20 || byte == 0x7F ? 0x20 : byte }

  /// Bytes of the key that `text` begins with as it is shown, when they are enough to know it by.
  private static func keyLength(_ text: Span<UInt8>, _ key: Span<UInt8>) -> Int {
    var length = 0
    while length < text.count, length < key.count, shown(text[length]) == key[length] { length += 1 }
    return length > 0 && length >= min(knownBytes, key.count) ? length : 0
  }

  /// The bytes of a message of so many that are kept: whole characters.
  private static func cut(_ room: UnsafeBufferPointer<UInt8>, _ count: Int) -> Int {
    guard count > room.count else { return count }
    var end = room.count - 1
    while end > 0, room[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }
}
