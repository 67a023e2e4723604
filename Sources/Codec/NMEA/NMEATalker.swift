/// Who speaks in a sentence (NMEA 0183, "Talker identifiers"). A receiver of several satellite systems sends sentences
/// of one instant for all systems together, for single ones, or both, and each talker has or lacks a fix of its own.
public enum NMEATalker: UInt8, Equatable, Sendable {
  /// GN: all systems together.
  case combined
  /// GP; many receivers of several systems also use it for all of them.
  case gps
  case glonass
  case galileo
  case beidou
  case qzss
  case navic
  /// Any other talker, such as an instrument that repeats a receiver's position.
  case other

  /// Cases above.
  public static let count = 8

  /// The talker of a sentence's first two letters.
  init(_ first: UInt8, _ second: UInt8) {
    if first == UInt8(ascii: "G"), second == UInt8(ascii: "N") {
      self = .combined
    } else {
      self = Constellation(talker: first, second).map { Self($0) } ?? .other
    }
  }

  /// The talker of one system alone.
  public init(_ system: Constellation) {
    switch system {
    case .gps, .sbas, .imes: self = .gps
    case .glonass: self = .glonass
    case .galileo: self = .galileo
    case .beidou: self = .beidou
    case .qzss: self = .qzss
    case .navic: self = .navic
    }
  }
}
