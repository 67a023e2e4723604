import Runtime

/// Limits how many voice messages are sent in a minute.
struct MessageRate {
  /// Milliseconds.
  private static let minute: Int64 = 60_000

  /// When the last ones were sent, a ring: milliseconds of `Clock.monotonic`.
  private var times = InlineArray<20, Int64?>(repeating: nil)
  private var next = 0

  init() { precondition(times.count == Budget.voiceMessagesInMinute) }

  /// Counts a message; false when there were too many in the minute before `now`.
  mutating func allows(at now: Int64) -> Bool {
    if let time = times[next], now - time < Self.minute { return false }
    times[next] = now
    next = (next + 1) % times.count
    return true
  }
}
