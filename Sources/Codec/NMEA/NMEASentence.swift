/// A sentence that tells position or motion. Nil is what the receiver left empty because it does not know.
public enum NMEASentence: Equatable, Sendable {
  /// Fix data.
  case gga(NMEAFix)
  /// Recommended minimum data.
  case rmc(NMEAMinimum)
  /// Course and speed over ground.
  case vtg(NMEAMotion)
}

/// What GGA says (NMEA 0183, "Global positioning system fix data").
public struct NMEAFix: Equatable, Sendable {
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  /// Degrees, north positive.
  public let latitude: Double?
  /// Degrees, east positive.
  public let longitude: Double?
  /// 0 no fix, 1 GPS, 2 differential, 4 RTK, 5 float RTK, 6 dead reckoning, 7 manual, 8 simulated.
  public let quality: UInt32?
  /// Satellites in use.
  public let satellites: UInt32?
  /// Horizontal dilution of precision.
  public let hdop: Double?
  /// Metres above mean sea level.
  public let altitudeMeters: Double?
}

/// What RMC says (NMEA 0183, "Recommended minimum specific GNSS data").
public struct NMEAMinimum: Equatable, Sendable {
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  /// True for status A; false for V, a warning that the data must not be used.
  public let isValid: Bool
  /// Degrees, north positive.
  public let latitude: Double?
  /// Degrees, east positive.
  public let longitude: Double?
  /// Speed over ground in knots.
  public let speedKnots: Double?
  /// Course over ground in degrees from true north.
  public let courseDegrees: Double?
  /// UTC date; its two digits of year are taken as 2000 to 2099.
  public let date: CivilDate?

  /// The moment of the fix in milliseconds since 1970, when both date and time are known.
  public var unixMilliseconds: Int64? {
    guard let date, let timeOfDayMilliseconds else { return nil }
    return date.daysSinceEpoch * 86_400_000 + Int64(timeOfDayMilliseconds)
  }
}

/// What VTG says (NMEA 0183, "Course over ground and ground speed").
public struct NMEAMotion: Equatable, Sendable {
  /// Course in degrees from true north.
  public let courseDegrees: Double?
  /// Speed in knots.
  public let speedKnots: Double?
  /// Speed in kilometres per hour.
  public let speedKilometersPerHour: Double?
}
