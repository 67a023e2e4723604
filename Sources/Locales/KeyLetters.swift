import CLocales
import Codec
import Runtime

/// Which letters the keyboard on a screen has for a language: a row of Sources/CLocales/keyboards.tsv, of keyboards
/// that need no input method. A value of a few bytes, which allocates nothing.
public struct KeyLetters: Sendable {
  /// The columns of the table, in their order. `tags` has commas between languages; `shifted` is empty where capitals
  /// are those of Unicode, and "-" where there are none.
  private enum Column: Int { case tags, letters, shifted, accents, marks, sample }

  /// How the letters change while shift is on.
  public enum Shift: Sendable {
    /// To their capitals, to a row of its own, or not at all.
    case capitals, rows, none
  }

  private let row: TableRow

  /// Those of English.
  public static var english: KeyLetters { KeyLetters(row: find(("en" as StaticString).utf8Bytes)!) }

  /// The letters of a locale; those of English for a language that needs an input method, or has none in the table.
  public init(_ locale: Locale) { row = Self.find(locale.tag) ?? Self.english.row }

  /// The letters of a language of the table by its tag.
  public init?(_ tag: StaticString) {
    guard let row = Self.find(tag.utf8Bytes) else { return nil }
    self.row = row
  }

  private init(row: TableRow) { self.row = row }

  private static var table: UnsafeBufferPointer<UInt8> {
    var count: Int64 = 0
    let start = tl_keyboards(&count)
    return UnsafeBufferPointer(start: start, count: Int(count))
  }

  private static func find(_ tag: Span<UInt8>) -> TableRow? {
    TableRow.first(in: table) { _, row in
      let tags = row.column(Column.tags.rawValue)
      var start = 0
      for end in 0...tags.count where end == tags.count || tags[end] == UInt8(ascii: ",") {
        if tag.isEqual(ignoringCase: tags.extracting(start..<end)) { return true }
        start = end + 1
      }
      return false
    }
  }

  // MARK: Keys

  /// True for letters of the Latin alphabet.
  public var isLatin: Bool { row.column(Column.sample.rawValue).isEmpty }

  /// Rows of letters: three or four.
  public var rows: Int { Self.parts(row.column(Column.letters.rawValue)) }

  /// How shift changes them.
  public var shift: Shift {
    let shifted = row.column(Column.shifted.rawValue)
    if shifted.isEmpty { return .capitals }
    return shifted.count == 1 ? .none : .rows
  }

  /// The letters of a row, from 0.
  @_lifetime(immortal)
  public func letters(_ number: Int, isShifted: Bool = false) -> Span<UInt8> {
    text(isShifted && shift == .rows ? .shifted : .letters, number)
  }

  /// Letters with marks and others that are needed less, up to three rows, and a fourth of two keys; empty rows where
  /// there are none.
  @_lifetime(immortal)
  public func accents(_ number: Int) -> Span<UInt8> { text(.accents, number) }

  /// True where there are such letters.
  public var hasAccents: Bool { !row.column(Column.accents.rawValue).isEmpty }

  /// What stands before and behind the space bar, one after the other.
  public var marks: Span<UInt8> {
    @_lifetime(immortal)
    get { text(.marks, 0) }
  }

  /// Three letters that stand for the alphabet on a key that leads to it.
  public var sample: Span<UInt8> {
    @_lifetime(immortal)
    get { isLatin ? ("ABC" as StaticString).utf8Bytes : text(.sample, 0) }
  }

  /// A letter and those that look like it, which holding its key offers; nil where there are none.
  /// - Parameter letter: small
  @_lifetime(immortal)
  public static func relatives(of letter: Span<UInt8>) -> Span<UInt8>? {
    guard let row = find(("*" as StaticString).utf8Bytes), !letter.isEmpty else { return nil }
    let groups = row.column(Column.letters.rawValue)
    var start = 0
    for end in 0...groups.count where end == groups.count || groups[end] == UInt8(ascii: "|") {
      let group = groups.extracting(start..<end)
      start = end + 1
      guard group.count > letter.count else { continue }
      var isSame = true
      for index in 0..<letter.count where group[index] != letter[index] { isSame = false }
      if isSame { return _overrideLifetime(Span(_unsafeElements: group), copying: ()) }
    }
    return nil
  }

  @_lifetime(immortal)
  private func text(_ column: Column, _ number: Int) -> Span<UInt8> {
    _overrideLifetime(Span(_unsafeElements: row.part(column.rawValue, number)), copying: ())
  }

  private static func parts(_ column: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 1
    for byte in column where byte == UInt8(ascii: "|") { count += 1 }
    return count
  }
}
