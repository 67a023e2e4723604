import Runtime
import Testing

@testable import Graphics

@Suite("Regular expressions")
struct PatternTests {
  private let pattern: Pattern

  init() throws { pattern = try Pattern() }

  private func accepts(_ expression: String, _ text: String) -> Bool {
    pattern.accepts(text.utf8.span, expression.utf8.span)
  }

  @Test(
    "they match as those of ECMAScript",
    arguments: [
      ("b+", ["abc", "bbb"], ["", "ac"]),
      ("^b+$", ["b", "bbb"], ["abc", "bb "]),
      ("^a|b$", ["ax", "xb"], ["xa", "bx"]),
      ("^(cat|dog|)s?$", ["cat", "dogs", "s", ""], ["cats!", "cow"]),
      ("^\\d{3}-\\d{2,4}$", ["123-45", "123-4567"], ["123-4", "123-45678", "12-45"]),
      ("^x{2,}$", ["xx", "xxxxx"], ["x", ""]),
      ("^x{0}y{0,2}$", ["", "y", "yy"], ["yyy", "x"]),
      ("^[^@\\s]+@[^@\\s]+\\.[a-zA-Z]{2,}$", ["a.b@example.org"], ["a@b", "a b@example.org", "@example.org"]),
      ("^[\\w.+-]+$", ["a_b-c.d+e", "A1"], ["a b", "é"]),
      ("^[\\]\\-a]$", ["]", "-", "a"], ["b", "\\"]),
      ("^[a-]$", ["a", "-"], ["b"]),
      ("^[^\\D5]$", ["4"], ["5", "x"]),
      ("^.$", ["é", "😀", "x"], ["", "ab", "\n"]),
      ("^\\u00e9\\x41$", ["éA"], ["eA"]),
      ("\\bcat\\b", ["a cat!", "cat"], ["concat", "cats"]),
      ("\\Bcat", ["concat"], ["cat"]),
      ("^(?=.*[A-Z])(?=.*\\d).{8,}$", ["abcdefG1"], ["abcdefg1", "aG1", "ABCDEFGH"]),
      ("^(?!admin$)\\w+$", ["root", "admins"], ["admin"]),
      ("^(?:ab)*?c$", ["c", "ababc"], ["abab", "abac"]),
      ("^(?<year>\\d{4})$", ["2026"], ["26"]),
      ("^(a*)*$", ["", "aaa"], ["aab"]),
      ("^a{b$", ["a{b"], ["ab"]),
      ("^[äöü]+$", ["öä"], ["o"]),
      ("^\\+?[0-9 ()/-]{6,20}$", ["+49 (30) 123-456"], ["12a456", "123"]),
    ])
  func matches(_ expression: String, _ good: [String], _ bad: [String]) {
    for text in good { #expect(accepts(expression, text), "\(expression) \(text)") }
    for text in bad { #expect(!accepts(expression, text), "\(expression) \(text)") }
  }

  @Test(
    "what is not understood is fulfilled",
    arguments: [
      "(", ")", "[a", "*a", "a**", "(a)\\1", "(?<=a)b", "\\p{L}", "a{3,1}", "\\", "(?", "[z-a]", "\\x4", "^*",
    ])
  func unknown(_ expression: String) { #expect(accepts(expression, "anything")) }

  @Test("no expression takes more time than its length and the text's")
  func bounded() {
    #expect(!accepts("^(a+)+$", String(repeating: "a", count: 40) + "!"))
    #expect(!accepts("^(a|a)*b$", String(repeating: "a", count: 500)))
    #expect(!accepts("(x+x+)+y", String(repeating: "x", count: 2000)))
  }

  @Test("an expression that is too long, too deep or too much work is fulfilled")
  func limits() {
    #expect(!accepts(String(repeating: "a", count: Budget.patternInstructions - 1), "b"))
    #expect(accepts(String(repeating: "a", count: Budget.patternInstructions), "b"))
    #expect(accepts("[" + String(repeating: "a", count: Budget.patternRanges + 1) + "]", "b"))
    #expect(!accepts("[" + String(repeating: "a", count: Budget.patternRanges) + "]", "b"))
    let depth = Budget.patternDepth
    #expect(accepts(String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth), "b"))
    #expect(!accepts(String(repeating: "(", count: depth - 1) + "a" + String(repeating: ")", count: depth - 1), "b"))
    // 402 instructions at 2001 places are more than can be remembered.
    #expect(accepts("^(" + String(repeating: "a", count: 400) + ")b$", String(repeating: "c", count: 2000)))
    // Two alternatives wait at each place.
    #expect(!accepts("^(a|b)*c$", String(repeating: "a", count: 4000)))
    #expect(accepts("^(a|b)*c$", String(repeating: "a", count: 10_000)))
    // What follows is looked at from each place to the end.
    #expect(!accepts("(?=(?:a|b)*c)d", String(repeating: "a", count: 300)))
    #expect(accepts("(?=(?:a|b)*c)d", String(repeating: "a", count: 3000)))
  }
}
