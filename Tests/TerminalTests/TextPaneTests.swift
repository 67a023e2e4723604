import Testing

@testable import Terminal

@Suite("What a command says, a page at a time") struct TextPaneTests {
  private func lines(_ pane: TextPane) -> [String] {
    let screen = Screen(rows: pane.rows + 1, columns: pane.columns)
    let terminal = ModelTerminal(rows: pane.rows + 1, columns: pane.columns)
    pane.draw(on: screen, from: 0)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4000)
    defer { buffer.deallocate() }
    while !screen.isSent { terminal.take(Array(buffer[..<screen.update(into: buffer)])) }
    return Array(terminal.lines.dropLast())
  }

  @Test("a full page waits; it turns by a row or by a page, and nothing is lost")
  func pages() {
    let pane = TextPane(rows: 3, columns: 10)
    let text = Array("1\n2\n3\n4\n5\n6\n7\n".utf8)
    var taken = pane.take(text.span)
    #expect(lines(pane) == ["1", "2", "3"] && taken == 6)
    pane.turn(rows: 1)
    taken += pane.take(text.span.extracting(taken..<text.count))
    #expect(lines(pane) == ["2", "3", "4"])
    pane.turn(rows: 3)
    taken += pane.take(text.span.extracting(taken..<text.count))
    #expect(lines(pane) == ["5", "6", "7"] && taken == text.count)
  }

  @Test(
    "marks that turn the direction of a text are seen and reach no terminal, here and in what is written to a screen")
  func directions() {
    let pane = TextPane(rows: 2, columns: 20)
    let text = Array("gpj\u{202E}exe \u{2067}x\u{200F}".utf8)
    #expect(pane.take(text.span) == text.count)
    #expect(lines(pane)[0] == "gpj?exe ?x?")
    let screen = Screen(rows: 2, columns: 20)
    #expect(screen.write(text.span, row: 0, column: 0) == 11)
  }

  @Test("what goes on by itself pushes the oldest rows out")
  func scrolling() {
    let pane = TextPane(rows: 2, columns: 10)
    pane.scrolls = true
    #expect(pane.take(Array("1\n2\n3\n4\n".utf8).span) == 8)
    #expect(lines(pane) == ["3", "4"])
  }

  @Test(
    "wrapping, tabs, carriage returns, form feeds, wide characters and controls",
    arguments: [
      ("0123456789AB", ["0123456789", "AB", ""]), ("0123456789\nAB", ["0123456789", "AB", ""]),
      ("one two three", ["one two", "three", ""]), ("one twelve x", ["one twelve", "x", ""]),
      ("0123456789 \nA", ["0123456789", "A", ""]), ("a 0123456789", ["a 01234567", "89", ""]),
      ("a\tb", ["a       b", "", ""]), ("abc\rX", ["Xbc", "", ""]), ("abc\r\nd", ["abc", "d", ""]),
      ("old\nold\u{0C}new", ["new", "", ""]), ("012345678日", ["012345678", "日", ""]), ("a\n\nb", ["a", "", "b"]),
      ("\u{1B}[2J\u{7}", ["?[2J?", "", ""]), ("é😀", ["é😀", "", ""]),
    ])
  func text(text: String, expected: [String]) {
    for length in [1, 2, 100] {
      let pane = TextPane(rows: 3, columns: 10)
      var bytes = Array(text.utf8)[...]
      while !bytes.isEmpty {
        let piece = Array(bytes.prefix(length))
        #expect(pane.take(piece.span) == piece.count)
        bytes = bytes.dropFirst(length)
      }
      #expect(lines(pane) == expected)
    }
  }

  @Test("bytes that are no text are marked, and a character that finds no room is whole on the next page")
  func damaged() {
    let pane = TextPane(rows: 1, columns: 4)
    let bytes: [UInt8] = [0xFF, 0xC3, 0x41, 0x62] + Array("日".utf8)
    let taken = pane.take(bytes.span)
    #expect(lines(pane) == ["?Ab"] && taken == 6)
    pane.turn(rows: 1)
    #expect(pane.take(bytes.span.extracting(taken..<bytes.count)) == 1)
    #expect(lines(pane) == ["日"])
  }
}
