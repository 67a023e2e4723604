import Runtime
import Testing

@testable import Terminal

@Suite("The line that a person types") struct LineEditorTests {
  /// What stands in the line after these keys, with | where the cursor is.
  private func line(_ text: String) -> String {
    let editor = LineEditor()
    for key in keys(text) { _ = editor.take(key) }
    return shown(editor)
  }

  private func shown(_ editor: LineEditor) -> String {
    let bytes = Array(editor.line)
    return String(decoding: bytes[..<editor.cursor], as: UTF8.self) + "|"
      + String(decoding: bytes[editor.cursor...], as: UTF8.self)
  }

  private func enter(_ text: String, _ editor: LineEditor) {
    for key in keys(text) { _ = editor.take(key) }
    editor.accept()
  }

  @Test(
    "keys change it where the cursor stands",
    arguments: [
      ("abc", "abc|"), ("abc\u{08}\u{7F}", "a|"), ("abc\u{1B}[D\u{1B}[DX", "aX|bc"), ("abc\u{01}X\u{05}Y", "XabcY|"),
      ("abc\u{01}\u{1B}[3~", "|bc"), ("abc\u{01}\u{04}", "|bc"), ("abcd\u{02}\u{02}\u{0B}", "ab|"),
      ("abcd\u{02}\u{15}", "|d"), ("one two  \u{17}", "one |"), ("one\u{17}\u{17}", "|"),
      ("aé日\u{7F}\u{7F}", "a|"), ("ae\u{301}\u{7F}", "a|"), ("ae\u{301}b\u{1B}[D\u{1B}[DX", "aX|e\u{301}b"),
      ("é\u{01}\u{1B}[CX", "éX|"), ("ae\u{301}b\u{01}\u{1B}[C\u{1B}[3~", "a|b"),
    ])
  func editing(text: String, expected: String) { #expect(line(text) == expected) }

  @Test("lines come back: the last first, what was being typed at the end; a repeat is kept once")
  func history() {
    let editor = LineEditor()
    for text in ["one", "two", "two", ""] { enter(text, editor) }
    for key in keys("dra") { _ = editor.take(key) }
    func take(_ key: Key) -> String {
      _ = editor.take(key)
      return shown(editor)
    }
    #expect(take(.up) == "two|" && take(.up) == "one|")
    #expect(editor.take(.up) == .refused)
    #expect(take(.down) == "two|" && take(.down) == "dra|")
    #expect(editor.take(.down) == .refused)
  }

  @Test("as many lines are kept as there is room for, and none that is too long")
  func historyBound() {
    let editor = LineEditor()
    for number in 0..<Budget.consoleHistoryLines + 5 { enter("line \(number)", editor) }
    enter(String(repeating: "x", count: Budget.consoleHistoryLineBytes + 1), editor)
    var seen = 0
    while editor.take(.up) == .changed { seen += 1 }
    #expect(seen == Budget.consoleHistoryLines)
    #expect(shown(editor) == "line 5|")
  }

  @Test("a line that is too long, or has noise in it, is damaged until it is gone")
  func damage() {
    let editor = LineEditor()
    for _ in 0..<Budget.consoleLineBytes { #expect(editor.take(.text("x")) == .changed) }
    #expect(!editor.isDamaged)
    #expect(editor.take(.text("x")) == .refused)
    #expect(editor.isDamaged && editor.count == Budget.consoleLineBytes)
    _ = editor.take(.killToStart)
    #expect(!editor.isDamaged && editor.count == 0)
    _ = editor.take(.text("a"))
    #expect(editor.take(.noise) == .refused)
    #expect(editor.isDamaged)
    editor.clear()
    #expect(!editor.isDamaged)
  }

  @Test("megabytes without a line end leave a bounded line, which is not run as it stands")
  func flood() {
    var random = Seeded(1)
    let editor = LineEditor()
    var decoder = KeyDecoder()
    for _ in 0..<100 {
      let bytes = hostileBytes(50_000, &random).filter { $0 != 0x0D && $0 != 0x0A }
      var index = 0
      while let key = decoder.next(bytes.span, at: &index) {
        _ = editor.take(key)
        #expect(editor.count <= Budget.consoleLineBytes && editor.cursor <= editor.count)
      }
    }
    while editor.take(.text("x")) == .changed {}
    #expect(editor.isDamaged)
  }

  @Test(
    "completion: as far as all candidates agree, then a blank",
    arguments: [
      ("c", .longer, "con|"), ("con", .ambiguous, "con|"), ("conf", .complete, "config |"), ("x", .none, "x|"),
      ("", .ambiguous, "|"), ("help s", .complete, "help status |"), ("config", .complete, "config |"),
    ] as [(String, Completion, String)])
  func completion(typed: String, expected: Completion, line: String) {
    let editor = LineEditor()
    for key in keys(typed) { _ = editor.take(key) }
    #expect(editor.complete(["config", "console", "help", "status"]) == expected)
    #expect(shown(editor) == line)
  }

  @Test("what stands before the word at the cursor is its context")
  func context() {
    let editor = LineEditor()
    for key in keys("config set cam") { _ = editor.take(key) }
    #expect(String(decoding: editor.stem, as: UTF8.self) == "cam")
    #expect(String(decoding: editor.context, as: UTF8.self) == "config set ")
  }

  @Test("however bytes are cut, the line is the same, and is text", arguments: 0..<20)
  func chunks(seed: UInt64) {
    func run(_ pieces: [[UInt8]]) -> [String] {
      let editor = LineEditor()
      var lines: [String] = []
      for key in keys(pieces) {
        if editor.take(key) == .entered {
          lines.append("\(shown(editor)) \(editor.isDamaged)")
          editor.accept()
        }
      }
      lines.append(shown(editor))
      return lines
    }
    var random = Seeded(seed)
    let bytes = hostileBytes(2000, &random)
    let whole = run([bytes])
    for longest in [1, 5, 64] { #expect(run(pieces(bytes, upTo: longest, &random)) == whole) }
    for line in whole { #expect(!line.contains("\u{FFFD}")) }
  }
}
