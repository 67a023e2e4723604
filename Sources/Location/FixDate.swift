import Codec

/// Finds the date for a receiver's time of day.
///
/// A receiver counts weeks modulo 1024 and may be 1024 weeks behind. Until November 2038 such a wrong date is before
/// the last rollover, so dates before 7 April 2019 are rejected. So are years from 2080 on. The wall clock is checked
/// in the same way, because a board without a battery clock starts in 1970.
enum FixDate {
  /// 7 April 2019, when the week number last became 0 (IS-GPS-200, 10 bits): milliseconds since the Unix epoch.
  static let lastRollover: Int64 = 1_554_595_200_000
  /// 6 January 1980, when GPS time began: milliseconds since the Unix epoch.
  static let gpsEpoch: Int64 = 315_964_800_000
  /// 1 January 2080: milliseconds since the Unix epoch.
  static let centuryEnd: Int64 = 3_471_292_800_000
  static let day: Int64 = 86_400_000

  /// Milliseconds since the Unix epoch: by the receiver's date if plausible, otherwise on the day that puts the fix
  /// nearest to `wall`; nil when that is not plausible either.
  static func instant(
    of date: CivilDate?, timeOfDay: Int64, wall: Int64, earliest: Int64 = lastRollover
  ) -> Int64? {
    if let instant = instant(of: date, timeOfDay: timeOfDay, earliest: earliest) { return instant }
    guard isPlausible(wall, earliest) else { return nil }
    let today = wall / day * day + timeOfDay
    if today - wall > day / 2 { return today - day }
    return wall - today > day / 2 ? today + day : today
  }

  /// Milliseconds since the Unix epoch by the receiver's date alone, if plausible.
  static func instant(of date: CivilDate?, timeOfDay: Int64, earliest: Int64) -> Int64? {
    guard let date, isPlausible(date.daysSinceEpoch * day, earliest) else { return nil }
    return date.daysSinceEpoch * day + timeOfDay
  }

  private static func isPlausible(_ instant: Int64, _ earliest: Int64) -> Bool {
    instant >= earliest && instant < centuryEnd
  }
}
