import Testing

@testable import Location

/// What each kind of message does to a fix.
@Suite struct FixTrackerKindsTests {
  private let tracker = TrackerUnderTest()

  // MARK: NMEA

  @Test("GNS and RMC make a fix, also the best of several systems' modes")
  func gns() throws {
    let gns = Receiver.sentence("GNGNS,123519,4807.038,N,01131.000,E,NAN,07,1.2,111.5,45.6,,,V")
    #expect(tracker.read(gns + Receiver.rmc("123519")))
    let fix = try #require(tracker.latest)
    #expect(fix.altitude == 111.5 && fix.satellites == 7 && fix.hdop == 1.2 && abs(fix.accuracy - 6) < 1e-9)
    #expect(fix.mode == .threeDimensions)
  }

  @Test("a receiver that sends only GLL and ZDA is understood from its second epoch on")
  func gll() throws {
    func epoch(_ time: String) -> String {
      Receiver.sentence("GPGLL,4807.038,N,01131.000,E,\(time),A,A")
        + Receiver.sentence("GPZDA,\(time),15,07,2026,00,00")
    }
    tracker.wall = 0
    tracker.read(epoch("123519"))
    #expect(tracker.read(epoch("123520")))
    let fix = try #require(tracker.latest)
    #expect(fix.instant == 1_784_118_920_000 && fix.mode == .twoDimensions && fix.altitude == nil)
  }

  @Test(
    "what any sentence calls no fix is none",
    arguments: [
      Receiver.gsa(1), Receiver.sentence("GPGLL,4807.038,N,01131.000,E,123519,V,N"),
      Receiver.sentence("GPGLL,4807.038,N,01131.000,E,123519,A,N"),
      Receiver.sentence("GNGNS,123519,4807.038,N,01131.000,E,NNN,00,99.9,1,1,,"),
      Receiver.sentence("GNGNS,123519,4807.038,N,01131.000,E,,00,99.9,1,1,,"),
      Receiver.sentence("GNGNS,123519,4807.038,N,01131.000,E,AAA,09,0.9,1,1,,,U"),
      Receiver.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,150726,,,N"),
      Receiver.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,150726,,,A,U"),
    ])
  func noFix(_ sentence: String) {
    tracker.read(Receiver.gga("123519") + sentence)
    tracker.read(Receiver.rmc("123519"))
    #expect(tracker.latest == nil && tracker.mode == .none)
    tracker.read(Receiver.rmc("123525", status: "V"))
    #expect(tracker.latest == nil)
  }

