import Codec

/// Where the board was at an instant, as a receiver told it. Only what can be reported: a position without an
/// instant is none.
public struct Fix: Equatable, Sendable {
  /// What a position was made from.
  public enum Mode: UInt8, Equatable, Sendable {
    /// There is none; no `Fix` says so.
    case none = 0
    /// Satellites, the height assumed.
    case twoDimensions = 2
    /// Satellites.
    case threeDimensions = 3
    /// Satellites and dead reckoning together.
    case combined = 4
    /// Dead reckoning from an earlier position.
    case deadReckoning = 6
    /// Told to the receiver by hand.
    case manual = 7
    /// Invented by a simulator.
    case simulated = 8

    /// True when satellites were measured for it.
    public var isMeasured: Bool { self == .twoDimensions || self == .threeDimensions || self == .combined }
  }

  /// Where `accuracy` is from.
  public enum AccuracySource: UInt8, Equatable, Sendable {
    /// Nowhere: it is a bound.
    case assumed = 0
    /// The geometry of the satellites, times the error of a range.
    case geometry = 1
    /// The receiver's own estimate.
    case receiver = 2
  }

  /// Degrees north, WGS 84, in -90...90.
  public var latitude: Double
  /// Degrees east, WGS 84, in -180...180.
  public var longitude: Double
  /// Estimated horizontal error in metres (`FixAccuracy`).
  public var accuracy: Double
  /// Metres above mean sea level, when known.
  public var altitude: Double?
  /// Metres a second over ground, when known.
  public var speed: Double?
  /// Course over ground in degrees from true north, when known and moving.
  public var heading: Double?
  /// When the receiver was there: milliseconds since the Unix epoch.
  public var instant: Int64
  /// When its first sentence arrived: milliseconds of `Clock.monotonic`. A fix's age counts from here.
  public var arrival: Int64
  /// True when the receiver measured it by satellites; false when it computed, was told or invented it.
  public var isMeasured: Bool
  public var mode = Mode.twoDimensions
  /// Satellites in use, when known.
  public var satellites: UInt32?
  /// Horizontal dilution of precision, when known.
  public var hdop: Double?
  /// Estimated vertical error in metres, when the receiver tells.
  public var verticalAccuracy: Double?
  public var accuracySource = AccuracySource.assumed
  /// True when callers may not know it exactly, and this is not where the board was (`LocationPrecision`).
  public var isLimited = false

  /// True when the error is at most 100 m (node-commands 11).
  public var isPrecise: Bool { !isLimited && accuracy <= FixAccuracy.preciseMax }

  /// Writes the result of `location.get`: position to 7 decimals (1 cm), metres to a tenth.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("lat")
    writer.decimal(latitude, fractionDigits: 7)
    writer.key("lon")
    writer.decimal(longitude, fractionDigits: 7)
    writer.key("accuracyMeters")
    writer.decimal(accuracy, fractionDigits: 1)
    if let altitude { Self.write("altitudeMeters", altitude, 1, to: &writer) }
    if let speed { Self.write("speedMps", speed, 2, to: &writer) }
    if let heading { Self.write("headingDeg", Self.belowFullCircle(heading), 1, to: &writer) }
    writer.key("timestamp")
    writer.string(ISO8601(unixMilliseconds: instant).text)
    writer.key("isPrecise")
    writer.bool(isPrecise)
    writer.key("source")
    writer.string(isMeasured ? "gps" : "unknown")
    if let satellites {
      writer.key("satellites")
      writer.uint(UInt64(satellites))
    }
    if let verticalAccuracy { Self.write("verticalAccuracyMeters", verticalAccuracy, 1, to: &writer) }
    writer.endObject()
  }

  private static func write(
    _ key: StaticString, _ value: Double, _ digits: Int, to writer: inout JSONWriter
  ) {
    writer.key(key)
    writer.decimal(value, fractionDigits: digits)
  }

  /// A heading that still is below 360 when it is rounded to a tenth.
  private static func belowFullCircle(_ heading: Double) -> Double { heading < 359.95 ? heading : 0 }
}
