/// The configuration of positions.
public struct LocationSettings: Sendable {
  /// False: `location.get` is refused, and no receiver is opened.
  public var isEnabled = true
  /// How exactly callers may know where the board is.
  public var precision = LocationPrecision.exact
  /// Settings of a receiver at a serial line.
  public var receiver = ReceiverSettings()
  /// Distance in meters after which a move is reported to the gateway; 0: never.
  public var significantMove = 500.0
  /// How far back the track of the board goes, in milliseconds; nil: none is kept.
  public var track: Int64?
  /// True when satellites may set the clock if nothing else has.
  public var setsClock = true

  /// The defaults.
  public init() {}
}
