import Runtime
import Testing

@testable import Terminal

@Suite("What a terminal is sent") struct ScreenTests {
  private func update(_ screen: Screen, _ terminal: ModelTerminal, room: Int = Budget.consoleFrameBytes) -> Int {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: room)
    defer { buffer.deallocate() }
    let count = screen.update(into: buffer)
    #expect(count <= room)
    terminal.take(Array(buffer[..<count]))
    return count
  }

  private func settle(_ screen: Screen, _ terminal: ModelTerminal, room: Int = Budget.consoleFrameBytes) -> Int {
    var updates = 0
    while !screen.isSent, updates < 1000 {
      _ = update(screen, terminal, room: room)
      updates += 1
    }
    return updates
  }

  @Test("it shows what it shall, whatever stood there before")
  func first() {
    let (screen, terminal) = (Screen(rows: 4, columns: 20), ModelTerminal(rows: 4, columns: 20))
    screen.write("hello", row: 1, column: 3)
    screen.write("日本", row: 2, column: 0, .reverse)
    screen.cursor = (3, 2)
    _ = settle(screen, terminal)
    #expect(terminal.lines == ["", "   hello", "日本", ""])
    #expect(terminal.reversed == [40, 42])
    #expect(terminal.row == 3 && terminal.column == 2)
  }

  @Test("nothing is sent when nothing has changed, and little when little has")
  func small() {
    let (screen, terminal) = (Screen(rows: 24, columns: 80), ModelTerminal(rows: 24, columns: 80))
    for row in 0..<23 { screen.write(String(repeating: "abcdefgh", count: 9), row: row, column: 0) }
    screen.cursor = (23, 2)
    _ = settle(screen, terminal)
    #expect(update(screen, terminal) == 0)
    screen.write("X", row: 5, column: 40)
    #expect(update(screen, terminal) <= 16)
    screen.write("y", row: 23, column: 2)
    screen.cursor = (23, 3)
    #expect(update(screen, terminal) == 1)
    screen.clear(row: 7)
    #expect(update(screen, terminal) <= 16)
    #expect(terminal.lines[7].isEmpty && terminal.lines[23] == "  y")
  }

  @Test("a text that is too long ends at the edge, and the last cell stays blank so that nothing scrolls")
  func edges() {
    let (screen, terminal) = (Screen(rows: 3, columns: 10), ModelTerminal(rows: 3, columns: 10))
    for row in 0..<3 { #expect(screen.write("0123456789ABC", row: row, column: 0) == (row == 2 ? 9 : 10)) }
    _ = settle(screen, terminal)
    #expect(terminal.lines == ["0123456789", "0123456789", "012345678"])
    #expect(!terminal.hasScrolled)
    #expect(screen.write("日日", row: 0, column: 7) == 9)
    _ = settle(screen, terminal)
    #expect(terminal.lines[0] == "0123456日9")
  }

  @Test("whatever is drawn, in however small updates, in the end the terminal shows it", arguments: 0..<30)
  func random(seed: UInt64) {
    var random = Seeded(seed)
    let (screen, terminal) = (Screen(rows: 6, columns: 30), ModelTerminal(rows: 6, columns: 30))
    let words = ["status", "日本語", "é", "  ", "a", "0123456789", "\u{1B}[2J", "e\u{301}"]
    let styles: [Style] = [.plain, .bold, .reverse]
    for _ in 0..<60 {
      let row = Int.random(in: 0..<6, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        screen.clear(row: row, from: Int.random(in: 0..<30, using: &random))
      } else {
        screen.write(
          words.randomElement(using: &random)!, row: row, column: Int.random(in: 0..<30, using: &random),
          styles.randomElement(using: &random)!)
      }
      screen.cursor = (5, Int.random(in: 0..<29, using: &random))
      if Int.random(in: 0..<20, using: &random) == 0 { screen.forget() }
      if Int.random(in: 0..<3, using: &random) == 0 { _ = update(screen, terminal, room: 80) }
    }
    #expect(settle(screen, terminal, room: 80) < 100)
    let fresh = Screen(rows: 6, columns: 30)
    for index in screen.wanted.indices { fresh.wanted[index] = screen.wanted[index] }
    fresh.cursor = screen.cursor
    let other = ModelTerminal(rows: 6, columns: 30)
    _ = settle(fresh, other)
    #expect(terminal.lines == other.lines && terminal.reversed == other.reversed)
    #expect(terminal.row == screen.cursor.row && terminal.column == screen.cursor.column)
    #expect(!terminal.hasScrolled)
  }

  @Test("a whole screen takes a second of the line at 115200 baud, in updates of a tenth of it")
  func whole() {
    let (screen, terminal) = (Screen(rows: 24, columns: 80), ModelTerminal(rows: 24, columns: 80))
    for row in 0..<24 { screen.write(String(repeating: "x", count: 80), row: row, column: 0) }
    #expect(settle(screen, terminal) <= 3)
    screen.forget()
    #expect(settle(screen, terminal) <= 3)
    #expect(terminal.lines.allSatisfy { $0.utf8.count >= 79 })
  }

  @Test("a plain terminal is told what a teletype knows, in one row")
  func plain() {
    let screen = Screen(rows: 1, columns: 20, isPlain: true)
    let terminal = ModelTerminal(rows: 1, columns: 20)
    func bytes() -> String {
      let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 400)
      defer { buffer.deallocate() }
      let count = screen.update(into: buffer)
      terminal.take(Array(buffer[..<count]))
      return String(decoding: buffer[..<count], as: UTF8.self)
    }
    screen.write("> hello", row: 0, column: 0, .bold)
    screen.cursor = (0, 7)
    #expect(bytes() == "\r\n> hello")
    screen.clear(row: 0, from: 6)
    screen.cursor = (0, 6)
    #expect(bytes() == "\u{08} \u{08}")
    screen.cursor = (0, 2)
    #expect(bytes() == "\r> ")
    screen.cursor = (0, 5)
    #expect(bytes() == "hel")
    screen.clear(row: 0)
    screen.cursor = (0, 0)
    _ = bytes()
    #expect(terminal.lines[0].hasPrefix("       #"))
  }
}
