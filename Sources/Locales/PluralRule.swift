import Codec
import Runtime

/// The form of a noun that a number takes (Unicode TR35 part 3, section 5).
public enum PluralCategory: UInt8, CaseIterable, Sendable {
  case zero, one, two, few, many, other

  /// The word of the CLDR.
  public var word: StaticString {
    switch self {
    case .zero: "zero"
    case .one: "one"
    case .two: "two"
    case .few: "few"
    case .many: "many"
    case .other: "other"
    }
  }
}

extension Locale {
  /// The form that a number takes, which is written with as many decimals as it needs, at most three.
  public func plural(_ value: Double) -> PluralCategory {
    guard value.isFinite, abs(value) < 1e15 else { return .other }
    let name = Span(_unsafeElements: column(.plural))
    return PluralRule(name)?.category(of: PluralOperands(abs(value))) ?? .other
  }
}

/// The operands of the rules.
struct PluralOperands {
  /// The digits before the point.
  var i: Int64
  /// How many stand behind it, and what number they are.
  var v: Int, f: Int64

  init(_ value: Double) {
    let thousandths = Int64(clamping: (value * 1_000).rounded())
    i = thousandths / 1_000
    (v, f) = (3, thousandths % 1_000)
    while v > 0, f % 10 == 0 { (v, f) = (v - 1, f / 10) }
  }

  var isWhole: Bool { v == 0 }
  func `is`(_ number: Int64) -> Bool { isWhole && i == number }
  /// The last digit, and the number of the last two.
  var ones: Int64 { i % 10 }
  var tens: Int64 { i % 100 }
}

/// The rules of the languages of the table, each named after one that has it.
enum PluralRule: UInt8 {
  case none, english, one, danish, zeroOrOne, upToOne, french, spanish, italian, polish, russian, czech, romanian
  case croatian, slovenian, latvian, lithuanian, hebrew, arabic

  init?(_ name: Span<UInt8>) {
    var raw: UInt8 = 0
    while let rule = PluralRule(rawValue: raw) {
      if name.isEqual(to: rule.name) {
        self = rule
        return
      }
      raw += 1
    }
    return nil
  }

  private var name: StaticString {
    switch self {
    case .none: "none"
    case .english: "english"
    case .one: "one"
    case .danish: "danish"
    case .zeroOrOne: "zeroOrOne"
    case .upToOne: "upToOne"
    case .french: "french"
    case .spanish: "spanish"
    case .italian: "italian"
    case .polish: "polish"
    case .russian: "russian"
    case .czech: "czech"
    case .romanian: "romanian"
    case .croatian: "croatian"
    case .slovenian: "slovenian"
    case .latvian: "latvian"
    case .lithuanian: "lithuanian"
    case .hebrew: "hebrew"
    case .arabic: "arabic"
    }
  }

  func category(of count: PluralOperands) -> PluralCategory {
    switch self {
    case .none: .other
    case .english, .one: count.is(1) ? .one : .other
    case .danish: count.is(1) || !count.isWhole && count.i <= 1 ? .one : .other
    case .zeroOrOne: count.i <= 1 ? .one : .other
    case .upToOne: count.i == 0 || count.is(1) ? .one : .other
    case .french: count.i <= 1 ? .one : Self.millions(count)
    case .spanish, .italian: count.is(1) ? .one : Self.millions(count)
    case .polish: count.is(1) ? .one : Self.slavic(count)
    case .russian: count.isWhole && count.ones == 1 && count.tens != 11 ? .one : Self.slavic(count)
    case .czech: count.is(1) ? .one : !count.isWhole ? .many : (2...4).contains(count.i) ? .few : .other
    case .romanian: Self.romanian(count)
    case .croatian: Self.croatian(count.isWhole ? count.i : count.f)
    case .slovenian: Self.slovenian(count)
    case .latvian: Self.latvian(count)
    case .lithuanian: Self.lithuanian(count)
    case .hebrew: count.is(1) || count.i == 0 && !count.isWhole ? .one : count.is(2) ? .two : .other
    case .arabic: Self.arabic(count)
    }
  }

  private static func millions(_ count: PluralOperands) -> PluralCategory {
    count.isWhole && count.i != 0 && count.i % 1_000_000 == 0 ? .many : .other
  }

  private static func slavic(_ count: PluralOperands) -> PluralCategory {
    guard count.isWhole else { return .other }
    return (2...4).contains(count.ones) && !(12...14).contains(count.tens) ? .few : .many
  }

  private static func romanian(_ count: PluralOperands) -> PluralCategory {
    if count.is(1) { return .one }
    return !count.isWhole || count.i == 0 || (1...19).contains(count.tens) ? .few : .other
  }

  private static func croatian(_ number: Int64) -> PluralCategory {
    let (ones, tens) = (number % 10, number % 100)
    if ones == 1, tens != 11 { return .one }
    return (2...4).contains(ones) && !(12...14).contains(tens) ? .few : .other
  }

  private static func slovenian(_ count: PluralOperands) -> PluralCategory {
    guard count.isWhole else { return .few }
    switch count.tens {
    case 1: return .one
    case 2: return .two
    case 3, 4: return .few
    default: return .other
    }
  }

  private static func latvian(_ count: PluralOperands) -> PluralCategory {
    let (ones, tens) = count.isWhole ? (count.ones, count.tens) : (count.f % 10, count.f % 100)
    if count.isWhole && ones == 0 || (count.isWhole || count.v == 2) && (11...19).contains(tens) { return .zero }
    return ones == 1 ? .one : .other
  }

  private static func lithuanian(_ count: PluralOperands) -> PluralCategory {
    guard count.isWhole else { return .many }
    if (11...19).contains(count.tens) || count.ones == 0 { return .other }
    return count.ones == 1 ? .one : .few
  }

  private static func arabic(_ count: PluralOperands) -> PluralCategory {
    guard count.isWhole else { return .other }
    switch count.i {
    case 0: return .zero
    case 1: return .one
    case 2: return .two
    default: return (3...10).contains(count.tens) ? .few : (11...99).contains(count.tens) ? .many : .other
    }
  }
}
