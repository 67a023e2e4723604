import Codec
import TestSupport
import Testing

@testable import Location

/// The same track, told in sentences, in UBX and by a gpsd: the answers are the same.
@Suite struct SourcesTests {
  /// What a source tells in each second, besides the place.
  struct Telling: Sendable {
    enum Day: CaseIterable { case told, missing, wrong }

    var day = Day.told
    var hasHeight = true
    var hasError = true
    /// Seconds from one report of the geometry to the next; 0 for none.
    var geometry = 1
    var hasSatellites = true
    var hasTime = true
    var hasFix = true
    var mode = Fix.Mode.threeDimensions

    static var all: [Telling] {
      var all: [Telling] = []
      for day in Day.allCases {
        for geometry in [0, 1, 2] {
          for bits in 0..<16 {
            all.append(
              Telling(
                day: day, hasHeight: bits & 1 == 0, hasError: bits & 2 == 0, geometry: geometry,
                hasSatellites: bits & 4 == 0, hasTime: bits & 8 == 0))
          }
        }
      }
      return all
    }
  }

  private static let seconds = 10..<30

  // MARK: The sources

  private static func sentences(_ told: Telling, _ second: Int) -> String {
    let time = told.hasTime ? "1235\(second)" : ""
    let date = ["150726", "", "291106"][told.day == .told ? 0 : told.day == .missing ? 1 : 2]
    let qualities: [Fix.Mode: Int] = [.deadReckoning: 6, .manual: 7, .simulated: 8]
    let quality = told.hasFix ? qualities[told.mode] ?? 1 : 0
    let hasGeometry = told.geometry > 0 && second % told.geometry == 0
    let height = told.hasHeight ? "545.4" : ""
    var text = Receiver.sentence(
      "GPGGA,\(time),4807.038,N,01131.000,E,\(quality),\(told.hasSatellites ? "09" : ""),"
        + "\(hasGeometry ? "0.9" : ""),\(height),M,46.9,M,,")
    text += Receiver.sentence("GPGSA,A,\(told.hasHeight ? 3 : 2),,,,,,,,,,,,,,,")
    return text + Receiver.rmc(time, date, status: told.hasFix ? "A" : "V")
      + (told.hasError ? Receiver.sentence("GPGST,\(time),1.8,,,,1.5,2.0,3.9") : "")
  }

