import Testing

@testable import Location

@Suite struct FixTrackerTests {
  private let tracker = TrackerUnderTest()

  @Test("GGA and RMC of one instant make one fix, with everything that either said")
  func merges() throws {
    #expect(!tracker.read(Receiver.gga("123519"), at: 100))
    #expect(tracker.read(Receiver.rmc("123519"), at: 180))
    let fix = try #require(tracker.latest)
    #expect(abs(fix.latitude - 48.1173) < 1e-9)
    #expect(abs(fix.longitude - 11.516666666666667) < 1e-9)
    #expect(fix.accuracy == 4.5)
    #expect(fix.altitude == 545.4)
    #expect(abs(fix.speed! - 11.5235555) < 1e-6)
    #expect(fix.heading == 84.4)
    #expect(fix.instant == 1_784_118_919_000)
    #expect(fix.arrival == 100)
    #expect(fix.isMeasured && fix.isPrecise)
  }

  @Test("the order of the sentences does not matter")
  func anyOrder() {
    let other = TrackerUnderTest()
    #expect(tracker.read(Receiver.gga("123519") + Receiver.rmc("123519")))
    #expect(other.read(Receiver.rmc("123519") + Receiver.gga("123519")))
    #expect(tracker.latest == other.latest)
  }

  @Test("a receiver that only sends GGA is understood when its second epoch begins, and from then on at once")
  func learnsGGAOnly() throws {
    #expect(!tracker.read(Receiver.gga("123519"), at: 100))
    #expect(tracker.read(Receiver.gga("123520"), at: 1100))
    #expect(try #require(tracker.latest).arrival == 1100)
    #expect(tracker.read(Receiver.gga("123521"), at: 2100))
  }

  @Test("with GGA and VTG, motion comes from VTG")
  func motionFromVTG() throws {
    _ = tracker.read(Receiver.gga("123519") + Receiver.vtg())
    #expect(tracker.read(Receiver.gga("123520") + Receiver.vtg(course: "360.0", knots: "002.0")))
    let fix = try #require(tracker.latest)
    #expect(abs(fix.speed! - 1.0288888) < 1e-6)
    #expect(fix.heading == 0)
  }

  @Test("a VTG that tells only kilometres an hour is enough")
  func kilometers() throws {
    _ = tracker.read(Receiver.gga("123519") + Receiver.sentence("GPVTG,10.0,T,,M,,,036.0,K"))
    _ = tracker.read(Receiver.gga("123520"))
    _ = tracker.read(Receiver.sentence("GPVTG,10.0,T,,M,,,036.0,K"))
    #expect(abs(try #require(tracker.latest?.speed) - 10) < 1e-9)
  }

  @Test("what arrives after the fix was made improves it")
  func lateSentence() throws {
    _ = tracker.read(Receiver.gga("123519"))
    _ = tracker.read(Receiver.gga("123520"))
    #expect(try #require(tracker.latest).speed == nil)
    #expect(!tracker.read(Receiver.rmc("123520")))
    #expect(try #require(tracker.latest).speed != nil)
  }

  @Test("a warning that arrives after the fix was made takes it back")
  func lateWarning() {
    _ = tracker.read(Receiver.gga("123519"))
    #expect(tracker.read(Receiver.gga("123520")))
    #expect(!tracker.read(Receiver.rmc("123520", status: "V")))
    #expect(tracker.latest == nil)
  }

  @Test(
    "quality 0, status V and empty positions are no fix",
    arguments: [
      Receiver.gga("123519", quality: 0) + Receiver.rmc("123519"),
      Receiver.gga("123519") + Receiver.rmc("123519", status: "V"),
      Receiver.gga("123519", ",,,") + Receiver.rmc("123519", "150726", ",,,"),
      Receiver.sentence("GPGGA,,,,,,0,00,99.99,,,,,,") + Receiver.sentence("GPRMC,,V,,,,,,,,,,N"),
    ])
  func noFix(text: String) {
    #expect(!tracker.read(text + Receiver.gga("123525", quality: 0)))
    #expect(tracker.latest == nil)
  }

