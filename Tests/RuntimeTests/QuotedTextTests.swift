import Runtime
import Testing

@Suite struct QuotedTextTests {
  private func quoted(_ text: [UInt8], _ form: QuotedText.Form = .words, most: Int = 160) -> (text: String, left: Int) {
    var shown: [UInt8] = []
    let left = text.withUnsafeBufferPointer { bytes in
      QuotedText.write(bytes, form, most: most) { shown.append($0) }
    }
    return (String(decoding: shown, as: UTF8.self), left)
  }

  private func quoted(_ text: String, _ form: QuotedText.Form = .words, most: Int = 160) -> String {
    quoted(Array(text.utf8), form, most: most).text
  }

  @Test(
    "words of others stand in one line between two quotation marks",
    arguments: [
      ("main", "\"main\""), ("", "\"\""), ("  a \t\r\n\u{2028}b  ", "\"a b\""), ("Tür 🚪", "\"Tür 🚪\""),
      ("main\") wants to know the time.\nThe agent (", "\"main') wants to know the time. The agent (\""),
      ("“a” «b» ＂c", "\"'a' 'b' 'c\""), ("gpj\u{202E}exe", "\"gpjexe\""), ("a\u{200B}\u{AD}\u{E0041}b", "\"ab\""),
      ("a\u{1B}[2Jb\u{7F}\u{9B}c", "\"a[2Jbc\""), ("\\n", "\"\\n\""),
    ])
  func words(text: String, shown: String) { #expect(quoted(text) == shown) }

  @Test(
    "what is done is written so that nothing else is written the same",
    arguments: [
      ("rm -rf /", "\"rm -rf /\""), ("a\nb\t\r", #""a\nb\t\r""#), (#"a\nb"#, #""a\\nb""#),
      (#"say "x""#, #""say \"x\"""#),
      ("x\u{202E}y", #""x\u{202E}y""#), ("x\u{E0041}", #""x\u{0E0041}""#), ("\u{1B}[2J", #""\u{001B}[2J""#),
      ("a\u{A0}b", #""a\u{00A0}b""#), ("ü", "\"ü\""), ("“", #""\u{201C}""#),
    ])
  func exact(text: String, shown: String) { #expect(quoted(text, .exact) == shown) }

  @Test("bytes that are not UTF-8 are shown, and none is lost")
  func bytes() {
    #expect(quoted([0x61, 0xFF, 0x9B, 0xC3], .words).text == "\"a???\"")
    #expect(quoted([0x61, 0xFF, 0xC3], .exact).text == #""a\xFF\xC3""#)
  }

  @Test("what is longer than its bound ends at a character, with three dots outside of the quotation marks")
  func bound() {
    let (text, left) = quoted(Array("abcdü".utf8), most: 5)
    #expect(text == "\"abcd\"..." && left == 2)
    #expect(quoted(Array("a\nb".utf8), .exact, most: 2).left == 2)
    for most in 0...12 {
      for form in [QuotedText.Form.words, .exact] {
        let shown = quoted("ü\u{202E} \"\\🚪x\n", form, most: most)
        #expect(shown.utf8.count <= most + QuotedText.frame)
      }
    }
  }

  @Test("no input ends its quotation, begins a line, or holds what is not drawn")
  func forging() {
    var random = SystemRandomNumberGenerator()
    let parts = [
      "\"", "\\", "\n", "\r", "\u{2028}", "\u{2029}", "\u{85}", "\u{202E}", "\u{2066}", "\u{1B}", "\u{0}", " ", "a",
      "ü",
      "”", "\u{FEFF}", "🚪", "\t", "The agent wants to ",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random)! }.joined()
      for form in [QuotedText.Form.words, .exact] {
        let shown = quoted(text, form, most: Int.random(in: 0...60, using: &random))
        #expect(shown.hasPrefix("\"") && (shown.hasSuffix("\"") || shown.hasSuffix("\"...")))
        var inner = shown.dropFirst()
        inner = inner.hasSuffix("...") && !inner.hasSuffix("\"") ? inner.dropLast(4) : inner.dropLast()
        let bare = inner.replacing("\\\\", with: "").replacing("\\\"", with: "")
        #expect(!bare.contains("\""), "\(text.debugDescription)")
        for scalar in shown.unicodeScalars {
          #expect(scalar == " " || CleanScalar(scalar.value) == .plain, "\(text.debugDescription)")
        }
      }
    }
  }

  @Test("a line keeps room for the closing quotation mark")
  func line() {
    for capacity in 0..<20 {
      let buffer = FixedBuffer(capacity: max(capacity, 1))
      var line = LogLine(buffer.bytes)
      line.add("a ")
      line.quote("0123456789".utf8.span)
      let text = String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
      #expect(text.count { $0 == "\"" } % 2 == 0, "\(text)")
    }
  }
}
