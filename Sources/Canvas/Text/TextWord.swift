/// How a part of a text differs from the rest.
struct TextStyle: OptionSet, Sendable {
  let rawValue: UInt8

  static let bold = TextStyle(rawValue: 1)
  static let italic = TextStyle(rawValue: 2)
  static let code = TextStyle(rawValue: 4)
  static let underlined = TextStyle(rawValue: 8)
  /// A heading inside the text: a size larger than the rest.
  static let heading = TextStyle(rawValue: 16)
}

/// What is never broken over two lines unless it is longer than one: bytes without blanks, of one style.
struct TextWord {
  /// Bytes in the flow's own text.
  var start: Int32
  var count: Int32
  var style: TextStyle
  /// What stands before it.
  var gap: Gap
  /// How far the line is moved to the right, in steps; its first word may stand in the step before (a bullet).
  var indent: UInt8
  /// Its color among the flow's inks; 0: that of the text.
  var ink: UInt8 = 0
  /// The link that it belongs to among the flow's; 0: none.
  var link: UInt8 = 0
  /// In 1/64 pixel, once it is measured.
  var advance: Int32 = 0

  enum Gap: UInt8 {
    /// Nothing: the style changes within a word.
    case none
    /// Nothing, and a line may end here.
    case possible
    case blank
    /// A new line, and a new paragraph.
    case line
    case paragraph
  }
}

/// Puts the bytes of UTF-8 together, one after the other.
struct ScalarReader {
  /// The scalar that was whole last; U+FFFD for what is none.
  private(set) var value: UInt32 = 0
  /// Its bytes.
  private(set) var length: Int32 = 0
  private var rest = 0

  /// Takes a byte.
  /// - Returns: true when a scalar is whole.
  mutating func take(_ byte: UInt8) -> Bool {
    if byte & 0xC0 == 0x80, rest > 0 {
      value = value << 6 | UInt32(byte & 0x3F)
      rest -= 1
      length += 1
    } else {
      length = 1
      switch byte {
      case 0..<0x80: (value, rest) = (UInt32(byte), 0)
      case 0xC2..<0xE0: (value, rest) = (UInt32(byte & 0x1F), 1)
      case 0xE0..<0xF0: (value, rest) = (UInt32(byte & 0x0F), 2)
      case 0xF0..<0xF5: (value, rest) = (UInt32(byte & 0x07), 3)
      default: (value, rest) = (0xFFFD, 0)
      }
    }
    return rest == 0
  }
}
