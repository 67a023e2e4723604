import Runtime

/// When a device that failed is tried again: soon at first, then ever more rarely, for it may come late or never.
struct Retry {
  /// A monotonic instant in milliseconds; nil while nothing waits.
  private(set) var deadline: Int64?
  private var wait = Budget.panelRetry.lowerBound
  private var worksSince: Int64?

  /// It failed. One that had worked for a while is tried soon again; one that fails as soon as it works is not.
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

  /// Nothing is tried any more.
  mutating func forget() { self = Retry() }
}