  private static func frames(_ told: Telling, _ second: Int) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { Receiver.little(value, count) }
    let kind: UInt8 =
      switch told.mode {
      case .deadReckoning: 1
      case .combined: 4
      default: told.hasHeight ? 3 : 2
      }
    let (date, time): (UInt8, UInt8) = (told.day == .missing ? 0 : 1, told.hasTime ? 6 : 0)
    var bytes = little(second * 1000, 4) + little(told.day == .wrong ? 2006 : 2026, 2)
    bytes += [7, 15, 12, 35, UInt8(second), date | time] + little(25, 4) + little(0, 4)
    bytes += [kind, told.hasFix ? 1 : 0, 0xE0, told.hasSatellites ? 9 : 0] + little(115_166_667, 4)
    bytes += little(481_173_000, 4) + little(592_300, 4) + little(545_400, 4)
    bytes += little(told.hasError ? 2_500 : 0, 4) + little(told.hasError ? 3_900 : 0, 4) + little(0, 12)
    bytes += little(11_523, 4) + little(8_440_000, 4) + little(0, 8) + little(150, 2)
    bytes += [UInt8](repeating: 0, count: 14)
    let hasGeometry = told.geometry > 0 && second % told.geometry == 0
    let values = [250, 180, 90, 150, 90, 60, 70].flatMap { little($0, 2) }
    let dilution = hasGeometry ? Receiver.ubx(0x01, 0x04, little(second * 1000, 4) + values) : []
    return dilution + Receiver.ubx(0x01, 0x07, bytes)
  }

  private static func reports(_ told: Telling, _ second: Int) -> String {
    let hasGeometry = told.geometry > 0 && second % told.geometry == 0
    var sky = #"{"class":"SKY""#
    if hasGeometry { sky += #","hdop":0.9"# }
    if told.hasSatellites { sky += #","uSat":9"# }
    // A time of a gpsd always has a date.
    let day = told.day == .told ? "2026-07-15" : "2006-11-29"
    var position = #"{"class":"TPV","mode":\#(!told.hasFix ? 1 : told.hasHeight ? 3 : 2)"#
    if told.hasTime { position += #","time":"\#(day)T12:35:\#(second).000Z""# }
    let status: [Fix.Mode: Int] = [.deadReckoning: 5, .combined: 6, .manual: 7, .simulated: 8]
    position += #","status":\#(status[told.mode] ?? 1),"lat":48.1173,"lon":11.516666667,"speed":11.523,"track":84.4"#
    if told.hasHeight { position += #","altMSL":545.4"# }
    if told.hasError { position += #","eph":2.5,"epv":3.9"# }
    return sky + "}\n" + position + "}\n"
  }

  // MARK: The answers

  /// What `location.get` answers after each second.
  private static func answers(_ tellings: [Telling], _ read: (Telling, Int, Int64) -> Fix?) -> [String] {
    seconds.map { second in
      let told = tellings[second % tellings.count]
      return read(told, second, Int64(second) * 1000).map { fix in json { fix.write(to: &$0) } } ?? "none"
    }
  }

  /// The answers of the three sources.
  private static func all(
    _ tellings: [Telling], wall: Int64 = ManualClock().wall
  ) -> (sentences: [String], frames: [String], reports: [String]) {
    let (sentences, frames) = (TrackerUnderTest(), TrackerUnderTest())
    (sentences.wall, frames.wall) = (wall, wall)
    let ofSentences = answers(tellings) { told, second, now in
      sentences.read(Self.sentences(told, second), at: now)
      return sentences.latest
    }
    let ofFrames = answers(tellings) { told, second, now in
      frames.read(Self.frames(told, second), at: now)
      return frames.latest
    }
    var tracker = FixTracker()
    var reader = GPSDReader()
    let ofReports = seconds.map { second -> String in
      let bytes = Array(Self.reports(tellings[second % tellings.count], second).utf8)
      var index = 0
      while let report = reader.next(bytes.span, at: &index) {
        _ = tracker.accept(report, at: Int64(second) * 1000, wall: wall)
      }
      return tracker.latest.map { fix in json { fix.write(to: &$0) } } ?? "none"
    }
    return (ofSentences, ofFrames, ofReports)
  }

  @Test("with and without date, time, height, error, geometry and satellites", arguments: Telling.all)
  func same(_ told: Telling) {
    let (sentences, frames, reports) = Self.all([told])
    #expect(sentences.dropFirst(3) == frames.dropFirst(3) && frames == reports, "\(told)")
    #expect(frames.allSatisfy { ($0 == "none") == !told.hasTime })
    if told.hasTime {
      let last = frames.last ?? ""
      #expect(last.contains("altitudeMeters") == told.hasHeight)
      #expect(last.contains(#""satellites":9"#) == told.hasSatellites)
      let meters = told.hasError ? "2.5" : told.geometry > 0 ? "4.5" : "150.0"
      #expect(last.contains(#""accuracyMeters":\#(meters),"#) && last.contains("2026-07-15T12:35:29"))
    }
  }

  @Test(
    "positions that were not measured by satellites alone",
    arguments: [Fix.Mode.deadReckoning, .manual, .simulated, .combined])
  func modes(_ mode: Fix.Mode) {
    let (sentences, frames, reports) = Self.all([Telling(mode: mode)])
    // NMEA has no word for combined, UBX none for manual and simulated.
    if mode != .combined { #expect(sentences.dropFirst(3) == reports.dropFirst(3)) }
    if mode == .deadReckoning || mode == .combined { #expect(frames == reports) }
  }

  @Test("the fix is lost, the last one stays, and values of before are forgotten")
  func lost() {
    var (bare, none) = (Telling(), Telling())
    (bare.geometry, bare.hasSatellites, none.hasFix) = (0, false, false)
    let (sentences, frames, reports) = Self.all([Telling(), Telling(), none, bare])
    #expect(sentences.dropFirst(4) == frames.dropFirst(4) && frames == reports)
    #expect(Set(frames.map { $0.contains("satellites") }).count == 2)
  }

  @Test("without the board's clock a date that cannot be believed is that of the receiver's last good one")
  func lastDate() {
    var wrong = Telling()
    wrong.day = .wrong
    let (sentences, frames, reports) = Self.all([Telling(), wrong], wall: 0)
    #expect(sentences.dropFirst(3) == frames.dropFirst(3) && frames == reports)
    #expect(frames.allSatisfy { $0.contains("2026-07-15T12:35:") })
  }
}
