import Codec

/// The board's position at an instant, from a receiver. Always complete: a position without a date is not a fix.
public struct Fix: Equatable, Sendable {
  /// How a position was determined.
  public enum Mode: UInt8, Equatable, Sendable {
    /// No position; never the mode of a `Fix`.
    case none = 0
    /// Satellites, with an assumed height.
    case twoDimensions = 2
    /// Satellites.
    case threeDimensions = 3
    /// Satellites and dead reckoning together.
    case combined = 4
    /// Dead reckoning from an earlier position.
    case deadReckoning = 6
    /// Entered into the receiver by hand.
    case manual = 7
    /// From a simulator.
    case simulated = 8

    /// True when satellites were measured for it.
    public var isMeasured: Bool { self == .twoDimensions || self == .threeDimensions || self == .combined }
  }

  /// The source of `accuracy`.
  public enum AccuracySource: UInt8, Equatable, Sendable {
    /// Assumed: an upper limit.
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
  /// Estimated horizontal error in meters (`FixAccuracy`).
  public var accuracy: Double
  /// Meters above mean sea level, when known.
  public var altitude: Double?
  /// Speed over ground in m/s, when known.
  public var speed: Double?
  /// Course over ground in degrees from true north, when known and moving.
  public var heading: Double?
  /// The instant of the position: milliseconds since the Unix epoch.
  public var instant: Int64
  /// When its first sentence arrived: milliseconds of `Clock.monotonic`. A fix's age counts from here.
  public var arrival: Int64
  /// True when the receiver measured it by satellites; false when it is computed, entered by hand or simulated.
  public var isMeasured: Bool
  public var mode = Mode.twoDimensions
  /// Satellites in use, when known.
  public var satellites: UInt32?
  /// Horizontal dilution of precision, when known.
  public var hdop: Double?
  /// Estimated vertical error in meters, when the receiver reports it.
  public var verticalAccuracy: Double?
  public var accuracySource = AccuracySource.assumed
  /// True when the position was made coarser for privacy (`LocationPrecision`).
  public var isLimited = false

  /// True when the error is at most 100 m (node-commands 11).
  public var isPrecise: Bool { !isLimited && accuracy <= FixAccuracy.preciseMax }

  /// Writes the result of `location.get`: position to 7 decimals (1 cm), meters to a tenth.
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

  /// A heading that stays below 360 when it is rounded to a tenth.
  private static func belowFullCircle(_ heading: Double) -> Double { heading < 359.95 ? heading : 0 }
}
