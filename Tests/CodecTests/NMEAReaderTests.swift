import Testing

@testable import Codec

/// A sentence with its checksum and line end.
func line(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  let digits = "0123456789ABCDEF".bytes
  return "$\(body)*" + String(decoding: [digits[Int(sum >> 4)], digits[Int(sum & 15)]], as: UTF8.self)
    + "\r\n"
}

private func read(_ pieces: [[UInt8]]) -> (sentences: [NMEASentence], counters: GNSSCounters.Frames) {
  let (messages, counters) = readLine(pieces)
  let sentences = messages.compactMap { if case .nmea(let sentence) = $0 { sentence } else { nil } }
  return (sentences, counters.nmea)
}

private func read(_ log: String) -> (sentences: [NMEASentence], counters: GNSSCounters.Frames) {
  read([log.bytes])
}

private func sentence(_ body: String) -> NMEASentence? { read(line(body)).sentences.first }

private func fix(_ body: String) -> NMEAFix? {
  guard case .gga(let fix) = read(line(body)).sentences.first else { return nil }
  return fix
}

private func minimum(_ body: String) -> NMEAMinimum? {
  guard case .rmc(let minimum) = read(line(body)).sentences.first else { return nil }
  return minimum
}

@Suite("NMEA 0183: the reader")
struct NMEAReaderTests {
  /// As receivers write at power-up and then with a fix, checksums included.
  static let log = """
    \u{0}\u{FF}garbage,1,2*00\r
    $GPRMC,,V,,,,,,,,,,N*53\r
    $GPVTG,,,,,,,,,N*30\r
    $GPGGA,,,,,,0,00,99.99,,,,,,*48\r
    $GPGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99*30\r
    $GPRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A*57\r
    $GPVTG,77.52,T,,M,0.004,N,0.008,K,A*06\r
    $GPGGA,092725.00,4717.11399,N,00833.91590,E,1,08,1.01,499.6,M,48.0,M,,*5B\r
    $GNRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A*57\r

    """

