import Runtime
import Terminal

/// The contents of the terminal: a title, a page (the board's status, or a command's output), a row with a hint, the
/// prompt. On a plain terminal there is only the prompt, and output scrolls above it.
final class ConsoleDisplay {
  let screen: Screen
  let pane: TextPane
  var isPlain: Bool { screen.isPlain }
  /// Lines to print on a plain terminal, and the column of its cursor.
  private let lines = FixedBuffer(capacity: Budget.consoleFrameBytes * 2)
  private var lineCount = 0
  private var isInLine = false
  /// A bell is to be sent.
  var rings = false
  private var refreshed = 0

  init(rows: Int, columns: Int, isPlain: Bool) {
    size = (rows, columns)
    let isPlain = isPlain || rows < Budget.consoleMinimumRows || columns < Budget.consoleMinimumColumns
    screen = Screen(rows: isPlain ? 1 : rows, columns: max(columns, 20), isPlain: isPlain)
    pane = TextPane(rows: max(rows - (isPlain ? 1 : 3), 1), columns: max(columns, 20))
  }

  /// Rows and columns of the terminal.
  let size: (rows: Int, columns: Int)

  /// Rows of the page.
  var pageRows: Int { pane.rows }

  // MARK: Rows

  func show(title: String) {
    if isPlain { return }
    screen.clear(row: 0)
    let end = screen.write(title, row: 0, column: 0, .reverse)
    for column in end..<max(screen.columns, end) { screen.write(" ", row: 0, column: column, .reverse) }
  }

  func show(_ rows: [StatusView.Row]) {
    if isPlain { return }
    for index in 0..<pageRows {
      screen.clear(row: index + 1)
      if index < rows.count { screen.write(rows[index].text, row: index + 1, column: 0, rows[index].style) }
    }
  }

  func showPane() {
    if !isPlain { pane.draw(on: screen, from: 1) }
  }

  /// The row above the prompt.
  func show(advice: String) {
    if isPlain { return }
    screen.clear(row: screen.rows - 2)
    screen.write(advice, row: screen.rows - 2, column: 0, .bold)
  }

  /// The prompt and the line after it, as much as there is room for around the cursor.
  func show(prompt: String, _ line: UnsafeBufferPointer<UInt8>, cursor: Int) {
    let row = screen.rows - 1
    screen.clear(row: row)
    let start = screen.write(prompt, row: row, column: 0, .bold)
    let room = screen.columns - 1 - start
    let before = UnsafeBufferPointer(rebasing: line[..<cursor])
    var skipped = 0
    var width = Self.width(before)
    // By half a row at a time, so that not every key moves the whole line.
    while width - skipped >= room { skipped += max(room / 2, 1) }
    var reader = CharacterReader(Span(_unsafeElements: line))
    var (at, from) = (0, 0)
    while at < skipped, let character = reader.next() {
      at += columns(of: character)
      from = reader.index
    }
    screen.write(Span(_unsafeElements: UnsafeBufferPointer(rebasing: line[from...])), row: row, column: start)
    width -= at
    screen.cursor = (row, min(start + width, screen.columns - 1))
  }

  private static func width(_ text: UnsafeBufferPointer<UInt8>) -> Int {
    var reader = CharacterReader(Span(_unsafeElements: text))
    var width = 0
    while let character = reader.next() { width += columns(of: character) }
    return width
  }

  // MARK: Lines of a plain terminal

  /// Prints a line; what does not fit is dropped.
  func print(_ text: String) {
    _ = print(text.utf8.span)
    _ = print("\n".utf8.span)
  }

  /// Prints text, and returns how many bytes fit.
  func print(_ text: Span<UInt8>) -> Int {
    for index in 0..<text.count {
      let byte = text[index]
      let isLineEnd = byte == 0x0A
      guard lineCount + 2 <= lines.bytes.count else { return index }
      if isLineEnd {
        append(0x0D)
        append(0x0A)
      } else if byte >= 0x20 && byte != 0x7F || byte == 0x09 {
        append(byte)
      }
    }
    return text.count
  }

  /// True when there is room for as much as a command prints at once.
  var hasRoom: Bool { lineCount < lines.bytes.count / 2 }

  private func append(_ byte: UInt8) {
    lines.bytes[lineCount] = byte
    lineCount += 1
  }

  // MARK: Sending

  var isSent: Bool { !rings && lineCount == 0 && screen.isSent }

  /// The next update, as far as it fits.
  func update(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    if rings, buffer.count > 64 {
      buffer[0] = 0x07
      count = 1
      rings = false
    }
    let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
    if lineCount == 0 {
      if isInLine { return count + endLine(rest) }
      return count + screen.update(into: rest)
    }
    return count + takeLines(rest)
  }

  /// The prompt is drawn again on its own line.
  private func endLine(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    (buffer[0], buffer[1]) = (0x0D, 0x0A)
    isInLine = false
    return 2
  }

  private func takeLines(_ buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    if !isInLine, screen.place?.column ?? 0 > 0 || !screen.isRowBlank {
      // Over the prompt.
      count = screen.wipe(into: buffer)
    }
    let taken = min(lineCount, buffer.count - count - 2)
    guard taken > 0 else { return count }
    for index in 0..<taken { buffer[count + index] = lines.bytes[index] }
    isInLine = lines.bytes[taken - 1] != 0x0A
    for index in taken..<lineCount { lines.bytes[index - taken] = lines.bytes[index] }
    lineCount -= taken
    return count + taken
  }

  /// Sends one more row again, so that a terminal that was plugged in later shows all of them after a while.
  func refresh() {
    if isPlain { return }
    refreshed = (refreshed + 1) % screen.rows
    screen.forget(row: refreshed)
  }
}
