import Codec
import Runtime
import TestSupport
import Testing

@testable import Locales

private func written(_ write: (inout ByteWriter) -> Void) -> String {
  var bytes = [UInt8](repeating: 0, count: 600)
  return bytes.withUnsafeMutableBufferPointer { buffer in
    var writer = ByteWriter(into: buffer)
    write(&writer)
    return String(decoding: buffer[..<writer.count], as: UTF8.self)
  }
}

private func text(_ span: Span<UInt8>) -> String {
  span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
}

private func named(_ tag: String) -> Locale? { Locale(tag.utf8.span) }

private func caption(_ locale: Locale, _ field: Int) -> String { text(locale.caption(Locale.Field(rawValue: field)!)) }

@Suite("Locales")
struct LocaleTests {
  private let time = LocalTime(CivilDate(year: 2026, month: 11, day: 7)!, hour: 21, minute: 5)

  /// What Babel 2.19 writes of the same CLDR; the year of Thai without its era, the time of Taiwan with the half of the
  /// day, and the euro by its sign.
  private static let expected: [[String]] = try! Repository.text("Tests/Fixtures/locales.tsv")
    .split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }

  @Test("dates, times, numbers, money and plurals are written as the CLDR says", arguments: expected)
  func agrees(row: [String]) throws {
    let locale = try #require(named(row[0]))
    let tag = text(locale.tag)
    #expect(tag == row[0])
    #expect(written { locale.write(time, as: .whole, into: &$0) } == row[1])
    #expect(written { locale.write(time, as: .short, into: &$0) } == row[2])
    #expect(written { locale.write(time, as: .time, into: &$0) } == row[3])
    #expect(written { locale.write(1_234_567.891, into: &$0) } == row[4])
    #expect(written { locale.write(1_234.5, currency: "EUR".utf8.span, into: &$0) } == row[5])
    let counts = [
      0, 1, 2, 3, 4, 5, 10, 11, 12, 14, 19, 20, 21, 22, 25, 100, 101, 102, 103, 111, 112, 1_000, 1_000_000, 2_000_000,
      0.5,
      1.5, 1.1, 2.25, 0.11, 10.21,
    ]
    let letters: [PluralCategory: Character] = [.zero: "z", .one: "1", .two: "2", .few: "f", .many: "m", .other: "o"]
    #expect(String(counts.map { letters[locale.plural($0)]! }) == row[6])
  }

  @Test("every language has all names, and a caption for each column of a picker", arguments: expected.map { $0[0] })
  func isWhole(tag: String) throws {
    let locale = try #require(named(tag))
    for column in [Locale.Column.months, .monthsAlone, .monthsShort] {
      for month in 0..<12 { #expect(!locale.part(column, month).isEmpty) }
      #expect(locale.part(column, 12).isEmpty)
    }
    for column in [Locale.Column.days, .daysShort] { for day in 0..<7 { #expect(!locale.part(column, day).isEmpty) } }
    for field in 0..<5 { #expect(!caption(locale, field).isEmpty) }
    let rule = PluralRule(Span(_unsafeElements: locale.column(.plural)))
    #expect(rule != nil)
  }

  @Test(
    "a tag is read in any case, with its region or without",
    arguments: [
      ("de", "de"), ("DE_at", "de"), ("pt-pt", "pt-PT"), ("pt-BR", "pt"), ("zh_TW", "zh-Hant"), ("no", "nb"),
      ("en-US", "en"), ("en_gb", "en-GB"), ("sr", nil), ("", nil), ("-", nil), ("d", nil), ("tag", nil),
      ("a-very-long-tag-of-a-language", nil),
    ] as [(String, String?)])
  func tags(tag: String, row: String?) {
    let found = named(tag).map { text($0.tag) }
    #expect(found == row)
  }

  @Test(
    "patterns of dates are written letter by letter",
    arguments: [
      ("yyyy-MM-dd'T'HH:mm:ss", "2026-11-07T21:05:00"), ("yy", "26"), ("h 'o''clock' a", "9 o'clock PM"),
      ("EEE d MMM", "Sat 7 Nov"), ("''", "'"), ("'open", "open"), ("QQQQ Z", " "), ("K k", "9 21"),
      (String(repeating: "y", count: 300), "2026"), ("ü/d", "ü/7"),
    ])
  func patterns(pattern: String, result: String) {
    #expect(written { Locale.english.write(time, pattern: pattern.utf8.span, into: &$0) } == result)
  }

  @Test("numbers have the decimals that are asked for, and groups unless told otherwise")
  func numbers() {
    func number(_ value: Double, _ decimals: Int? = nil, _ isGrouped: Bool = true) -> String {
      written { Locale.english.write(value, decimals: decimals, isGrouped: isGrouped, into: &$0) }
    }
    #expect(number(1_234.5) == "1,234.5" && number(1_234.5, 2) == "1,234.50" && number(1_234.5, 0, false) == "1234")
    #expect(number(-999) == "-999" && number(-1_000) == "-1,000" && number(0.0004) == "0" && number(1) == "1")
    #expect(number(.nan) == "NaN" && number(.infinity) == "∞" && number(-.infinity) == "-∞")
    #expect(number(1e300).hasPrefix("1,000,000"))
    #expect(number(1, .max).hasPrefix("1.") && number(1, .min) == "1")
  }

  @Test("money has the currency's sign or its code, and its decimals")
  func money() {
    func money(_ value: Double, _ code: String, _ tag: String = "en") -> String {
      written { Locale(tag.utf8.span)!.write(value, currency: code.utf8.span, into: &$0) }
    }
    #expect(money(5, "USD") == "$5.00" && money(5, "CHF") == "CHF\u{A0}5.00" && money(5, "JPY", "ja") == "¥5")
    #expect(money(-5, "SEK", "sv") == "-5,00\u{A0}SEK" && money(5, "") == "¤5.00")
  }

  @Test("a date stands in the order of its digits, and a clock has twelve hours or twenty-four")
  func order() throws {
    func order(_ tag: String) throws -> [Locale.Field] {
      let fields = try #require(named(tag)).dateOrder
      return [fields[0], fields[1], fields[2]]
    }
    #expect(try order("en") == [.month, .day, .year] && order("de") == [.day, .month, .year])
    #expect(try order("hu") == [.year, .month, .day] && order("zh") == [.year, .month, .day])
    for tag in Self.expected.map({ $0[0] }) {
      #expect(try Set(order(tag)) == [.year, .month, .day])
      let locale = try #require(named(tag))
      let hours = Set((-1...24).map { hour in written { locale.write(hour: hour, into: &$0) } })
      #expect(hours.count == 24)
    }
    #expect(written { Locale.english.write(hour: 0, into: &$0) } == "12 AM")
    #expect(written { named("de")!.write(hour: 7, into: &$0) } == "07")
    let short: InlineText<8> = Locale.english.text(time, as: .whole)
    #expect(text(short.span) == "Saturday")
  }

  @Test("where no language is chosen, words are English, and dates and times those of ISO 8601")
  func plain() {
    #expect(written { Locale.plain.write(time, as: .short, into: &$0) } == "2026-11-07")
    #expect(written { Locale.plain.write(time, as: .time, into: &$0) } == "21:05")
    #expect(written { Locale.plain.write(time, as: .whole, into: &$0) } == "Saturday, 7 November 2026")
    #expect(written { Locale.plain.write(1_234.5, into: &$0) } == "1,234.5" && !Locale.plain.hasPeriods)
  }

  @Test("each language is named once, and each has letters")
  func allTags() throws {
    var tags: [String] = []
    Locale.forEachTag { tags.append(text($0)) }
    #expect(tags.count == 44 && Set(tags).count == tags.count && tags.first == "en")
    for tag in tags {
      let letters = KeyLetters(try #require(named(tag)))
      for row in 0..<letters.rows {
        let (plain, shifted) = (text(letters.letters(row)), text(letters.letters(row, isShifted: true)))
        #expect(plain.unicodeScalars.count == shifted.unicodeScalars.count && plain.unicodeScalars.count <= 12)
        #expect(Set(plain.unicodeScalars).count == plain.unicodeScalars.count, "a letter twice in \(plain)")
      }
      #expect((3...4).contains(letters.rows) && letters.letters(letters.rows).isEmpty)
      #expect(text(letters.marks).unicodeScalars.count == 2 && text(letters.sample).unicodeScalars.count == 3)
      for row in 0..<4 { #expect(text(letters.accents(row)).unicodeScalars.count <= 10) }
    }
    #expect(KeyLetters("en")?.isLatin == true && KeyLetters("ru")?.isLatin == false && KeyLetters("xx") == nil)
  }

  @Test("a letter has the relatives that begin with it")
  func relatives() {
    func relatives(_ letter: String) -> String? {
      guard let found = KeyLetters.relatives(of: letter.utf8.span) else { return nil }
      return text(found)
    }
    #expect(relatives("e") == "eéèêëēęěė" && relatives("г") == "гґ" && relatives("ا") == "اأإآٱ")
    #expect(relatives("q") == nil && relatives("") == nil && relatives("é") == nil && relatives("eéè") != "e")
  }

  @Test("a time of the wall is its date, its weekday and its clock, also before 1970 and at the ends")
  func walls() {
    let before = LocalTime(wallMilliseconds: -1)
    #expect(before == LocalTime(CivilDate(year: 1969, month: 12, day: 31)!, hour: 23, minute: 59, second: 59))
    #expect(LocalTime(wallMilliseconds: 0).weekday == 3 && before.weekday == 2)
    _ = LocalTime(wallMilliseconds: .max)
    _ = LocalTime(wallMilliseconds: .min)
  }
}
