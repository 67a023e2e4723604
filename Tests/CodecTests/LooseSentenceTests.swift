import TestSupport
import Testing

@testable import Codec

/// Sentences as receivers send them that are not strict about the standard.
@Suite struct LooseSentenceTests {
  private static let gga = "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"
  private static let rmc = "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,150726,,,A"
  private static let vtg = "GPVTG,084.4,T,,M,010.0,N,,K,A"

  /// What is read of a line, the same in pieces of any size.
  private static func all(_ text: [UInt8]) -> (messages: [GNSSMessage], counters: GNSSCounters) {
    let whole = readLine([text])
    for length in [1, 2, 7] {
      let cut = readLine(
        stride(from: 0, to: text.count, by: length).map { Array(text[$0..<min($0 + length, text.count)]) })
      #expect(cut.messages == whole.messages && cut.counters == whole.counters, "in pieces of \(length)")
    }
    return whole
  }

  private static let endings: [[UInt8]] = [
    [0x0D, 0x0A], [0x0A], [0x0D], [], [0x20, 0x0D, 0x0A], [0x20, 0x20, 0x0D, 0x0A], [0x00, 0x0D, 0x0A],
    [0x09, 0x0D, 0x0A], [0x00], [0x0D, 0x0D, 0x0A], [0x0A, 0x0D], [0x20, 0x00, 0x0D, 0x0A],
  ]

  @Test("a sentence with a checksum is read whatever ends it", arguments: endings)
  func ends(_ ending: [UInt8]) {
    let bodies = [Self.gga, Self.rmc, Self.vtg]
    let (messages, counters) = Self.all(bodies.flatMap { Array("$\(Self.checkedText($0))".utf8) + ending })
    #expect(messages.count == 3 && counters.nmea == frames(good: 3))
  }

  @Test("a line without checksums is read from its second sentence on, whatever ends them", arguments: endings)
  func uncheckedEnds(_ ending: [UInt8]) {
    let bodies = [Self.gga, Self.rmc, Self.vtg, Self.gga]
    let text = bodies.flatMap { Array("$\($0)".utf8) + ending }
    // Without line ends the next sentence ends the last one.
    let (messages, counters) = Self.all(text + Array((ending.isEmpty ? "$" : "").utf8))
    #expect(messages.count == 3 && counters.nmea.good == 3 && counters.nmea.unchecked == 3)
    #expect(counters.nmea.badChecksum == 1 && counters.nmea.broken == (ending.isEmpty ? 1 : 0))
  }

  /// The checksum's digits as a sender writes them.
  private static func checkedText(_ body: String, _ digits: (String) -> String = { $0 }) -> String {
    let sum = String(body.utf8.reduce(0 as UInt8) { $0 ^ $1 }, radix: 16, uppercase: true)
    return body + "*" + digits(sum.count < 2 ? "0" + sum : sum)
  }

