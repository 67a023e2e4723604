/// A receiver's time, for a board whose own clock is not set.
public struct GNSSTime: Equatable, Sendable {
  /// UTC in milliseconds since the Unix epoch.
  public let instant: Int64
  /// When its first message arrived: milliseconds of `Clock.monotonic`. This is later than `instant` by the receiver's
  /// computing time and the transmission.
  public let arrival: Int64
  /// True when the receiver knows the leap seconds: by its report, or where it reports nothing (NMEA), by a fix that
  /// satellites measured. Otherwise the time may be seconds off, and `ClockKeeper` checks it for longer.
  public let isFullyResolved: Bool
}
