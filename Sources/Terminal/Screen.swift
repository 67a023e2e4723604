import Runtime

/// The style of a character.
public enum Style: UInt8, Sendable {
  case plain, bold, reverse
}

/// The wanted contents of a terminal, and what was sent to it: an update sends the difference, in few bytes and within
/// a limit. VT100 (ECMA-48): CUP, CUF, EL, ED, SGR. A plain terminal has a single row, and gets only characters,
/// spaces, backspace and carriage return.
///
/// A wide character takes two cells; combining marks are left out. The last cell of the screen is never written,
/// because some terminals scroll then.
public final class Screen {
  /// A character in its style; `continuation` is the right half of a wide one.
  struct Cell: Equatable {
    var bits: UInt32
    static let blank = Cell(0x20, .plain)
    static let unknown = Cell(bits: .max)
    init(bits: UInt32) { self.bits = bits }
    init(_ scalar: UInt32, _ style: Style) { bits = scalar | UInt32(style.rawValue) << 24 }
    var scalar: UInt32 { bits & 0x1F_FFFF }
    var style: Style { Style(rawValue: UInt8(truncatingIfNeeded: bits >> 24)) ?? .plain }
    var isContinuation: Bool { scalar == 0 }
  }

  public let rows: Int
  public let columns: Int
  /// True for a terminal that knows no escape sequences.
  public let isPlain: Bool
  let wanted: UnsafeMutableBufferPointer<Cell>
  let sent: UnsafeMutableBufferPointer<Cell>
  /// The wanted position of the cursor.
  public var cursor = (row: 0, column: 0)
  /// The actual position of the cursor; nil when unknown.
  public internal(set) var place: (row: Int, column: Int)?
  var style = Style.plain
  var isForgotten = true

  /// A blank screen; the terminal's contents are unknown. `isPlain` needs a single row.
  @export(interface)
  public init(rows: Int, columns: Int, isPlain: Bool = false) {
    precondition(rows > 0 && columns > 1 && (rows == 1 || !isPlain))
    (self.rows, self.columns, self.isPlain) = (rows, columns, isPlain)
    wanted = .allocate(capacity: rows * columns)
    wanted.initialize(repeating: .blank)
    sent = .allocate(capacity: rows * columns)
    sent.initialize(repeating: .unknown)
  }

  deinit {
    wanted.deallocate()
    sent.deallocate()
  }

  // MARK: Wanted contents

  /// Clears a row from a column on.
  public func clear(row: Int, from column: Int = 0) {
    if column > 0, column < columns, wanted[row * columns + column].isContinuation {
      wanted[row * columns + column - 1] = .blank
    }
    for index in max(column, 0)..<max(columns, column) { wanted[row * columns + index] = .blank }
  }

  /// Writes as much of a text as the row has room for, and returns the column after it. Non-printable characters become
  /// "?".
  @discardableResult
  public func write(_ text: Span<UInt8>, row: Int, column: Int, _ style: Style = .plain) -> Int {
    var reader = CharacterReader(text)
    var column = column
    while let character = reader.next() {
      guard let next = put(character, row, column, style) else { break }
      column = next
    }
    return column
  }

  @discardableResult
  public func write(_ text: String, row: Int, column: Int, _ style: Style = .plain) -> Int {
    write(text.utf8.span, row: row, column: column, style)
  }

  /// Writes one character, and returns the column after it, or nil when there is no room.
  func put(_ character: Unicode.Scalar, _ row: Int, _ column: Int, _ style: Style) -> Int? {
    let character: Unicode.Scalar = character == "\u{FFFD}" ? "?" : character
    let width = Terminal.columns(of: character)
    if width == 0 { return column }
    let limit = row == rows - 1 ? columns - 1 : columns
    guard column >= 0, column + width <= limit else { return nil }
    let index = row * columns + column
    // The other half of an overwritten wide character is cleared.
    if wanted[index].isContinuation { wanted[index - 1] = .blank }
    wanted[index] = Cell(character.value, style)
    if width == 2 { wanted[index + 1] = Cell(0, style) }
    let after = index + width
    if column + width < columns, wanted[after].isContinuation { wanted[after] = .blank }
    return column + width
  }

  // MARK: Sent contents

  /// The terminal's contents are unknown: all is sent again.
  public func forget() { isForgotten = true }

  /// A row's contents are unknown.
  public func forget(row: Int) {
    for column in 0..<columns { sent[row * columns + column] = .unknown }
  }

  /// True when the terminal is up to date.
  public var isSent: Bool {
    if isForgotten { return false }
    guard let place, place == cursor else { return false }
    for index in wanted.indices where wanted[index] != sent[index] { return false }
    return true
  }
}
