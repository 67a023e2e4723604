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
  /// In 1/64 pixel, once it is measured.
  var advance: Int32 = 0

  enum Gap: UInt8 {
    /// Nothing: the style changes within a word, or a line may be broken here without a blank.
    case none
    case blank
    /// A new line, and a new paragraph.
    case line
    case paragraph
  }
}