  @Test("reads a receiver's log from power-up to the first fix")
  func receiverLog() throws {
    let (sentences, counters) = read(Self.log)
    #expect(counters == frames(good: 7, badChecksum: 1))
    #expect(sentences.count == 7)
    let empty = NMEAMinimum(
      timeOfDayMilliseconds: nil, isValid: false, place: nil, speedKnots: nil, courseDegrees: nil, date: nil,
      mode: NMEAMode.none, isUnsafe: false)
    #expect(sentences.first == .rmc(empty))
    #expect(
      sentences[1]
        == .vtg(
          NMEAMotion(courseDegrees: nil, speedKnots: nil, speedKilometersPerHour: nil, mode: NMEAMode.none)))
    #expect(
      sentences[6]
        == .gga(
          NMEAFix(
            timeOfDayMilliseconds: 34_045_000, place: GNSSPlace(latitude: 47.285233166666664, longitude: 8.565265),
            quality: 1, satellites: 8, hdop: 1.01, altitudeMeters: 499.6)))
    #expect(
      sentences[5]
        == .vtg(
          NMEAMotion(
            courseDegrees: 77.52, speedKnots: 0.004, speedKilometersPerHour: 0.008, mode: .autonomous)))
  }

  @Test("reads the same wherever the stream is cut")
  func everySplit() {
    let bytes = Self.log.bytes
    let whole = read([bytes])
    let single = read(bytes.map { [$0] })
    #expect(single.sentences == whole.sentences && single.counters == whole.counters)
    for cut in 0...bytes.count {
      let halves = read([Array(bytes[..<cut]), Array(bytes[cut...])])
      #expect(halves.sentences == whole.sentences && halves.counters == whole.counters)
    }
  }

  @Test("reads any talker", arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "QZ", "GI", "PQ", "IN"])
  func talkers(_ talker: String) {
    #expect(minimum("\(talker)RMC,120000,A,,,,,,,010126")?.unixMilliseconds == 1_767_268_800_000)
  }

  @Test(
    "a coordinate is the double nearest to its digits",
    arguments: [
      ("4807.038,N,01131.000,E", 48.1173, 11.516666666666667),
      ("4807.038,S,01131.000,W", -48.1173, -11.516666666666667),
      ("0000.0000,N,00000.0000,E", 0, 0), ("9000.0000,N,18000.0000,W", 90, -180),
      ("5123.4567891234,N,00007.6543210987,W", 51.39094648539, -0.12757201831166667),
      ("4717,N,00833,E", 47.28333333333333, 8.55), ("4717.,N,00833.,E", 47.28333333333333, 8.55),
      ("0030.3,S,00030.3,E", -0.505, 0.505),
    ] as [(String, Double, Double)])
  func coordinates(_ fields: String, _ latitude: Double, _ longitude: Double) {
    let found = fix("GPGGA,000000,\(fields),1,05,1.0,10,M,0,M,,")
    #expect(found?.place?.latitude == latitude)
    #expect(found?.place?.longitude == longitude)
  }

  @Test(
    "refuses a sentence with a field that makes no sense, and counts it",
    arguments: [
      "GPGGA,240000,,,,,0,,,,M,,,,", "GPGGA,006000,,,,,0,,,,M,,,,", "GPGGA,000061,,,,,0,,,,M,,,,",
      "GPGGA,.5,,,,,0,,,,M,,,,", "GPGGA,0000000,,,,,0,,,,M,,,,",
      "GPGGA,120060,,,,,0,,,,M,,,,", "GPGGA,,4807.038,N,,,1,05,1,1,M,,,,",
      "GPGGA,000000x,,,,,0,,,,M,,,,", "GPGGA,000000.0.0,,,,,0,,,,M,,,,",
      "GPGGA,,4807.038,,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.038,X,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,4807.038,E,01131.000,N,1,05,1,1,M,,,,",
      "GPGGA,,,E,,,1,05,1,1,M,,,,", "GPGGA,,,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4860.000,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,9000.001,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,480.7038,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.0.8,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,-807.038,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.03812345678x,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,,,,,x,,,,M,,,,",
      "GPGGA,,,,,,1,00005,,,M,,,,", "GPGGA,,,,,,1,05,1e3,1,M,,,,",
      "GPGGA,,,,,,1,05,1,1,F,,,,", "GPGGA,,,,,,1,05,1,1,MM,,,,", "GPGGA,,,,,,1,05,1,--1,M,,,,",
      "GPGGA,,,,,,1,05,1,.,M,,,,", "GPGGA,,,,,,1,05", "GPGGA",
      "GPRMC,,,,,,,,,,", "GPRMC,,X,,,,,,,,", "GPRMC,,AV,,,,,,,,", "GPRMC,,A,,,,,,,310226,",
      "GPRMC,,A,,,,,,,290225,", "GPRMC,,A,,,,,,,000126,", "GPRMC,,A,,,,,,,011326,",
      "GPRMC,,A,,,,,,,1026,", "GPRMC,,A,,,,,,,01012x,", "GPRMC,,A,,,,,x,,,", "GPVTG,1,M,,M,,N,,K",
      "GPVTG,1,T,,M,1,K,1,N", "GPVTG,1,T,1,M,1",
      "GPGSV,1,2,01,01,,,", "GPGSV,,1,01,01,,,", "GPGSV,1,1,01,01,,", "GPGSV,1,1,01,01,1,1,1,G",
      "GPGSV,2,1,05,1,,,,2,,,,3,,,,4,,,,5,,,", "GPGSA,A,4,,,,,,,,,,,,,1,1,1", "GPGSA,A,3,1,1,1",
      "GPGSA,A,3,,,,,,,,,,,,,1,1,1,x",
      "GPZDA,120000,31,02,2026,,", "GPZDA,120000,300,02,2026,,", "GPZDA,120000", "GPGST,120000,,,,,1,x,1",
      "GPGLL,4807.038,N,01131.000,E,120000,X,A", "GPGNS,120000,4807.038,N,01131.000,E", "GPGBS,120000,a",
    ])
  func malformed(_ body: String) {
    let (sentences, counters) = read(line(body))
    #expect(sentences.isEmpty)
    #expect(counters == frames(malformed: 1))
  }

  @Test("counts what it skips by kind, and finds the next sentence")
  func counts() {
    let good = line("GPVTG,,T,,M,,N,,K")
    let tooLong = "$GPVTG," + String(repeating: "1", count: GNSSFrame.lineMax) + "\r\n"
    let cases: [(String, GNSSCounters.Frames)] = [
      (good.replacing("*", with: "x*"), frames(good: 1, badChecksum: 1)),
      ("$GPVTG,,T,,M,,N,,K\r\n", frames(good: 1, badChecksum: 1)),
      ("$\r\n", frames(good: 1, badChecksum: 1)),
      ("$*00\r\n", frames(good: 1, unknown: 1)),
      (tooLong, frames(good: 1, overlong: 1)),
      ("$GPVTG,,T,$GPVTG", frames(good: 1, broken: 2)),
      ("$GPV\u{1}TG", frames(good: 1, broken: 1)),
      ("$GP\u{E9}", frames(good: 1, broken: 1)),
      (line("GPTXT,1"), frames(good: 1, unknown: 1)),
      (line("PUBX,00"), frames(good: 1, ignored: 1)),
      (line("PMTK001,314,3"), frames(good: 1, ignored: 1)),
      (line("PQTMVER,1"), frames(good: 1, ignored: 1)),
      (line("EIGPQ,RMC"), frames(good: 1, ignored: 1)),
      (line("GPGSV,1"), frames(good: 1, malformed: 1)),
      ("\r\n\n\rnoise\r\n", frames(good: 1)),
    ]
    for (noise, counters) in cases {
      let found = read(noise + good)
      #expect(found.sentences.count == 1, "\(noise)")
      #expect(found.counters == counters, "\(noise)")
    }
  }

  @Test("the longest line is still read")
  func longestLine() {
    let start = "GPVTG,,T,,M,,N,,K,A,"
    let body = start + String(repeating: "x", count: GNSSFrame.lineMax - start.utf8.count - 3)
    #expect(read(line(body)).counters == frames(good: 1))
    #expect(read(line(body + "x")).counters == frames(overlong: 1))
  }

  @Test("a sentence with any one byte changed is never taken for another")
  func oneByteChanged() {
    let bytes = line("GPRMC,083559.00,A,4717.11437,N,00833.91522,E,0.004,77.52,091202,,,A").bytes
    for index in 1..<bytes.count - 4 {
      for bit in 0..<8 {
        var changed = bytes
        changed[index] ^= 1 << UInt8(bit)
        #expect(read([changed]).sentences.isEmpty)
      }
    }
  }

  @Test("damaged logs read the same in pieces of any size as at once")
  func damagedLogs() {
    var random = Seeded(61)
    for _ in 0..<1000 {
      let log = mutated(Self.log.bytes, &random)
      let whole = read([log])
      let cut = read(pieces(log, upTo: 50, &random))
      #expect(cut.sentences == whole.sentences && cut.counters == whole.counters)
    }
  }

  @Test("time of day keeps milliseconds, drops what is finer, and allows a leap second")
  func times() {
    #expect(minimum("GPRMC,235959.999,A,,,,,,,311226")?.timeOfDayMilliseconds == 86_399_999)
    #expect(minimum("GPRMC,000000.1,A,,,,,,,")?.timeOfDayMilliseconds == 100)
    #expect(minimum("GPRMC,000000.123999,A,,,,,,,")?.timeOfDayMilliseconds == 123)
    #expect(
      minimum("GPRMC,235960,A,,,,,,,311226")?.unixMilliseconds
        == minimum("GPRMC,000000,A,,,,,,,010127")?.unixMilliseconds)
    #expect(minimum("GPRMC,120000,A,,,,,,,")?.unixMilliseconds == nil)
    #expect(minimum("GPRMC,,A,,,,,,,010126")?.unixMilliseconds == nil)
  }

  @Test("a date of two digits lies between 1980 and 2079")
  func century() {
    #expect(minimum("GPRMC,120000,A,,,,,,,010179")?.date?.year == 2079)
    #expect(minimum("GPRMC,120000,A,,,,,,,060180")?.date?.year == 1980)
  }

  @Test("mode and navigational status are read where the edition has them, and only U is unsafe")
  func indicators() {
    let fields = "120000,A,4807.038,N,01131.000,E,,,010126"
    #expect(minimum("GPRMC,\(fields)")?.mode == nil)
    #expect(minimum("GPRMC,\(fields),,")?.mode == nil)
    #expect(minimum("GPRMC,\(fields),3.1,W,D")?.mode == .differential)
    #expect(minimum("GPRMC,\(fields),,,X")?.mode == nil)
    #expect(minimum("GPRMC,\(fields),,,A,V")?.isUnsafe == false)
    #expect(minimum("GPRMC,\(fields),,,A,U")?.isUnsafe == true)
  }

  // The examples of the u-blox 8 / M8 interface description, "NMEA protocol", checksums included.

  @Test("reads the maker's example of GNS: the best of the systems counts")
  func gns() {
    let sentences = read("$GNGNS,103600.01,5114.51176,N,00012.29380,W,ANNN,07,1.18,111.5,45.6,,,V*00\r\n").sentences
    #expect(
      sentences == [
        .gns(
          NMEACombinedFix(
            timeOfDayMilliseconds: 38_160_010,
            place: GNSSPlace(latitude: 51.24186266666667, longitude: -0.20489666666666667), mode: .autonomous,
            satellites: 7, hdop: 1.18, altitudeMeters: 111.5, isUnsafe: false))
      ])
    let corrected = "$GNGNS,122310.2,3722.425671,N,12258.856215,W,DAAA,14,0.9,1005.543,6.5,5.2,23*59\r\n"
    #expect(read(corrected).counters.good == 1)
    guard case .gns(let none)? = sentence("GNGNS,103600.01,,,,,NNNN,00,99.99,,,,,V") else {
      return #expect(Bool(false))
    }
    #expect(none.mode == NMEAMode.none)
  }

  @Test("reads the maker's examples of GLL, GST, ZDA and GBS")
  func smallKinds() {
    let log = """
      $GPGLL,4717.11364,N,00833.91565,E,092321.00,A,A*60\r
      $GPGST,082356.00,1.8,,,,1.7,1.3,2.2*7E\r
      $GPZDA,082710.00,16,09,2002,00,00*64\r
      $GPGBS,235503.00,1.6,1.4,3.2,,,,,,*40\r

      """ + line("GPGBS,235458.00,1.4,1.3,3.1,03,,-21.4,3.8,1,0")
    #expect(
      read(log).sentences == [
        .gll(
          NMEAPlace(
            place: GNSSPlace(latitude: 47.285227333333335, longitude: 8.565260833333333),
            timeOfDayMilliseconds: 33_801_000, isValid: true, mode: .autonomous)),
        .gst(
          NMEAErrors(
            timeOfDayMilliseconds: 30_236_000, latitudeMeters: 1.7, longitudeMeters: 1.3, altitudeMeters: 2.2)),
        .zda(
          NMEATime(timeOfDayMilliseconds: 30_430_000, date: CivilDate(year: 2002, month: 9, day: 16))),
        .gbs(
          NMEAFault(
            timeOfDayMilliseconds: 86_103_000, latitudeMeters: 1.6, longitudeMeters: 1.4, altitudeMeters: 3.2,
            satellite: nil)),
        .gbs(
          NMEAFault(
            timeOfDayMilliseconds: 86_098_000, latitudeMeters: 1.4, longitudeMeters: 1.3, altitudeMeters: 3.1,
            satellite: 3)),
      ])
  }

  @Test("reads the maker's examples of GSV")
  func gsv() throws {
    let log = """
      $GPGSV,3,1,10,23,38,230,44,29,71,156,47,07,29,116,41,08,09,081,36*7F\r

      """ + line("GPGSV,3,3,10,18,,,,26,,,")
    let pages = read(log).sentences.compactMap { if case .gsv(let page) = $0 { page } else { nil } }
    try #require(pages.count == 2)
    #expect(pages[0].pages == 3 && pages[0].page == 1 && pages[0].count == 4 && pages[0].signal == 0)
    #expect(
      pages[0][1] == GNSSSatellite(SatelliteID(.gps, 29), elevation: 71, azimuth: 156, strength: 47))
    #expect(
      pages[1][0] == GNSSSatellite(SatelliteID(.gps, 18), elevation: nil, azimuth: nil, strength: nil))
    guard case .gsv(let odd)? = sentence("GPGSV,1,1,03,12,-1,360,,33,91,361,42,999,,,,A") else {
      return #expect(Bool(false))
    }
    #expect(odd.count == 2 && odd.signal == 10)
    #expect(odd[0] == GNSSSatellite(SatelliteID(.gps, 12), elevation: -1, azimuth: 0, strength: nil))
    #expect(odd[1] == GNSSSatellite(SatelliteID(.sbas, 120), elevation: nil, azimuth: nil, strength: 42))
  }

  @Test("GSA says how many dimensions, which satellites, and of which system")
  func gsa() {
    func active(_ body: String) -> NMEAActiveSatellites? {
      if case .gsa(let active)? = sentence(body) { active } else { nil }
    }
    let gps = active("GPGSA,A,3,23,29,07,08,09,18,26,28,,,,,1.94,1.18,1.54,1")
    #expect(gps?.dimensions == 3 && gps?.count == 8 && gps?.hdop == 1.18 && gps?.system == .gps)
    #expect(gps?[7] == SatelliteID(.gps, 28))
    let galileo = active("GNGSA,A,2,02,36,,,,,,,,,,,1.94,1.18,1.54,3")
    #expect(galileo?.dimensions == 2 && galileo?[1] == SatelliteID(.galileo, 36))
    let underGP = active("GPGSA,A,3,02,36,,,,,,,,,,,1.94,1.18,1.54,3")
    #expect(underGP?.system == .galileo && underGP?[0] == SatelliteID(.galileo, 2))
    let mixed = active("GNGSA,M,1,02,40,70,,,,,,,,,,,,")
    #expect(mixed?.dimensions == 1 && mixed?.system == nil && mixed?.hdop == nil && mixed?.count == 3)
    #expect(mixed?[1] == SatelliteID(.sbas, 127) && mixed?[2] == SatelliteID(.glonass, 6))
  }

  @Test(
    "satellites are told apart by talker, and where one speaks for several by their number",
    arguments: [
      ("GP", 1, .gps, 1), ("GP", 32, .gps, 32), ("GP", 33, .sbas, 120), ("GP", 64, .sbas, 151),
      ("GP", 152, .sbas, 152), ("GP", 193, .qzss, 1), ("GL", 65, .glonass, 1), ("GL", 96, .glonass, 32),
      ("GL", 7, .glonass, 7), ("GN", 70, .glonass, 6), ("GA", 36, .galileo, 36), ("GN", 301, .galileo, 1),
      ("GB", 63, .beidou, 63), ("BD", 5, .beidou, 5), ("GB", 203, .beidou, 3), ("GB", 105, .beidou, 5),
      ("GN", 437, .beidou, 37), ("GQ", 3, .qzss, 3), ("QZ", 195, .qzss, 3), ("GI", 14, .navic, 14),
      ("PQ", 12, .beidou, 12), ("PQ", 212, .beidou, 12), ("PQ", 412, .beidou, 12), ("PQ", 193, .qzss, 1),
    ] as [(String, Int, Constellation, UInt8)])
  func numbers(_ talker: String, _ number: Int, _ constellation: Constellation, _ expected: UInt8) {
    guard case .gsv(let page)? = sentence("\(talker)GSV,1,1,01,\(number),,,") else {
      return #expect(Bool(false))
    }
    #expect(page.count == 1 && page[0].id == SatelliteID(constellation, expected))
  }
}
