import Codec

extension LocalTime {
  /// Reads a date, a time or both, as ISO 8601 writes them: `2026-11-07`, `21:05`, `2026-11-07T21:05:30`. Where a zone
  /// stands behind it, `local` tells what the clock on the wall shows then. Nil for anything else.
  public init?(iso text: Span<UInt8>, local: (Int64) -> LocalTime) {
    if let instant = ISO8601.unixMilliseconds(in: text) {
      self = local(instant)
      return
    }
    var time = (hour: 0, minute: 0, second: 0)
    guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-") else {
      guard Self.read(text, from: 0, into: &time), let date = CivilDate(year: 1970, month: 1, day: 1) else {
        return nil
      }
      self.init(date, hour: time.hour, minute: time.minute, second: time.second)
      return
    }
    guard let year = Self.number(text, 0..<4), let month = Self.number(text, 5..<7),
      let day = Self.number(text, 8..<10),
      let date = CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day))
    else { return nil }
    if text.count > 10 {
      guard text[10] == UInt8(ascii: "T") || text[10] == UInt8(ascii: " ") else { return nil }
      guard Self.read(text, from: 11, into: &time) else { return nil }
    }
    self.init(date, hour: time.hour, minute: time.minute, second: time.second)
  }

  /// `21:05`, `21:05:30` or `21:05:30.250` to the end of the text.
  private static func read(
    _ text: Span<UInt8>, from start: Int, into time: inout (hour: Int, minute: Int, second: Int)
  ) -> Bool {
    guard text.count >= start + 5, text[start + 2] == UInt8(ascii: ":") else { return false }
    guard let hour = number(text, start..<start + 2), let minute = number(text, start + 3..<start + 5) else {
      return false
    }
    var second = 0
    if text.count > start + 5 {
      guard text[start + 5] == UInt8(ascii: ":"), text.count >= start + 8 else { return false }
      guard let found = number(text, start + 6..<start + 8) else { return false }
      second = found
      if text.count > start + 8, text[start + 8] != UInt8(ascii: ".") { return false }
    }
    time = (hour, minute, second)
    return hour < 24 && minute < 60 && second < 61
  }

  private static func number(_ text: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var value = 0
    for index in range {
      guard text[index] &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int(text[index] - UInt8(ascii: "0"))
    }
    return value
  }
}
