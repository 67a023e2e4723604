import Runtime

/// Converts text for the board's own voice, which reads English in ASCII: accents are removed, symbols become words,
/// and other scripts are left out.
public enum SpeakableText {
  /// Base letters of Latin letters with accents, from U+00C0 and from U+0100 on. A space is not a letter.
  private static let latin1: StaticString = "AAAAAAACEEEEIIIIDNOOOOO OUUUUYTsaaaaaaaceeeeiiiidnooooo ouuuuyty"
  private static let extended: StaticString =
    """
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlLlLlNnNnNnnNn\
    OoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs
    """

  /// Writes as much of a text as there is room for, and returns how many bytes, all of them from space to tilde.
  public static func write(_ text: Span<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var letters = Letters(text)
    var count = 0
    while let letter = letters.next() {
      if let byte = plain(letter) {
        guard count < buffer.count else { break }
        buffer[count] = byte
        count += 1
      } else {
        let word = words(for: letter)
        guard count + word.utf8CodeUnitCount <= buffer.count else { break }
        for index in 0..<word.utf8CodeUnitCount { buffer[count + index] = word.utf8Start[index] }
        count += word.utf8CodeUnitCount
      }
    }
    return count
  }

  /// The byte for a character; nil: it becomes words.
  private static func plain(_ letter: UInt32) -> UInt8? {
    switch letter {
    case 0x20...0x7E: UInt8(letter)
    case 0xC6, 0xD7, 0xDF, 0xE6, 0xF7, 0x152, 0x153: nil
    case 0xC0...0xFF: latin1.utf8Start[Int(letter - 0xC0)]
    case 0x100...0x17F: extended.utf8Start[Int(letter - 0x100)]
    case 0x2018...0x201B, 0x2BC, 0x2B9, 0x2032: UInt8(ascii: "'")
    case 0x201C...0x201F, 0xAB, 0xBB, 0x2033: UInt8(ascii: "\"")
    case 0x2010...0x2013, 0x2212: UInt8(ascii: "-")
    case 0xA3, 0xA5, 0xB0, 0xB1, 0xB5, 0xBC...0xBE, 0x2014, 0x2015, 0x2026, 0x20AC, 0x2192: nil
    default: UInt8(ascii: " ")
    }
  }

  private static func words(for letter: UInt32) -> StaticString {
    switch letter {
    case 0xC6, 0xE6: "ae"
    case 0x152, 0x153: "oe"
    case 0xDF: "ss"
    case 0xD7: " times "
    case 0xF7: " divided by "
    case 0xA3: " pounds "
    case 0xA5: " yen "
    case 0x20AC: " euros "
    case 0xB0: " degrees "
    case 0xB1: " plus or minus "
    case 0xB5: " micro "
    case 0xBC: " a quarter "
    case 0xBD: " a half "
    case 0xBE: " three quarters "
    case 0x2014, 0x2015: ", "
    case 0x2026: "... "
    case 0x2192: " to "
    default: " "
    }
  }

  /// The next piece of an ASCII text, at most `limit` bytes: to the end of a clause if possible, else between words;
  /// nil at the end.
  public static func piece(of text: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int) -> Range<Int>? {
    guard start < text.count, limit > 0 else { return nil }
    if text.count - start <= limit { return start..<text.count }
    var (clause, word) = (start, start)
    for index in (start + 1)..<(start + limit) where text[index] == UInt8(ascii: " ") {
      word = index
      if isClauseEnd(text[index - 1]) { clause = index }
    }
    // A clause of a few words is too short for a piece.
    if clause - start >= limit / 3 { return start..<clause }
    return start..<(word > start ? word : start + limit)
  }

  private static func isClauseEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "!"),
      UInt8(ascii: "?"):
      true
    default: false
    }
  }

  /// True when there is a letter or a digit.
  public static func hasWords(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in text {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        return true
      default: break
      }
    }
    return false
  }
}
