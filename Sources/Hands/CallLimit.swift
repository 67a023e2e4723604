/// Limits how often something happens in a period, counted from the first of them.
public struct CallLimit: Sendable {
  private let most: Int
  private let period: Int64
  private var count = 0
  private var began: Int64 = 0

  /// At most `most` in `period` milliseconds.
  public init(_ most: Int, in period: Int64) {
    self.most = most
    self.period = period
  }

  /// Counts one; returns how many milliseconds to wait when there is no room for it.
  public mutating func take(at now: Int64) -> Int64? {
    if count == 0 || now - began >= period { (count, began) = (0, now) }
    guard count < most else { return began + period - now }
    count += 1
    return nil
  }
}
