import Codec

/// What a gpsd says (gpsd_json(5)), protocol 3.
public enum GPSDReport: Equatable, Sendable {
  /// VERSION: its greeting, and its answer when it is asked; the version of its protocol.
  case version(major: UInt32, minor: UInt32)
  /// DEVICES: how many receivers it has.
  case devices(Int)
  /// TPV: position, velocity and time.
  case position(GPSDPosition)
  /// SKY: geometry, and a list of satellites; so many `satellite` follow at once.
  case sky(GPSDSky)
  /// One of that list, on one signal.
  case satellite(GNSSSatellite, signal: UInt8)
  /// ERROR: it did not understand.
  case error
}

/// What TPV says. Nil is what the daemon left out because it does not know.
public struct GPSDPosition: Equatable, Sendable {
  /// What the position was made from, none when there is none.
  public var mode = Fix.Mode.none
  /// UTC in milliseconds since the Unix epoch; nil also within a leap second.
  public var instant: Int64?
  public var place: GNSSPlace?
  /// Metres above mean sea level.
  public var altitudeMeters: Double?
  /// Metres a second over ground.
  public var speed: Double?
  /// Degrees from true north.
  public var courseDegrees: Double?
  /// Estimated errors in metres.
  public var horizontalMeters: Double?
  public var verticalMeters: Double?
  /// True when the daemon tells the leap seconds.
  public var hasLeapSeconds = false

  /// Nothing known.
  public init() {}
}

/// What SKY says ahead of its list.
public struct GPSDSky: Equatable, Sendable {
  /// Horizontal dilution of precision.
  public var hdop: Double?
  /// Satellites in use, when told.
  public var used: UInt32?
  /// How many of `satellite` follow; nil when there is no list, only geometry.
  public var count: Int?

  /// Nothing known.
  public init() {}
}
