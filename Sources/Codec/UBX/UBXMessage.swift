/// A UBX message (u-blox 8 / M8 and F9 interface descriptions). Nil is what the receiver marks as unknown.
public enum UBXMessage: Equatable, Sendable {
  /// NAV-PVT: position, velocity and time.
  case pvt(UBXPosition)
  /// NAV-SAT: the start of a list of satellites; each follows as `satellite`.
  case satellites(UBXSatellites)
  /// One satellite of that list.
  case satellite(GNSSSatellite)
  /// NAV-TIMEUTC: time and date.
  case time(UBXTime)
  /// NAV-DOP: dilution of precision.
  case dilution(UBXDilution)
  /// NAV-STATUS: whether there is a fix.
  case status(UBXStatus)
  /// ACK-ACK: the receiver accepted a command.
  case acknowledged(UBXMessageID)
  /// ACK-NAK: it refused one.
  case refused(UBXMessageID)
  /// MON-VER: the receiver's version.
  case version(UBXVersion)
}

/// NAV-PVT.
public struct UBXPosition: Equatable, Sendable {
  /// What the position was made from.
  public enum Kind: UInt8, Equatable, Sendable {
    case none = 0
    case deadReckoning = 1
    case twoDimensions = 2
    case threeDimensions = 3
    /// Satellites and dead reckoning together.
    case combined = 4
    /// From timing receivers at a surveyed position: `isOK` is for the time alone, and the position is a configured
    /// one, so no fix is made of it.
    case timeOnly = 5
  }

  /// Milliseconds of the GPS week: messages of one epoch have the same.
  public let week: UInt32
  public let time: UBXTime
  public let kind: Kind
  /// True when the fix is within the receiver's own error limits.
  public let isOK: Bool
  public let place: GNSSPlace?
  /// Meters above mean sea level.
  public let altitudeMeters: Double
  /// Estimated errors in meters.
  public let horizontalMeters: Double
  public let verticalMeters: Double
  /// Speed over ground in m/s.
  public let speed: Double
  /// Direction of motion in degrees from true north, 0 up to 360.
  public let courseDegrees: Double
  /// Satellites in use.
  public let satellites: UInt8
}

/// A date and a time of day.
public struct UBXTime: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let date: CivilDate?
  /// UTC since midnight, rounded to milliseconds; second 60 is a leap second.
  public let timeOfDayMilliseconds: UInt32?
  /// True when the receiver knows the leap seconds.
  public let isFullyResolved: Bool
}

/// The header of NAV-SAT.
public struct UBXSatellites: Equatable, Sendable {
  /// Offset of the list in the body, and bytes of each entry.
  static let listOffset = 14
  static let entryLength = 12

  /// Milliseconds of the GPS week.
  public let week: UInt32
  /// How many satellites follow.
  public let count: Int
}

/// NAV-DOP.
public struct UBXDilution: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let pdop: Double
  public let hdop: Double
  public let vdop: Double
}

/// NAV-STATUS.
public struct UBXStatus: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let kind: UBXPosition.Kind
  /// True when the fix is within the receiver's own error limits.
  public let isOK: Bool
}

/// MON-VER.
public struct UBXVersion: Equatable, Sendable {
  /// Such as `EXT CORE 3.01 (111141)`.
  public internal(set) var software = UBXText()
  /// Such as `00080000`.
  public internal(set) var hardware = UBXText()
  /// Such as `NEO-M8N-0`; empty where it is not reported.
  public internal(set) var module = UBXText()
  /// The version of the protocol times 100, such as 1800; nil where it is not reported, before generation 7.
  public internal(set) var protocolVersion: UInt16?

  /// The generation of the chip, 5 to 10; nil for unknown hardware.
  public var generation: UInt8? {
    let text = hardware.text
    if text.matches("00040005") { return 5 }
    if text.matches("00040007") { return 6 }
    if text.matches("00070000") { return 7 }
    if text.matches("00080000") { return 8 }
    if text.matches("00190000") { return 9 }
    if text.matches("000A0000") { return 10 }
    return nil
  }

  /// True when the receiver is configured by CFG-VALSET, false when by CFG-PRT and its like.
  public var hasValues: Bool {
    if let protocolVersion { return protocolVersion >= 2700 }
    return (generation ?? 0) >= 9
  }
}

/// A short text of a receiver.
public struct UBXText: Equatable, Sendable {
  private var storage = InlineArray<30, UInt8>(repeating: 0)
  private var count = 0

  init() {}

  /// The text of a field of fixed length, up to its first 0; non-printable characters are dropped.
  init(_ field: Span<UInt8>) {
    for index in 0..<min(field.count, storage.count) {
      guard field[index] != 0 else { return }
      guard field[index] >= 0x20, field[index] < 0x7F else { continue }
      storage[count] = field[index]
      count += 1
    }
  }

  /// ASCII.
  public var text: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<count) }
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.count == b.count else { return false }
    for index in 0..<a.count where a.storage[index] != b.storage[index] { return false }
    return true
  }
}
