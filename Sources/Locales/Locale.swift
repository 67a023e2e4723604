// Locales: how languages write dates, times, numbers and plurals. It knows nothing of screens and documents.

import CLocales
import Codec
import Runtime

/// A language, and how it writes dates and numbers: a row of the table in Sources/CLocales (Unicode CLDR). A value of a
/// few bytes, which allocates nothing.
public struct Locale: Sendable {
  /// The columns of the table, in their order.
  enum Column: Int {
    case tag, plural, marks, currency, months, monthsAlone, monthsShort, days, daysShort, periods, patterns, fields
  }

  private let row: TableRow

  /// Of a board whose owner has chosen no language: English, with dates and times as ISO 8601 writes them.
  public static var plain: Locale { Locale(row: TableRow.first(in: table) { number, _ in number == 0 }!) }

  /// English of the United States.
  public static var english: Locale { Locale(row: TableRow.first(in: table) { number, _ in number == 1 }!) }

  /// The locale by a tag of BCP 47, as `de` or `pt-PT`, in any case and with `_` as well; the language's where its
  /// region is not in the table. Nil for a language that is not.
  public init?(_ tag: Span<UInt8>) {
    var name = InlineText<16>()
    let isShort = name.fill { buffer in
      guard tag.count <= buffer.count else { return nil }
      for index in 0..<tag.count { buffer[index] = tag[index] == UInt8(ascii: "_") ? UInt8(ascii: "-") : tag[index] }
      return tag.count
    }
    // The first row is none that has a name.
    guard isShort, !name.isEmpty, name.span[0] != UInt8(ascii: "-") else { return nil }
    if let found = Self.row(name.span) {
      self = Locale(row: found)
      return
    }
    for index in 0..<Self.others.count where name.span.isEqual(ignoringCase: Self.others[index].tag) {
      guard let found = Self.row(Self.others[index].row.utf8Bytes) else { continue }
      self = Locale(row: found)
      return
    }
    let dash = (0..<name.count).first { name.span[$0] == UInt8(ascii: "-") }
    guard let dash, let found = Self.row(name.span.extracting(0..<dash)) else { return nil }
    self = Locale(row: found)
  }

  private init(row: TableRow) { self.row = row }

  /// Tags whose language is written as another row of the table.
  private static let others: InlineArray<8, (tag: StaticString, row: StaticString)> = [
    ("no", "nb"), ("nn", "nb"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("en-AU", "en-GB"), ("en-NZ", "en-GB"),
    ("en-IE", "en-GB"), ("en-IN", "en-GB"),
  ]

  /// Its tag.
  public var tag: Span<UInt8> {
    @_lifetime(immortal)
    get { _overrideLifetime(Span(_unsafeElements: column(.tag)), copying: ()) }
  }

  // MARK: Table

  private static func row(_ tag: Span<UInt8>) -> TableRow? {
    TableRow.first(in: table) { _, row in tag.isEqual(ignoringCase: row.column(Column.tag.rawValue)) }
  }

  private static var table: UnsafeBufferPointer<UInt8> {
    var count: Int64 = 0
    let start = tl_locales(&count)
    return UnsafeBufferPointer(start: start, count: Int(count))
  }

  func column(_ column: Column) -> UnsafeBufferPointer<UInt8> { row.column(column.rawValue) }

  /// A part of a column, from 0.
  func part(_ column: Column, _ number: Int) -> UnsafeBufferPointer<UInt8> { row.part(column.rawValue, number) }

  // MARK: All of them

  /// Goes over the tags of all languages.
  public static func forEachTag(_ body: (Span<UInt8>) -> Void) {
    _ = TableRow.first(in: table) { number, row in
      if number == 0 { return false }
      body(Span(_unsafeElements: row.column(Column.tag.rawValue)))
      return false
    }
  }
}

extension Span where Element == UInt8 {
  func isEqual(to other: StaticString) -> Bool {
    guard count == other.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != other.utf8Start[index] { return false }
    return true
  }

  fileprivate func isEqual(ignoringCase other: StaticString) -> Bool {
    isEqual(ignoringCase: UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
  }

  func isEqual(ignoringCase other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count {
      let (one, two) = (self[index], other[index])
      // Tags are ASCII.
      guard one == two || one | 0x20 == two | 0x20 && one | 0x20 >= 0x61 && one | 0x20 <= 0x7A else { return false }
    }
    return true
  }
}
