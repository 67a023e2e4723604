import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@testable import Board

/// A session over the real transport, on a loop of its own, until it has sent its upgrade or given up.
private final class TrustBench: SessionDelegate, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  let runner = DeferredRunner()
  let store = MemoryStore()
  let log = Log(level: .debug, output: nil)
  let record: GatewayRecord
  private(set) var session: Session! = nil
  private var isDone: () -> Bool = { true }

  init(_ url: String, pin: Fingerprint? = nil, pinning: Pinning = .certificate) throws {
    loop = try Loop(clock: clock)
    let url = try GatewayURL(url)
    let cryptography = OpenSSLCryptography()
    let random = SystemRandom()
    record = GatewayRecord(url: url, cryptography: cryptography)
    var configuration = SessionConfiguration(urls: [url], pin: pin, displayName: "Test board", version: "1")
    configuration.trust.pinning = pinning
    session = try Session(
      configuration: configuration,
      identity: NodeIdentity.load(from: store, random: random, cryptography: cryptography).identity,
      keeper: RecordKeeper(record: record, store: store, runner: runner, clock: clock, log: log),
      transport: NetworkTransport(loop: loop, clock: clock), clock: clock, random: random,
      cryptography: cryptography, log: log, delegate: self)
  }

  func sessionOpened() {}
  func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView) {}
  func sessionLost() {}
  var repliesDue: Int { 0 }
  func sessionReceivedInvoke(in buffer: inout ReservedBuffer, count: Int) -> Bool { false }
  var isOccupied: Bool { false }

  /// Connects until the session waits, or until `isDone`; for ten seconds at most.
  func run(until isDone: @escaping () -> Bool = { false }) throws {
    self.isDone = isDone
    session.start()
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic)
    let end = clock.monotonic + 10_000
    try loop.run {
      self.runner.runAll()
      if isDone() || self.session.state != .connecting || self.clock.monotonic > end { self.loop.stop() }
    }
    loop.cancelTimer(TimerID(9), of: self)
  }

  // Looks again: what a server heard wakes nobody here.
  func timerFired(_ id: TimerID) { loop.setTimer(TimerID(9), of: self, at: clock.monotonic + 20) }

  var explanation: String {
    session.explanation.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite("TLS and trust")
struct TLSTrustTests {
  private static let upgrade = "GET / HTTP/1.1"

  /// A folder with a key and a certificate that is right in every way.
  private func files() throws -> CertificateFolder {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key", subject: "/CN=localhost")
    return files
  }

  private func digest(_ files: CertificateFolder, _ name: String) throws -> Fingerprint {
    guard let digest = Fingerprint(text: try files.certificateDigest(name).utf8.span) else {
      throw CocoaError(.fileReadCorruptFile)
    }
    return digest
  }

  /// Certificates that a browser would refuse: subject, days, extensions.
  static let odd = [
    ("/CN=localhost", -1, ""),
    ("/CN=another.example", 2, "subjectAltName=DNS:another.example"),
    // DNS:localhost\0.evil.com
    ("/CN=localhost", 2, "subjectAltName=DER:301582136c6f63616c686f7374002e6576696c2e636f6d"),
    ("/CN=localhost", 2, "basicConstraints=critical,CA:FALSE\nextendedKeyUsage=clientAuth"),
  ]

  @Test(
    "expired, of another host, with a zero byte in its name: the first certificate is pinned, whatever stands in it",
    arguments: odd)
  func oddCertificates(subject: String, days: Int, extensions: String) throws {
    let files = try files()
    try files.certificate("odd", key: "key", subject: subject, days: days, extensions: extensions)
    let server = try OpenSSLServer(files, certificate: "odd")
    let bench = try TrustBench("wss://localhost:\(server.port)")
    try bench.run { server.heard.contains(Self.upgrade) }
    #expect(server.heard.contains(Self.upgrade))
    let expected = try digest(files, "odd")
    #expect(bench.record.pin == expected)
    bench.session.stop()
  }

  @Test(
    "a certificate that is right in every way, and is not the pinned one, gets not one byte",
    arguments: ["another key", "the same key", "a pin in the configuration"])
  func changed(what: String) throws {
    let files = try files()
    try files.key("other")
    let key = what == "the same key" ? "key" : "other"
    try files.certificate("renewed", key: key, subject: "/CN=localhost")
    let server = try OpenSSLServer(files, certificate: "renewed", key: key)
    let known = try digest(files, "cert")
    let isConfigured = what == "a pin in the configuration"
    let bench = try TrustBench("wss://localhost:\(server.port)", pin: isConfigured ? known : nil)
    if !isConfigured { bench.record.setPin(known) }
    try bench.run()
    #expect(bench.session.state == .untrusted)
    #expect(bench.explanation.contains("certificate CHANGED"))
    #expect(bench.explanation.contains(isConfigured ? "[gateway] pin" : "talon trust --replace"))
    // The server prints "CONNECTED" or its statistics when the handshake stood, and all that came inside TLS.
    #expect(!server.heard.contains("HTTP"))
    #expect(bench.record.pin == (isConfigured ? nil : known))
  }

  @Test("the pinned certificate is good when it is expired, of another host and at another address")
  func pinned() throws {
    let files = try files()
    try files.certificate("odd", key: "key", subject: "/CN=another.example", days: -1)
    let server = try OpenSSLServer(files, certificate: "odd")
    let bench = try TrustBench("wss://127.0.0.1:\(server.port)", pin: try digest(files, "odd"))
    try bench.run { server.heard.contains(Self.upgrade) }
    #expect(server.heard.contains(Self.upgrade))
    #expect(bench.record.pin == nil)
    bench.session.stop()
  }

  @Test("a certificate renewed with the same key is taken where the key is what counts, and is trusted from then on")
  func renewed() throws {
    let files = try files()
    try files.certificate("renewed", key: "key", subject: "/CN=localhost")
    let server = try OpenSSLServer(files, certificate: "renewed")
    let bench = try TrustBench("wss://localhost:\(server.port)", pinning: .key)
    let key = Fingerprint(text: try files.keyDigest("key").utf8.span)
    bench.record.setPin(try digest(files, "cert"), key: key)
    try bench.run { server.heard.contains(Self.upgrade) }
    #expect(server.heard.contains(Self.upgrade))
    #expect(key != nil && bench.record.keyPin == key)
    let renewed = try digest(files, "renewed")
    #expect(bench.record.pin == renewed)
    bench.session.stop()
  }

  @Test("where the key is what counts, a certificate with another key gets not one byte")
  func anotherKey() throws {
    let files = try files()
    try files.key("other")
    try files.certificate("renewed", key: "other", subject: "/CN=localhost")
    let server = try OpenSSLServer(files, certificate: "renewed", key: "other")
    let bench = try TrustBench("wss://localhost:\(server.port)", pinning: .key)
    bench.record.setPin(try digest(files, "cert"), key: Fingerprint(text: try files.keyDigest("key").utf8.span))
    try bench.run()
    #expect(bench.session.state == .untrusted)
    #expect(!server.heard.contains("HTTP"))
  }

  @Test("what TLS finds wrong is in the session's sentence, and nothing is pinned")
  func failure() throws {
    let files = try files()
    let server = try OpenSSLServer(files, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let bench = try TrustBench("wss://localhost:\(server.port)")
    try bench.run()
    #expect(bench.session.state == .waiting)
    #expect(bench.explanation.hasPrefix("TLS failed: the server does not speak TLS 1.2 or 1.3; trying again in"))
    #expect(bench.record.pin == nil)
    #expect(!server.heard.contains("HTTP"))
  }
}
