import Codec
import Runtime
import Testing

@testable import Location

/// A tracker that follows a daemon.
private final class DaemonUnderTest {
  private var tracker = FixTracker()
  private var reader = GPSDReader()
  var latest: Fix? { tracker.latest }
  var time: GNSSTime? { tracker.time }
  var mode: Fix.Mode { tracker.mode }
  var satellitesInView: SatellitesInView { tracker.satellitesInView }
  var lacksDate: Bool { tracker.lacksDate }

  /// Reads a line; true when it made a new fix.
  @discardableResult
  func read(_ line: String, at arrival: Int64 = 0, wall: Int64 = 0) -> Bool {
    let bytes = Array((line + "\n").utf8)
    var (index, isNew) = (0, false)
    while let report = reader.next(bytes.span, at: &index) {
      isNew = tracker.accept(report, at: arrival, wall: wall) || isNew
    }
    return isNew
  }
}

@Suite struct GPSDReaderTests {
  /// As gpsd 3.22 writes for a receiver of sentences, shortened to two epochs.
  private static let log = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/0","native":0,"bps":38400,"parity":"N",\
    "stopbits":1,"cycle":1.00}]}\r
    {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"split24":false,\
    "pps":false}\r
    {"class":"ERROR","message":"Unrecognized request '?FOO;\\n'"}\r
    {"class":"TPV","device":"/dev/pts/0","mode":1}\r
    {"class":"TPV","device":"/dev/pts/0","mode":3,"lat":46.947983333,"lon":7.447480000,"altHAE":590.1000,\
    "altMSL":542.2000,"alt":542.2000,"magvar":2.3,"geoidSep":47.900,"eph":17.100}\r
    {"class":"SKY","device":"/dev/pts/0","xdop":1.29,"ydop":1.22,"vdop":1.20,"tdop":2.57,"hdop":0.90,"gdop":6.07,\
    "pdop":1.50,"nSat":3,"uSat":2,"satellites":[{"PRN":1,"el":40.0,"az":83.0,"ss":46.0,"used":true,"gnssid":0,\
    "svid":1},{"PRN":2,"el":17.0,"az":308.0,"ss":41.0,"used":false,"gnssid":0,"svid":2},{"PRN":66,"el":40.0,\
    "az":83.0,"ss":46.0,"used":true,"gnssid":6,"svid":2}]}\r
    {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-06-01T09:00:09.000Z","ept":0.005,\
    "lat":46.947975000,"lon":7.447446667,"altHAE":589.9000,"altMSL":542.0000,"alt":542.0000,"epx":19.418,\
    "epy":18.306,"epv":27.600,"track":68.0000,"magtrack":70.2917,"magvar":2.3,"speed":1.338,"climb":0.000,\
    "eps":38.84,"epc":55.20,"geoidSep":47.900,"eph":17.100,"sep":28.500}\r
    {"class":"TPV","device":"/dev/pts/0","mode":3,"time":"2026-06-01T09:00:10.000Z","leapseconds":18,"ept":0.005,\
    "lat":46.948015000,"lon":7.447593333,"altHAE":590.8000,"track":68.0000,"speed":0.338,"geoidSep":47.900,\
    "epx":3,"epy":4}\r

    """

  private func read(_ pieces: [[UInt8]]) -> (reports: [GPSDReport], counters: GNSSCounters) {
    var reader = GPSDReader()
    var reports: [GPSDReport] = []
    for piece in pieces {
      var index = 0
      while let report = reader.next(piece.span, at: &index) { reports.append(report) }
      precondition(index == piece.count)
    }
    return (reports, reader.counters)
  }

  private func read(_ text: String) -> [GPSDReport] { read([Array((text + "\n").utf8)]).reports }

  private func position(_ members: String) -> GPSDPosition? {
    if case .position(let position)? = read(#"{"class":"TPV",\#(members)}"#).first { position } else { nil }
  }

  @Test("reads what a daemon writes, and counts what it does not need")
  func log() throws {
    let (reports, counters) = read([Array(Self.log.utf8)])
    #expect(counters.gpsd.good == 8 && counters.gpsd.unknown == 1 && counters.gpsd.malformed == 0)
    #expect(counters.bytes == UInt64(Self.log.utf8.count))
    #expect(reports.count == 8 + 3)
    #expect(reports[0] == .version(major: 3, minor: 14) && reports[1] == .devices(1) && reports[2] == .error)
    let path = Array(#""/dev/pts/0""#.utf8)
    let device = GPSDDevice(path.span)
    var position = GPSDPosition()
    position.device = device
    #expect(reports[3] == .position(position))
    var sky = GPSDSky()
    (sky.device, sky.hdop, sky.used, sky.count) = (device, 0.9, 2, 3)
    #expect(reports[5] == .sky(sky))
    #expect(
      reports[8]
        == .satellite(
          GNSSSatellite(SatelliteID(.glonass, 2), elevation: 40, azimuth: 83, strength: 46, isUsed: true), signal: 0))
  }

  @Test("reads the same however it is cut")
  func cut() {
    let bytes = Array(Self.log.utf8)
    let whole = read([bytes])
    for length in [1, 2, 7, 100, 512] {
      let starts = stride(from: 0, to: bytes.count, by: length)
      let cut = read(starts.map { Array(bytes[$0..<min($0 + length, bytes.count)]) })
      #expect(cut.reports == whole.reports && cut.counters == whole.counters)
    }
  }

  @Test("a position with its moment is a fix; one without is none")
  func fixes() throws {
    let tracker = DaemonUnderTest()
    let lines = Self.log.split(separator: "\r\n").map(String.init)
    for line in lines[..<7] { #expect(!tracker.read(line)) }
    #expect(tracker.latest == nil && tracker.satellitesInView.count == 3 && tracker.satellitesInView.usedCount == 2)
    #expect(tracker.read(lines[7], at: 70))
    let fix = try #require(tracker.latest)
    #expect(fix.latitude == 46.947975 && fix.longitude == 7.447446667 && fix.altitude == 542)
    #expect(fix.speed == 1.338 && fix.heading == 68 && fix.accuracy == 17.1 && fix.accuracySource == .receiver)
    #expect(fix.verticalAccuracy == 27.6 && fix.satellites == 2 && fix.hdop == 0.9 && fix.mode == .threeDimensions)
    #expect(fix.instant == 1_780_304_409_000 && fix.arrival == 70)
    #expect(tracker.time == GNSSTime(instant: 1_780_304_409_000, arrival: 70, isFullyResolved: true))
    #expect(tracker.read(lines[8], at: 1070))
    let second = try #require(tracker.latest)
    #expect(abs(try #require(second.altitude) - 542.9) < 1e-9 && second.accuracy == 5 && second.heading == nil)
  }

  @Test("another report of the same moment improves the fix, or takes it back, and makes no second one")
  func sameMoment() {
    let tracker = DaemonUnderTest()
    let start = #"{"class":"TPV","time":"2026-06-01T09:00:09.000Z","lat":46,"lon":7,"mode":"#
    #expect(tracker.read(start + "2}", at: 100))
    #expect(!tracker.read(start + #"3,"altMSL":542}"#, at: 200))
    #expect(tracker.latest?.altitude == 542 && tracker.latest?.arrival == 100)
    #expect(!tracker.read(start + "1}", at: 300))
    #expect(tracker.latest == nil && tracker.mode == .none)
  }

  @Test("a fix outlives the loss of the satellites; a moment out of order is dropped until the next one continues it")
  func order() {
    let tracker = DaemonUnderTest()
    func at(_ second: Int, mode: Int = 3) -> String {
      #"{"class":"TPV","time":"2026-06-01T09:00:\#(second)Z","lat":46,"lon":7,"mode":\#(mode)}"#
    }
    #expect(tracker.read(at(20)))
    #expect(!tracker.read(at(21, mode: 1)) && tracker.latest != nil)
    #expect(!tracker.read(at(11)))
    #expect(tracker.read(at(12)) && tracker.read(at(13)))
  }

  @Test(
    "how the position came about",
    arguments: [
      ("0", "0", .none), ("1", "1", .none), ("2", "1", .twoDimensions), ("3", "2", .threeDimensions),
      ("3", "4", .threeDimensions), ("3", "5", .deadReckoning), ("3", "6", .combined), ("3", "7", .manual),
      ("3", "8", .simulated), ("4", "1", .none), ("-1", "1", .none),
    ] as [(String, String, Fix.Mode)])
  func modes(_ mode: String, _ status: String, _ expected: Fix.Mode) {
    #expect(position(#""mode":\#(mode),"status":\#(status)"#)?.mode == expected)
  }

  @Test("heights above the ellipsoid count only with the geoid's, older daemons say alt")
  func altitudes() {
    #expect(position(#""mode":3,"altHAE":590"#)?.altitudeMeters == nil)
    #expect(position(#""mode":3,"altHAE":590,"geoidSep":48"#)?.altitudeMeters == 542)
    #expect(position(#""mode":3,"alt":541"#)?.altitudeMeters == 541)
    #expect(position(#""mode":2,"alt":541"#)?.altitudeMeters == nil)
  }

  @Test("dates that cannot be believed give way to the board's clock, and leap seconds are no moments")
  func dates() {
    let tracker = DaemonUnderTest()
    let old = #"{"class":"TPV","time":"2006-11-29T12:35:19.000Z","lat":46,"lon":7,"mode":3}"#
    #expect(!tracker.read(old) && tracker.lacksDate && tracker.time == nil)
    #expect(tracker.read(old, wall: 1_784_118_920_000))
    #expect(tracker.latest?.instant == 1_784_118_919_000 && tracker.time == nil)
    let long = #""2026-12-31T23:59:59.000Z xxxxxxxxxxxxxxxxxxxxxxxxxxxx""#
    for time in [#""2026-12-31T23:59:60.000Z""#, #""now""#, "[12]", "1e300", "-1", #""""#, "null", long] {
      #expect(position(#""mode":3,"time":\#(time)"#)?.instant == nil)
    }
  }

  @Test("a daemon before 3.0 writes the time as seconds, and knows no error but those of the axes")
  func oldDaemon() throws {
    let tracker = DaemonUnderTest()
    let line =
      #"{"class":"TPV","tag":"MID2","device":"/dev/pts/1","time":1780304409.280,"ept":0.005,"lat":46.498293369,"#
      + #""lon":7.567411672,"alt":1343.127,"epx":3.0,"epy":4.0,"epv":32.321,"track":10.3788,"speed":0.591,"mode":3}"#
    #expect(tracker.read(line))
    let fix = try #require(tracker.latest)
    #expect(fix.instant == 1_780_304_409_280 && fix.altitude == 1343.127 && fix.accuracy == 5)
  }

  @Test("of several receivers one is followed while it has a fix, whatever the others lack or have")
  func severalReceivers() {
    let tracker = DaemonUnderTest()
    func position(_ device: String, _ second: Int, mode: Int, latitude: Int) -> String {
      #"{"class":"TPV","device":"/dev/\#(device)","time":"2026-06-01T09:00:\#(second)Z","lat":\#(latitude),"lon":7,"#
        + #""mode":\#(mode)}"#
    }
    func sky(_ device: String, _ count: Int) -> String {
      let list = (0..<count).map { #"{"PRN":\#($0 + 1)}"# }.joined(separator: ",")
      return #"{"class":"SKY","device":"/dev/\#(device)","satellites":[\#(list)]}"#
    }
    for second in 10..<20 {
      let now = Int64(second) * 1000
      tracker.read(sky("b", 0), at: now)
      tracker.read(position("b", second, mode: 1, latitude: 0), at: now)
      tracker.read(sky("a", 4), at: now)
      #expect(tracker.read(position("a", second, mode: 3, latitude: 46), at: now))
      tracker.read(sky("b", 0), at: now)
      tracker.read(position("b", second, mode: second % 2 == 0 ? 1 : 3, latitude: 50), at: now)
      tracker.read(#"{"class":"TPV","device":"/dev/b","mode":1}"#, at: now)
      #expect(tracker.latest?.latitude == 46 && tracker.mode == .threeDimensions)
      #expect(tracker.satellitesInView.count == 4)
    }
    // The followed one loses its fix: the other one counts at once.
    tracker.read(position("a", 20, mode: 1, latitude: 46), at: 20_000)
    #expect(tracker.mode == .none)
    #expect(tracker.read(position("b", 21, mode: 3, latitude: 50), at: 21_000))
    #expect(!tracker.read(position("a", 22, mode: 3, latitude: 46), at: 22_000))
    // It falls silent: the other one counts after a while.
    #expect(tracker.read(position("a", 37, mode: 3, latitude: 46), at: 37_000))
  }

  @Test(
    "lines that are no JSON, no report, or say what cannot be are counted",
    arguments: [
      "{", "[]", "{}", #"{"class":"TPV","lat":91,"lon":0}"#, #"{"class":"TPV","lat":0,"lon":-181}"#, "noise",
      #"{"class":"TPV""#, String(repeating: "[", count: 100),
    ])
  func malformed(_ line: String) {
    let (reports, counters) = read([Array((line + "\n" + #"{"class":"ERROR"}"# + "\n").utf8)])
    #expect(reports == [.error] && counters.gpsd.malformed == 1 && counters.gpsd.good == 1)
  }

  @Test("a line up to the longest is read, a longer one is skipped and counted")
  func longest() {
    let start = #"{"class":"ERROR","message":""#
    let room = Budget.gpsdLineBytes - start.utf8.count - 2
    func line(_ count: Int) -> [UInt8] { Array((start + String(repeating: "x", count: count) + "\"}\n").utf8) }
    #expect(read([line(room)]).reports == [.error])
    let (reports, counters) = read([line(room + 1) + line(1)])
    #expect(reports == [.error] && counters.gpsd.overlong == 1)
  }

  @Test("no more satellites than the budget has; of older daemons those whose range is known")
  func satellites() {
    let many = (1...Budget.satellites + 9).map { #"{"gnssid":2,"svid":\#($0),"used":true}"# }.joined(separator: ",")
    let reports = read(#"{"class":"SKY","satellites":[\#(many)]}"#)
    #expect(reports.count == 1 + Budget.satellites)
    if case .sky(let sky) = reports[0] { #expect(sky.used == UInt32(Budget.satellites + 9)) }
    let old = read(
      #"{"class":"SKY","satellites":[{"PRN":7,"el":1.6,"az":360,"ss":300,"used":true},{"PRN":70},{"PRN":600},"#
        + #"{"PRN":133},7]}"#)
    #expect(
      old.dropFirst() == [
        .satellite(
          GNSSSatellite(SatelliteID(.gps, 7), elevation: 2, azimuth: 0, strength: nil, isUsed: true), signal: 0),
        .satellite(
          GNSSSatellite(SatelliteID(.glonass, 6), elevation: nil, azimuth: nil, strength: nil), signal: 0),
        .satellite(GNSSSatellite(SatelliteID(.sbas, 133), elevation: nil, azimuth: nil, strength: nil), signal: 0),
      ])
    // Geometry alone leaves the list.
    let tracker = DaemonUnderTest()
    tracker.read(#"{"class":"SKY","satellites":[{"PRN":7}]}"#)
    tracker.read(#"{"class":"SKY","hdop":1.5}"#)
    #expect(tracker.satellitesInView.count == 1)
  }

  @Test("another connection continues nothing")
  func restart() {
    var reader = GPSDReader()
    var index = 0
    let half = Array(#"{"class":"ER"#.utf8)
    #expect(reader.next(half.span, at: &index) == nil)
    reader.restart()
    index = 0
    let whole = Array((#"{"class":"ERROR"}"# + "\n").utf8)
    #expect(reader.next(whole.span, at: &index) == .error)
  }
}
