/// Clamps a duration that a peer sent (retry, tick, timeout) before it is used. The number is untrusted, so an instant
/// plus the result must never overflow, and the board must never wait for ever.
public enum PeerTime {
  /// `value` milliseconds, clamped to `Budget.peerMilliseconds`.
  public static func milliseconds(_ value: Int64) -> Int64 {
    min(max(value, Budget.peerMilliseconds.lowerBound), Budget.peerMilliseconds.upperBound)
  }

  /// The same for a floating-point number, which may have a fraction or fit no integer.
  public static func milliseconds(_ value: Double) -> Int64 {
    // Compared before the conversion, which would trap for NaN and large numbers.
    guard value > Double(Budget.peerMilliseconds.lowerBound) else { return Budget.peerMilliseconds.lowerBound }
    guard value < Double(Budget.peerMilliseconds.upperBound) else { return Budget.peerMilliseconds.upperBound }
    return Int64(value)
  }

  /// `value` seconds, as HTTP headers have them (RFC 9110 section 10.2.3), in milliseconds within
  /// `Budget.peerMilliseconds`.
  public static func milliseconds(seconds value: UInt32) -> Int64 { milliseconds(Int64(value) * 1000) }
}
