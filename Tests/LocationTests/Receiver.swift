import Codec
import Runtime

@testable import Location

/// A receiver that says what a test wants, with right checksums.
enum Receiver {
  /// A sentence of the text between `$` and `*`.
  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0 as UInt8) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  static func gga(
    _ time: String, _ position: String = "4807.038,N,01131.000,E", quality: Int = 1, hdop: String = "0.9",
    altitude: String = "545.4"
  ) -> String {
    sentence("GPGGA,\(time),\(position),\(quality),08,\(hdop),\(altitude),M,46.9,M,,")
  }

  static func rmc(
    _ time: String, _ date: String = "150726", status: String = "A",
    _ position: String = "4807.038,N,01131.000,E", knots: String = "022.4", course: String = "084.4"
  ) -> String {
    sentence("GPRMC,\(time),\(status),\(position),\(knots),\(course),\(date),,,A")
  }

  static func gst(_ time: String, _ latitude: String = "3.0", _ longitude: String = "4.0") -> String {
    sentence("GPGST,\(time),1.8,,,,\(latitude),\(longitude),5.5")
  }

  static func gsa(_ dimensions: Int, _ satellites: [Int] = [], talker: String = "GP", system: String = "") -> String {
    let numbers = (0..<12).map { $0 < satellites.count ? "\(satellites[$0])" : "" }.joined(separator: ",")
    return sentence("\(talker)GSA,A,\(dimensions),\(numbers),1.9,1.1,1.5\(system)")
  }

  /// Pages of a list of satellites, of at most four each.
  static func gsv(
    _ satellites: [(number: Int, strength: Int)], talker: String = "GP", signal: String = ""
  ) -> [String] {
    let pages = max(1, (satellites.count + 3) / 4)
    return (0..<pages).map { page in
      let shown = satellites.dropFirst(4 * page).prefix(4).map { ",\($0.number),45,120,\($0.strength)" }
      return sentence("\(talker)GSV,\(pages),\(page + 1),\(satellites.count)\(shown.joined())\(signal)")
    }
  }

  /// A frame of UBX.
  static func ubx(_ group: UInt8, _ identity: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body = [group, identity, UInt8(payload.count & 255), UInt8(payload.count >> 8)] + payload
    var (first, second): (UInt8, UInt8) = (0, 0)
    for byte in body {
      first &+= byte
      second &+= first
    }
    return [0xB5, 0x62] + body + [first, second]
  }

  /// NAV-PVT at 12:35 and so many seconds of 15 July 2026.
  static func pvt(
    _ second: UInt8 = 19, valid: UInt8 = 7, kind: UInt8 = 3, flags: UInt8 = 1, flags3: UInt8 = 0, year: Int = 2026,
    latitude: Int = 481_173_000, minute: UInt8 = 35
  ) -> [UInt8] {
    var bytes = little(Int(second) * 1000, 4) + little(year, 2) + [7, 15, 12, minute, second, valid]
    bytes += little(25, 4) + little(-400_000, 4) + [kind, flags, 0xE0, 9] + little(115_166_667, 4)
    bytes += little(latitude, 4) + little(592_300, 4) + little(545_400, 4) + little(2_500, 4)
    bytes += little(3_900, 4) + little(0, 12) + little(11_520, 4) + little(8_440_000, 4) + little(0, 8)
    bytes += little(150, 2) + [flags3] + [UInt8](repeating: 0, count: 13)
    return ubx(0x01, 0x07, bytes)
  }

  static func timeUTC(_ second: UInt8, valid: UInt8 = 7, year: Int = 2026) -> [UInt8] {
    let start = little(Int(second) * 1000, 4) + little(30, 4) + little(0, 4) + little(year, 2)
    return ubx(0x01, 0x21, start + [7, 15, 12, 35, second, valid])
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  static func vtg(course: String = "084.4", knots: String = "010.0") -> String {
    sentence("GPVTG,\(course),T,,M,\(knots),N,,K,A")
  }
}

/// Time that a test sets.
final class ManualClock: Clock {
  var monotonic: Int64 = 1_000_000
  /// 15 July 2026, 12:35:20 UTC.
  var wall: Int64 = 1_784_118_920_000
}

/// A tracker that reads a line.
final class TrackerUnderTest {
  private var tracker: FixTracker
  private var reader = GNSSReader()
  var latest: Fix? { tracker.latest }
  var time: GNSSTime? { tracker.time }
  var mode: Fix.Mode { tracker.mode }
  var satellitesInView: SatellitesInView { tracker.satellitesInView }
  var lacksDate: Bool { tracker.lacksDate }
  /// Of each epoch that is over and had one, the fix.
  private(set) var finished: [Fix] = []
  /// 15 July 2026, 12:35:20 UTC.
  var wall = ManualClock().wall

  init(isArchive: Bool = false) { tracker = FixTracker(isArchive: isArchive) }

  func receiverRestarted() { tracker.receiverRestarted() }

  func finish() -> Bool {
    let before = tracker.epochs
    let hasBegun = tracker.beginHeld(wall: wall)
    if tracker.epochs != before { keepFinished() }
    let isNew = tracker.finish(wall: wall) || hasBegun
    keepFinished()
    return isNew
  }

  private func keepFinished() { if let fix = tracker.finished { finished.append(fix) } }

  /// Reads a text; true when it made a new fix.
  @discardableResult
  func read(_ text: String, at arrival: Int64 = 0) -> Bool { read(Array(text.utf8), at: arrival) }

  @discardableResult
  func read(_ bytes: [UInt8], at arrival: Int64 = 0) -> Bool {
    var index = 0
    var isNew = false
    while let message = reader.next(bytes.span, at: &index) {
      let before = tracker.epochs
      isNew = tracker.accept(message, at: arrival, wall: wall) || isNew
      if tracker.epochs != before { keepFinished() }
    }
    return isNew
  }
}

/// JSON that a writer made.
func json(_ write: (inout JSONWriter) -> Void) -> String {
  let buffer = FixedBuffer(capacity: 4096)
  var writer = JSONWriter(into: buffer.bytes)
  write(&writer)
  precondition(writer.isComplete)
  return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
}

/// Code and message of an error.
func text(_ error: LocationError) -> String {
  let buffer = FixedBuffer(capacity: 256)
  var writer = ByteWriter(into: buffer.bytes)
  error.writeMessage(to: &writer)
  return "\(error.code) | " + String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
}
