/// Hours of the day, and perhaps days of the week, in local time, such as those in which a board may
/// restart. A window may pass midnight; then it belongs to the day on which it begins.
public struct DayWindow: Equatable, Sendable {
  /// Minutes after midnight.
  let start: Int64
  let end: Int64
  /// Bit 0 is Monday.
  let days: UInt8

  private static let minutesPerDay: Int64 = 1440
  private static let names: InlineArray<7, StaticString> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  /// Reads `02:00-05:00`, `sat,sun 02:00-05:00` or `mon-fri 22:30-04:00`; nil for anything else.
  public init?(_ text: Span<UInt8>) {
    var split = text.count
    while split > 0, text[split - 1] != 0x20 { split -= 1 }
    guard let hours = Self.hours(text.extracting(split..<text.count)) else { return nil }
    var end = split
    while end > 0, text[end - 1] == 0x20 { end -= 1 }
    guard let days = end == 0 ? 0x7F : Self.days(text.extracting(0..<end)) else { return nil }
    (start, self.end, self.days) = (hours.0, hours.1, days)
  }

  private static func hours(_ text: Span<UInt8>) -> (Int64, Int64)? {
    guard text.count == 11, text[5] == UInt8(ascii: "-"), let start = clock(text.extracting(0..<5)),
      let end = clock(text.extracting(6..<11)), start != end
    else { return nil }
    return (start, end)
  }

  /// `HH:MM`; 24:00 is the end of the day.
  private static func clock(_ text: Span<UInt8>) -> Int64? {
    guard text[2] == UInt8(ascii: ":"), text[0].isDigit, text[1].isDigit, text[3].isDigit, text[4].isDigit else {
      return nil
    }
    let hour = Int64(text[0] - 48) * 10 + Int64(text[1] - 48)
    let minute = Int64(text[3] - 48) * 10 + Int64(text[4] - 48)
    guard minute < 60, hour < 24 || (hour == 24 && minute == 0) else { return nil }
    return hour * 60 + minute
  }

  /// Names of days, each perhaps `first-last`, separated by commas.
  private static func days(_ text: Span<UInt8>) -> UInt8? {
    var (days, index): (UInt8, Int) = (0, 0)
    while true {
      guard let first = day(text, index) else { return nil }
      var last = first
      index += 3
      if index < text.count, text[index] == UInt8(ascii: "-") {
        guard let day = day(text, index + 1) else { return nil }
        last = day
        index += 4
      }
      var day = first
      days |= 1 << UInt8(day)
      while day != last {
        day = (day + 1) % 7
        days |= 1 << UInt8(day)
      }
      if index == text.count { return days }
      guard text[index] == UInt8(ascii: ",") else { return nil }
      index += 1
    }
  }

  private static func day(_ text: Span<UInt8>, _ start: Int) -> Int? {
    guard start + 3 <= text.count else { return nil }
    for index in names.indices {
      let name = names[index].utf8Start
      if text[start] | 0x20 == name[0], text[start + 1] | 0x20 == name[1], text[start + 2] | 0x20 == name[2] {
        return index
      }
    }
    return nil
  }

  /// True when an instant is in the window. `localMinutes`: minutes of local time since 1 January 1970.
  public func contains(localMinutes: Int64) -> Bool {
    let day = floorDivision(localMinutes, Self.minutesPerDay)
    let minute = localMinutes - day * Self.minutesPerDay
    if start < end { return isOpen(on: day) && minute >= start && minute < end }
    return (isOpen(on: day) && minute >= start) || (isOpen(on: day - 1) && minute < end)
  }

  /// Minutes until the window opens next; 0 while it is open.
  public func minutesUntilOpen(localMinutes: Int64) -> Int64 {
    if contains(localMinutes: localMinutes) { return 0 }
    let day = floorDivision(localMinutes, Self.minutesPerDay)
    for ahead in 0...7 where isOpen(on: day + Int64(ahead)) {
      let opens = (day + Int64(ahead)) * Self.minutesPerDay + start
      if opens > localMinutes { return opens - localMinutes }
    }
    return Self.minutesPerDay
  }

  /// 1 January 1970 was a Thursday.
  private func isOpen(on day: Int64) -> Bool {
    let weekday = day + 3 - floorDivision(day + 3, 7) * 7
    return days & (1 << UInt8(weekday)) != 0
  }

  private func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }
}
