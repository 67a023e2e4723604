import Device
import Runtime
import Testing

@testable import MetricsPart

@Suite struct SampleDateTests {
  private static let right: Int64 = 1_800_000_000_000
  private static let year: Int64 = 365 * 86_400_000

  private func clock(isSynchronized: Bool) -> ClockReading {
    var reading = ClockReading()
    reading.isSynchronized = isSynchronized
    return reading
  }

  @Test(arguments: [-60, -30, 30, 60] as [Int64])
  func `A clock that jumps by years dates no sample`(years: Int64) {
    let wrong = Self.right + years * Self.year
    var date = SampleDate()
    date.read(clock(isSynchronized: true), wall: Self.right, now: 1_000)
    date.read(clock(isSynchronized: false), wall: wrong, now: 61_000)
    date.read(nil, wall: wrong, now: 61_000)
    date.heard(wrong, wall: wrong, now: 61_000)
    #expect(date.date(of: 61_000) == Self.right + 60_000)
    // One that was wrong from the start is not taken; a server's date is, until something keeps the clock right.
    var other = SampleDate()
    other.read(clock(isSynchronized: false), wall: wrong, now: 5_000)
    #expect(other.offset == nil)
    other.heard(Self.right, wall: wrong, now: 5_000)
    #expect(other.date(of: 5_000) == Self.right)
    other.read(clock(isSynchronized: true), wall: Self.right + 1_500, now: 6_000)
    #expect(other.date(of: 6_000) == Self.right + 1_500)
  }

  @Test(arguments: [-60, 60] as [Int64])
  func `A date that cannot be is not believed whoever tells it`(years: Int64) {
    let wrong = Self.right + years * Self.year
    var date = SampleDate()
    date.read(clock(isSynchronized: true), wall: wrong, now: 1_000)
    date.heard(wrong, wall: wrong, now: 1_000)
    #expect(date.offset == nil)
    date.read(clock(isSynchronized: true), wall: Self.right, now: 2_000)
    date.read(clock(isSynchronized: true), wall: wrong, now: 3_000)
    #expect(date.date(of: 3_000) == Self.right + 1_000)
  }
}
