import Fetch
import Foundation
import Gateway
import Runtime
import Testing

@testable import Board

/// A fetch's connection on a loop of its own, and how it ended.
final class LinkProbe: TransportDelegate, AddressPolicy, TimerHandler {
  let loop: Loop
  let clock = SystemClock()
  private let link: FetchLink
  private(set) var isSecured = false
  private(set) var failure: TransportFailure?
  private(set) var judged: [SocketAddress] = []
  private(set) var received: [UInt8] = []
  var isPermitted = true

  init(authorities: String) throws {
    loop = try Loop(clock: clock)
    link = FetchLink(loop: loop, clock: clock, authorities: CertificateAuthorities(path: authorities))
  }

  /// The link to an update server: through a proxy, with a certificate for the server at this port of 127.0.0.1.
  init(
    authorities: String, proxy: ProxyAddress? = nil, certificate: ClientCertificate? = nil, port: UInt16 = 0
  ) throws {
    loop = try Loop(clock: clock)
    let known = certificate.map {
      FetchLink.KnownServer(
        host: "127.0.0.1", port: port, authorities: CertificateAuthorities(path: authorities, certificate: $0))
    }
    link = FetchLink(
      loop: loop, clock: clock, authorities: CertificateAuthorities(path: authorities), proxy: proxy, known: known)
  }

  /// Opens a connection. `line`: is sent on it, and an answer awaited.
  func open(_ url: String, _ trust: FetchTrust = .authorities, saying line: String? = nil) throws {
    link.open(try GatewayURL(url), trust: trust, judge: self, self)
    try run { $0.isSecured }
    if let line, isSecured {
      #expect(Array(line.utf8).withUnsafeBufferPointer { link.write($0) } == line.utf8.count)
      try run { !$0.received.isEmpty }
    }
    link.close()
  }

  private func run(until isDone: (LinkProbe) -> Bool) throws {
    loop.setTimer(TimerID(9), of: self, at: clock.monotonic + 10_000)
    if failure == nil { try loop.run { if isDone(self) || self.failure != nil { self.loop.stop() } } }
    loop.cancelTimer(TimerID(9), of: self)
  }

  /// Forgets how the last connection went.
  func forget() { (isSecured, failure, received) = (false, nil, []) }

  /// What is said of the failure by the library; empty when there is none.
  var detail: String { failure?.detail.map { String(cString: $0) } ?? "" }

  func permits(_ address: SocketAddress) -> Bool {
    judged.append(address)
    return isPermitted
  }
  func timerFired(_ id: TimerID) { loop.stop() }
  func transportSecured(certificate: PeerCertificate?) { isSecured = true }
  func transportReceived(_ bytes: Span<UInt8>) -> Int {
    for index in 0..<bytes.count { received.append(bytes[index]) }
    return bytes.count
  }
  func transportWritable() {}
  func transportFailed(_ failure: TransportFailure) { self.failure = failure }
}

@Suite("Connections for fetching")
struct FetchLinkTests {
  private static let names = "subjectAltName=DNS:localhost,IP:127.0.0.1"

  private func server(days: Int = 2, names: String = names) throws -> OpenSSLServer {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key", days: days, extensions: names)
    return try OpenSSLServer(files)
  }

  @Test("a certificate that an authority vouches for, by name and by address", arguments: ["localhost", "127.0.0.1"])
  func trusted(host: String) throws {
    let server = try server()
    let probe = try LinkProbe(authorities: server.files.path("cert"))
    try probe.open("wss://\(host):\(server.port)")
    #expect(probe.isSecured)
  }

  @Test("authorities in a folder, under the hashes of their names")
  func folder() throws {
    let server = try server()
    let folder = server.files.path("authorities")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let empty = try LinkProbe(authorities: folder)
    try empty.open("wss://localhost:\(server.port)")
    #expect(empty.failure?.kind == .tls)
    // The hash of /CN=openclaw-gateway is OpenSSL's to tell.
    try FileManager.default.copyItem(atPath: server.files.path("cert"), toPath: folder + "/cert.pem")
    let process = Foundation.Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = ["rehash", folder]
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    ended.wait()
    let probe = try LinkProbe(authorities: folder)
    try probe.open("wss://localhost:\(server.port)")
    #expect(probe.isSecured)
  }

  @Test("another name, an end in the past, an unknown authority: refused, and said why")
  func refused() throws {
    let wrongName = try server(names: "subjectAltName=DNS:another.example")
    let first = try LinkProbe(authorities: wrongName.files.path("cert"))
    try first.open("wss://localhost:\(wrongName.port)")
    #expect(first.failure?.kind == .tls)
    #expect(first.detail == "hostname mismatch")
    let expired = try server(days: -1)
    let second = try LinkProbe(authorities: expired.files.path("cert"))
    try second.open("wss://localhost:\(expired.port)")
    #expect(second.detail == "certificate has expired")
    let third = try LinkProbe(authorities: wrongName.files.path("cert"))
    try third.open("wss://localhost:\(expired.port)")
    #expect(third.detail.hasPrefix("self"))
  }

  @Test("a board without authorities says what to do")
  func noAuthorities() throws {
    let probe = try LinkProbe(authorities: "/nowhere")
    try probe.open("wss://localhost:1")
    #expect(probe.failure?.kind == .tls)
    #expect(probe.detail.contains("install ca-certificates"))
    #expect(probe.judged.isEmpty)
  }

  @Test("with a pin no authority is used: the caller compares the certificate")
  func pinned() throws {
    let server = try server(days: -1, names: "")
    let probe = try LinkProbe(authorities: "/nowhere")
    try probe.open("wss://127.0.0.1:\(server.port)", .pin)
    #expect(probe.isSecured)
  }

  @Test("an address that may not be connected to is not")
  func forbidden() throws {
    let server = try server()
    let probe = try LinkProbe(authorities: server.files.path("cert"))
    probe.isPermitted = false
    try probe.open("wss://localhost:\(server.port)")
    #expect(probe.failure?.kind == .forbidden)
    #expect(!probe.judged.isEmpty)
    for address in probe.judged { #expect(address.isLoopback) }
  }
}