  @Test("a fix outlives the loss of the satellites, with its own arrival")
  func keepsLastFix() {
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 100)
    #expect(!tracker.read(Receiver.gga("123520", quality: 0) + Receiver.rmc("123520", status: "V"), at: 1100))
    #expect(tracker.latest?.arrival == 100)
  }

  @Test(
    "dead reckoning, manual input and simulation are reported, but neither as measured nor as precise",
    arguments: [6, 7, 8])
  func notMeasured(quality: Int) throws {
    #expect(tracker.read(Receiver.gga("123519", quality: quality) + Receiver.rmc("123519")))
    let fix = try #require(tracker.latest)
    #expect(!fix.isMeasured)
    #expect(!fix.isPrecise)
    #expect(fix.accuracy >= 150)
  }

  @Test("differential and kinematic fixes are measured", arguments: [1, 2, 3, 4, 5, 9])
  func measured(quality: Int) {
    _ = tracker.read(Receiver.gga("123519", quality: quality) + Receiver.rmc("123519"))
    #expect(tracker.latest?.isMeasured == true)
  }

  @Test(
    "accuracy is 5 m for each unit of HDOP, and 150 m when that is not known",
    arguments: [
      ("0.9", 4.5), ("20.0", 100.0), ("99.99", 499.95), ("", 150.0), ("0.0", 150.0),
    ])
  func accuracy(hdop: String, meters: Double) throws {
    _ = tracker.read(Receiver.gga("123519", hdop: hdop) + Receiver.rmc("123519"))
    let fix = try #require(tracker.latest)
    #expect(abs(fix.accuracy - meters) < 1e-9)
    #expect(fix.isPrecise == (meters <= 100))
  }

  @Test("a receiver that only sends RMC does not tell its geometry, so it is not precise")
  func minimumOnly() throws {
    _ = tracker.read(Receiver.rmc("123519") + Receiver.rmc("123520"))
    let fix = try #require(tracker.latest)
    #expect(fix.accuracy == 150)
    #expect(fix.altitude == nil)
  }

  @Test("a heading is reported only while moving")
  func standing() throws {
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519", knots: "000.9", course: "084.4"))
    let fix = try #require(tracker.latest)
    #expect(fix.heading == nil)
    #expect(abs(try #require(fix.speed) - 0.463) < 1e-9)
    _ = tracker.read(Receiver.gga("123520") + Receiver.rmc("123520", knots: "001.0", course: "084.4"))
    #expect(tracker.latest?.heading == 84.4)
  }

  @Test("impossible motion and height are left out, and the position stays")
  func impossible() throws {
    _ = tracker.read(
      Receiver.gga("123519", altitude: "200000.0") + Receiver.rmc("123519", knots: "1200.0", course: "400.0"))
    let fix = try #require(tracker.latest)
    #expect(fix.altitude == nil && fix.speed == nil && fix.heading == nil)
    #expect(fix.latitude > 48)
  }

  @Test("an epoch out of order is dropped")
  func outOfOrder() {
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 100)
    #expect(!tracker.read(Receiver.gga("123518") + Receiver.rmc("123518"), at: 200))
    #expect(tracker.latest?.arrival == 100)
    #expect(tracker.read(Receiver.gga("123520") + Receiver.rmc("123520"), at: 300))
  }

  @Test("a receiver whose clock was set back is believed from its second epoch on")
  func setBack() {
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"))
    #expect(!tracker.read(Receiver.gga("110000") + Receiver.rmc("110000")))
    #expect(tracker.read(Receiver.gga("110001") + Receiver.rmc("110001")))
    #expect(tracker.read(Receiver.gga("110002") + Receiver.rmc("110002")))
  }

  @Test("sentences of one other type, out of order, are the receiver's time after ten in a row")
  func droppedInRow() {
    func place(_ number: Int) -> String {
      Receiver.sentence("GPGLL,4807.038,N,01131.000,E,1100\(number < 10 ? "0" : "")\(number),A,A")
    }
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 100)
    for number in 0..<10 { #expect(!tracker.read(place(number), at: 1000 + Int64(number) * 1000)) }
    // Time goes on before the eleventh: those ten count no longer.
    #expect(tracker.read(Receiver.gga("123520") + Receiver.rmc("123520"), at: 11_500))
    for number in 0..<11 { #expect(!tracker.read(place(20 + number), at: 12_000 + Int64(number) * 1000)) }
    #expect(tracker.latest?.arrival == 11_500)
    // The eleventh began an epoch, whose fix is made when the next one begins.
    #expect(tracker.read(place(31), at: 23_000))
    #expect(tracker.latest?.arrival == 22_000)
  }

  @Test("after a fix that was taken back, fixes are made at the end of their epochs, for a minute")
  func caution() {
    func epoch(_ number: Int) -> String {
      let second = number % 60
      let time = "12\(35 + number / 60)\(second < 10 ? "0" : "")\(second)"
      return Receiver.gga(time) + Receiver.rmc(time)
    }
    #expect(tracker.read(epoch(0), at: 0))
    #expect(!tracker.read(Receiver.gga("123500", quality: 0), at: 0))
    #expect(tracker.latest == nil)
    var late: [Int] = []
    for number in 1...80 {
      _ = tracker.read(epoch(number), at: Int64(number) * 1000)
      if tracker.latest?.arrival != Int64(number) * 1000 { late.append(number) }
    }
    #expect(late == Array(1...59))
  }

  @Test("midnight is no step back")
  func midnight() {
    _ = tracker.read(Receiver.gga("235959.500") + Receiver.rmc("235959.500", "150726"))
    #expect(tracker.read(Receiver.gga("000000.500") + Receiver.rmc("000000.500", "160726")))
    #expect(tracker.latest?.instant == 1_784_160_000_500)
  }

  @Test("the second position of an epoch makes no second fix")
  func sameEpoch() {
    #expect(tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 100))
    #expect(!tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 900))
    #expect(tracker.latest?.arrival == 100)
  }

  @Test("another receiver continues nothing")
  func restart() {
    _ = tracker.read(Receiver.gga("123519") + Receiver.rmc("123519"), at: 100)
    _ = tracker.read(Receiver.gga("123520"), at: 1100)
    tracker.receiverRestarted()
    #expect(!tracker.read(Receiver.rmc("123520"), at: 2100))
    #expect(tracker.latest?.arrival == 100)
  }
}
