import Testing

@testable import talon

@Suite struct ColumnsTests {
  @Test("no help has a line of more than 80 columns, and none loses a word")
  func help() {
    for text in Usage.all.map(\.text) + [Usage.overview] {
      let fitted = Columns.fitted(text)
      #expect(fitted.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
      #expect(fitted.split { $0 == " " || $0 == "\n" } == text.split { $0 == " " || $0 == "\n" })
    }
  }

  @Test(
    "paragraphs are filled, lines of a table and of commands stay lines",
    arguments: [
      ("short\nlines stay", "short\nlines stay"),
      (
        Array(repeating: "0123456789", count: 9).joined(separator: " ") + "\nnext",
        "0123456789 0123456789\n0123456789 0123456789\n0123456789 0123456789\n0123456789 0123456789\n0123456789 next"
      ),
      ("  talon a   tells of much", "  talon a   tells of\n            much"),
      ("talon a [--b] [--c] [--d]", "talon a [--b] [--c]\n    [--d]"),
    ])
  func fitted(text: String, lines: String) { #expect(Columns.fitted(text, to: 23) == lines) }
}
