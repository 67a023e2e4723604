import Codec
import Foundation
import Location
import Runtime
import Testing

@testable import Board

/// Keeps the answers of a service.
private final class AnswerLog: LocationDelegate {
  var fixes: [Fix] = []

  func locationAnswered(_ token: Int, _ answer: LocationAnswer) {
    if case .fix(let fix) = answer { fixes.append(fix) }
  }
}

@Suite struct GPSDClientTests {
  private static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  private static let watch = #"?WATCH={"enable":true,"json":true};"# + "\n"

  private let clock = SerialTestClock()
  private let log = Log(output: nil)
  private let sink = SerialSinkLog()
  private let loop: Loop
  /// Always ready, so that the loop never sleeps: the clock moves without it.
  private let spinner = try! Syscall.eventDescriptor()
  private let idler = SerialIdler()

  init() throws {
    loop = try Loop(clock: clock)
    Syscall.signal(spinner)
  }

  private func client(_ address: String) throws -> GPSDClient {
    try GPSDClient(address: address, loop: loop, clock: clock, log: log)
  }

  /// Runs the loop until `condition` holds; each turn takes 50 ms of the test's clock.
  private func run(until condition: () -> Bool) throws {
    try loop.watch(spinner, for: .readable, idler)
    defer { loop.unwatch(spinner) }
    var (turns, isMet) = (0, false)
    try loop.run {
      clock.monotonic += 50
      turns += 1
      isMet = condition()
      if isMet || turns > 10_000 { loop.stop() }
    }
    #expect(isMet)
  }

