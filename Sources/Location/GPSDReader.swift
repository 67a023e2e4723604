import Codec
import Runtime

/// Reads the lines of a gpsd. Pure: bytes in, reports out. A line that is longer than `Budget.gpsdLineBytes`, or is not
/// JSON, is skipped and counted.
public struct GPSDReader: ~Copyable {
  /// Nesting of JSON: an object with a list of objects has 3 levels.
  private static let depthMax = 8

  /// One satellite on one signal.
  private struct Listed {
    var satellite: GNSSSatellite
    var signal: UInt8
  }

  /// Statistics of the lines so far, under `gpsd`.
  public private(set) var counters = GNSSCounters()
  private let line = FixedBuffer(capacity: Budget.gpsdLineBytes)
  private var length = 0
  private var isOverlong = false
  private let list = UnsafeMutableBufferPointer<Listed>.allocate(capacity: Budget.satellites)
  private var pending = 0..<0

  /// A reader at the beginning of a line.
  public init() {}

  deinit { list.deallocate() }

  /// A new connection: drops an incomplete line.
  public mutating func restart() {
    (length, isOverlong, pending) = (0, false, 0..<0)
    counters = GNSSCounters()
  }

  /// Finds the next report in `input` from `index` on, and moves `index` after what was read. Call again with the same
  /// input until it returns nil, then with new input from 0.
  public mutating func next(_ input: Span<UInt8>, at index: inout Int) -> GPSDReport? {
    if let place = pending.first {
      pending = (place + 1)..<pending.upperBound
      return .satellite(list[place].satellite, signal: list[place].signal)
    }
    let start = index
    defer { counters.bytes &+= UInt64(index - start) }
    while index < input.count {
      let byte = input[index]
      index += 1
      if byte == 0x0A || byte == 0x0D {
        if let report = endLine() { return report }
      } else if length < line.bytes.count {
        line.bytes[length] = byte
        length += 1
      } else {
        isOverlong = true
      }
    }
    return nil
  }

  private mutating func endLine() -> GPSDReport? {
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: line.bytes[..<length]))
    let isTooLong = isOverlong
    (length, isOverlong) = (0, false)
    if isTooLong {
      counters.gpsd.overlong &+= 1
      return nil
    }
    if text.isEmpty { return nil }
    do throws(JSONError) {
      try JSONValidator.check(text, depthLimit: Self.depthMax)
    } catch {
      counters.gpsd.malformed &+= 1
      return nil
    }
    return read(JSONView(text))
  }

  private mutating func read(_ object: JSONView) -> GPSDReport? {
    guard object.kind == .object, let kind = object.member("class") else {
      counters.gpsd.malformed &+= 1
      return nil
    }
    let report: GPSDReport?
    if kind.equals("TPV") {
      report = GPSDPosition(object).map { .position($0) }
    } else if kind.equals("SKY") {
      report = .sky(sky(object))
    } else if kind.equals("VERSION") {
      report = .version(
        major: Self.count(object.member("proto_major")), minor: Self.count(object.member("proto_minor")))
    } else if kind.equals("DEVICES") {
      report = .devices(Self.elements(object.member("devices")))
    } else if kind.equals("ERROR") {
      report = .error
    } else {
      counters.gpsd.unknown &+= 1
      return nil
    }
    if report == nil { counters.gpsd.malformed &+= 1 } else { counters.gpsd.good &+= 1 }
    return report
  }

  private static func count(_ value: JSONView?) -> UInt32 {
    UInt32(truncatingIfNeeded: value?.uint64 ?? 0)
  }

  private static func elements(_ value: JSONView?) -> Int {
    guard var elements = value?.elements() else { return 0 }
    var count = 0
    while elements.next() != nil { count += 1 }
    return count
  }

  private mutating func sky(_ object: JSONView) -> GPSDSky {
    var sky = GPSDSky()
    if let device = object.member("device") { sky.device = GPSDDevice(device.rawText) }
    sky.hdop = object.member("hdop")?.double
    sky.used = object.member("uSat")?.uint64.map { UInt32(truncatingIfNeeded: $0) }
    guard let satellites = object.member("satellites"), satellites.kind == .array else { return sky }
    var count = 0
    var used: UInt32 = 0
    var elements = satellites.elements()
    while let element = elements.next() {
      guard let listed = Self.satellite(element) else { continue }
      if listed.satellite.isUsed == true { used += 1 }
      guard count < list.count else { continue }
      (list.baseAddress! + count).initialize(to: listed)
      count += 1
    }
    pending = 0..<count
    sky.count = count
    sky.used = sky.used ?? used
    return sky
  }

  /// A satellite of the list; nil without a number that is known. `gnssid` and `svid` have UBX's numbers; the older
  /// `PRN` has ranges.
  private static func satellite(_ object: JSONView) -> Listed? {
    guard object.kind == .object else { return nil }
    let id: SatelliteID
    if let system = object.member("gnssid")?.uint64, let number = object.member("svid")?.uint64 {
      guard system < 8, number < 256, let constellation = Constellation(rawValue: UInt8(system)) else { return nil }
      id = SatelliteID(constellation, UInt8(number))
    } else {
      guard let number = object.member("PRN")?.uint64, number < 1000,
        let known = SatelliteID(nmea: UInt16(number), in: nil)
      else { return nil }
      id = known
    }
    let satellite = GNSSSatellite(
      id, elevation: whole(object.member("el")), azimuth: whole(object.member("az")),
      strength: whole(object.member("ss")).flatMap { UInt8(exactly: $0) }, isUsed: object.member("used")?.bool)
    return Listed(satellite: satellite, signal: UInt8(min(object.member("sigid")?.uint64 ?? 0, 15)))
  }

  /// A number rounded to an integer; nil far outside of the range of all fields.
  private static func whole(_ value: JSONView?) -> Int32? {
    guard let number = value?.double, number > -1000, number < 1000 else { return nil }
    return Int32(clamping: number.rounded())
  }
}

