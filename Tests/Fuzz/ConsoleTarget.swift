import Runtime
import Terminal
@testable import ScreenPart

/// Whatever a serial line says: the line stays bounded and is text, however its bytes are cut; pages hold what they
/// have room for; what is sent never is more than an update may have, and in the end the terminal was sent all of it.
func checkConsole(_ bytes: [UInt8]) {
  let whole = typed([0..<bytes.count], bytes)
  let cut = typed(pieces(bytes), bytes)
  expect(whole == cut, "cut otherwise, other lines")
  for line in whole where String(validating: line, as: UTF8.self) == nil { expect(false, "a line that is no text") }
  checkPage(bytes)
}

/// The lines that were entered, and the one that was not.
private func typed(_ ranges: [Range<Int>], _ bytes: [UInt8]) -> [[UInt8]] {
  var decoder = KeyDecoder()
  let editor = LineEditor()
  var lines: [[UInt8]] = []
  for range in ranges {
    var index = range.lowerBound
    let piece = bytes.span.extracting(0..<range.upperBound)
    while let key = decoder.next(piece, at: &index) {
      switch editor.take(key) {
      case .entered:
        lines.append(Array(editor.line))
        editor.accept()
      case .completion: _ = editor.complete(["config", "console", "help", "status"])
      default: break
      }
      expect(editor.count <= Budget.consoleLineBytes && editor.cursor <= editor.count, "a line of \(editor.count)")
    }
    expect(index == range.upperBound, "bytes that were not read")
  }
  lines.append(Array(editor.line))
  return lines
}

private func checkPage(_ bytes: [UInt8]) {
  let pane = TextPane(rows: 5, columns: 20)
  let screen = Screen(rows: 6, columns: 20)
  let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 120)
  defer { buffer.deallocate() }
  var taken = 0
  while taken < bytes.count {
    let count = pane.take(bytes.span.extracting(taken..<bytes.count))
    expect(count > 0 || taken == 0, "a page that takes nothing")
    taken += count
    pane.draw(on: screen, from: 0)
    screen.write(bytes.span, row: 5, column: taken % 25 - 2)
    for _ in 0..<60 where !screen.isSent {
      let sent = screen.update(into: buffer)
      expect(sent <= buffer.count, "\(sent) bytes at once")
    }
    expect(screen.isSent, "never sent")
    pane.turn(rows: taken % 2 == 0 ? 5 : 1)
  }
}
