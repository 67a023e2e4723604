import Codec
import Testing

@Suite("Text in bytes")
struct ByteTextTests {
  @Test(
    "a whole text, its beginning and its end are told from others, also from shorter ones",
    arguments: [
      ("talon-arm64.raucb", true, true, true), ("talon-arm64.rauc", false, true, false),
      ("talon-arm64.raucb2", false, false, false), ("Talon-arm64.raucb", false, false, false),
      (".raucb", false, false, true), ("xtalon-arm64.raucb", false, false, false), ("", false, true, true),
    ] as [(StaticString, Bool, Bool, Bool)])
  func parts(text: StaticString, isWhole: Bool, isBeginning: Bool, isEnd: Bool) {
    let bytes = "talon-arm64.raucb".utf8.span
    let (matches, begins, ends) = (bytes.matches(text), bytes.hasPrefix(text), bytes.hasSuffix(text))
    #expect(matches == isWhole && begins == isBeginning && ends == isEnd)
  }

  @Test("nothing begins and ends with nothing else")
  func nothing() {
    let bytes = "".utf8.span
    let (matches, begins, ends) = (bytes.matches(""), bytes.hasPrefix("a"), bytes.hasSuffix("a"))
    #expect(matches && !begins && !ends)
  }

  @Test(
    "a beginning in lower case is found in any case, and only letters have one",
    arguments: [
      ("HTTPS://h", "https://", true), ("Https://h", "https://", true), ("https", "https://", false),
      ("@a", "`a", false), ("[a", "{a", false),
    ] as [(String, StaticString, Bool)])
  func lowercased(text: String, beginning: StaticString, isThere: Bool) {
    let begins = text.utf8.span.hasPrefix(lowercased: beginning)
    #expect(begins == isThere)
  }

  @Test(
    "white space, control characters and zero bytes go from both ends, and from nowhere else",
    arguments: [("", ""), (" \t\r\n", ""), ("a", "a"), (" a b\n\0", "a b"), ("\u{1}a\u{7F}", "a\u{7F}")])
  func trimmed(text: String, rest: String) {
    let found = text.utf8.span.trimmed.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    #expect(found == rest)
  }

  @Test("digits are those of ASCII")
  func digits() { #expect((UInt8(0)...255).filter(\.isDigit) == Array("0123456789".utf8)) }
}
