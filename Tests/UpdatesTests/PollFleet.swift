import Runtime
import Simulated
import Updates

/// The polls of many boards at one server that is away for an hour, in virtual time: how evenly they come.
struct PollFleet {
  /// Polls per second.
  struct Report {
    /// Of an hour without trouble.
    var mean: Double
    /// The second that is busier than 99 of 100, and the busiest, of the four hours from the end of the outage.
    var high: Double
    var most: Double
  }

  let boards: Int
  /// What the server says of the interval.
  let seconds: Int64
  let seed: UInt64

  func run() -> Report {
    let random = SeededRandom(seed: seed)
    // All get their power at the same time.
    var schedules = (0..<boards).map { _ in PollSchedule(at: 0, random) }
    let (calm, away) = (Int64(7200), Int64(3600))
    var counts = [Int](repeating: 0, count: Int(calm + away + 4 * 3600))
    for index in schedules.indices {
      while schedules[index].dueAt < Int64(counts.count) * 1000 {
        let now = schedules[index].dueAt
        counts[Int(now / 1000)] += 1
        if now / 1000 >= calm, now / 1000 < calm + away {
          schedules[index].failed(at: now, retryAfter: nil, random)
        } else {
          schedules[index].answered(at: now, seconds: seconds, random)
        }
      }
    }
    let usual = counts[Int(calm - 3600)..<Int(calm)]
    let after = counts[Int(calm + away)...].sorted()
    return Report(
      mean: Double(usual.reduce(0, +)) / 3600, high: Double(after[after.count * 99 / 100]),
      most: Double(after.last ?? 0))
  }
}
