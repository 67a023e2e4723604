import Foundation
import Gateway
import Runtime
import Testing

@testable import Board

/// A clock with any date.
private final class DatedClock: Clock {
  private let system = SystemClock()
  let wall: Int64
  var monotonic: Int64 { system.monotonic }

  init(wall: Int64) { self.wall = wall }
}

/// What authorities say of the certificates of a server of OpenSSL's own.
@Suite("What authorities say of a gateway's certificate")
struct VouchingTests {
  private final class Peer: TransportDelegate {
    var certificate: PeerCertificate?
    var failure: String?
    func transportSecured(certificate: PeerCertificate?) { self.certificate = certificate }
    func transportReceived(_ bytes: Span<UInt8>) -> Int { bytes.count }
    func transportWritable() {}
    func transportFailed(_ failure: TransportFailure) { self.failure = "\(failure.kind)" }
  }

  /// A folder with an authority `root` and the key `key`.
  private func files() throws -> CertificateFolder {
    let files = try CertificateFolder()
    try files.authority("root")
    try files.key("key")
    return files
  }

  /// Connects to a server that shows `certificate` with the certificates in `chain`; what the authorities in
  /// `authorities` say.
  private func vouching(
    _ files: CertificateFolder, certificate: String = "leaf", key: String = "key", chain: String? = nil,
    authorities: String = "root", host: String = "localhost", wall: Int64? = nil
  ) throws -> Vouching {
    let server = try OpenSSLServer(
      files, certificate: certificate, key: key, at: host.hasPrefix("[") ? "[::1]" : "127.0.0.1",
      chain.map { ["-cert_chain", files.path($0)] } ?? [])
    let clock = DatedClock(wall: wall ?? SystemClock().wall)
    let loop = try Loop(clock: clock)
    let transport = NetworkTransport(
      loop: loop, clock: clock, route: GatewayRoute(authorities: files.path(authorities)))
    return try vouching("wss://\(host):\(server.port)", transport, loop, clock)
  }

  /// Connects; what the transport's authorities say.
  private func vouching(
    _ url: String, _ transport: NetworkTransport, _ loop: Loop, _ clock: any Clock
  ) throws -> Vouching {
    let peer = Peer()
    transport.open(try GatewayURL(url), peer)
    let stop = Stop(loop)
    loop.setTimer(TimerID(0), of: stop, at: clock.monotonic + 10_000)
    try loop.run { if peer.certificate != nil || peer.failure != nil { loop.stop() } }
    loop.cancelTimer(TimerID(0), of: stop)
    transport.close()
    return try #require(peer.certificate, "\(peer.failure ?? "no answer")").vouching
  }

  private final class Stop: TimerHandler {
    let loop: Loop
    init(_ loop: Loop) { self.loop = loop }
    func timerFired(_ id: TimerID) { loop.stop() }
  }

  private func isVouched(_ vouching: Vouching) -> Bool { if case .vouched = vouching { true } else { false } }

