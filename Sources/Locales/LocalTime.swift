import Codec

/// A point of time as a clock on the wall shows it.
public struct LocalTime: Equatable, Sendable {
  public var date: CivilDate
  /// 0...23, 0...59, 0...59
  public var hour: Int, minute: Int, second: Int

  /// The time this many milliseconds after 1970-01-01 00:00 of the same wall.
  public init(wallMilliseconds: Int64) {
    let seconds = Self.floored(wallMilliseconds, 1_000)
    let days = Self.floored(seconds, 86_400)
    let rest = Int(seconds.subtracting(clamping: days.multiplied(clamping: 86_400)))
    date = CivilDate(daysSinceEpoch: days)
    (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
  }

  /// A time of a day.
  public init(_ date: CivilDate, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    self.date = date
    (self.hour, self.minute, self.second) = (hour, minute, second)
  }

  /// 0 for Monday to 6 for Sunday.
  public var weekday: Int {
    // 1970-01-01 was a Thursday.
    let days = (date.daysSinceEpoch % 7 + 10) % 7
    return Int(days)
  }

  private static func floored(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
