import CAllocationCounter
import Runtime
import Testing

@testable import Terminal

@Suite struct TerminalAllocationTests {
  @Test("keys, lines, history, completion, screen and pages allocate nothing after the start")
  func nothing() {
    var random = Seeded(3)
    let bytes = hostileBytes(4000, &random)
    let words = ["config", "console", "help", "a candidate that is longer than what is kept inside a string"]
    var decoder = KeyDecoder()
    let editor = LineEditor()
    let pane = TextPane(rows: 20, columns: 80)
    pane.scrolls = true
    let screen = Screen(rows: 24, columns: 80)
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Budget.consoleFrameBytes)
    defer { buffer.deallocate() }
    var sum = 0
    func readKeys() {
      var index = 0
      while let key = decoder.next(bytes.span, at: &index) {
        switch editor.take(key) {
        case .entered: editor.accept()
        case .completion: if editor.complete(words) == .complete { sum += 1 }
        default: break
        }
      }
    }
    func draw() {
      sum += pane.take(bytes.span)
      pane.draw(on: screen, from: 1)
      screen.cursor.column = screen.write(Span(_unsafeElements: editor.line), row: 0, column: 0) % 79
    }
    func send() { while !screen.isSent { sum += screen.update(into: buffer) } }
    // The first time makes what is made once.
    for step in [readKeys, draw, send] { step() }
    screen.forget()
    for (name, step) in [("keys", readKeys), ("drawing", draw), ("sending", send)] {
      tl_count_allocations()
      step()
      #expect(tl_counted_allocations() == 0, "\(name)")
    }
    #expect(sum > 4000)
  }
}