  @Test("digits of a checksum may be small letters, and a leading zero may be missing")
  func digits() {
    // Sums with letters, and below 16.
    let bodies = (0..<64).map { "GPVTG,\($0).5,T,,M,010.0,N,,K,A" }
    for body in bodies {
      let small = "$" + Self.checkedText(body) { $0.lowercased() } + "\r\n"
      let short = "$" + Self.checkedText(body) { $0.hasPrefix("0") ? String($0.dropFirst()) : $0 } + "\r\n"
      for text in [small, short] { #expect(Self.all(Array(text.utf8)).counters.nmea == frames(good: 1), "\(text)") }
      // One digit that is not the sum.
      let wrong = "$\(body)*\(Self.checkedText(body).suffix(2) == "05" ? "6" : "5")\r\n"
      let sum = Self.checkedText(body).suffix(2)
      if sum != "05", sum != "06" {
        #expect(Self.all(Array(wrong.utf8)).counters.nmea == frames(badChecksum: 1), "\(wrong)")
      }
    }
  }

  // MARK: Fields

  private func gga(_ fields: String) -> NMEAFix? {
    let (messages, _) = readLine([line("GPGGA,123519,\(fields)").bytes])
    guard case .nmea(.gga(let fix))? = messages.first else { return nil }
    return fix
  }

  @Test(
    "altitudes and separations with a plus sign are numbers",
    arguments: [
      ("+545.4", 545.4), ("-12.5", -12.5), ("545.4", 545.4), ("+0.0", 0), (" 545.4", 545.4), ("545.4 ", 545.4),
    ])
  func signs(_ text: String, _ meters: Double) {
    #expect(gga("4807.038,N,01131.000,E,1,08,0.9,\(text),M,+46.9,M,,")?.altitudeMeters == meters)
  }

  @Test("a sign without a number, and two signs, are none", arguments: ["+", "-", "+-1", "++1", "1+", "+."])
  func wrongSigns(_ text: String) {
    #expect(gga("4807.038,N,01131.000,E,1,08,0.9,\(text),M,46.9,M,,") == nil)
  }

  @Test(
    "leading zeros of degrees may be missing",
    arguments: [
      ("4807.038,N,1131.000,E", 48.1173, 11.516666666666667), ("807.038,S,131.000,W", -8.1173, -1.5166666666666666),
      ("7.5,N,31.000,E", 0.125, 0.5166666666666667), ("0,N,0,E", 0, 0),
      ("4807.038,n,01131.000,w", 48.1173, -11.516666666666667),
      ("07.5,N,5.25,W", 0.125, -0.0875), (" 4807.038, N, 11131.5 ,E", 48.1173, 111.525),
    ] as [(String, Double, Double)])
  func degrees(_ fields: String, _ latitude: Double, _ longitude: Double) {
    let place = gga("\(fields),1,08,0.9,545.4,M,46.9,M,,")?.place
    #expect(place == GNSSPlace(latitude: latitude, longitude: longitude))
  }

  @Test(
    "degrees with too many digits, 60 minutes, or nothing before the point are none",
    arguments: [
      "14807.038,N,01131.000,E", "4807.038,N,101131.000,E", "60.0,N,31.000,E", ".5,N,31.0,E", "4807.038,N,.0,E",
    ])
  func wrongDegrees(_ fields: String) {
    #expect(gga("\(fields),1,08,0.9,545.4,M,46.9,M,,") == nil)
  }

  @Test(
    "leading zeros of a time may be missing, and a fraction may have any number of digits",
    arguments: [
      ("81836", 29_916_000), ("81836.50", 29_916_500), ("1836", 1_116_000), ("7", 7000), ("0.25", 250),
      ("000012.", 12_000), ("123519.123456789012345", 45_319_123),
    ] as [(String, UInt32)])
  func times(_ text: String, _ milliseconds: UInt32) {
    let (messages, _) = readLine([line("GPGGA,\(text),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,").bytes])
    guard case .nmea(.gga(let fix))? = messages.first else {
      Issue.record("\(text)")
      return
    }
    #expect(fix.timeOfDayMilliseconds == milliseconds)
  }

  @Test(
    "the first zero of a date may be missing, and a date of zeros is not known",
    arguments: [("50726", CivilDate(year: 2026, month: 7, day: 5)), ("000000", nil), ("00000", nil)]
      as [(String, CivilDate?)])
  func dates(_ text: String, _ date: CivilDate?) {
    let (messages, _) = readLine([line("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,\(text),,,A").bytes])
    guard case .nmea(.rmc(let minimum))? = messages.first else {
      Issue.record("\(text)")
      return
    }
    #expect(minimum.date == date && minimum.place != nil)
  }

  @Test("the unit of a height may be missing or a small letter", arguments: ["", "m", "M", " M"])
  func units(_ unit: String) {
    #expect(gga("4807.038,N,01131.000,E,1,08,0.9,545.4,\(unit),46.9,\(unit),,")?.altitudeMeters == 545.4)
  }

  @Test("hemispheres without numbers are no position, and the time counts")
  func hemispheresAlone() {
    let fix = gga(",N,,E,0,00,99.9,,M,,M,,")
    #expect(fix != nil && fix?.place == nil && fix?.timeOfDayMilliseconds == 45_319_000)
  }

  @Test(
    "of minutes with all digits of a double the first ten decimals count",
    arguments: ["4807.0380000000001", "4807.03800000000000000000", "4807.038000000000001234567890123456789"])
  func decimals(_ latitude: String) {
    let place = gga("\(latitude),N,01131.0000000000004,E,1,08,0.9,545.4,M,46.9,M,,")?.place
    #expect(place == GNSSPlace(latitude: 48.1173, longitude: 11.516666666666667))
  }

  @Test("a sentence with more than 120 characters is read", arguments: [121, 130, 160, GNSSFrame.lineMax])
  func long(_ count: Int) {
    let start = Self.gga + "0000"
    let body = start + String(repeating: "7", count: count - 3 - start.utf8.count)
    let text = Array(("$" + Self.checkedText(body) + "\r\n").utf8)
    #expect(text.count == count + 3)
    #expect(Self.all(text).counters.nmea == frames(good: 1))
    let longer = Array(("$" + Self.checkedText(body + String(repeating: "7", count: 200)) + "\r\n").utf8)
    #expect(Self.all(longer).counters.nmea == frames(overlong: 1))
  }

  // MARK: Checksums that are missing

  @Test("where one checksum was good, a sentence without one is refused, up to so many in a row")
  func suspicious() {
    let bare = "$\(Self.vtg)\r\n"
    let limit = Int(ChecksumHabit.relearning)
    for start in ["", "$\(Self.gga)\r\n$\(Self.rmc)\r\n"] {
      let text = start + line(Self.gga)
      let before = readLine([Array(text.utf8)]).messages.count
      for count in [1, limit - 1, limit, limit + 5] {
        let (messages, counters) = Self.all(Array((text + String(repeating: bare, count: count)).utf8))
        #expect(messages.count - before == max(count - limit + 1, 0))
        #expect(counters.nmea.badChecksum == UInt64(min(count, limit - 1) + (start.isEmpty ? 0 : 1)))
      }
      // A good one in between starts over.
      let mixed = text + String(repeating: String(repeating: bare, count: limit - 1) + line(Self.rmc), count: 3)
      #expect(Self.all(Array(mixed.utf8)).messages.count == before + 3)
    }
  }

  @Test("proprietary sentences with checksums do not make those without them suspicious")
  func proprietary() {
    let text = "$\(Self.gga)\r\n" + line("PGRMT,GPS 15,,,,,,,,") + "$\(Self.rmc)\r\n" + line("PUBX,00,1")
    let (messages, counters) = Self.all(Array(String(repeating: text, count: 5).utf8))
    #expect(messages.count == 9 && counters.nmea.unchecked == 9 && counters.nmea.ignored == 10)
  }

  @Test("the rest of a sentence whose bytes were lost is not read, on lines with checksums and without")
  func lost() {
    // With checksums: cut anywhere, with or without its line end.
    let whole = line(Self.rmc)
    for length in 1..<whole.utf8.count - 5 {
      for ending in ["", "\r\n"] {
        let text = whole + whole.prefix(length) + ending + whole
        let (messages, counters) = Self.all(Array(text.utf8))
        #expect(messages.count == 2 && counters.nmea.unchecked == 0, "\(text)")
      }
    }
    // Without them: the next sentence begins before the line's end.
    let bare = "$\(Self.rmc)\r\n"
    for length in 1..<bare.utf8.count - 2 {
      let (messages, _) = Self.all(Array((bare + bare + bare.prefix(length) + bare).utf8))
      #expect(messages.count == 2, "\(length)")
    }
  }

  @Test(
    "wrong is not missing: a sentence with a wrong checksum is never read", arguments: ["*", "*0", "*00", "*5A", "*xx"])
  func wrong(_ sum: String) {
    let bare = "$\(Self.rmc)\r\n"
    let bad = "$\(Self.rmc)\(sum)\r\n"
    let (messages, counters) = Self.all(Array((bare + bare + bad + bare).utf8))
    #expect(messages.count == 2 && counters.nmea.badChecksum == 2)
  }

  @Test("a line that begins at the very end of the window is held whole")
  func windowEnd() {
    // A frame of UBX as long as the window but for 200 bytes, whose checksum is wrong and ends in the start of a line.
    let length = GNSSFrame.lengthMax - 200 - 8
    let head: [UInt8] = [0xB5, 0x62, 0x01, 0x07, UInt8(length & 255), UInt8(length >> 8)]
    let frame = head + [UInt8](repeating: 0, count: length)
    let text = frame + [0x00, UInt8(ascii: "$")]
    for count in 190...210 {
      let (messages, counters) = readLine([text, [UInt8](repeating: UInt8(ascii: "A"), count: count)])
      #expect(messages.isEmpty && counters.nmea.good == 0)
    }
  }
}
