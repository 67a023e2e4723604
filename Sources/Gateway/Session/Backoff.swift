import Runtime

/// The pause before the next attempt: 1 s, doubling to 30 s, each shortened by up to half at random so that boards
/// which lost the same gateway do not reconnect at the same time (gateway reference 8.1).
public struct Backoff: Sendable {
  /// Milliseconds before the first retry.
  public static let first: Int64 = 1_000
  /// Milliseconds that it never exceeds.
  public static let limit: Int64 = 30_000
  /// A connection that ends within this many milliseconds after `hello-ok` does not reset the pause.
  public static let flapGuard: Int64 = 10_000

  private var next = Backoff.first

  public init() {}

  /// The pause in milliseconds before the coming attempt.
  public mutating func pause(_ random: any RandomSource) -> Int64 {
    let full = next
    next = min(2 * next, Self.limit)
    return full / 2 + Int64(randomNumber(below: UInt32(full / 2 + 1), random))
  }

  /// The connection was stable: the next pause is the first again.
  public mutating func reset() { next = Self.first }
}

/// Limits the rate of connection attempts (gateway reference 8.1 and 13), as a token bucket: at most six in quick
/// succession, then one every ten seconds, so never more than twelve in a minute. Changes of the network cause at most
/// one in two seconds.
struct AttemptLimiter {
  /// Milliseconds between attempts that a change of the network may cause.
  static let spacing: Int64 = 2_000
  /// Milliseconds until one attempt is available again, and the size of the bucket: 6 + 60 / 10 in a minute.
  static let period: Int64 = 10_000
  static let burst: Int64 = 6

  /// When the bucket is full again.
  private var earned: Int64 = 0
  /// When the last attempt began.
  private(set) var latest = -spacing

  /// Counts an attempt.
  mutating func note(_ now: Int64) {
    earned = max(earned, now) + Self.period
    latest = now
  }

  /// The earliest instant for another attempt.
  var earliest: Int64 { earned - (Self.burst - 1) * Self.period }
}
