import Runtime

/// When a failed device is tried again, with growing pauses.
struct Retry {
  /// A monotonic instant in milliseconds; nil while no retry is due.
  private(set) var deadline: Int64?
  private var wait = Budget.panelRetry.lowerBound
  private var worksSince: Int64?

  /// It failed. The pause starts short again only if it had worked for a while.
  mutating func failed(at now: Int64) {
    if let worksSince, now - worksSince >= Budget.panelRetry.upperBound { wait = Budget.panelRetry.lowerBound }
    worksSince = nil
    deadline = now + wait
    wait = min(wait * 2, Budget.panelRetry.upperBound)
  }

  /// It works.
  mutating func worked(at now: Int64) {
    worksSince = worksSince ?? now
    deadline = nil
  }

  /// Cancels retries.
  mutating func forget() { self = Retry() }
}
