import Runtime

/// When a board asks for updates: as often as the server says, spread over the fleet, and ever less often while the
/// server does not answer. No pause after a failure is shorter than the usual one, so a server that was away for an
/// hour is not met by all boards at once.
public struct PollSchedule: Sendable {
  /// Milliseconds between polls, before the spread.
  public private(set) var interval: Int64
  /// Polls that failed since the last answer.
  public private(set) var failures = 0
  /// When the next poll is due, in milliseconds of `Clock.monotonic`.
  public private(set) var dueAt: Int64

  /// A schedule whose first poll comes within `Budget.updateFirstPoll` after `now`, so that a field that gets its power
  /// back does not ask all at once.
  public init(at now: Int64, _ random: any RandomSource) {
    interval = Budget.updatePollUsual
    dueAt = now + Int64(randomNumber(below: UInt32(Budget.updateFirstPoll), random))
  }

  /// The server answered, and wants to be asked every so many seconds; nil: it did not say, the interval stays.
  public mutating func answered(at now: Int64, seconds: Int64?, _ random: any RandomSource) {
    if let seconds {
      let range = Budget.updatePollRange
      interval = min(max(seconds, range.lowerBound / 1000), range.upperBound / 1000) * 1000
    }
    failures = 0
    dueAt = now + Self.spread(interval, by: interval / 10, random)
  }

  /// The server did not answer, or with an error. `seconds`: what it said of when to ask again.
  public mutating func failed(at now: Int64, retryAfter seconds: UInt32?, _ random: any RandomSource) {
    let usual = min(interval, Budget.updateRetryMost)
    let pause = min(usual << Int64(min(failures, 2)), max(usual, Budget.updateRetryMost))
    failures = min(failures + 1, 1_000_000)
    dueAt = now + Self.spread(pause, by: pause / 2, random)
    if let seconds { dueAt = max(dueAt, now + min(Int64(seconds) * 1000, Budget.updatePollRange.upperBound)) }
  }

  /// Asks at once, or after so many milliseconds.
  public mutating func hurry(to instant: Int64) { dueAt = min(dueAt, instant) }

  /// A number of milliseconds from `middle - width` to `middle + width`.
  public static func spread(_ middle: Int64, by width: Int64, _ random: any RandomSource) -> Int64 {
    let most = UInt32(clamping: 2 * width + 1)
    return middle - width + Int64(randomNumber(below: max(most, 1), random))
  }
}
