/// A span of time that a peer names, bounded before anybody calculates with it: retries, ticks, time limits. Anybody between the
/// board and its gateway may have written the number, so an instant plus the result must never overflow, and the board never waits
/// for ever. The one place that decides how long is too long.
public enum PeerTime {
  /// `value` milliseconds, within `Budget.peerMilliseconds`.
  public static func milliseconds(_ value: Int64) -> Int64 {
    min(max(value, Budget.peerMilliseconds.lowerBound), Budget.peerMilliseconds.upperBound)
  }

  /// The same for numbers with a fraction, which is cut off, and for those that no integer holds.
  public static func milliseconds(_ value: Double) -> Int64 {
    // Compared before it is converted: what is no number is no time.
    guard value > Double(Budget.peerMilliseconds.lowerBound) else { return Budget.peerMilliseconds.lowerBound }
    guard value < Double(Budget.peerMilliseconds.upperBound) else { return Budget.peerMilliseconds.upperBound }
    return Int64(value)
  }

  /// `value` seconds, as HTTP headers have them (RFC 9110 section 10.2.3), in milliseconds within `Budget.peerMilliseconds`.
  public static func milliseconds(seconds value: UInt32) -> Int64 { milliseconds(Int64(value) * 1000) }
}
