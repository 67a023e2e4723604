import Codec

/// What editors, shells and chats make of a text that a person writes or copies: a byte-order mark, UTF-16, ends of
/// lines of other systems, spaces that nobody sees.
enum EditedText {
  /// The same text in UTF-8 without a mark, with LF at the end of lines. Bytes that are no such text stay as they are,
  /// for whoever reads them says what is wrong.
  static func normal(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return withPlainLines(Array(bytes.dropFirst(3))) }
    // Notepad's "Unicode", and what PowerShell writes by `>`.
    if bytes.starts(with: [0xFF, 0xFE]), let text = utf16(bytes.dropFirst(2), isLittle: true) {
      return withPlainLines(text)
    }
    if bytes.starts(with: [0xFE, 0xFF]), let text = utf16(bytes.dropFirst(2), isLittle: false) {
      return withPlainLines(text)
    }
    return withPlainLines(bytes)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8]? {
    guard bytes.count % 2 == 0 else { return nil }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittle ? first | second << 8 : first << 8 | second)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func withPlainLines(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x0D) else { return bytes }
    var lines: [UInt8] = []
    lines.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      if byte != 0x0D {
        lines.append(byte)
      } else if index + 1 == bytes.count || bytes[index + 1] != 0x0A {
        lines.append(0x0A)
      }
    }
    return lines
  }

  /// How many bytes of a space or of a character without a picture the text begins with; 0 for none.
  static func blank(at start: Int, in bytes: ArraySlice<UInt8>) -> Int {
    if bytes[start] <= 0x20 { return 1 }
    if start + 1 < bytes.endIndex, bytes[start] == 0xC2, bytes[start + 1] == 0xA0 { return 2 }
    guard start + 2 < bytes.endIndex else { return 0 }
    let scalar =
      UInt32(bytes[start] & 0x0F) << 12 | UInt32(bytes[start + 1] & 0x3F) << 6 | UInt32(bytes[start + 2] & 0x3F)
    guard bytes[start] & 0xF0 == 0xE0, bytes[start + 1] & 0xC0 == 0x80, bytes[start + 2] & 0xC0 == 0x80 else {
      return 0
    }
    switch scalar {
    // Spaces of print, without width, marks of direction, ends of lines, the joiner of words, the ideographic space,
    // and the byte-order mark.
    case 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2064, 0x2066...0x2069, 0x3000, 0xFEFF: return 3
    default: return 0
    }
  }

  /// Without what is not seen around it.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var start = bytes.startIndex
    var end = bytes.startIndex
    var index = bytes.startIndex
    var hasBegun = false
    while index < bytes.endIndex {
      let blank = blank(at: index, in: bytes)
      if blank == 0 {
        if !hasBegun { start = index }
        hasBegun = true
        index += 1
        end = index
      } else {
        index += blank
      }
    }
    return hasBegun ? bytes[start..<end] : bytes[bytes.startIndex..<bytes.startIndex]
  }

  /// True when something within the text is not seen: a secret with such a character is not the one that it looks like.
  static func hidesSomething(_ text: String) -> Bool {
    let bytes = Array(text.utf8)[...]
    for index in bytes.indices where bytes[index] != 0x20 && blank(at: index, in: bytes) > 0 { return true }
    return false
  }
}
