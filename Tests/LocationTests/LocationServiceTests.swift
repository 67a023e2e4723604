import Codec
import Runtime
import Testing

@testable import Location

/// Keeps the answers that a service gives.
final class AnswerLog: LocationDelegate {
  var answers: [String] = []
  var onAnswer: () -> Void = {}

  func locationAnswered(_ token: Int, _ answer: LocationAnswer) {
    answers.append("\(token): \(AnswerLog.describe(answer))")
    onAnswer()
  }

  static func describe(_ answer: LocationAnswer?) -> String {
    switch answer {
    case .fix(let fix): "fix of \(fix.arrival)"
    case .failed(let error): text(error).split(separator: "|")[1].dropFirst().description
    case nil: "pending"
    }
  }
}

/// Keeps the fixes that a service gives.
private final class FixLog: LocationDelegate {
  var fixes: [Fix] = []
  func locationAnswered(_ token: Int, _ answer: LocationAnswer) {
    if case .fix(let fix) = answer { fixes.append(fix) }
  }
}

@Suite struct LocationServiceTests {
  private let clock = ManualClock()
  private let log = AnswerLog()
  private let service: LocationService

  init() {
    service = LocationService(clock: clock, log: Log(output: nil))
    service.delegate = log
  }

  private func ask(_ token: Int, _ parameters: String = "{}", at now: Int64) -> String {
    AnswerLog.describe(service.request(token, JSONView(parameters.utf8.span), now: now))
  }

  private func receive(_ text: String, at arrival: Int64) {
    service.positionSourceReceived(text.utf8.span, at: arrival)
  }

  private func epoch(_ time: String) -> String { Receiver.gga(time) + Receiver.rmc(time) }

  @Test("a request waits for a fix that arrives after it")
  func fresh() {
    service.positionSourceOpened()
    receive(epoch("123519"), at: 500)
    #expect(ask(1, at: 600) == "pending")
    #expect(log.answers.isEmpty)
    receive(epoch("123520"), at: 1500)
    #expect(log.answers == ["1: fix of 1500"])
    #expect(service.nextDeadline == nil)
  }

  @Test("an epoch that had begun before the request is not fresh")
  func epochBegunBefore() {
    service.positionSourceOpened()
    receive(Receiver.gga("123519"), at: 500)
    #expect(ask(1, at: 600) == "pending")
    receive(Receiver.rmc("123519"), at: 700)
    #expect(log.answers.isEmpty)
    receive(epoch("123520"), at: 1500)
    #expect(log.answers == ["1: fix of 1500"])
  }

  @Test("what a false start has held back is as old as that, and not as new as what exposes it")
  func heldBack() {
    service.positionSourceOpened()
    // A preamble of RTCM 3 that announces 1023 bytes; the epoch after it is in them.
    let falseStart: [UInt8] = [0xD3, 0x03, 0xFF] + Array(epoch("123519").utf8)
    service.positionSourceReceived(falseStart.span, at: 500)
    #expect(service.latest == nil)
    #expect(ask(1, at: 600) == "pending")
    receive(String(repeating: ".", count: 1100), at: 2500)
    #expect(service.latest?.arrival == 500)
    #expect(log.answers.isEmpty)
    receive(epoch("123521"), at: 2600)
    #expect(log.answers == ["1: fix of 2600"])
  }

  @Test("a sentence that comes in two pieces arrived with the first of them")
  func twoPieces() {
    service.positionSourceOpened()
    let text = epoch("123519")
    receive(String(text.prefix(40)), at: 500)
    receive(String(text.dropFirst(40)), at: 600)
    #expect(service.latest?.arrival == 500)
    receive(epoch("123520"), at: 1500)
    #expect(service.latest?.arrival == 1500)
  }

  @Test("a stored fix is given only up to the age that the caller allows")
  func maxAge() {
    service.positionSourceOpened()
    receive(epoch("123519"), at: 1000)
    #expect(ask(1, #"{"maxAgeMs":500}"#, at: 1500) == "fix of 1000")
    #expect(ask(2, #"{"maxAgeMs":500}"#, at: 1501) == "pending")
    #expect(ask(3, #"{"maxAgeMs":9223372036854775807}"#, at: 99_000) == "fix of 1000")
  }