extension GPSDPosition {
  /// Reads TPV; nil when it is not plausible.
  fileprivate init?(_ object: JSONView) {
    self.init()
    if let path = object.member("device") { device = GPSDDevice(path.rawText) }
    let dimensions = object.member("mode")?.uint64 ?? 0
    mode = Self.mode(dimensions, status: object.member("status")?.uint64)
    instant = Self.instant(object.member("time"))
    if let latitude = object.member("lat")?.double, let longitude = object.member("lon")?.double {
      guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
      place = GNSSPlace(latitude: latitude, longitude: longitude)
    }
    altitudeMeters = dimensions < 3 ? nil : Self.altitude(object)
    speed = object.member("speed")?.double
    courseDegrees = object.member("track")?.double
    horizontalMeters =
      object.member("eph")?.double
      ?? FixAccuracy.horizontal(latitude: object.member("epy")?.double, longitude: object.member("epx")?.double)
    verticalMeters = object.member("epv")?.double
    hasLeapSeconds = object.member("leapseconds")?.int64 != nil
  }

  private static func mode(_ dimensions: UInt64, status: UInt64?) -> Fix.Mode {
    guard dimensions == 2 || dimensions == 3 else { return .none }
    switch status {
    case 5: return .deadReckoning
    case 6: return .combined
    // Surveyed, or entered by hand: the daemon's word for quality 7 of GGA.
    case 7: return .manual
    case 8: return .simulated
    default: return dimensions == 2 ? .twoDimensions : .threeDimensions
    }
  }

  /// Far beyond any date, in seconds since 1970.
  private static let secondsMax = 1e11

  /// Before 3.0 the time was a number of seconds since 1970.
  private static func instant(_ value: JSONView?) -> Int64? {
    if let seconds = value?.double {
      return seconds >= 0 && seconds < secondsMax ? Int64(clamping: (seconds * 1000).rounded()) : nil
    }
    guard let value, value.kind == .string, value.stringLength ?? .max <= 40 else { return nil }
    // Without escapes: the text between the quotes is the value.
    let text = value.rawText.extracting(1..<(value.rawText.count - 1))
    let isLeapSecond = text.count > 18 && text[17] == UInt8(ascii: "6") && text[18] == UInt8(ascii: "0")
    return isLeapSecond ? nil : ISO8601.unixMilliseconds(in: text)
  }

  /// Above mean sea level; above the ellipsoid only where the height between them is known. Before 3.20 there was
  /// `alt`.
  private static func altitude(_ object: JSONView) -> Double? {
    if let sea = object.member("altMSL")?.double { return sea }
    if let ellipsoid = object.member("altHAE")?.double, let between = object.member("geoidSep")?.double {
      return ellipsoid - between
    }
    return object.member("alt")?.double
  }
}
