import Testing

@testable import Codec

/// A sentence with its checksum and line end.
private func line(_ body: String) -> String {
  let sum = body.utf8.reduce(0, ^)
  let digits = "0123456789ABCDEF".bytes
  return "$\(body)*" + String(decoding: [digits[Int(sum >> 4)], digits[Int(sum & 15)]], as: UTF8.self)
    + "\r\n"
}

private func read(_ pieces: [[UInt8]]) -> (sentences: [NMEASentence], counters: NMEAReader.Counters) {
  var reader = NMEAReader()
  var sentences: [NMEASentence] = []
  for piece in pieces {
    var index = 0
    while let sentence = reader.next(piece.span, at: &index) { sentences.append(sentence) }
    #expect(index == piece.count)
  }
  return (sentences, reader.counters)
}

private func read(_ log: String) -> (sentences: [NMEASentence], counters: NMEAReader.Counters) {
  read([log.bytes])
}

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
    #expect(counters.good == 6)
    #expect(counters.unknown == 1)
    #expect(counters.badChecksum == 1)
    #expect(sentences.count == 6)
    let empty = NMEAMinimum(
      timeOfDayMilliseconds: nil, isValid: false, latitude: nil, longitude: nil, speedKnots: nil,
      courseDegrees: nil, date: nil)
    #expect(sentences.first == .rmc(empty))
    #expect(
      sentences[1] == .vtg(NMEAMotion(courseDegrees: nil, speedKnots: nil, speedKilometersPerHour: nil)))
    #expect(
      sentences[5]
        == .gga(
          NMEAFix(
            timeOfDayMilliseconds: 34_045_000, latitude: 47.285233166666664, longitude: 8.565265, quality: 1,
            satellites: 8,
            hdop: 1.01, altitudeMeters: 499.6)))
    #expect(
      sentences[4] == .vtg(NMEAMotion(courseDegrees: 77.52, speedKnots: 0.004, speedKilometersPerHour: 0.008))
    )
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

  @Test("reads any talker", arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "QZ"])
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
    #expect(found?.latitude == latitude)
    #expect(found?.longitude == longitude)
  }

  @Test(
    "refuses a sentence with a field that makes no sense, and counts it",
    arguments: [
      "GPGGA,240000,,,,,0,,,,M,,,,", "GPGGA,006000,,,,,0,,,,M,,,,", "GPGGA,000061,,,,,0,,,,M,,,,",
      "GPGGA,00000,,,,,0,,,,M,,,,",
      "GPGGA,000000x,,,,,0,,,,M,,,,", "GPGGA,000000.0.0,,,,,0,,,,M,,,,",
      "GPGGA,,4807.038,,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.038,X,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,4807.038,E,01131.000,N,1,05,1,1,M,,,,",
      "GPGGA,,,N,,,1,05,1,1,M,,,,",
      "GPGGA,,4860.000,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,9000.001,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,480.7038,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.0.8,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,-807.038,N,01131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.038,N,1131.000,E,1,05,1,1,M,,,,",
      "GPGGA,,4807.0381234567890,N,01131.000,E,1,05,1,1,M,,,,", "GPGGA,,,,,,x,,,,M,,,,",
      "GPGGA,,,,,,1,00005,,,M,,,,", "GPGGA,,,,,,1,05,1e3,1,M,,,,",
      "GPGGA,,,,,,1,05,1,1,F,,,,", "GPGGA,,,,,,1,05,1,1,,,,,", "GPGGA,,,,,,1,05,1,--1,M,,,,",
      "GPGGA,,,,,,1,05,1,.,M,,,,", "GPGGA,,,,,,1,05", "GPGGA",
      "GPRMC,,,,,,,,,,", "GPRMC,,X,,,,,,,,", "GPRMC,,AV,,,,,,,,", "GPRMC,,A,,,,,,,310226,",
      "GPRMC,,A,,,,,,,290225,", "GPRMC,,A,,,,,,,000126,", "GPRMC,,A,,,,,,,011326,",
      "GPRMC,,A,,,,,,,10126,", "GPRMC,,A,,,,,,,01012x,", "GPRMC,,A,,,,,x,,,", "GPVTG,1,M,,M,,N,,K",
      "GPVTG,1,T,,M,1,K,1,N", "GPVTG,1,T,1,M,1",
    ])
  func malformed(_ body: String) {
    let (sentences, counters) = read(line(body))
    #expect(sentences.isEmpty)
    #expect(counters == NMEAReader.Counters(malformed: 1))
  }

  @Test("counts what it skips by kind, and finds the next sentence")
  func counts() {
    let good = line("GPVTG,,T,,M,,N,,K")
    let tooLong = "$GPVTG," + String(repeating: "1", count: 200) + "\r\n"
    let cases: [(String, NMEAReader.Counters)] = [
      (good.replacing("*", with: "x*"), NMEAReader.Counters(good: 1, badChecksum: 1)),
      ("$GPVTG,,T,,M,,N,,K\r\n", NMEAReader.Counters(good: 1, badChecksum: 1)),
      ("$\r\n", NMEAReader.Counters(good: 1, badChecksum: 1)),
      ("$*00\r\n", NMEAReader.Counters(good: 1, unknown: 1)),
      (tooLong, NMEAReader.Counters(good: 1, overlong: 1)),
      ("$GPVTG,,T,$GPVTG", NMEAReader.Counters(good: 1, broken: 2)),
      ("$GPV\u{1}TG", NMEAReader.Counters(good: 1, broken: 1)),
      ("$GP\u{E9}", NMEAReader.Counters(good: 1, broken: 1)),
      (line("GPGSV,1"), NMEAReader.Counters(good: 1, unknown: 1)),
      (line("PUBX,00"), NMEAReader.Counters(good: 1, unknown: 1)),
      ("\r\n\n\rnoise\r\n", NMEAReader.Counters(good: 1)),
    ]
    for (noise, counters) in cases {
      let found = read(noise + good)
      #expect(found.sentences.count == 1, "\(noise)")
      #expect(found.counters == counters, "\(noise)")
    }
  }

  @Test("the longest line is still read")
  func longestLine() {
    let start = "GPVTG,,T,,M,,N,,K,"
    let body = start + String(repeating: "x", count: NMEAReader.lineMax - start.utf8.count - 3)
    #expect(read(line(body)).counters == NMEAReader.Counters(good: 1))
    #expect(read(line(body + "x")).counters == NMEAReader.Counters(overlong: 1))
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
}
