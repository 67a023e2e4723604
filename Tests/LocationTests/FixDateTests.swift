import Codec
import Testing

@testable import Location

@Suite struct FixDateTests {
  private static let july15: Int64 = 1_784_073_600_000
  private static let noon: Int64 = 43_200_000

  private func date(_ year: Int32, _ month: UInt8, _ day: UInt8) -> CivilDate {
    CivilDate(year: year, month: month, day: day)!
  }

  @Test(
    "the receiver's date is believed, whatever the board's clock says", arguments: [0, 4_000_000_000_000])
  func receiverFirst(wall: Int64) {
    let instant = FixDate.instant(of: date(2026, 7, 15), timeOfDay: Self.noon, wall: wall)
    #expect(instant == Self.july15 + Self.noon)
  }

  @Test("a date 1024 weeks too old gives way to the board's clock")
  func rollover() {
    // 15 July 2026 less 7168 days.
    let instant = FixDate.instant(
      of: date(2006, 11, 29), timeOfDay: Self.noon, wall: Self.july15 + Self.noon + 5000)
    #expect(instant == Self.july15 + Self.noon)
  }

  @Test("the last day before a rollover is not believed, the first day after it is")
  func rolloverEdge() {
    let wall: Int64 = 0
    #expect(FixDate.instant(of: date(2019, 4, 6), timeOfDay: 0, wall: wall) == nil)
    #expect(FixDate.instant(of: date(2019, 4, 7), timeOfDay: 0, wall: wall) == 1_554_595_200_000)
  }

  @Test("a year of 80 or more is one of the last century")
  func lastCentury() {
    let instant = FixDate.instant(
      of: date(2094, 3, 23), timeOfDay: Self.noon, wall: Self.july15 + Self.noon)
    #expect(instant == Self.july15 + Self.noon)
  }

  @Test("without a date the fix lies on the day that puts it nearest to the board's clock")
  func nearest() {
    let second: Int64 = 1000
    let day: Int64 = 86_400_000
    // A fix of 23:59:59 that is read just after midnight, and one of 00:00:01 when the clock is a little after.
    #expect(
      FixDate.instant(of: nil, timeOfDay: day - second, wall: Self.july15 + second) == Self.july15 - second)
    #expect(
      FixDate.instant(of: nil, timeOfDay: second, wall: Self.july15 - second) == Self.july15 + second)
    #expect(
      FixDate.instant(of: nil, timeOfDay: Self.noon, wall: Self.july15 + second) == Self.july15 + Self.noon)
  }

  @Test(
    "without a date and a clock there is no instant", arguments: [-5000, 0, 86_400_000, 1_554_595_199_999])
  func nothing(wall: Int64) {
    #expect(FixDate.instant(of: nil, timeOfDay: Self.noon, wall: wall) == nil)
  }
}
