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

@Suite struct LocationServiceTests {
  private let clock = ManualClock()
  private let log = AnswerLog()
  private let service: LocationService

  init() {
    service = LocationService(clock: clock)
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
    #expect(log.answers == ["2: LOCATION_TIMEOUT: no fix in time"])
    #expect(service.nextDeadline == 2100)
    service.advance(to: 5000)
    #expect(log.answers.last == "1: LOCATION_TIMEOUT: no fix in time")
    #expect(service.nextDeadline == nil)
  }

  @Test("without a receiver, and with a lost one, the answer comes at once")
  func unavailable() {
    #expect(ask(1, at: 0) == "LOCATION_UNAVAILABLE: no position receiver is configured")
    service.positionSourceLost(.noSuchFile)
    #expect(
      ask(2, at: 0)
        == "LOCATION_UNAVAILABLE: position receiver is not connected: no such file or directory")
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
    #expect(log.answers.allSatisfy { $0.hasSuffix("not connected: input/output error") })
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

  @Test("the delegate may ask again while it is told")
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
    #expect(log.answers == ["1: LOCATION_TIMEOUT: no fix in time"])
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