  private var lines: [String] {
    var lines: [String] = []
    log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  @Test("a daemon that greets is open, was asked to report, and its lines come unchanged", arguments: [false, true])
  func opens(isLocal: Bool) throws {
    let daemon = FakeDaemon(isLocal: isLocal)
    let client = try client(daemon.address)
    #expect(client.language == .gpsd && client.line == nil && client.state == .absent)
    client.start(sink)
    try run { daemon.accept() }
    #expect(sink.events.isEmpty)
    daemon.send(Self.greeting)
    try run { client.state == .open }
    try run { sink.received == Self.greeting }
    #expect(daemon.received() == Self.watch)
    #expect(sink.events == ["opened"])
    client.stop()
    #expect(client.state == .absent && sink.events == ["opened"])
  }

  @Test("a daemon that is not there is tried after 5 s, then ever less often; the log has it once")
  func refused() throws {
    let daemon = FakeDaemon()
    daemon.leave()
    let client = try client(daemon.address)
    let start = clock.monotonic
    client.start(sink)
    try run { client.state == .lost(.connectionRefused) }
    try run { clock.monotonic > start + 14_000 }
    daemon.comeBack()
    try run { daemon.accept() }
    // Tried at 0, 5 and 15 s.
    #expect(clock.monotonic - start >= 15_000 && clock.monotonic - start < 16_000)
    daemon.send(Self.greeting)
    try run { client.state == .open }
    #expect(sink.events == ["lost 111", "opened"])
    #expect(lines.count == 2 && lines[0].contains("gpsd does not run") && lines[1].hasSuffix(": answers again"))
    client.stop()
  }

  @Test("a server that accepts and sends nothing counts as failed")
  func mute() throws {
    let daemon = FakeDaemon()
    let client = try client(daemon.address)
    let start = clock.monotonic
    client.start(sink)
    try run { daemon.accept() }
    try run { client.state == .lost(.timedOut) }
    #expect(clock.monotonic - start >= Budget.gpsdAnswerMilliseconds)
    #expect(sink.events == ["lost 110"])
    client.stop()
  }

  @Test("a silent daemon is probed, and left only when it does not reply")
  func silent() throws {
    let daemon = FakeDaemon()
    let client = try client(daemon.address)
    client.start(sink)
    try run { daemon.accept() }
    daemon.send(Self.greeting)
    try run { client.state == .open }
    _ = daemon.received()
    var heard = clock.monotonic
    var question = ""
    try run {
      question += daemon.received()
      return !question.isEmpty
    }
    #expect(question == "?VERSION;\n")
    #expect(clock.monotonic - heard >= Budget.gpsdSilenceMilliseconds)
    daemon.send(Self.greeting)
    heard = clock.monotonic
    try run { clock.monotonic > heard + Budget.gpsdSilenceMilliseconds - 1000 }
    #expect(client.state == .open)
    try run { client.state == .lost(.timedOut) }
    #expect(clock.monotonic - heard >= Budget.gpsdSilenceMilliseconds + Budget.gpsdAnswerMilliseconds)
    #expect(sink.events == ["opened", "lost 110"])
    client.stop()
  }

  @Test("a daemon that closes is lost, after what it had said, and found again when it is back")
  func closes() throws {
    let daemon = FakeDaemon()
    let client = try client(daemon.address)
    client.start(sink)
    try run { daemon.accept() }
    daemon.send(Self.greeting + "last words\n")
    daemon.close()
    try run { client.state == .lost(.connectionReset) }
    #expect(sink.received == Self.greeting + "last words\n")
    let lost = clock.monotonic
    try run { daemon.accept() }
    #expect(clock.monotonic - lost <= Budget.serialRetryMilliseconds.lowerBound + 100)
    daemon.send(Self.greeting)
    try run { client.state == .open }
    #expect(sink.events == ["opened", "lost 104", "opened"])
    client.stop()
  }

  @Test("news of a device makes it try at once, and only while it is lost")
  func retries() throws {
    let daemon = FakeDaemon()
    daemon.leave()
    let client = try client(daemon.address)
    client.start(sink)
    try run { client.state == .lost(.connectionRefused) }
    daemon.comeBack()
    let before = clock.monotonic
    client.retry()
    client.retry()
    try run { daemon.accept() }
    #expect(clock.monotonic - before < 1000)
    client.stop()
    client.retry()
    #expect(!daemon.accept() && client.state == .absent)
  }

  @Test("a delegate that stops the client during a call gets no more")
  func stopsWhileTold() throws {
    let daemon = FakeDaemon()
    let client = try client(daemon.address)
    sink.onBytes = { client.stop() }
    client.start(sink)
    try run { daemon.accept() }
    daemon.send(String(repeating: Self.greeting, count: 200))
    try run { !sink.arrivals.isEmpty }
    #expect(client.state == .absent && sink.arrivals.count == 1)
    sink.onBytes = {}
  }

  @Test("a service answers from a daemon's reports")
  func answers() throws {
    let daemon = FakeDaemon()
    let client = try client(daemon.address)
    let service = LocationService(clock: clock, log: log)
    let answers = AnswerLog()
    service.delegate = answers
    service.start(client)
    try run { daemon.accept() }
    daemon.send(Self.greeting)
    try run { client.state == .open }
    let parameters: [UInt8] = Array("{}".utf8)
    #expect(service.request(1, JSONView(parameters.span), now: clock.monotonic) == nil)
    daemon.send(
      #"{"class":"TPV","mode":3,"time":"2026-07-15T12:35:19.000Z","lat":48.1173,"lon":11.5167,"eph":4.5}"# + "\n")
    try run { !answers.fixes.isEmpty }
    #expect(answers.fixes.first?.latitude == 48.1173 && answers.fixes.first?.accuracy == 4.5)
    #expect(service.counters.gpsd.good == 2)
    client.stop()
  }

  @Test(
    "addresses are literal, with or without a port",
    arguments: [
      ("", "127.0.0.1 2947"), ("localhost", "127.0.0.1 2947"), ("localhost:3000", "127.0.0.1 3000"),
      ("192.0.2.7", "192.0.2.7 2947"), ("192.0.2.7:1", "192.0.2.7 1"), (":2948", "127.0.0.1 2948"),
      ("[::1]:65535", "::1 65535"), ("[::1]", "::1 2947"), ("::1", "::1 2947"),
    ])
  func addresses(_ text: String, _ expected: String) throws {
    guard case .tcp(let address) = try GPSDAddress(text) else { return #expect(Bool(false)) }
    let host = address.byteCount == 4 ? (0..<4).map { "\(address.bytes[$0])" }.joined(separator: ".") : "::1"
    #expect("\(host) \(address.port)" == expected && (address.byteCount == 4 || address.isLoopback))
  }

  @Test(
    "what is no address is refused",
    arguments: [
      "gpsd.example", "192.0.2.7:", "192.0.2.7:0", "192.0.2.7:65536", "192.0.2.7:29x", "[::1", "[::1]2947",
      "1.2.3.4:999999999999",
    ])
  func noAddress(_ text: String) { #expect(throws: Errno.self) { try GPSDAddress(text) } }
}
