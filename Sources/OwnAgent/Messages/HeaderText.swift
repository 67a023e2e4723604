import Codec
import Runtime

/// Text in the header of a message: as it is where it is short and plain, else in encoded words (RFC 2047).
enum HeaderText {
  /// Characters of an encoded word, and of a line that has one (RFC 2047 section 2).
  private static let wordLimit = 75
  private static let lineLimit = 76
  /// `=?UTF-8?B?` and `?=`.
  private static let frame = 12

  /// True for line ends and other controls, which would end the field: C0, DEL, and C1 in UTF-8; and for the separators
  /// of lines and paragraphs.
  static func hasControls(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in 0..<text.count {
      let byte = text[index]
      if byte < 0x20 || byte == 0x7F { return true }
      if byte == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 { return true }
      if byte == 0xE2, index + 2 < text.count, text[index + 1] == 0x80, text[index + 2] & 0xFE == 0xA8 { return true }
    }
    return false
  }

  /// Writes a text without controls after `column` characters of its line. `isPhrase`: before an address, where many
  /// characters of ASCII mean something.
  static func write(
    _ text: UnsafeBufferPointer<UInt8>, column: Int, isPhrase: Bool, to writer: inout ByteWriter
  ) {
    if isPlain(text, column: column, isPhrase: isPhrase) { return writer.bytes(text.span) }
    var (start, line) = (0, column)
    while start < text.count {
      let characters = min(wordLimit, lineLimit - line) - frame
      let end = wordEnd(text, from: start, bytes: max(characters, 0) / 4 * 3)
      writeWord(text.extracting(start..<end), to: &writer)
      start = end
      if start < text.count { writer.text("\r\n ") }
      line = 1
    }
  }

  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, column: Int, isPhrase: Bool) -> Bool {
    guard text.count + column <= lineLimit else { return false }
    if let first = text.first, let last = text.last, first == 0x20 || last == 0x20 { return false }
    for index in 0..<text.count {
      let byte = text[index]
      guard byte >= 0x20, byte < 0x7F else { return false }
      // What looks like an encoded word would be decoded.
      if byte == UInt8(ascii: "="), index + 1 < text.count, text[index + 1] == UInt8(ascii: "?") { return false }
      let isLetter = byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.asciiLowercased)
      if isPhrase, !isLetter, byte != 0x20, byte != UInt8(ascii: "-") { return false }
    }
    return true
  }

  /// Where a word of at most so many bytes ends: at a character's edge.
  private static func wordEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int, bytes: Int) -> Int {
    var end = min(start + max(bytes, 4), text.count)
    while end < text.count, end > start + 1, text[end] & 0xC0 == 0x80 { end -= 1 }
    return end
  }

  private static func writeWord(_ text: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    writer.text("=?UTF-8?B?")
    MailBase64.write(text, to: &writer)
    writer.text("?=")
  }
}

/// Base64 into a writer.
enum MailBase64 {
  static func write(_ bytes: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    var group = InlineArray<4, UInt8>(repeating: 0)
    var index = 0
    while index < bytes.count {
      let piece = bytes.extracting(index..<min(index + 3, bytes.count))
      var span = group.mutableSpan
      let count = span.withUnsafeMutableBufferPointer { Base64.standard.encode(piece.span, into: $0) }
      for place in 0..<count { writer.byte(group[place]) }
      index += 3
    }
  }
}

/// Text as quoted-printable (RFC 2045 section 6.7): lines of at most 76 characters of ASCII, which no server changes.
enum QuotedPrintable {
  private static let lineLimit = 76

  /// Writes a text with a line end after its last line. Line feeds alone, and with carriage returns, end lines.
  static func write(_ text: UnsafeBufferPointer<UInt8>, to writer: inout ByteWriter) {
    var (index, column) = (0, 0)
    while index < text.count {
      let byte = text[index]
      if byte == 0x0A || byte == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A {
        index += byte == 0x0A ? 1 : 2
        writer.text("\r\n")
        column = 0
        continue
      }
      let isPlain = isPlain(text, index)
      let width = isPlain ? 1 : 3
      // The last character of a line that goes on is the equals sign.
      if column + width > (endsLine(text, index + 1) ? lineLimit : lineLimit - 1) {
        writer.text("=\r\n")
        column = 0
      }
      if isPlain {
        writer.byte(byte)
      } else {
        writer.byte(UInt8(ascii: "="))
        writer.byte(digit(byte >> 4))
        writer.byte(digit(byte & 15))
      }
      column += width
      index += 1
    }
    if column > 0 { writer.text("\r\n") }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 48 : value + 55 }

  /// Visible ASCII but the equals sign; blanks but at the end of a line.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    let byte = text[index]
    if byte == 0x20 || byte == 0x09 { return !endsLine(text, index + 1) }
    return byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "=")
  }

  private static func endsLine(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    guard index < text.count else { return true }
    return text[index] == 0x0A || text[index] == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
  }
}
