import Runtime
import Testing

@Suite struct BelievableDateTests {
  private static let day: Int64 = 86_400_000

  @Test(arguments: [
    (Int64.min, false), (0, false), (Budget.earliestWall - 1, false), (Budget.earliestWall, true),
    (Budget.earliestWall + 40 * 365 * day, true), (Budget.latestWall - 1, true), (Budget.latestWall, false),
    (.max, false),
  ])
  func `A date is believed from 2026 on, for forty years`(wall: Int64, isBelieved: Bool) {
    #expect(BelievableDate.contains(wall) == isBelieved)
    #expect(BelievableDate.of(wall) == (isBelieved ? wall : nil))
  }

  @Test func `The last one is the end of 2065`() {
    // 1 January 2066, by date(1).
    #expect(Budget.latestWall == 3_029_529_600_000)
  }

  @Test func `A receiver's date is believed for 1024 weeks`() {
    let end = Budget.earliestWall + 1024 * 7 * Self.day
    for instant in [Budget.earliestWall, end - 1] { #expect(BelievableDate.contains(received: instant)) }
    for instant in [.min, Budget.earliestWall - 1, end, .max] { #expect(!BelievableDate.contains(received: instant)) }
  }
}
