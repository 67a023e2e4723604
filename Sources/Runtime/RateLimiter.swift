/// Limits how much passes in a time, as a token bucket: so much a second, and at most `burst` at once after a silence.
public struct RateLimiter: Sendable {
  private let perSecond: Int64
  private let most: Int64
  /// Thousandths of what may pass; below 0 when more has passed.
  private var saved: Int64
  private var last: Int64?

  /// A limiter that allows a whole burst at once. `perSecond` is at least 1.
  public init(perSecond: Int, burst: Int) {
    self.perSecond = Int64(perSecond)
    most = Int64(burst) * 1000
    saved = most
  }

  /// How much may pass at a monotonic instant in milliseconds.
  public mutating func available(at now: Int64) -> Int {
    let elapsed = min(max(now - (last ?? now), 0), 1_000_000)
    last = now
    saved = min(saved + elapsed * perSecond, most)
    return Int(clamping: max(saved, 0) / 1000)
  }

  /// Counts what has passed.
  public mutating func spend(_ amount: Int) { saved -= Int64(amount) * 1000 }

  /// Milliseconds until so much may pass, from the last `available` on; 0: until what passed too early is made up for.
  public func wait(for amount: Int) -> Int64 {
    let missing = min(Int64(amount) * 1000, most) - saved
    return missing <= 0 ? 0 : (missing + perSecond - 1) / perSecond
  }
}
