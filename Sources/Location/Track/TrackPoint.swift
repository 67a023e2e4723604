import Codec
import Runtime

/// One point of the track: where the board was, from when until when, and how it came there.
///
/// A board that stands makes one point whose end goes on; one that moves makes points of a few seconds. A point is 24
/// bytes, in memory and on flash, little-endian:
///
/// | bytes | what |
/// |---|---|
/// | 0, 4 | latitude and longitude in 1e-7 degrees (1 cm), signed |
/// | 8, 12 | its begin in seconds since the Unix epoch, and how many seconds it lasted |
/// | 16 | its error in tenths of a meter |
/// | 18 | its altitude in meters, signed; the lowest number: unknown |
/// | 20 | the way to it in tenths of a meter (28 bits), and its marks (the lowest 4 bits) |
public struct TrackPoint: Equatable, Sendable {
  /// What was between a point and the one before it.
  public struct Marks: OptionSet, Equatable, Sendable {
    public let rawValue: UInt8

    /// Marks from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No fix for longer than `Budget.trackGapMilliseconds`.
    public static let gap = Marks(rawValue: 1)
    /// Points that were dropped because the track was full.
    public static let thinned = Marks(rawValue: 2)
    /// The receiver's time leapt: the times before and after are not of one clock.
    public static let leap = Marks(rawValue: 4)
  }

  /// Bytes of a point.
  static let bytes = 24
  /// Units of a degree.
  private static let degree = 1e7
  private static let noAltitude = Int16.min
  private static let wayMax: UInt32 = (1 << 28) - 1

  private var north: Int32 = 0
  private var east: Int32 = 0
  private var begin: UInt32 = 0
  private var seconds: UInt32 = 0
  private var error: UInt16 = 0
  private var height = noAltitude
  private var tenths: UInt32 = 0
  /// What was between the point before and this one.
  public var marks: Marks = []

  /// The point of a fix, at its instant.
  public init(_ fix: Fix) {
    begin = UInt32(clamping: fix.instant / 1000)
    set(fix)
  }

  /// When the board came there, in milliseconds since the Unix epoch.
  public var from: Int64 { Int64(begin) * 1000 }

  /// When it was last seen there, in milliseconds since the Unix epoch.
  public var until: Int64 { (Int64(begin) + Int64(seconds)) * 1000 }

  /// Where that was.
  public var place: Place { Place(latitude: Double(north) / Self.degree, longitude: Double(east) / Self.degree) }

  /// Its estimated horizontal error in meters.
  public var accuracy: Double { Double(error) / 10 }

  /// Meters above mean sea level; nil: unknown.
  public var altitude: Double? { height == Self.noAltitude ? nil : Double(height) }

  /// Meters along the way from the point before, over all points that were dropped since; 0 behind a gap.
  public var way: Double {
    get { Double(tenths) / 10 }
    set { tenths = min(UInt32(clamping: Int64(clamping: (min(max(newValue, 0), 1e9) * 10).rounded())), Self.wayMax) }
  }

  /// Moves the begin to a later one; nothing else changes.
  mutating func begins(noEarlierThan time: Int64) { begin = max(begin, UInt32(clamping: time / 1000)) }

  /// The board was seen there at `time`, too, in milliseconds since the Unix epoch.
  mutating func extend(to time: Int64) { seconds = UInt32(clamping: max(time / 1000 - Int64(begin), Int64(seconds))) }

  /// Takes over a fix's place, error and altitude.
  mutating func set(_ fix: Fix) {
    set(fix.place)
    error = UInt16(clamping: Int64(clamping: (min(max(fix.accuracy, 0), 1e6) * 10).rounded(.up)))
    height = Self.noAltitude
    if let altitude = fix.altitude {
      height = max(Int16(clamping: Int64(clamping: altitude.rounded())), Self.noAltitude + 1)
    }
  }

  /// Takes over another place.
  mutating func set(_ place: Place) {
    north = Int32(clamping: Int64(clamping: (min(max(place.latitude, -90), 90) * Self.degree).rounded()))
    east = Int32(clamping: Int64(clamping: (min(max(place.longitude, -180), 180) * Self.degree).rounded()))
  }
}

/// The 24 bytes, and back.
extension TrackPoint {
  /// Writes the point into its 24 bytes.
  func encode(into bytes: UnsafeMutableBufferPointer<UInt8>) {
    Self.put(UInt32(bitPattern: north), at: 0, bytes)
    Self.put(UInt32(bitPattern: east), at: 4, bytes)
    Self.put(begin, at: 8, bytes)
    Self.put(seconds, at: 12, bytes)
    Self.put(UInt32(error) | UInt32(UInt16(bitPattern: height)) << 16, at: 16, bytes)
    Self.put(tenths << 4 | UInt32(marks.rawValue & 0xF), at: 20, bytes)
  }

  /// Reads a point; nil where the bytes are none.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.bytes else { return nil }
    north = Int32(bitPattern: Self.number(at: 0, bytes))
    east = Int32(bitPattern: Self.number(at: 4, bytes))
    begin = Self.number(at: 8, bytes)
    seconds = Self.number(at: 12, bytes)
    let (both, last) = (Self.number(at: 16, bytes), Self.number(at: 20, bytes))
    error = UInt16(truncatingIfNeeded: both)
    height = Int16(bitPattern: UInt16(truncatingIfNeeded: both >> 16))
    tenths = last >> 4
    marks = Marks(rawValue: UInt8(last & 0xF))
    guard north.magnitude <= 900_000_000, east.magnitude <= 1_800_000_000,
      Int64(begin) * 1000 >= FixDate.lastRollover, !begin.addingReportingOverflow(seconds).overflow
    else { return nil }
  }

  private static func put(_ number: UInt32, at start: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: number >> UInt32(8 * index)) }
  }

  private static func number(at start: Int, _ bytes: Span<UInt8>) -> UInt32 {
    var number: UInt32 = 0
    for index in 0..<4 { number |= UInt32(bytes[start + index]) << UInt32(8 * index) }
    return number
  }
}
