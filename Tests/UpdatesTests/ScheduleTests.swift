import Runtime
import Simulated
import Testing
@testable import Updates

@Suite("When a board asks for updates")
struct ScheduleTests {
  private let random = SeededRandom(seed: 5)

  @Test(
    "the server's interval is kept within 30 seconds and 7 days, spread by a tenth",
    arguments: [
      (Int64(1), Int64(30_000)), (Int64(300), Int64(300_000)), (Int64(31_536_000), Int64(604_800_000)),
    ])
  func interval(seconds: Int64, milliseconds: Int64) {
    var schedule = PollSchedule(at: 0, random)
    for _ in 0..<50 {
      schedule.answered(at: 1000, seconds: seconds, random)
      let pause = schedule.dueAt - 1000
      #expect(pause >= milliseconds - milliseconds / 10 && pause <= milliseconds + milliseconds / 10)
    }
  }

  @Test("no pause after a failure is shorter than half of the usual one, and they grow")
  func failures() {
    var schedule = PollSchedule(at: 0, random)
    schedule.answered(at: 0, seconds: 300, random)
    var total: Int64 = 0
    for _ in 0..<20 {
      let before = total
      schedule.failed(at: total, retryAfter: nil, random)
      #expect(schedule.dueAt - before >= 150_000)
      #expect(schedule.dueAt - before <= Budget.updateRetryMost * 3 / 2)
      total = schedule.dueAt
    }
    #expect(total / 20 > 600_000)
  }

  @Test("a server may ask for more patience, of at most seven days")
  func retryAfter() {
    var schedule = PollSchedule(at: 0, random)
    schedule.failed(at: 0, retryAfter: 7200, random)
    #expect(schedule.dueAt >= 7_200_000)
    schedule.failed(at: 0, retryAfter: .max, random)
    #expect(schedule.dueAt <= 604_800_000)
  }

  @Test("a thousand boards make no storm after their server was away for an hour", arguments: [Int64(60), Int64(300)])
  func fleet(seconds: Int64) {
    let report = PollFleet(boards: 1000, seconds: seconds, seed: 3).run()
    #expect(report.mean > 0)
    #expect(report.high < 3 * report.mean, "\(report)")
  }
}

@Suite("Versions")
struct VersionTests {
  @Test(
    "versions have the order of Debian's packages",
    arguments: [
      ("0.4.0", "0.4.1"), ("0.4.9", "0.4.10"), ("0.4.0", "0.4.0+20261126"), ("0.4.0+20261126", "0.4.0+20261127"),
      ("0.4.0~rc1", "0.4.0"), ("0.4", "0.4.0"), ("1.0a", "1.0b"), ("1.0", "1.0a"), ("1.0a", "1.0+"), ("0.09", "0.10"),
      ("", "0.1"),
    ])
  func order(older: String, newer: String) {
    #expect(ReleaseVersion.compare(older.utf8.span, newer.utf8.span) < 0)
    #expect(ReleaseVersion.compare(newer.utf8.span, older.utf8.span) > 0)
  }

  @Test("leading zeros do not count", arguments: [("1.0", "1.0"), ("1.00", "1.0"), ("01", "1")])
  func same(one: String, other: String) {
    #expect(ReleaseVersion.compare(one.utf8.span, other.utf8.span) == 0)
  }
}