  @Test("a receiver that does not watch its integrity, as most say, has a fix")
  func navigationalStatus() {
    #expect(
      tracker.read(
        Receiver.gga("123519") + Receiver.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,150726,,,A,V")))
  }

  @Test("GSA tells two dimensions from three, and one system without a fix does not outweigh another with one")
  func dimensions() {
    tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"))
    #expect(tracker.latest?.mode == .threeDimensions)
    tracker.read(Receiver.gsa(2))
    #expect(tracker.latest?.mode == .twoDimensions && tracker.mode == .twoDimensions)
    tracker.read(Receiver.gga("123520") + Receiver.rmc("123520") + Receiver.gsa(1, talker: "GL") + Receiver.gsa(3))
    #expect(tracker.latest?.mode == .threeDimensions)
  }

  @Test(
    "modes E, M and S are not measured",
    arguments: [("E", Fix.Mode.deadReckoning), ("M", .manual), ("S", .simulated)])
  func modes(_ letter: String, _ mode: Fix.Mode) throws {
    tracker.read(
      Receiver.gga("123519")
        + Receiver.sentence("GPRMC,123519,A,4807.038,N,01131.000,E,1,1,150726,,,\(letter)"))
    let fix = try #require(tracker.latest)
    #expect(fix.mode == mode && !fix.isMeasured && !fix.isPrecise)
  }

  @Test("the receiver's own estimate of its error comes before geometry: the root of both squares")
  func gst() throws {
    tracker.read(Receiver.gga("123519") + Receiver.rmc("123519") + Receiver.gst("123519"))
    let fix = try #require(tracker.latest)
    #expect(fix.accuracy == 5 && fix.accuracySource == .receiver && fix.verticalAccuracy == 5.5)
    // From then on it is waited for.
    #expect(!tracker.read(Receiver.gga("123520") + Receiver.rmc("123520")))
    #expect(tracker.read(Receiver.gst("123520", "0.6", "0.8")))
    #expect(abs(try #require(tracker.latest?.accuracy) - 1) < 1e-9)
    // And not for longer than to the next epoch.
    #expect(!tracker.read(Receiver.gga("123521") + Receiver.rmc("123521")))
    #expect(tracker.read(Receiver.gga("123522")))
    #expect(tracker.latest?.accuracySource == .geometry)
  }

  @Test("an error that is empty or 0 is not known", arguments: [("", ""), ("0.0", "0.0"), ("1.0", "")])
  func emptyErrors(_ latitude: String, _ longitude: String) {
    tracker.read(Receiver.gga("123519") + Receiver.rmc("123519") + Receiver.gst("123519", latitude, longitude))
    #expect(tracker.latest?.accuracy == 4.5 && tracker.latest?.accuracySource == .geometry)
  }

  @Test("GBS and GSV change nothing")
  func unrelated() {
    tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"))
    let before = tracker.latest
    tracker.read(Receiver.sentence("GPGBS,123519,1.6,1.4,3.2,,,,") + Receiver.gsv([(1, 40)]).joined())
    #expect(tracker.latest == before)
  }

  @Test("the leap second is no fix and no time, and the second after it is both")
  func leapSecond() {
    #expect(!tracker.read(Receiver.gga("235960") + Receiver.rmc("235960", "311226")))
    #expect(!tracker.read(Receiver.gga("235960.500") + Receiver.rmc("235960.500", "311226")))
    #expect(tracker.latest == nil && tracker.time == nil)
    #expect(tracker.read(Receiver.gga("000000") + Receiver.rmc("000000", "010127")))
    #expect(tracker.latest?.instant == 1_798_761_600_000)
  }

  // MARK: UBX

  @Test("NAV-PVT alone is a whole fix")
  func pvt() throws {
    #expect(tracker.read(Receiver.pvt(), at: 100))
    let fix = try #require(tracker.latest)
    #expect(fix.latitude == 48.1173 && fix.longitude == 11.5166667 && fix.altitude == 545.4)
    #expect(fix.accuracy == 2.5 && fix.accuracySource == .receiver && fix.verticalAccuracy == 3.9)
    #expect(fix.speed == 11.52 && fix.heading == 84.4 && fix.satellites == 9 && fix.mode == .threeDimensions)
    #expect(fix.instant == 1_784_118_919_000 && fix.arrival == 100)
  }

  @Test(
    "what NAV-PVT does not vouch for is no fix",
    arguments: [
      Receiver.pvt(flags: 0), Receiver.pvt(kind: 0), Receiver.pvt(kind: 5), Receiver.pvt(flags3: 1),
      Receiver.pvt(valid: 1), Receiver.pvt(latitude: 900_000_001),
    ])
  func voidPVT(_ frame: [UInt8]) {
    #expect(!tracker.read(frame + Receiver.pvt(25, flags: 0)))
    #expect(tracker.latest == nil)
  }

  @Test("dead reckoning alone is not measured, together with satellites it is")
  func deadReckoning() {
    tracker.read(Receiver.pvt(kind: 1))
    #expect(tracker.latest?.mode == .deadReckoning && tracker.latest?.isPrecise == false)
    tracker.read(Receiver.pvt(20, kind: 4))
    #expect(tracker.latest?.mode == .combined && tracker.latest?.isPrecise == true)
    tracker.read(Receiver.pvt(21, kind: 2))
    #expect(tracker.latest?.mode == .twoDimensions)
  }

  @Test("sentences and NAV-PVT of one epoch make one fix, whichever comes first, and NAV-PVT knows better")
  func bothProtocols() {
    let sentences = Array(
      (Receiver.gga("123519.00", "4807.000,N,01131.000,E") + Receiver.rmc("123519.00") + Receiver.gst("123519.00"))
        .utf8)
    #expect(tracker.read(Receiver.pvt(), at: 100))
    let first = tracker.latest
    #expect(!tracker.read(sentences, at: 200))
    #expect(tracker.latest?.latitude == first?.latitude && tracker.latest?.accuracy == 2.5)
    #expect(tracker.latest?.arrival == 100)
    let other = TrackerUnderTest()
    #expect(other.read(sentences, at: 100))
    #expect(!other.read(Receiver.pvt(), at: 200))
    #expect(other.latest?.latitude == first?.latitude && other.latest?.accuracy == 2.5)
    #expect(other.latest?.altitude == first?.altitude && other.latest?.speed == first?.speed)
  }

  @Test("NAV-DOP and NAV-STATUS count for the NAV-PVT of the same time of week, before it or after it")
  func sameWeekTime() {
    let values = [250, 180, 90, 150, 95, 60, 70].flatMap { Receiver.little($0, 2) }
    let dilution = Receiver.ubx(0x01, 0x04, Receiver.little(19_000, 4) + values)
    func status(_ second: Int, _ flags: UInt8) -> [UInt8] {
      Receiver.ubx(0x01, 0x03, Receiver.little(second * 1000, 4) + [3, flags, 0, 0] + Receiver.little(0, 8))
    }
    tracker.read(dilution + Receiver.pvt())
    #expect(tracker.latest?.hdop == 0.95)
    tracker.read(Receiver.pvt(20))
    #expect(tracker.latest?.hdop == nil)
    #expect(!tracker.read(status(21, 0) + Receiver.pvt(21)))
    tracker.read(Receiver.pvt(22))
    #expect(tracker.latest != nil)
    tracker.read(status(22, 0))
    #expect(tracker.latest == nil)
  }

  // MARK: Dates and times

  @Test("a date 1024 weeks too old gives way to the board's clock, in NAV-PVT as in RMC and ZDA")
  func rollover() {
    #expect(tracker.read(Receiver.pvt(year: 2006)))
    #expect(tracker.latest?.instant == 1_784_118_919_000)
    let zda = Receiver.sentence("GPZDA,123520,29,11,2006,,")
    tracker.read(Receiver.gga("123520") + Receiver.rmc("123520", "291106") + zda)
    #expect(tracker.finish())
    #expect(tracker.latest?.instant == 1_784_118_920_000)
    #expect(tracker.time == nil)
  }

  @Test("without a date and without a clock there is no fix, and that is reported")
  func undated() {
    tracker.wall = 0
    #expect(!tracker.read(Receiver.pvt(valid: 2) + Receiver.pvt(20, valid: 2)))
    #expect(tracker.latest == nil && tracker.lacksDate && tracker.time == nil)
  }

  @Test("once the receiver has told its date, an epoch without one lies on the day that follows from it")
  func rememberedDate() {
    tracker.wall = 0
    tracker.read(Receiver.gga("235959") + Receiver.rmc("235959", "150726"), at: 1000)
    tracker.read(Receiver.gga("000000") + Receiver.sentence("GPRMC,000000,A,4807.038,N,01131.000,E,1,1,,,,A"), at: 2000)
    #expect(tracker.latest?.instant == 1_784_160_000_000)
  }

  @Test("time is known before there is a fix, and is resolved when the receiver says so")
  func timeBeforeFix() {
    tracker.read(Receiver.timeUTC(19, valid: 3), at: 70)
    #expect(tracker.time == GNSSTime(instant: 1_784_118_919_000, arrival: 70, isFullyResolved: false))
    tracker.read(Receiver.timeUTC(20), at: 1070)
    #expect(tracker.time == GNSSTime(instant: 1_784_118_920_000, arrival: 1070, isFullyResolved: true))
    #expect(tracker.latest == nil)
    tracker.read(Receiver.pvt(21, flags: 0), at: 2070)
    #expect(tracker.time == GNSSTime(instant: 1_784_118_921_000, arrival: 2070, isFullyResolved: true))
  }

  @Test("sentences tell time without a fix too; it counts as resolved with one")
  func timeOfSentences() {
    tracker.read(Receiver.sentence("GPZDA,123519,15,07,2026,00,00"), at: 50)
    #expect(tracker.time == GNSSTime(instant: 1_784_118_919_000, arrival: 50, isFullyResolved: false))
    tracker.read(Receiver.gga("123520") + Receiver.rmc("123520"), at: 90)
    #expect(tracker.time == GNSSTime(instant: 1_784_118_920_000, arrival: 90, isFullyResolved: true))
  }

  @Test("a date that cannot be believed is no time", arguments: ["060180", "291106", "060419"])
  func implausibleTime(_ date: String) {
    tracker.read(Receiver.rmc("123519", date))
    #expect(tracker.time == nil)
  }

  @Test("in an archive old dates are true")
  func archive() {
    let archive = TrackerUnderTest(isArchive: true)
    archive.wall = 0
    #expect(archive.read(Receiver.gga("083559") + Receiver.rmc("083559", "091202")))
    #expect(archive.latest?.instant == 1_039_422_959_000)
  }

  @Test("the end of a recording makes a fix of its last epoch, once")
  func finish() {
    #expect(!tracker.read(Receiver.gga("123519"), at: 100))
    #expect(tracker.finish() && tracker.latest?.arrival == 100)
    #expect(!tracker.finish())
  }
}