  @Test("an epoch that is recent enough is given when it completes")
  func maxAgeOfOpenEpoch() {
    service.positionSourceOpened()
    receive(Receiver.gga("123519"), at: 500)
    #expect(ask(1, #"{"maxAgeMs":200}"#, at: 600) == "pending")
    receive(Receiver.rmc("123519"), at: 700)
    #expect(log.answers == ["1: fix of 500"])
  }

  @Test("time is up at the deadline and not before")
  func timeout() {
    service.positionSourceOpened()
    #expect(ask(1, #"{"timeoutMs":2000}"#, at: 100) == "pending")
    #expect(ask(2, #"{"timeoutMs":1000}"#, at: 200) == "pending")
    #expect(service.nextDeadline == 1200)
    service.advance(to: 1199)
    #expect(log.answers.isEmpty)
    service.advance(to: 1200)
    #expect(
      log.answers == ["2: LOCATION_TIMEOUT: no fix in time: the receiver sends nothing; there has been no fix yet"])
    #expect(service.nextDeadline == 2100)
    service.advance(to: 5000)
    #expect(log.answers.last?.hasPrefix("1: LOCATION_TIMEOUT: no fix in time") == true)
    #expect(service.nextDeadline == nil)
  }

  @Test("without a receiver, and with a lost one, the answer comes at once")
  func unavailable() {
    #expect(ask(1, at: 0) == "LOCATION_UNAVAILABLE: no position receiver is configured")
    service.positionSourceLost(.noSuchFile)
    #expect(
      ask(2, at: 0)
        == "LOCATION_UNAVAILABLE: position receiver is not connected: it is not there; plug it in, or compare the "
        + "device in the configuration with ls /dev/serial/by-id")
    #expect(service.state == .lost(.noSuchFile))
  }

  @Test(
    "a receiver that is lost answers all who wait; a stored fix is still given to those it is recent enough for"
  )
  func lostWhileWaiting() {
    service.positionSourceOpened()
    receive(epoch("123519"), at: 100)
    #expect(ask(1, at: 200) == "pending")
    #expect(ask(2, at: 200) == "pending")
    service.positionSourceLost(.inputOutput)
    #expect(log.answers.count == 2)
    #expect(log.answers.allSatisfy { $0.contains("not connected: it is no longer there; ") })
    #expect(ask(3, #"{"maxAgeMs":1000}"#, at: 300) == "fix of 100")
  }

  @Test("a receiver that comes back answers again")
  func recovery() {
    service.positionSourceOpened()
    receive(epoch("123519") + "$GPGGA,1235", at: 100)
    service.positionSourceLost(.inputOutput)
    service.positionSourceOpened()
    #expect(ask(1, at: 200) == "pending")
    receive(epoch("110000"), at: 300)
    #expect(log.answers == ["1: fix of 300"])
  }

  @Test("what a lost receiver began to say is not finished by what comes after it is open again")
  func tornSentence() {
    let sentence = Receiver.gga("123519")
    service.positionSourceOpened()
    receive(String(sentence.prefix(30)), at: 100)
    service.positionSourceLost(.inputOutput)
    service.positionSourceOpened()
    receive(String(sentence.dropFirst(30)), at: 200)
    #expect(service.counters.nmea.good == 0)
    receive(sentence, at: 300)
    #expect(service.counters.nmea.good == 1)
  }

  @Test("a cancelled request is never answered")
  func cancel() {
    service.positionSourceOpened()
    #expect(ask(1, at: 100) == "pending")
    #expect(ask(2, at: 100) == "pending")
    service.cancel(1)
    service.cancel(7)
    receive(epoch("123519"), at: 200)
    #expect(log.answers == ["2: fix of 200"])
  }

  @Test("as many may wait as invokes may run; the next is refused, and all others are answered once")
  func full() {
    service.positionSourceOpened()
    for token in 0..<Budget.runningInvokes { #expect(ask(token, at: 100) == "pending") }
    #expect(ask(99, at: 100) == "UNAVAILABLE: too many location requests at once")
    receive(epoch("123519"), at: 200)
    #expect(Set(log.answers).count == Budget.runningInvokes)
    #expect(ask(99, at: 300) == "pending")
  }

  @Test("the delegate may ask again while it is called")
  func askAgain() {
    service.positionSourceOpened()
    #expect(ask(1, at: 100) == "pending")
    log.onAnswer = { [self] in
      log.onAnswer = {}
      #expect(ask(2, at: 200) == "pending")
    }
    service.advance(to: 20_000)
    #expect(log.answers.count == 2)
  }

  @Test("a receiver without a date needs the board's clock, and says so")
  func noDate() {
    clock.wall = 0
    service.positionSourceOpened()
    #expect(ask(1, at: 100) == "pending")
    receive(Receiver.gga("123519") + Receiver.gga("123520"), at: 200)
    service.advance(to: 10_100)
    #expect(
      log.answers == ["1: LOCATION_UNAVAILABLE: receiver gives no date and the clock is not set"])
  }

  @Test("a date that was missing once is no reason later")
  func dateNoLongerMissing() {
    clock.wall = 0
    service.positionSourceOpened()
    receive(Receiver.gga("123519") + Receiver.gga("123520"), at: 100)
    receive(Receiver.gga("123521", quality: 0), at: 150)
    #expect(ask(1, at: 200) == "pending")
    service.advance(to: 10_200)
    #expect(log.answers.count == 1)
    #expect(log.answers[0].hasPrefix("1: LOCATION_TIMEOUT: no fix in time"))
  }

  /// What a request that had to wait for a second was told, after `feed` in it.
  private func lack(_ parameters: String, _ feed: () -> Void = {}) -> String {
    log.answers = []
    clock.monotonic += 100_000
    service.positionSourceOpened()
    let start = clock.monotonic
    let asked = ask(1, parameters, at: start)
    clock.monotonic += 900
    feed()
    service.advance(to: start + 1_000)
    return log.answers.first.map { String($0.dropFirst("1: LOCATION_TIMEOUT: no fix in time: ".count)) } ?? asked
  }

  @Test("a timeout says what is known: silence, noise, no fix, a fix that is too old or too inexact")
  func reasons() {
    let short = #"{"timeoutMs":1000}"#
    #expect(lack(short) == "the receiver sends nothing; there has been no fix yet")
    #expect(
      lack(short) { receive("\u{1}\u{2}", at: clock.monotonic) }
        == "what the receiver sends makes no sense; there has been no fix yet")
    #expect(
      lack(short) {
        receive(Receiver.sentence("GPGSV,1,1,02,05,40,083,46,12,17,308,41"), at: clock.monotonic)
        receive(Receiver.gga("123519", ",,,", quality: 0), at: clock.monotonic)
      } == "the receiver has no fix, with 2 satellites in view; there has been no fix yet")
    receive(epoch("123520"), at: clock.monotonic)
    #expect(
      lack(#"{"timeoutMs":1000,"maxAgeMs":5000}"#) {
        receive(Receiver.gga("123540", ",,,", quality: 0), at: clock.monotonic)
      } == "the receiver has no fix, with 0 satellites in view; the last fix is 101 s old")
    #expect(
      lack(#"{"timeoutMs":1000,"desiredAccuracy":"precise"}"#) {
        receive(Receiver.gga("123541", hdop: "9.0") + Receiver.rmc("123541"), at: clock.monotonic)
      } == "the fix is off by up to 45 m, and 20 m were asked for; the last fix is 0 s old")
  }

  @Test("a fix that is too inexact is not given; one that is exact enough is, as soon as it comes")
  func desiredAccuracy() {
    service.positionSourceOpened()
    #expect(ask(1, #"{"desiredAccuracy":"precise"}"#, at: 100) == "pending")
    #expect(ask(2, #"{"desiredAccuracy":"balanced"}"#, at: 100) == "pending")
    receive(Receiver.gga("123519", hdop: "9.0") + Receiver.rmc("123519"), at: 200)
    #expect(log.answers == ["2: fix of 200"])
    #expect(ask(3, #"{"maxAgeMs":5000,"desiredAccuracy":"precise"}"#, at: 300) == "pending")
    receive(Receiver.gga("123520", hdop: "1.0") + Receiver.rmc("123520"), at: 1200)
    #expect(Set(log.answers) == ["2: fix of 200", "1: fix of 1200", "3: fix of 1200"])
  }

  @Test("switched off in the configuration, it answers so")
  func disabled() {
    var settings = LocationSettings()
    settings.isEnabled = false
    let service = LocationService(settings: settings, clock: clock, log: Log(output: nil))
    let answer = AnswerLog.describe(service.request(1, JSONView("{}".utf8.span), now: 0))
    #expect(answer == "LOCATION_DISABLED: switched off in the configuration")
  }

  @Test("a position that is limited is limited in every answer, at once and later")
  func precision() {
    var settings = LocationSettings()
    settings.precision = LocationPrecision(cell: 1000)
    let service = LocationService(settings: settings, clock: clock, log: Log(output: nil))
    let fixes = FixLog()
    service.delegate = fixes
    service.positionSourceOpened()
    _ = service.request(1, JSONView("{}".utf8.span), now: 50)
    service.positionSourceReceived(epoch("123519").utf8.span, at: 100)
    guard case .fix(let stored)? = service.request(2, JSONView(#"{"maxAgeMs":500}"#.utf8.span), now: 150) else {
      Issue.record("no fix")
      return
    }
    #expect(stored.isLimited)
    #expect(fixes.fixes == [stored])
    #expect(service.latest?.isLimited == false)
  }

  @Test("a fix of the last run is returned only when it is young enough for the caller")
  func restored() throws {
    service.positionSourceOpened()
    receive(epoch("123519"), at: 100)
    let fix = try #require(service.latest)
    let later = LocationService(clock: clock, log: Log(output: nil))
    later.restored = { _ in fix }
    later.positionSourceOpened()
    func answer(_ parameters: String, _ now: Int64) -> String {
      AnswerLog.describe(later.request(1, JSONView(parameters.utf8.span), now: now))
    }
    #expect(answer("{}", 200) == "pending")
    #expect(answer(#"{"maxAgeMs":100}"#, 200) == "fix of 100")
    #expect(answer(#"{"maxAgeMs":99}"#, 200) == "pending")
  }

  @Test("bytes may arrive one by one, with noise and bad checksums among them")
  func dribble() {
    service.positionSourceOpened()
    #expect(ask(1, at: 100) == "pending")
    let noisy =
      "\u{0}\u{7F}$GPGGA,123518,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*00\r\n" + epoch("123519")
    for byte in noisy.utf8 {
      let one: InlineArray<1, UInt8> = [byte]
      service.positionSourceReceived(one.span, at: 200)
    }
    #expect(log.answers == ["1: fix of 200"])
    #expect(service.counters.nmea.good == 2)
    #expect(service.counters.nmea.badChecksum == 1)
  }

  @Test("any bytes at all leave the service alive")
  func hostileBytes() {
    service.positionSourceOpened()
    var state: UInt64 = 42
    for _ in 0..<200_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Mostly what sentences are made of, so that the parsers are reached.
      let alphabet = Array("$GPRMCGAVT,,,,0123456789.NSEW*\r\n".utf8)
      let byte =
        state >> 60 == 0
        ? UInt8(truncatingIfNeeded: state >> 40) : alphabet[Int(state >> 33) % alphabet.count]
      let one: InlineArray<1, UInt8> = [byte]
      service.positionSourceReceived(one.span, at: 200)
    }
    #expect(ask(1, at: 300) == "pending")
    receive("\r\n" + epoch("123519"), at: 400)
    #expect(log.answers == ["1: fix of 400"])
  }
}
