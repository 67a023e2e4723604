import Runtime

/// Bounds how many messages a voice sends in a minute.
struct MessageRate {
  private static let minute: Int64 = 60_000

  /// When the last ones were sent, in turn: milliseconds of `Clock.monotonic`.
  private var times = InlineArray<20, Int64?>(repeating: nil)
  private var next = 0

  init() { precondition(times.count == Budget.voiceMessagesInMinute) }

  /// Counts a message; false when there were too many within the minute before `now`.
  mutating func allows(at now: Int64) -> Bool {
    if let time = times[next], now - time < Self.minute { return false }
    times[next] = now
    next = (next + 1) % times.count
    return true
  }
}
