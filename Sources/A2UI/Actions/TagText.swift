import Codec
import Runtime

// Conversion of any text to one word (canvas reference 2.9).

extension ByteWriter {
  /// The form of nodes: surrounding white space is removed, any other character that is not allowed, including a space,
  /// becomes `_`, and an empty text becomes `-`.
  mutating func tag(_ text: Bytes) {
    var text = text
    while let length = text.leadingSpace { text = text.dropping(length) }
    while let length = text.trailingSpace { text = text.prefix(text.count - length) }
    if text.isEmpty { return byte(UInt8(ascii: "-")) }
    var length = 0
    for byte in text where byte & 0xC0 != 0x80 {
      if length == Budget.a2uiLongTagCharacters { return }
      self.byte(byte.mayStandInTag ? byte : UInt8(ascii: "_"))
      length += 1
    }
  }

  /// The short form: characters that are not allowed are left out; `otherwise` for an empty text.
  mutating func shortTag(_ text: Bytes, otherwise: StaticString) {
    var length = 0
    for byte in text where byte.mayStandInTag && length < Budget.a2uiTagCharacters {
      self.byte(byte)
      length += 1
    }
    if length == 0 { self.text(otherwise) }
  }
}

extension UInt8 {
  /// `A-Z a-z 0-9 _ - . :`
  fileprivate var mayStandInTag: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ":"): true
    default: false
    }
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// Bytes of the white space character that the text begins with.
  fileprivate var leadingSpace: Int? {
    for length in 1..<4 where length <= count && prefix(length).isWhiteSpace { return length }
    return nil
  }

  fileprivate var trailingSpace: Int? {
    for length in 1..<4 where length <= count && dropping(count - length).isWhiteSpace { return length }
    return nil
  }

  /// True for one character that Unicode calls white space (property White_Space).
  private var isWhiteSpace: Bool {
    switch count {
    case 1: return self[0].isSpace
    case 2: return self[0] == 0xC2 && (self[1] == 0x85 || self[1] == 0xA0)
    default: break
    }
    switch (self[0], self[1], self[2]) {
    case (0xE1, 0x9A, 0x80), (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80): return true
    case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF): return true
    default: return false
    }
  }
}
