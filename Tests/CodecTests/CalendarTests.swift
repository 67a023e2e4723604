import Testing

@testable import Codec

@Suite("Calendar and ISO 8601")
struct CalendarTests {
  @Test("days beyond all years are some day")
  func endless() {
    for days in [Int64.min, -1 << 50, 1 << 50, .max] {
      let date = CivilDate(daysSinceEpoch: days)
      #expect((date.year < 0) == (days < 0) && (1...12).contains(date.month) && (1...31).contains(date.day))
    }
  }

  @Test("days follow each other without gap for 800 years, both ways")
  func everyDay() throws {
    var year: Int32 = 1600
    var month: UInt8 = 1
    var day: UInt8 = 1
    let first = try #require(CivilDate(year: 1600, month: 1, day: 1)).daysSinceEpoch
    for count in 0..<Int64(2 * 146_097) {
      let date = CivilDate(daysSinceEpoch: first + count)
      guard date.year == year, date.month == month, date.day == day, date.daysSinceEpoch == first + count
      else {
        Issue.record("day \(count) is \(date)")
        return
      }
      if let next = CivilDate(year: year, month: month, day: day + 1) {
        day = next.day
      } else if month < 12 {
        (month, day) = (month + 1, 1)
      } else {
        (year, month, day) = (year + 1, 1, 1)
      }
    }
    #expect(year == 2400 && month == 1 && day == 1)
  }

  @Test("leap years are every fourth, but of centuries every fourth")
  func leapYears() {
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2023, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2023, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 2023, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2023, month: 1, day: 0) == nil)
  }

  @Test(
    "writes a moment in UTC to the millisecond",
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (1_767_225_600_000, "2026-01-01T00:00:00.000Z"),
      (951_782_400_000 + 86_399_999, "2000-02-29T23:59:59.999Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (-86_400_000, "1969-12-31T00:00:00.000Z"),
      (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
      (.max, "9999-12-31T23:59:59.999Z"), (.min, "0000-01-01T00:00:00.000Z"),
      (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
      (4_102_444_799_007, "2099-12-31T23:59:59.007Z"),
    ] as [(Int64, String)])
  func iso8601(_ milliseconds: Int64, _ expected: String) {
    let moment = ISO8601(unixMilliseconds: milliseconds)
    #expect(text(moment.text) == expected)
  }
}
