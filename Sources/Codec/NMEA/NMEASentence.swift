/// A sentence about position, motion, time or satellites. Nil is a field that the receiver left empty.
public enum NMEASentence: Equatable, Sendable {
  case gga(NMEAFix)
  case rmc(NMEAMinimum)
  case gns(NMEACombinedFix)
  case gll(NMEAPlace)
  case vtg(NMEAMotion)
  case zda(NMEATime)
  case gst(NMEAErrors)
  case gbs(NMEAFault)
  case gsa(NMEAActiveSatellites)
  case gsv(NMEASatellitesInView)
}

/// How a position was determined (NMEA 2.3, mode indicator).
public enum NMEAMode: UInt8, Equatable, Sendable {
  case autonomous = 0x41
  case differential = 0x44
  /// Dead reckoning.
  case estimated = 0x45
  case floatRTK = 0x46
  case manual = 0x4D
  case none = 0x4E
  case precise = 0x50
  case fixedRTK = 0x52
  case simulated = 0x53
}

/// GGA (NMEA 0183, "Global positioning system fix data").
public struct NMEAFix: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.gps
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  public let place: GNSSPlace?
  /// 0 no fix, 1 GPS, 2 differential, 4 RTK, 5 float RTK, 6 dead reckoning, 7 manual, 8 simulated.
  public let quality: UInt32?
  /// Satellites in use.
  public let satellites: UInt32?
  /// Horizontal dilution of precision.
  public let hdop: Double?
  /// Meters above mean sea level.
  public let altitudeMeters: Double?
}

/// RMC (NMEA 0183, "Recommended minimum specific GNSS data").
public struct NMEAMinimum: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.gps
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  /// True for status A; false for V, a warning that the data must not be used.
  public let isValid: Bool
  public let place: GNSSPlace?
  /// Speed over ground in knots.
  public let speedKnots: Double?
  /// Course over ground in degrees from true north.
  public let courseDegrees: Double?
  /// UTC date; its two digits of year are taken as 1980 to 2079.
  public let date: CivilDate?
  public let mode: NMEAMode?
  /// True when the navigational status is U: the error exceeds the receiver's configured limit. V, which most receivers
  /// always send, only means that they do not check.
  public let isUnsafe: Bool

  /// The moment of the fix in milliseconds since 1970, when both date and time are known.
  public var unixMilliseconds: Int64? {
    guard let date, let timeOfDayMilliseconds else { return nil }
    return date.daysSinceEpoch * 86_400_000 + Int64(timeOfDayMilliseconds)
  }
}

/// GNS (NMEA 0183, "GNSS fix data").
public struct NMEACombinedFix: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.combined
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  public let place: GNSSPlace?
  /// The best of the modes of the systems; none when no system has a fix.
  public let mode: NMEAMode?
  /// Satellites in use.
  public let satellites: UInt32?
  /// Horizontal dilution of precision.
  public let hdop: Double?
  /// Meters above mean sea level.
  public let altitudeMeters: Double?
  /// As in RMC.
  public let isUnsafe: Bool
}

/// GLL (NMEA 0183, "Geographic position, latitude/longitude").
public struct NMEAPlace: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.gps
  public let place: GNSSPlace?
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  /// True for status A; false for V.
  public let isValid: Bool
  public let mode: NMEAMode?
}

/// VTG (NMEA 0183, "Course over ground and ground speed").
public struct NMEAMotion: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.gps
  /// Course in degrees from true north.
  public let courseDegrees: Double?
  /// Speed in knots.
  public let speedKnots: Double?
  /// Speed in kilometers per hour.
  public let speedKilometersPerHour: Double?
  public let mode: NMEAMode?
}

/// ZDA (NMEA 0183, "Time and date").
public struct NMEATime: Equatable, Sendable {
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  public let date: CivilDate?
}

/// GST (NMEA 0183, "GNSS pseudorange error statistics"): standard deviations in meters.
public struct NMEAErrors: Equatable, Sendable {
  /// Who speaks.
  public internal(set) var talker = NMEATalker.gps
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  public let latitudeMeters: Double?
  public let longitudeMeters: Double?
  public let altitudeMeters: Double?
}

/// GBS (NMEA 0183, "GNSS satellite fault detection"): expected errors in meters, and the satellite that is most likely
/// to have failed.
public struct NMEAFault: Equatable, Sendable {
  /// UTC since midnight.
  public let timeOfDayMilliseconds: UInt32?
  public let latitudeMeters: Double?
  public let longitudeMeters: Double?
  public let altitudeMeters: Double?
  /// As NMEA numbers satellites.
  public let satellite: UInt32?
}
