import Foundation
import Gateway
import Glibc
import Runtime
import Testing

@testable import Board

@Suite("The way to a gateway")
struct RouteTests {
  /// A proxy that reads one request, answers, and then echoes.
  private static func proxy(_ answer: String) throws -> PlainServer {
    try PlainServer { peer in
      var bytes = [UInt8](repeating: 0, count: 1000)
      guard read(peer, &bytes, bytes.count) > 0 else { return }
      _ = Array(answer.utf8).withUnsafeBytes { Glibc.write(peer, $0.baseAddress, $0.count) }
      while true {
        let count = read(peer, &bytes, bytes.count)
        guard count > 0 else { return }
        _ = bytes.withUnsafeBytes { Glibc.write(peer, $0.baseAddress, count) }
      }
    }
  }

  private func probe(_ url: String, by server: PlainServer) throws -> TransportProbe {
    let address = try ProxyAddress("http://127.0.0.1:\(server.port)")
    return try TransportProbe(url: url, route: GatewayRoute(proxy: address))
  }

  @Test("a tunnel carries bytes to a gateway whose name only the proxy knows")
  func tunnel() throws {
    let server = try Self.proxy("HTTP/1.1 200 Connection established\r\n\r\n")
    let probe = try probe("ws://gateway.invalid:18789", by: server)
    try probe.open()
    #expect(probe.isSecured)
    #expect(probe.write("hello") == 5)
    probe.isDone = { !$0.received.isEmpty }
    try probe.run()
    #expect(String(decoding: probe.received, as: UTF8.self) == "hello")
  }

  @Test(
    "a proxy that makes none is told, with its words",
    arguments: [
      (
        "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n",
        "the proxy ([gateway] proxy) answered with HTTP 407: it wants a user and a password "
          + "(http://USER:PASSWORD@HOST:PORT)"
      ),
      ("SSH-2.0\r\n", "the proxy ([gateway] proxy) makes no tunnel: its answer is not HTTP"),
    ])
  func refused(answer: String, sentence: String) throws {
    let server = try Self.proxy(answer)
    let probe = try probe("ws://gateway.invalid:18789", by: server)
    try withExtendedLifetime(server) { try probe.open() }
    #expect(probe.failures == [.proxy])
    #expect(probe.sentence == sentence)
  }

  @Test("a proxy that is not there is told, and not as the gateway")
  func missing() throws {
    let port = try PlainServer { _ in }.port
    let address = try ProxyAddress("http://127.0.0.1:\(port)")
    let probe = try TransportProbe(url: "ws://gateway.invalid", route: GatewayRoute(proxy: address))
    try probe.open()
    #expect(probe.failures == [.proxy])
    #expect(probe.sentence.contains("it takes no connection"))
  }

  @Test("an address of this board is connected to directly")
  func loopback() throws {
    let server = try PlainServer { peer in
      var byte: UInt8 = 0
      _ = read(peer, &byte, 1)
    }
    let address = try ProxyAddress("http://127.0.0.1:1")
    let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)", route: GatewayRoute(proxy: address))
    try probe.open()
    #expect(probe.isSecured)
  }

  @Test("a server that asks for a certificate gets it; without one, and with another's key, it is said what is missing")
  func certificate() throws {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key")
    try files.key("another")
    let server = try OpenSSLServer(
      files, ["-rev", "-Verify", "1", "-verify_return_error", "-CAfile", files.path("cert")])
    func probe(_ certificate: ClientCertificate?) throws -> TransportProbe {
      let route = GatewayRoute(certificate: certificate)
      let probe = try TransportProbe(url: "wss://127.0.0.1:\(server.port)", route: route)
      try probe.open()
      if probe.isSecured {
        _ = probe.write("abc\n")
        probe.isDone = { !$0.received.isEmpty || !$0.failures.isEmpty }
        try probe.run()
      }
      // The server has one connection at a time.
      probe.transport.close()
      return probe
    }
    let right = try probe(ClientCertificate(certificate: files.path("cert"), key: files.path("key")))
    #expect(String(decoding: right.received, as: UTF8.self) == "cba\n")
    #expect(try probe(nil).sentence.contains("the server wants a client certificate"))
    let wrong = try probe(ClientCertificate(certificate: files.path("cert"), key: files.path("another")))
    #expect(wrong.sentence.contains("do not belong together"))
    let missing = try probe(ClientCertificate(certificate: files.path("none"), key: files.path("key")))
    #expect(missing.sentence.contains("the client certificate cannot be read"))
  }
}
