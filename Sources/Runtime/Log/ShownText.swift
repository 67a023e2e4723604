/// Escapes untrusted text for logs and terminals: control characters would command a terminal, and bidirectional marks
/// would make a text read differently.
public enum ShownText {
  /// What begins at an index, with its length in bytes.
  public enum Piece: Equatable {
    /// A character that is shown as it is.
    case plain(Int)
    /// A C0 or C1 control (ECMA-48), DEL, a separator of lines or paragraphs, or a byte that is not UTF-8: a terminal
    /// may take a lone 0x9B for CSI. Shown as "?".
    case control(Int)
    /// A bidirectional mark (Unicode Standard Annex #9, 2). Shown by its number, "<U+202E>".
    case direction(UInt32, Int)
  }

  /// True for the marks of Unicode Standard Annex #9: embeddings, overrides, isolates, and the three that have no
  /// width.
  public static func isDirection(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// What begins at `place`, which is below `count`.
  public static func piece(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Piece {
    let first = text[place]
    if first < 0x80 { return first < 0x20 || first == 0x7F ? .control(1) : .plain(1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, first <= 0xF4, place + length <= text.count else { return .control(1) }
    var scalar = UInt32(first & (0x7F >> UInt8(length)))
    for index in 1..<length {
      let byte = text[place + index]
      guard byte & 0xC0 == 0x80 else { return .control(1) }
      scalar = scalar << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    guard scalar >= least, scalar <= 0x10FFFF, scalar < 0xD800 || scalar > 0xDFFF else { return .control(1) }
    if scalar < 0xA0 || scalar == 0x2028 || scalar == 0x2029 { return .control(length) }
    return isDirection(scalar) ? .direction(scalar, length) : .plain(length)
  }

  /// Calls `add` with each byte of the escaped text. Tabs and line ends are kept if `keepsLines`.
  public static func forEachByte(
    of text: UnsafeBufferPointer<UInt8>, keepsLines: Bool = false, _ add: (UInt8) -> Void
  ) {
    var place = 0
    while place < text.count {
      switch piece(text, at: place) {
      case .plain(let length):
        for index in 0..<length { add(text[place + index]) }
        place += length
      case .control(let length):
        let isKept = keepsLines && (text[place] == UInt8(ascii: "\n") || text[place] == UInt8(ascii: "\t"))
        add(isKept ? text[place] : UInt8(ascii: "?"))
        place += length
      case .direction(let scalar, let length):
        spell(scalar, add)
        place += length
      }
    }
  }

  /// Writes "<U+202E>": all of these marks have four digits.
  private static func spell(_ scalar: UInt32, _ add: (UInt8) -> Void) {
    let opening: StaticString = "<U+"
    for byte in opening.bytes { add(byte) }
    for place in 0..<4 {
      let shift = UInt32(12 - 4 * place)
      let digit = UInt8(scalar >> shift & 0xF)
      add(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "A") + digit - 10)
    }
    add(UInt8(ascii: ">"))
  }
}
