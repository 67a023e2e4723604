/// A moment as a receiver told it, for a board whose own clock is not set.
public struct GNSSTime: Equatable, Sendable {
  /// UTC in milliseconds since the Unix epoch.
  public let instant: Int64
  /// When the first message that told of it arrived: milliseconds of `Clock.monotonic`. That is later than `instant`
  /// was, by what the receiver took to compute and the line to transmit.
  public let arrival: Int64
  /// True when the receiver knows the leap seconds, as far as it tells; without, the moment may be seconds off.
  public let isFullyResolved: Bool
}
