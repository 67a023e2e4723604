/// A line of a table in Sources/CLocales: columns with tabs between them, whose parts have bars between them. A value
/// of a few bytes, which allocates nothing.
struct TableRow: @unchecked Sendable {
  /// In the program's constants.
  private let bytes: UnsafeBufferPointer<UInt8>

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The first row of a table that is wanted. The first line of a table names the columns.
  static func first(
    in table: UnsafeBufferPointer<UInt8>, where isWanted: (_ number: Int, TableRow) -> Bool
  ) -> TableRow? {
    var (start, number) = (0, -1)
    for end in 0..<table.count where table[end] == UInt8(ascii: "\n") {
      let row = TableRow(table.extracting(start..<end))
      if number >= 0, isWanted(number, row) { return row }
      (start, number) = (end + 1, number + 1)
    }
    return nil
  }

  /// A column, from 0; empty when there is none.
  func column(_ number: Int) -> UnsafeBufferPointer<UInt8> { Self.piece(of: bytes, number, UInt8(ascii: "\t")) }

  /// A part of a column, from 0; empty when there is none.
  func part(_ column: Int, _ number: Int) -> UnsafeBufferPointer<UInt8> {
    Self.piece(of: self.column(column), number, UInt8(ascii: "|"))
  }

  private static func piece(
    of text: UnsafeBufferPointer<UInt8>, _ number: Int, _ separator: UInt8
  ) -> UnsafeBufferPointer<UInt8> {
    var (start, passed) = (0, 0)
    for index in 0..<text.count where text[index] == separator {
      if passed == number { return text.extracting(start..<index) }
      (start, passed) = (index + 1, passed + 1)
    }
    return passed == number ? text.extracting(start..<text.count) : text.extracting(0..<0)
  }
}
