/// Dates in HTTP header fields, in the one form that senders use (RFC 9110 section 5.6.7, IMF-fixdate).
public enum HTTPDate {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, in bytes.
  private static let length = 29
  private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

  /// The instant that a text names, in milliseconds since 1 January 1970, or nil when it is none. The name of the day
  /// is not compared with the date.
  public static func unixMilliseconds(in text: Span<UInt8>) -> Int64? {
    guard text.count == length, text[3] == UInt8(ascii: ","), text[4] == 0x20, text[7] == 0x20, text[11] == 0x20,
      text[16] == 0x20, text[19] == UInt8(ascii: ":"), text[22] == UInt8(ascii: ":"), text[25] == 0x20,
      text[26] == UInt8(ascii: "G"), text[27] == UInt8(ascii: "M"), text[28] == UInt8(ascii: "T"),
      let day = number(text, 5, 2), let month = month(text), let year = number(text, 12, 4),
      let hour = number(text, 17, 2), hour < 24, let minute = number(text, 20, 2), minute < 60,
      let second = number(text, 23, 2), second <= 60,
      let date = CivilDate(year: Int32(truncatingIfNeeded: year), month: month, day: UInt8(truncatingIfNeeded: day))
    else { return nil }
    return date.daysSinceEpoch * 86_400_000 + ((hour * 60 + minute) * 60 + second) * 1000
  }

  private static func month(_ text: Span<UInt8>) -> UInt8? {
    let names = months.utf8Bytes
    for month in 0..<12 {
      let name = month * 3
      if text[8] == names[name], text[9] == names[name + 1], text[10] == names[name + 2] {
        return UInt8(truncatingIfNeeded: month + 1)
      }
    }
    return nil
  }

  /// A number of so many digits.
  private static func number(_ text: Span<UInt8>, _ start: Int, _ count: Int) -> Int64? {
    var value: Int64 = 0
    for index in start..<(start + count) {
      guard text[index] >= 0x30, text[index] <= 0x39 else { return nil }
      value = value * 10 + Int64(text[index] - 0x30)
    }
    return value
  }
}
