import Runtime

/// Shows a command's output in some rows of a screen. It holds one page: when that is full, further output waits for
/// the person, or scrolls for a command that runs on.
///
/// It interprets line ends, tabs, carriage return, and form feed, which begins a new page; ESC and other controls are
/// "?".
public final class TextPane {
  private let cells: UnsafeMutableBufferPointer<Unicode.Scalar>
  public let rows: Int
  public let columns: Int
  /// The position of the next character.
  private var row = 0, column = 0
  /// New rows scroll the oldest out.
  public var scrolls = false
  /// Rows until the page is full.
  private var left: Int
  /// An incomplete character.
  private var partial: UInt32 = 0
  private var partialCount = 0, partialLength = 0
  /// What the next character starts: nothing, a row because this one is full, or a line because the last one has ended.
  private enum Ending { case none, full, line }
  private var ending = Ending.none

  @export(interface)
  public init(rows: Int, columns: Int) {
    precondition(rows > 0 && columns > 1)
    (self.rows, self.columns) = (rows, columns)
    left = rows - 1
    cells = .allocate(capacity: rows * columns)
    cells.initialize(repeating: " ")
  }

  deinit { cells.deallocate() }

  /// True while it is empty.
  public var isEmpty: Bool { row == 0 && column == 0 && ending == .none }

  /// Clears the pane.
  public func clear() {
    blank()
    partialCount = 0
  }

  private func blank() {
    for index in cells.indices { cells[index] = " " }
    (row, column, left, ending) = (0, 0, rows - 1, .none)
  }

  /// Makes room for more rows; a whole page starts blank.
  public func turn(rows count: Int) {
    if count >= rows { blank() } else { left += count }
  }

  /// Takes text, and returns how many bytes had room; fewer when the page is full.
  public func take(_ text: Span<UInt8>) -> Int {
    for index in 0..<text.count where !take(text[index]) { return index }
    return text.count
  }

  /// Draws the page into the rows of a screen from `first` on.
  public func draw(on screen: Screen, from first: Int) {
    for row in 0..<rows where first + row < screen.rows {
      screen.clear(row: first + row)
      var place = 0
      var index = row * columns
      let end = min(index + columns, index + screen.columns)
      while index < end {
        guard let next = screen.put(cells[index], first + row, place, .plain) else { break }
        place = next
        index += 1
      }
    }
  }

  // MARK: Characters

  private func take(_ byte: UInt8) -> Bool {
    if partialCount > 0, byte & 0xC0 == 0x80 {
      partial = partial << 6 | UInt32(byte & 0x3F)
      partialCount -= 1
      if partialCount > 0 { return true }
      let least: UInt32 = partialLength == 2 ? 0xA0 : partialLength == 3 ? 0x800 : 0x10000
      guard partial >= least, !ShownText.isDirection(partial), let character = Unicode.Scalar(partial) else {
        return put("?") || hold()
      }
      return put(character) || hold()
    }
    partialCount = 0
    switch byte {
    case 0x0A: return endLine()
    case 0x0C:
      clear()
      return true
    case 0x0D:
      column = 0
      return true
    case 0x09:
      repeat {
        if !put(" ") { return false }
      } while column % 8 != 0 && column < columns
      return true
    case 0x20..<0x7F: return put(Unicode.Scalar(byte))
    case 0xC2..<0xF5:
      partialLength = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      partialCount = partialLength - 1
      partial = UInt32(byte & (0x7F >> UInt8(partialLength)))
      return true
    default: return put("?")
    }
  }

  /// The last byte of a character is not taken until there is room for the character.
  private func hold() -> Bool {
    partial >>= 6
    partialCount = 1
    return false
  }

  private func endLine() -> Bool {
    if ending == .line, !nextRow() { return false }
    ending = .line
    return true
  }

  private func put(_ character: Unicode.Scalar) -> Bool {
    let width = Terminal.columns(of: character)
    if width == 0 { return true }
    if column + width > columns, ending == .none {
      // A space at the end of a full row only separates words.
      if character == " " {
        ending = .full
        return true
      }
      guard wrap() else { return false }
    } else if ending != .none {
      if ending == .full, character == " " { return true }
      guard nextRow() else { return false }
    }
    let index = row * columns
    cells[index + column] = character
    // The right half of a wide character is stored as a zero-width character.
    if width == 2 { cells[index + column + 1] = "\u{200B}" }
    column += width
    return true
  }

  /// Wraps the last word to a new row; a word of more than half a row is split.
  private func wrap() -> Bool {
    let end = column
    var first = end
    while first > columns / 2, cells[row * columns + first - 1] != " " { first -= 1 }
    if rows == 1 || cells[row * columns + first - 1] != " " { first = end }
    guard nextRow() else { return false }
    for index in first..<end {
      let old = (row - 1) * columns + index
      cells[old + columns - first] = cells[old]
      cells[old] = " "
    }
    column = end - first
    return true
  }

  private func nextRow() -> Bool {
    guard scrolls || left > 0 else { return false }
    if !scrolls { left -= 1 }
    if row == rows - 1 { scroll() } else { row += 1 }
    column = 0
    ending = .none
    return true
  }

  private func scroll() {
    for index in columns..<cells.count { cells[index - columns] = cells[index] }
    for index in cells.count - columns..<cells.count { cells[index] = " " }
  }
}
