import Testing

@testable import Codec

@Suite("Windows of the day")
struct DayWindowTests {
  @Test("a window has hours, and perhaps days; midnight may lie in it")
  func windows() {
    // 1 January 1970 was a Thursday.
    let night = DayWindow("22:30-04:00".utf8.span)
    #expect(night?.contains(localMinutes: 23 * 60) == true)
    #expect(night?.contains(localMinutes: 3 * 60) == true)
    #expect(night?.contains(localMinutes: 4 * 60) == false)
    #expect(night?.minutesUntilOpen(localMinutes: 4 * 60) == Int64(1110))
    let weekend = DayWindow("sat,sun 02:00-05:00".utf8.span)
    #expect(weekend?.contains(localMinutes: 3 * 60) == false)
    #expect(weekend?.contains(localMinutes: 2 * 1440 + 3 * 60) == true)
    #expect(weekend?.minutesUntilOpen(localMinutes: 0) == Int64(3000))
    let friday = DayWindow("fri-sun 23:00-01:00".utf8.span)
    // Monday, after the Sunday on which it begins.
    #expect(friday?.contains(localMinutes: 4 * 1440 + 30) == true)
    #expect(friday?.contains(localMinutes: 5 * 1440 + 30) == false)
    #expect(DayWindow("00:00-24:00".utf8.span)?.contains(localMinutes: -1) == true)
  }

  @Test(
    "what is not a window is none",
    arguments: [
      "", "02:00", "2:00-5:00", "02:00-02:00", "25:00-26:00", "02:60-03:00", "xyz 02:00-05:00", "sat- 02:00-05:00",
      "sat,, 02:00-05:00", "02:00-05:00 sat", "mon-fri02:00-05:00",
    ])
  func noWindow(text: String) { #expect(DayWindow(text.utf8.span) == nil) }
}
