/// A satellite navigation system, numbered as UBX does (u-blox 8 / M8 interface description, "GNSS identifiers").
public enum Constellation: UInt8, Equatable, Sendable {
  case gps = 0
  /// Satellites that augment the others (WAAS, EGNOS, MSAS, GAGAN).
  case sbas = 1
  case galileo = 2
  case beidou = 3
  /// Transmitters under a roof, Japan.
  case imes = 4
  case qzss = 5
  case glonass = 6
  case navic = 7

  /// The system of a talker's two letters (NMEA 0183, "Talker identifiers"); nil for GN, which stands for all systems,
  /// and for other talkers.
  init?(talker first: UInt8, _ second: UInt8) {
    switch (first, second) {
    case (UInt8(ascii: "G"), UInt8(ascii: "P")): self = .gps
    case (UInt8(ascii: "G"), UInt8(ascii: "L")): self = .glonass
    case (UInt8(ascii: "G"), UInt8(ascii: "A")): self = .galileo
    // PQ: Quectel's modems (EC20, EC21, EC25).
    case (UInt8(ascii: "G"), UInt8(ascii: "B")), (UInt8(ascii: "B"), UInt8(ascii: "D")),
      (UInt8(ascii: "P"), UInt8(ascii: "Q")):
      self = .beidou
    case (UInt8(ascii: "G"), UInt8(ascii: "Q")), (UInt8(ascii: "Q"), UInt8(ascii: "Z")): self = .qzss
    case (UInt8(ascii: "G"), UInt8(ascii: "I")): self = .navic
    default: return nil
    }
  }

  /// The system of a GNSS system ID (NMEA 4.11, GSA).
  init?(systemID: UInt8) {
    switch systemID {
    case 1: self = .gps
    case 2: self = .glonass
    case 3: self = .galileo
    case 4: self = .beidou
    case 5: self = .qzss
    case 6: self = .navic
    default: return nil
    }
  }
}

/// A satellite: its system, and its number there (GPS, Galileo, BeiDou, NavIC: 1 and up; SBAS: 120 to 158; QZSS: 1 to
/// 10; GLONASS: the slot, 1 to 32, or 255 while that is unknown).
public struct SatelliteID: Equatable, Sendable {
  public let constellation: Constellation
  public let number: UInt8

  /// A satellite by its number within its system.
  public init(_ constellation: Constellation, _ number: UInt8) {
    self.constellation = constellation
    self.number = number
  }

  /// A satellite by the number that NMEA sentences give it, nil when no system has that number.
  ///
  /// The system comes from the talker or system ID; without one, and for the systems that share the talker GP, from the
  /// number: ranges of NMEA 4.11 ("Satellite ID numbers") and of u-blox receivers in extended mode ("Satellite
  /// numbering").
  public init?(nmea number: UInt16, in system: Constellation?) {
    switch (system, number) {
    case (.glonass?, 1...32), (.galileo?, 1...36), (.beidou?, 1...63), (.qzss?, 1...10), (.navic?, 1...14):
      self.init(system ?? .gps, UInt8(number))
    case (.beidou?, 101...163): self.init(.beidou, UInt8(number - 100))
    case (.qzss?, 193...202): self.init(.qzss, UInt8(number - 192))
    case (_, 1...32): self.init(.gps, UInt8(number))
    case (_, 33...64): self.init(.sbas, UInt8(number + 87))
    case (_, 65...96): self.init(.glonass, UInt8(number - 64))
    case (_, 120...158): self.init(.sbas, UInt8(number))
    case (_, 193...200): self.init(.qzss, UInt8(number - 192))
    case (_, 201...263): self.init(.beidou, UInt8(number - 200))
    case (_, 301...336): self.init(.galileo, UInt8(number - 300))
    case (_, 401...463): self.init(.beidou, UInt8(number - 400))
    default: return nil
    }
  }
}

/// A receiver's report of one satellite. Nil is unknown.
public struct GNSSSatellite: Equatable, Sendable {
  public var id: SatelliteID
  /// Degrees above the horizon, -90 to 90.
  public var elevation: Int8?
  /// Degrees from north, 0 to 359.
  public var azimuth: UInt16?
  /// Strength of the signal, C/N0 in dB-Hz; nil when it is not tracked.
  public var strength: UInt8?
  /// True when the position was computed with it; nil when the message does not contain that.
  public var isUsed: Bool?

  /// A satellite; an angle outside its range counts as unknown.
  public init(
    _ id: SatelliteID, elevation: Int32?, azimuth: Int32?, strength: UInt8?, isUsed: Bool? = nil
  ) {
    self.id = id
    self.elevation = elevation.flatMap { (-90...90).contains($0) ? Int8($0) : nil }
    self.azimuth = azimuth.flatMap { (0...360).contains($0) ? UInt16($0 % 360) : nil }
    self.strength = strength.flatMap { $0 > 0 ? $0 : nil }
    self.isUsed = isUsed
  }
}

/// A point on the earth, WGS 84.
public struct GNSSPlace: Equatable, Sendable {
  /// Degrees, north positive, in -90...90.
  public var latitude: Double
  /// Degrees, east positive, in -180...180.
  public var longitude: Double

  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
