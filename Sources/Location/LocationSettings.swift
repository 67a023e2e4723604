/// What a person may choose about positions.
public struct LocationSettings: Sendable {
  /// False: `location.get` is refused, and no receiver is opened.
  public var isEnabled = true
  /// How exactly callers may know where the board is.
  public var precision = LocationPrecision.exact
  /// How the receiver at a serial line is spoken to.
  public var receiver = ReceiverSettings()
  /// Metres after which the gateway is told that the board moved; 0: never.
  public var significantMove = 500.0
  /// True when satellites may set the clock as long as nothing else has.
  public var setsClock = true

  /// The usual choice.
  public init() {}
}
