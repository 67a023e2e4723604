/// A message of a receiver, in either protocol.
public enum GNSSMessage: Equatable, Sendable {
  case nmea(NMEASentence)
  case ubx(UBXMessage)
  /// A sentence about the receiver itself, which counts as ignored or unknown.
  case vendor(VendorMessage)
}

/// Statistics of a receiver's line. Noise between frames and sentences is counted only in `bytes`.
public struct GNSSCounters: Equatable, Sendable {
  /// Frames of one protocol, by outcome.
  public struct Frames: Equatable, Sendable {
    /// Read, or for RTCM recognized.
    public var good: UInt64 = 0
    /// Those of `good` that had no checksum, on a line that has none (`ChecksumHabit`).
    public var unchecked: UInt64 = 0
    /// With a checksum that is wrong, or missing where it must not be. A false start in noise mostly ends up here.
    public var badChecksum: UInt64 = 0
    /// Longer than the limit.
    public var overlong: UInt64 = 0
    /// With an invalid byte, or cut off by the next start or the end.
    public var broken: UInt64 = 0
    /// With a good checksum and an invalid field.
    public var malformed: UInt64 = 0
    /// With a good checksum and of a type that is not read.
    public var unknown: UInt64 = 0
    /// With a good checksum, but not addressed to a listener: proprietary sentences and queries (NMEA 0183).
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

  /// Outcomes of a frame.
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
