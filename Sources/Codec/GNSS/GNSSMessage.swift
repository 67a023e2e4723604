/// What a receiver said, in whichever of its languages.
public enum GNSSMessage: Equatable, Sendable {
  case nmea(NMEASentence)
  case ubx(UBXMessage)
}

/// What became of the bytes of a line so far. What is in no frame and in no sentence is counted only as bytes.
public struct GNSSCounters: Equatable, Sendable {
  /// What became of the frames of one protocol.
  public struct Frames: Equatable, Sendable {
    /// Read, or for RTCM recognised.
    public var good: UInt64 = 0
    /// With a checksum that is wrong or missing. A false start in noise mostly ends up here.
    public var badChecksum: UInt64 = 0
    /// Longer than any that is read.
    public var overlong: UInt64 = 0
    /// With a byte that cannot be in it, cut by the next start, or cut by the end.
    public var broken: UInt64 = 0
    /// With a good checksum and a field that makes no sense.
    public var malformed: UInt64 = 0
    /// With a good checksum and of a kind that is not read.
    public var unknown: UInt64 = 0
    /// With a good checksum, and not for us by rule: proprietary sentences and queries (NMEA 0183).
    public var ignored: UInt64 = 0

    public init() {}
  }

  public var bytes: UInt64 = 0
  public var nmea = Frames()
  public var ubx = Frames()
  public var rtcm = Frames()
  /// Lines of a gpsd, where that is asked in place of a receiver.
  public var gpsd = Frames()

  public init() {}

  /// Counts one frame.
  mutating func count(_ outcome: Outcome, of language: GNSSFrame.Language) {
    switch language {
    case .nmea: nmea.count(outcome)
    case .ubx: ubx.count(outcome)
    case .rtcm: rtcm.count(outcome)
    }
  }

  /// What can become of a frame.
  enum Outcome { case good, badChecksum, overlong, broken, malformed, unknown, ignored }
}

extension GNSSCounters.Frames {
  fileprivate mutating func count(_ outcome: GNSSCounters.Outcome) {
    switch outcome {
    case .good: good &+= 1
    case .badChecksum: badChecksum &+= 1
    case .overlong: overlong &+= 1
    case .broken: broken &+= 1
    case .malformed: malformed &+= 1
    case .unknown: unknown &+= 1
    case .ignored: ignored &+= 1
    }
  }
}
