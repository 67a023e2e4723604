import Runtime

extension Screen {
  /// Longest cursor movement with a change of style, in bytes; also reserved for the end of an update.
  private static let wayBytes = 24
  /// Unchanged cells that are sent again, where skipping them would take as many bytes.
  private static let bridge = 4

  /// Writes the bytes that update the terminal, as far as they fit into `buffer`, and returns how many. The rest
  /// follows in the next update; the row of the cursor comes first, because a person types there.
  public func update(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var output = TerminalWriter(buffer, reserve: Self.wayBytes)
    if isForgotten { begin(&output) }
    update(row: min(cursor.row, rows - 1), &output)
    for row in 0..<rows where row != cursor.row { update(row: row, &output) }
    output.useReserve()
    if style != .plain { set(.plain, &output) }
    if place.map({ $0 != cursor }) ?? true { move(to: cursor.row, min(cursor.column, columns - 1), &output) }
    return output.count
  }

  /// Ends an incomplete sequence of the terminal (CAN), and clears it.
  private func begin(_ output: inout TerminalWriter) {
    if isPlain {
      output.add("\r\n")
    } else {
      output.add("\u{18}\u{0F}\u{1B}(B\u{1B}[m\u{1B}[H\u{1B}[2J")
    }
    isForgotten = false
    style = .plain
    place = (0, 0)
    for index in sent.indices { sent[index] = .blank }
  }

  private func update(row: Int, _ output: inout TerminalWriter) {
    let start = row * columns
    // The rest of the row is blank.
    var end = columns
    while end > 0, wanted[start + end - 1] == .blank { end -= 1 }
    var column = 0
    while column < end {
      if wanted[start + column] == sent[start + column] {
        column += 1
        continue
      }
      if wanted[start + column].isContinuation { column -= 1 }
      guard output.room >= Self.wayBytes else { return }
      move(to: row, column, &output)
      column = send(row, from: column, to: end, &output)
    }
    eraseEnd(row, from: end, &output)
  }

  /// Sends cells up to a long enough unchanged part, and returns where it stopped.
  private func send(_ row: Int, from first: Int, to end: Int, _ output: inout TerminalWriter) -> Int {
    var column = first
    while column < end, output.room >= Self.wayBytes, changes(row, column, min(column + Self.bridge + 1, end)) {
      emit(row, column, &output)
      column += 1
    }
    return column
  }

  private func changes(_ row: Int, _ first: Int, _ end: Int) -> Bool {
    for index in row * columns + first..<row * columns + end where wanted[index] != sent[index] { return true }
    return false
  }

  private func emit(_ row: Int, _ column: Int, _ output: inout TerminalWriter) {
    let index = row * columns + column
    let cell = wanted[index]
    sent[index] = cell
    if cell.isContinuation { return }
    if cell.style != style { set(cell.style, &output) }
    output.add(cell.scalar)
    let isWide = column + 1 < columns && wanted[index + 1].isContinuation
    let next = column + (isWide ? 2 : 1)
    if isWide { sent[index + 1] = wanted[index + 1] }
    // Terminals differ in where the cursor is after the last column.
    place = next < columns ? (row, next) : nil
  }

  /// Erases the rest of a row if it is not blank.
  private func eraseEnd(_ row: Int, from column: Int, _ output: inout TerminalWriter) {
    let start = row * columns
    var last = columns
    while last > column, sent[start + last - 1] == .blank { last -= 1 }
    var first = column
    while first < last, sent[start + first] == .blank { first += 1 }
    guard first < last, output.room >= Self.wayBytes else { return }
    move(to: row, first, &output)
    if style != .plain { set(.plain, &output) }
    if isPlain {
      for index in first..<last {
        guard output.room >= Self.wayBytes else { return }
        emit(row, index, &output)
      }
      return
    }
    output.add("\u{1B}[K")
    for index in first..<columns { sent[start + index] = .blank }
  }

  private func set(_ style: Style, _ output: inout TerminalWriter) {
    self.style = style
    if isPlain { return }
    switch style {
    case .plain: output.add("\u{1B}[m")
    case .bold: output.add("\u{1B}[;1m")
    case .reverse: output.add("\u{1B}[;7m")
    }
  }

  // MARK: Cursor movement

  private func move(to row: Int, _ column: Int, _ output: inout TerminalWriter) {
    defer { place = (row, column) }
    if isPlain { return shift(to: column, &output) }
    guard let place else { return position(row, column, &output) }
    if place.row == row, place.column == column { return }
    if column == 0, row == place.row || row == place.row + 1 {
      output.add(row == place.row ? "\r" : "\r\n")
    } else if row == place.row, column > place.column, column - place.column < 100 {
      output.add("\u{1B}[")
      if column - place.column > 1 { output.add(decimal: column - place.column) }
      output.add("C")
    } else if row == place.row, place.column - column <= 3 {
      for _ in column..<place.column { output.add("\u{08}") }
    } else {
      position(row, column, &output)
    }
  }

  private func position(_ row: Int, _ column: Int, _ output: inout TerminalWriter) {
    output.add("\u{1B}[")
    output.add(decimal: row + 1)
    output.add(";")
    output.add(decimal: column + 1)
    output.add("H")
  }

  /// To a column of the single row, by carriage return, backspace and characters.
  private func shift(to column: Int, _ output: inout TerminalWriter) {
    var at = place?.column ?? -1
    if at < 0 || (column < at && column < at - column) {
      output.add("\r")
      at = 0
    }
    while at > column {
      output.add("\u{08}")
      at -= 1
    }
    while at < column {
      let cell = sent[at]
      if !cell.isContinuation { output.add(cell == .unknown ? 0x20 : cell.scalar) }
      at += 1
    }
  }
}

/// Writes bytes for a terminal into a buffer, whose last ones are reserved for the end of an update.
struct TerminalWriter {
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0
  private var limit: Int

  init(_ buffer: UnsafeMutableBufferPointer<UInt8>, reserve: Int) {
    self.buffer = buffer
    limit = buffer.count - reserve
  }

  var room: Int { limit - count }

  mutating func useReserve() { limit = buffer.count }

  mutating func add(_ text: StaticString) {
    for byte in text.bytes { add(byte) }
  }

  mutating func add(decimal value: Int) {
    if value >= 100 { add(0x30 + UInt8(value / 100 % 10)) }
    if value >= 10 { add(0x30 + UInt8(value / 10 % 10)) }
    add(0x30 + UInt8(value % 10))
  }

  /// A character as UTF-8.
  mutating func add(_ scalar: UInt32) {
    guard let character = Unicode.Scalar(scalar), count + 4 <= buffer.count else { return }
    count += encode(character, into: buffer.baseAddress! + count)
  }

  private mutating func add(_ byte: UInt8) {
    guard count < buffer.count else { return }
    buffer[count] = byte
    count += 1
  }
}

/// The single row of a plain terminal, above which lines scroll.
extension Screen {
  /// True when it is blank.
  public var isRowBlank: Bool {
    if isForgotten { return true }
    for index in sent.indices where sent[index] != .blank { return false }
    return true
  }

  /// Blanks the row and puts the cursor at its start. Returns the number of bytes, at most two more than twice the
  /// columns.
  public func wipe(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(isPlain)
    var output = TerminalWriter(buffer, reserve: 0)
    var end = columns
    while end > 0, sent[end - 1] == .blank { end -= 1 }
    output.add("\r")
    for index in 0..<end {
      output.add(" ")
      sent[index] = .blank
    }
    output.add("\r")
    place = (0, 0)
    return output.count
  }
}
