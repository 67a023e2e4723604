/// GSA (NMEA 0183, "GNSS DOP and active satellites").
public struct NMEAActiveSatellites: Equatable, Sendable {
  /// The most satellites that one sentence names.
  public static let satellitesMax = 12

  /// 1 no fix, 2 two dimensions, 3 three; nil when unknown.
  public let dimensions: UInt8?
  public let pdop: Double?
  public let hdop: Double?
  public let vdop: Double?
  /// Who speaks.
  public let talker: NMEATalker
  /// The system that the sentence is about; nil when it may be about all.
  public let system: Constellation?
  /// How many satellites are named.
  public private(set) var count = 0
  private var storage = InlineArray<12, SatelliteID>(repeating: SatelliteID(.gps, 0))

  /// One of the satellites in use, from 0.
  public subscript(index: Int) -> SatelliteID { storage[index] }

  init(
    _ fields: inout NMEAFields, talker: NMEATalker, of spoken: Constellation?
  ) throws(NMEAMalformed) {
    self.talker = talker
    // Automatic or manual choice of the dimensions.
    _ = try fields.letter()
    let fix = try fields.count()
    guard fix.map({ (1...3).contains($0) }) ?? true else { throw NMEAMalformed() }
    dimensions = fix.map { UInt8($0) }
    var numbers = InlineArray<12, UInt16>(repeating: 0)
    for place in 0..<Self.satellitesMax { numbers[place] = UInt16(try fields.count() ?? 0) }
    pdop = try fields.number()
    hdop = try fields.number()
    vdop = try fields.number()
    let systemID = fields.hasMore ? try fields.hexDigit() : nil
    // Some receivers use the talker GP for all systems.
    let named = systemID.flatMap { Constellation(systemID: $0) }
    system = spoken == .gps ? named ?? .gps : spoken ?? named
    for place in 0..<Self.satellitesMax where numbers[place] > 0 {
      guard let satellite = SatelliteID(nmea: numbers[place], in: system) else { continue }
      storage[count] = satellite
      count += 1
    }
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.talker == b.talker, a.system == b.system, a.count == b.count else { return false }
    guard a.dimensions == b.dimensions, a.pdop == b.pdop, a.hdop == b.hdop, a.vdop == b.vdop else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}

/// GSV (NMEA 0183, "GNSS satellites in view"): one page of a list.
public struct NMEASatellitesInView: Equatable, Sendable {
  /// The most satellites of one page.
  public static let satellitesMax = 4

  /// The talker's letters and the signal (NMEA 4.11; 0 where unknown): pages of one list have the same.
  public let group: UInt32
  /// The signal alone, 0 to 15.
  public var signal: UInt8 { UInt8(truncatingIfNeeded: group & 15) }
  /// The talker's letters alone.
  public var talker: UInt16 { UInt16(truncatingIfNeeded: group >> 8) }
  /// The talker's system.
  public let system: Constellation?
  /// Pages of the list.
  public let pages: UInt32
  /// This page, from 1.
  public let page: UInt32
  /// Satellites on this page whose numbers are known.
  public private(set) var count = 0
  private var storage = InlineArray<4, GNSSSatellite>(
    repeating: GNSSSatellite(SatelliteID(.gps, 0), elevation: nil, azimuth: nil, strength: nil))

  /// One of the satellites of this page, from 0.
  public subscript(index: Int) -> GNSSSatellite { storage[index] }

  init(_ fields: inout NMEAFields, talker first: UInt8, _ second: UInt8) throws(NMEAMalformed) {
    system = Constellation(talker: first, second)
    guard let pages = try fields.count(), let page = try fields.count() else { throw NMEAMalformed() }
    guard page >= 1, page <= pages else { throw NMEAMalformed() }
    (self.pages, self.page) = (pages, page)
    // How many satellites there are in all.
    _ = try fields.count()
    let left = fields.left
    guard left % 4 < 2, left / 4 <= Self.satellitesMax else { throw NMEAMalformed() }
    for _ in 0..<left / 4 {
      let number = try fields.count() ?? 0
      let satellite = (try fields.integer(), try fields.integer(), try fields.count())
      guard let id = SatelliteID(nmea: UInt16(number), in: system) else { continue }
      storage[count] = GNSSSatellite(
        id, elevation: satellite.0, azimuth: satellite.1,
        strength: satellite.2.map { UInt8(min($0, 99)) })
      count += 1
    }
    let signal = left % 4 == 1 ? try fields.hexDigit() ?? 0 : 0
    group = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(signal)
  }

  public static func == (a: Self, b: Self) -> Bool {
    guard a.group == b.group, a.pages == b.pages, a.page == b.page, a.count == b.count else { return false }
    for index in 0..<a.count where a[index] != b[index] { return false }
    return true
  }
}
