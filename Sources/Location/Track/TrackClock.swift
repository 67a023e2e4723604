import Runtime

/// Judges the times of fixes for the track: a time that leaps against the monotonic clock is believed only when it has
/// gone on for `Budget.trackProofMilliseconds`, so that one wrong date neither ends the track nor orders it wrongly.
struct TrackClock {
  /// What is to be thought of a fix's time.
  enum Verdict: Equatable {
    /// It goes on from the times before.
    case steady
    /// It is another clock than before, and has proved itself.
    case leap
    /// It leaps, and has not proved itself yet: the fix does not count.
    case refused
  }

  /// Milliseconds by which times may differ from the monotonic clock: the delays of a line, and a leap second.
  private static let tolerance: Int64 = 10_000

  /// A difference between the receiver's time and the monotonic clock, and the arrivals of the first and last fix with
  /// it.
  private struct Run {
    var offset: Int64
    var begin: Int64
    var end: Int64
    var isProven: Bool { end - begin >= Budget.trackProofMilliseconds }

    func fits(_ other: Int64) -> Bool { abs(other - offset) <= TrackClock.tolerance }
  }

  private var run: Run?
  private var candidate: Run?

  /// Judges the time of the next fix, a believable one.
  /// - Parameters:
  ///   - instant: milliseconds since the Unix epoch.
  ///   - arrival: milliseconds of the monotonic clock.
  ///   - newest: the last time of the track; nil: it has none.
  mutating func judge(_ instant: Int64, at arrival: Int64, after newest: Int64?) -> Verdict {
    let offset = instant - arrival
    if run == nil, instant >= (newest ?? .min / 2) - Self.tolerance {
      run = Run(offset: offset, begin: arrival, end: arrival)
      return .steady
    }
    if let last = run, last.fits(offset) {
      // The clocks drift apart by some seconds a day.
      run = Run(offset: offset, begin: last.begin, end: arrival)
      candidate = nil
      return .steady
    }
    guard let last = candidate, last.fits(offset) else {
      candidate = Run(offset: offset, begin: arrival, end: arrival)
      return .refused
    }
    let next = Run(offset: offset, begin: last.begin, end: arrival)
    guard next.isProven else {
      candidate = next
      return .refused
    }
    (run, candidate) = (next, nil)
    return .leap
  }

  /// What time it is by the receiver's clock, in milliseconds since the Unix epoch; nil while that has not proved
  /// itself. `now`: milliseconds of the monotonic clock.
  func moment(_ now: Int64) -> Int64? {
    guard let run, run.isProven else { return nil }
    return now + run.offset
  }
}