  @Test("a name with a chain is vouched for, until its end", arguments: [6, 47, 90])
  func good(days: Int) throws {
    let files = try files()
    try files.signed("leaf", key: "key", by: "root", subject: "/CN=gw", names: "DNS:localhost", days: days)
    guard case .vouched(let until) = try vouching(files) else { return #expect(Bool(false), "not vouched for") }
    let left = (until - SystemClock().wall) / 86_400_000
    #expect(left == Int64(days) || left == Int64(days) - 1)
  }

  @Test("a renewal with a new key and another intermediate is vouched for, and so is a root that another one signed")
  func renewals() throws {
    let files = try files()
    for number in 1...2 {
      let name = "middle\(number)"
      try files.key(name + "-key")
      try files.signed(name, key: name + "-key", by: "root", subject: "/CN=\(name)", isAuthority: true)
      try files.key("key\(number)")
      try files.signed("leaf\(number)", key: "key\(number)", by: name, subject: "/CN=gw", names: "DNS:localhost")
      #expect(isVouched(try vouching(files, certificate: "leaf\(number)", key: "key\(number)", chain: name)))
    }
    // A new root, which the board does not know, cross-signed by the one that it knows.
    try files.authority("new")
    try files.signed("cross", key: "new-key", by: "root", subject: "/CN=new", isAuthority: true)
    try files.signed("leaf", key: "key", by: "new", subject: "/CN=gw", names: "DNS:localhost")
    #expect(isVouched(try vouching(files, chain: "cross")))
    let alone = try vouching(files)
    #expect(alone == .objected(.unknownIssuer))
  }

  @Test("authorities that are installed later are asked at the next connection")
  func installedLater() throws {
    let files = try files()
    try files.signed("leaf", key: "key", by: "root", subject: "/CN=gw", names: "DNS:localhost")
    let server = try OpenSSLServer(files, certificate: "leaf", key: "key", [])
    let clock = SystemClock()
    let loop = try Loop(clock: clock)
    let transport = NetworkTransport(
      loop: loop, clock: clock, route: GatewayRoute(authorities: files.path("later")))
    let url = "wss://localhost:\(server.port)"
    #expect(try vouching(url, transport, loop, clock) == .unasked)
    try FileManager.default.copyItem(atPath: files.path("root"), toPath: files.path("later"))
    #expect(isVouched(try vouching(url, transport, loop, clock)))
    #expect(isVouched(try vouching(url, transport, loop, clock)))
  }

  @Test("an address with its interface is compared without it, for certificates know none")
  func zone() throws {
    let files = try files()
    try files.signed("leaf", key: "key", by: "root", subject: "/CN=gw", names: "IP:::1")
    #expect(isVouched(try vouching(files, host: "[::1%lo]")))
    try files.signed("other", key: "key", by: "root", subject: "/CN=gw", names: "IP:::2")
    #expect(try vouching(files, certificate: "other", host: "[::1%lo]") == .objected(.otherName))
  }

  @Test("what is wrong is told apart")
  func objections() throws {
    let files = try files()
    try files.signed("other", key: "key", by: "root", subject: "/CN=localhost", names: "DNS:another.example")
    #expect(try vouching(files, certificate: "other") == .objected(.otherName))
    try files.certificate("own", key: "key", subject: "/CN=localhost", extensions: "subjectAltName=DNS:localhost")
    #expect(try vouching(files, certificate: "own") == .objected(.unknownIssuer))
    try files.signed("numbers", key: "key", by: "root", subject: "/CN=gw", names: "IP:127.0.0.1")
    #expect(isVouched(try vouching(files, certificate: "numbers", host: "127.0.0.1")))
    #expect(try vouching(files, certificate: "numbers") == .objected(.otherName))
    try files.signed("wild", key: "key", by: "root", subject: "/CN=gw", names: "DNS:*.localhost")
    #expect(try vouching(files, certificate: "wild") == .objected(.otherName))
  }

  @Test("a wrong clock is told as what it makes of the dates; one that was never set does not count")
  func clocks() throws {
    let files = try files()
    try files.signed("leaf", key: "key", by: "root", subject: "/CN=gw", names: "DNS:localhost")
    let year: Int64 = 31_557_600_000
    #expect(try vouching(files, wall: 130 * year) == .objected(.expired))
    // Thirty years ahead all have expired; thirty years back is a clock that was never set.
    let now = SystemClock().wall
    #expect(try vouching(files, wall: now + 30 * year) == .objected(.expired))
    #expect(isVouched(try vouching(files, wall: now - 30 * year)))
    #expect(isVouched(try vouching(files, wall: 1_000)))
    #expect(isVouched(try vouching(files, wall: Budget.earliestWall - 1)))
    #expect(try vouching(files, wall: Budget.earliestWall) == .objected(.notYetValid))
  }

  @Test("without authorities nobody is asked, and the connection stands all the same")
  func none() throws {
    let files = try files()
    try files.signed("leaf", key: "key", by: "root", subject: "/CN=gw", names: "DNS:localhost")
    #expect(!isVouched(try vouching(files, authorities: "nowhere")))
  }
}
