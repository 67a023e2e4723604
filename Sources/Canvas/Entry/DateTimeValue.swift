import Codec
import Runtime

/// A day and a time of day, as a date field has them.
struct DateTimeValue: Equatable, Sendable {
  /// The parts that can be changed.
  enum Part: Int, CaseIterable, Sendable { case year, month, day, hour, minute }

  private(set) var year: Int32 = 2000
  private(set) var month: UInt8 = 1
  private(set) var day: UInt8 = 1
  private(set) var hour: UInt8 = 0
  private(set) var minute: UInt8 = 0

  /// A moment of Universal Time.
  init(unixMilliseconds: Int64) {
    let minutes = unixMilliseconds / 60_000
    let date = CivilDate(daysSinceEpoch: minutes / 1440)
    (year, month, day) = (min(max(date.year, 1), 9999), date.month, date.day)
    (hour, minute) = (UInt8(max(minutes % 1440, 0) / 60), UInt8(max(minutes % 60, 0)))
  }

  /// Parses an ISO 8601 value: its date, its time, or both, as written. Zone and seconds are ignored; an invalid date
  /// or time changes nothing.
  mutating func take(_ value: Span<UInt8>) {
    var timeStart = 0
    if value.count >= 10, value[4] == UInt8(ascii: "-"), value[7] == UInt8(ascii: "-") {
      timeStart = 11
      if let year = Self.number(value, 0, 4), year > 0, let month = Self.number(value, 5, 2),
        let day = Self.number(value, 8, 2), CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)) != nil
      {
        (self.year, self.month, self.day) = (Int32(year), UInt8(month), UInt8(day))
      }
    }
    guard value.count >= timeStart + 5, value[timeStart + 2] == UInt8(ascii: ":"),
      let hour = Self.number(value, timeStart, 2), hour < 24, let minute = Self.number(value, timeStart + 3, 2),
      minute < 60
    else { return }
    (self.hour, self.minute) = (UInt8(hour), UInt8(minute))
  }

  private static func number(_ text: Span<UInt8>, _ start: Int, _ digits: Int) -> Int? {
    var value = 0
    for place in start..<start + digits {
      guard text[place] >= 0x30, text[place] <= 0x39 else { return nil }
      value = value * 10 + Int(text[place] - 0x30)
    }
    return value
  }

  /// One more or one less, with wrap-around; a day that the month does not have becomes its last day.
  mutating func turn(_ part: Part, by step: Int) {
    func around(_ value: Int, _ range: ClosedRange<Int>) -> Int {
      let count = range.count
      return ((value + step - range.lowerBound) % count + count) % count + range.lowerBound
    }
    switch part {
    case .year: year = Int32(around(Int(year), 1...9999))
    case .month: month = UInt8(around(Int(month), 1...12))
    case .day: day = UInt8(around(Int(day), 1...Int(lastDay)))
    case .hour: hour = UInt8(around(Int(hour), 0...23))
    case .minute: minute = UInt8(around(Int(minute), 0...59))
    }
    day = min(day, lastDay)
  }

  private var lastDay: UInt8 {
    var last: UInt8 = 31
    while last > 28, CivilDate(year: year, month: month, day: last) == nil { last -= 1 }
    return last
  }

  /// A part as a number.
  func number(_ part: Part) -> Int {
    switch part {
    case .year: Int(year)
    case .month: Int(month)
    case .day: Int(day)
    case .hour: Int(hour)
    case .minute: Int(minute)
    }
  }

  /// Minutes since the beginning of the year 1, to compare by; with the date, the time of day or both.
  func minutes(hasDate: Bool, hasTime: Bool) -> Int64 {
    var minutes: Int64 = 0
    if hasDate, let date = CivilDate(year: year, month: month, day: day) { minutes = date.daysSinceEpoch * 1440 }
    if hasTime { minutes += Int64(hour) * 60 + Int64(minute) }
    return minutes
  }

  /// Takes over the date of another value, its time of day, or both.
  mutating func take(_ other: DateTimeValue, hasDate: Bool, hasTime: Bool) {
    if hasDate { (year, month, day) = (other.year, other.month, other.day) }
    if hasTime { (hour, minute) = (other.hour, other.minute) }
  }

  /// What a part shows: four digits, or two.
  func text(_ part: Part) -> InlineText<8> {
    var text = InlineText<8>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      write(part, to: &writer)
      return writer.count
    }
    return text
  }

  private func write(_ part: Part, to writer: inout ByteWriter) {
    switch part {
    case .year: writer.decimal(UInt64(year), width: 4)
    case .month: writer.decimal(UInt64(month), width: 2)
    case .day: writer.decimal(UInt64(day), width: 2)
    case .hour: writer.decimal(UInt64(hour), width: 2)
    case .minute: writer.decimal(UInt64(minute), width: 2)
    }
  }

  /// `YYYY-MM-DD`, `HH:MM`, or both with a T between (canvas reference 3.2).
  func value(hasDate: Bool, hasTime: Bool) -> InlineText<32> {
    var text = InlineText<32>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      if hasDate {
        write(.year, to: &writer)
        writer.text("-")
        write(.month, to: &writer)
        writer.text("-")
        write(.day, to: &writer)
      }
      if hasDate, hasTime { writer.text("T") }
      if hasTime {
        write(.hour, to: &writer)
        writer.text(":")
        write(.minute, to: &writer)
      }
      return writer.count
    }
    return text
  }
}
