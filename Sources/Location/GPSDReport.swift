import Codec

/// A report of a gpsd (gpsd_json(5)), protocol 3.
public enum GPSDReport: Equatable, Sendable {
  /// VERSION: its greeting, and its answer to a poll; the version of its protocol.
  case version(major: UInt32, minor: UInt32)
  /// DEVICES: how many receivers it has.
  case devices(Int)
  /// TPV: position, velocity and time.
  case position(GPSDPosition)
  /// SKY: geometry, and the number of satellites; each follows as `satellite`.
  case sky(GPSDSky)
  /// One satellite of that list, on one signal.
  case satellite(GNSSSatellite, signal: UInt8)
  /// ERROR: it did not understand a command.
  case error
}

/// TPV. Nil is what the daemon left out as unknown.
public struct GPSDPosition: Equatable, Sendable {
  /// The daemon's receiver that reported it.
  public var device = GPSDDevice()
  /// How the position was determined, none when there is none.
  public var mode = Fix.Mode.none
  /// UTC in milliseconds since the Unix epoch; nil also within a leap second.
  public var instant: Int64?
  public var place: GNSSPlace?
  /// Meters above mean sea level.
  public var altitudeMeters: Double?
  /// Speed over ground in m/s.
  public var speed: Double?
  /// Degrees from true north.
  public var courseDegrees: Double?
  /// Estimated errors in meters.
  public var horizontalMeters: Double?
  public var verticalMeters: Double?
  /// True when the daemon reports the leap seconds.
  public var hasLeapSeconds = false

  /// Nothing known.
  public init() {}
}

/// One of a daemon's receivers, by a hash of its path (FNV-1a), because a path has no limit.
public struct GPSDDevice: Equatable, Sendable {
  private var hash: UInt32 = 0x811C_9DC5

  /// The receiver without a path.
  public init() {}

  /// The receiver at a path, as JSON writes it.
  init(_ path: Span<UInt8>) {
    for index in 0..<path.count { hash = (hash ^ UInt32(path[index])) &* 16_777_619 }
  }
}

/// The header of SKY.
public struct GPSDSky: Equatable, Sendable {
  /// The daemon's receiver that reported it.
  public var device = GPSDDevice()
  /// Horizontal dilution of precision.
  public var hdop: Double?
  /// Satellites in use, when reported.
  public var used: UInt32?
  /// How many of `satellite` follow; nil when there is no list, only geometry.
  public var count: Int?

  /// Nothing known.
  public init() {}
}
