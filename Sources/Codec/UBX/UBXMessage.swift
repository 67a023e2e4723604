/// A frame of UBX that is read (u-blox 8 / M8 and F9 interface descriptions). Nil is what the receiver says not to
/// know.
public enum UBXMessage: Equatable, Sendable {
  /// NAV-PVT: position, velocity and time.
  case pvt(UBXPosition)
  /// NAV-SAT: a list of satellites begins, and so many `satellite` follow at once.
  case satellites(UBXSatellites)
  /// One of that list.
  case satellite(GNSSSatellite)
  /// NAV-TIMEUTC: time and date.
  case time(UBXTime)
  /// NAV-DOP: dilution of precision.
  case dilution(UBXDilution)
  /// NAV-STATUS: whether there is a fix.
  case status(UBXStatus)
  /// ACK-ACK: a message to the receiver was taken.
  case acknowledged(UBXMessageID)
  /// ACK-NAK: it was not.
  case refused(UBXMessageID)
  /// MON-VER: what the receiver is.
  case version(UBXVersion)
}

/// What NAV-PVT says.
public struct UBXPosition: Equatable, Sendable {
  /// What the position was made from.
  public enum Kind: UInt8, Equatable, Sendable {
    case none = 0
    case deadReckoning = 1
    case twoDimensions = 2
    case threeDimensions = 3
    /// Satellites and dead reckoning together.
    case combined = 4
    /// Timing receivers at a surveyed place say so, and vouch for the time alone: `isOK` is true, and the position is what
    /// somebody once told them. No fix is made of it.
    case timeOnly = 5
  }

  /// Milliseconds of the GPS week: messages of one epoch have the same.
  public let week: UInt32
  public let time: UBXTime
  public let kind: Kind
  /// True when the receiver vouches for it: within its own limits of error.
  public let isOK: Bool
  public let place: GNSSPlace?
  /// Metres above mean sea level.
  public let altitudeMeters: Double
  /// Estimated errors in metres.
  public let horizontalMeters: Double
  public let verticalMeters: Double
  /// Speed over ground in metres a second.
  public let speed: Double
  /// Direction of motion in degrees from true north, 0 up to 360.
  public let courseDegrees: Double
  /// Satellites in use.
  public let satellites: UInt8
}

/// A date and a time of day as UBX tells them.
public struct UBXTime: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let date: CivilDate?
  /// UTC since midnight, rounded to milliseconds; second 60 is a leap second.
  public let timeOfDayMilliseconds: UInt32?
  /// True when the receiver knows the leap seconds.
  public let isFullyResolved: Bool
}

/// What NAV-SAT says ahead of its list.
public struct UBXSatellites: Equatable, Sendable {
  /// Where the list stands in a frame, and the bytes of each entry.
  static let listOffset = 14
  static let entryLength = 12

  /// Milliseconds of the GPS week.
  public let week: UInt32
  /// How many satellites follow.
  public let count: Int
}

/// What NAV-DOP says.
public struct UBXDilution: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let pdop: Double
  public let hdop: Double
  public let vdop: Double
}

/// What NAV-STATUS says.
public struct UBXStatus: Equatable, Sendable {
  /// Milliseconds of the GPS week.
  public let week: UInt32
  public let kind: UBXPosition.Kind
  /// True when the receiver vouches for its fix.
  public let isOK: Bool
}

/// What MON-VER says.
public struct UBXVersion: Equatable, Sendable {
  /// Such as `EXT CORE 3.01 (111141)`.
  public internal(set) var software = UBXText()
  /// Such as `00080000`.
  public internal(set) var hardware = UBXText()
  /// Such as `NEO-M8N-0`; empty where it is not told.
  public internal(set) var module = UBXText()
  /// The version of the protocol times 100, such as 1800; nil where it is not told, before generation 7.
  public internal(set) var protocolVersion: UInt16?

  /// The generation of the chip: 5 to 10, and what may come; nil when the hardware is not one that is known.
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

  /// The text of a field of fixed length, up to its first 0; what no terminal prints is left out.
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
