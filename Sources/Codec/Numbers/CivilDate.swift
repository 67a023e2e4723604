/// A day of the Gregorian calendar, extended to all years.
public struct CivilDate: Equatable, Sendable {
  /// The year; 1 BC is 0.
  public let year: Int32
  /// 1 to 12
  public let month: UInt8
  /// 1 to 31
  public let day: UInt8

  /// Days of 400 years, after which the calendar repeats.
  private static let daysPerEra: Int64 = 146_097
  /// Days from 1 March of the year 0, where an era begins, to 1 January 1970.
  private static let daysToEpoch: Int64 = 719_468

  /// A day, or nil when the calendar does not have it.
  public init?(year: Int32, month: UInt8, day: UInt8) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(of: month, in: year) else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The farthest day whose year fits 32 bits.
  private static let mostDays: Int64 = 700_000_000_000

  /// The day this many days after 1 January 1970, clamped to about two thousand million years.
  ///
  /// Years are counted from 1 March, so that the leap day comes last: then month m of 0 to 11 begins on day (153m + 2)
  /// / 5.
  public init(daysSinceEpoch: Int64) {
    let days = min(max(daysSinceEpoch, -Self.mostDays), Self.mostDays) + Self.daysToEpoch
    let era = Self.flooredQuotient(days, Self.daysPerEra)
    let dayOfEra = days - era * Self.daysPerEra
    // Take the leap days out, and every year has 365.
    let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leapDays) / 365
    let dayOfYear = dayOfEra - Self.days(before: yearOfEra)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = UInt8(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    month = UInt8(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    year = Int32(era * 400 + yearOfEra + (month <= 2 ? 1 : 0))
  }

  /// Days since 1 January 1970, negative before.
  public var daysSinceEpoch: Int64 {
    let yearFromMarch = Int64(year) - (month <= 2 ? 1 : 0)
    let monthFromMarch = Int64(month) + (month <= 2 ? 9 : -3)
    let era = Self.flooredQuotient(yearFromMarch, 400)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    return era * Self.daysPerEra + Self.days(before: yearFromMarch - era * 400) + dayOfYear - Self.daysToEpoch
  }

  /// Days of an era before its year by this number.
  private static func days(before yearOfEra: Int64) -> Int64 {
    365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100
  }

  private static func days(of month: UInt8, in year: Int32) -> UInt8 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func flooredQuotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }
}
