import Codec
import Runtime
import Testing

@testable import Location

/// `location.get` and the report on the receiver, which `talon gps` shows, are one truth at every moment.
@Suite struct LocationTruthTests {
  private let clock = ManualClock()
  private let log = AnswerLog()
  private let service: LocationService

  init() {
    service = LocationService(clock: clock, log: Log(output: nil))
    service.delegate = log
    service.positionSourceOpened()
  }

  private func report(now: Int64) -> String { json { service.writeReport(to: &$0, now: now) } }

  /// What `location.get` answers to who accepts any age; nil without an answer at once.
  private func answer(now: Int64) -> String? {
    guard case .fix(let fix)? = service.request(1, JSONView(#"{"maxAgeMs":100000000}"#.utf8.span), now: now) else {
      service.cancel(1)
      return nil
    }
    return json { fix.write(to: &$0) }
  }

  private func isSame(now: Int64) -> Bool {
    let report = report(now: now)
    return answer(now: now).map { report.contains(#""fix":"# + $0) } ?? !report.contains(#""fix":"#)
  }

  @Test("they give the same fix after every sentence of a receiver of several systems", arguments: 0..<6)
  func same(_ seed: UInt64) {
    var receiver = MixedReceiver(seed: seed, stamps: MixedReceiver.Stamps.allCases[Int(seed) % 3])
    for number in 0..<15 {
      for (text, _, _, _) in receiver.cycle(number) {
        let now = clock.monotonic + Int64(number * 1000)
        service.positionSourceReceived(text.utf8.span, at: now)
        #expect(isSame(now: now), "\(text)")
      }
    }
  }

  @Test("before the first fix of this run both give the last one of an earlier run")
  func restored() {
    var fix = Fix(
      latitude: 48, longitude: 11, accuracy: 5, instant: 1_784_118_919_000, arrival: 0, isMeasured: true)
    fix.satellites = 7
    service.restored = { _ in fix }
    let report = report(now: clock.monotonic)
    #expect(isSame(now: clock.monotonic) && report.contains(#""satellites":7"#))
  }

  // MARK: Sentences without checksums

  @Test("a receiver without checksums gives a fix each second, and the report says that they are missing")
  func unchecked() {
    for second in 10..<20 {
      let now = clock.monotonic + Int64(second) * 1000
      let bodies = [
        "GPGGA,1235\(second),4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
        "GPRMC,1235\(second),A,4807.038,N,01131.000,E,022.4,084.4,150726,,,A",
      ]
      for body in bodies { service.positionSourceReceived("$\(body)\r\n".utf8.span, at: now) }
      if second > 10 { #expect(service.latest?.instant == 1_784_118_900_000 + Int64(second) * 1000) }
    }
    let report = report(now: clock.monotonic)
    #expect(report.contains(#""nmea":{"good":19,"badChecksum":1,"#) && report.contains(#""unchecked":19"#))
  }

  private static let body = "GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"

  private func receive(_ text: String, count: Int) {
    for _ in 0..<count { service.positionSourceReceived(text.utf8.span, at: clock.monotonic) }
  }

  @Test("that checksums are missing is told while they are: not of a receiver that sends them again")
  func checksumsReturn() {
    let sum = String(Self.body.utf8.reduce(0 as UInt8) { $0 ^ $1 }, radix: 16, uppercase: true)
    let (without, with) = ("$\(Self.body)\r\n", "$\(Self.body)*\(sum.count < 2 ? "0" + sum : sum)\r\n")
    #expect(!service.lacksChecksums)
    receive(without, count: 3)
    #expect(service.lacksChecksums)
    receive(with, count: 1)
    #expect(!service.lacksChecksums)
    // One that was cut off is noise; as many in a row are another receiver.
    receive(without, count: 3)
    #expect(!service.lacksChecksums)
    receive(without, count: 40)
    #expect(service.lacksChecksums)
  }

  @Test("that checksums are missing is not told of the next receiver at the line")
  func checksumsOfAnother() {
    receive("$\(Self.body)\r\n", count: 3)
    #expect(service.lacksChecksums)
    service.positionSourceLost(.noSuchDevice)
    service.positionSourceOpened()
    #expect(!service.lacksChecksums)
  }

  @Test("that checksums are missing is not told of a receiver that sends UBX frames alone")
  func framesAlone() {
    receive("$\(Self.body)\r\n", count: 3)
    // ACK-ACK of CFG-MSG (u-blox interface description), with its checksum.
    let frame: [UInt8] = [0xB5, 0x62, 0x05, 0x01, 0x02, 0x00, 0x06, 0x01, 0x0F, 0x38]
    for _ in 0..<29 { service.positionSourceReceived(frame.span, at: clock.monotonic) }
    #expect(service.lacksChecksums)
    service.positionSourceReceived(frame.span, at: clock.monotonic)
    #expect(!service.lacksChecksums)
    receive("$\(Self.body)\r\n", count: 1)
    #expect(service.lacksChecksums)
  }
}
