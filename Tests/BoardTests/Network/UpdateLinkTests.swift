import Foundation
import Gateway
import Glibc
import Testing

@testable import Board

@Suite("Connections to update servers")
struct UpdateLinkTests {
  private let files: CertificateFolder

  /// A server's key and certificate, and a board's, which the server trusts.
  init() throws {
    files = try CertificateFolder()
    for name in ["key", "board-key", "another-key"] { try files.key(name) }
    try files.certificate("cert", key: "key", extensions: "subjectAltName=IP:127.0.0.1")
    try files.certificate("board", key: "board-key")
    try files.certificate("another", key: "another-key", subject: "/CN=another board")
    for name in ["board-key", "another-key"] { chmod(files.path(name), 0o640) }
  }

  /// A server of OpenSSL that takes nobody without a certificate of the board's.
  private func server() throws -> OpenSSLServer {
    try OpenSSLServer(files, ["-rev", "-Verify", "1", "-verify_return_error", "-CAfile", files.path("board")])
  }

  private func certificate(_ certificate: String = "board", _ key: String = "board-key") -> ClientCertificate {
    ClientCertificate(certificate: files.path(certificate), key: files.path(key), section: .update)
  }

  /// What came back of a line, or why nothing did.
  private func visit(_ server: OpenSSLServer, _ certificate: ClientCertificate?, port: UInt16? = nil) throws -> String {
    let probe = try LinkProbe(
      authorities: files.path("cert"), certificate: certificate, port: port ?? server.port)
    try probe.open("wss://127.0.0.1:\(server.port)", saying: "board\n")
    return probe.failure == nil ? String(decoding: probe.received, as: UTF8.self) : probe.detail
  }

  @Test("a server that asks who the board is gets its certificate, also with TLS 1.2")
  func right() throws {
    let server = try server()
    #expect(try visit(server, certificate()) == "draob\n")
    let older = try OpenSSLServer(
      files,
      ["-rev", "-tls1_2", "-Verify", "1", "-verify_return_error", "-CAfile", files.path("board")])
    #expect(try visit(older, certificate()) == "draob\n")
  }

  @Test("a board without a certificate, and one with another's, are told why they are refused")
  func refused() throws {
    let server = try server()
    #expect(try visit(server, nil).hasPrefix("the server wants a client certificate"))
    #expect(
      try visit(server, certificate("another", "another-key"))
        == "the server does not know who issued this board's client certificate")
  }

  @Test("another server than the configured one does not learn who the board is")
  func others() throws {
    let server = try server()
    #expect(try visit(server, certificate(), port: server.port ^ 1).hasPrefix("the server wants a client certificate"))
  }

  @Test("files that are missing, damaged, locked, or of two certificates are named by their keys")
  func badFiles() throws {
    let server = try server()
    #expect(
      try visit(server, certificate("none")) == "the client certificate cannot be read ([update] certificate)")
    try "no PEM".write(toFile: files.path("damaged"), atomically: true, encoding: .utf8)
    #expect(
      try visit(server, certificate("damaged")) == "the client certificate cannot be read ([update] certificate)")
    let noKey = "the client certificate's key cannot be read, or has a passphrase ([update] key)"
    chmod(files.path("damaged"), 0o600)
    for key in ["none", "damaged"] { #expect(try visit(server, certificate("board", key)) == noKey) }
    #expect(
      try visit(server, certificate("board", "another-key"))
        == "the client certificate and its key do not belong together ([update] key)")
  }

  @Test("a key that everybody may read is refused, and one for the agent's group is not")
  func openKey() throws {
    let server = try server()
    let probe = try LinkProbe(authorities: files.path("cert"), certificate: certificate(), port: server.port)
    chmod(files.path("board-key"), 0o644)
    try probe.open("wss://127.0.0.1:\(server.port)", saying: "board\n")
    #expect(
      probe.detail == "everybody on this board may read the client certificate's key ([update] key): chmod 640")
    // The same link, after its owner has done that.
    chmod(files.path("board-key"), 0o640)
    probe.forget()
    try probe.open("wss://127.0.0.1:\(server.port)", saying: "board\n")
    #expect(probe.failure == nil && String(decoding: probe.received, as: UTF8.self) == "draob\n")
  }

  @Test("an update server is reached through the gateway's proxy, and one on this board without it")
  func proxy() throws {
    // It answers as a proxy does, and then as a server without TLS.
    let asked = Heard()
    let proxy = try PlainServer { peer in
      var bytes = [UInt8](repeating: 0, count: 1000)
      let count = read(peer, &bytes, bytes.count)
      guard count > 0 else { return }
      asked.set(String(decoding: bytes[..<count], as: UTF8.self))
      let answer = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
      _ = answer.withUnsafeBytes { Glibc.write(peer, $0.baseAddress, $0.count) }
      let more = read(peer, &bytes, bytes.count)
      guard more > 0 else { return }
      _ = bytes.withUnsafeBytes { Glibc.write(peer, $0.baseAddress, more) }
    }
    let address = try ProxyAddress("http://127.0.0.1:\(proxy.port)")
    let probe = try LinkProbe(authorities: files.path("cert"), proxy: address)
    try probe.open("ws://fleet.invalid:8080", saying: "board\n")
    #expect(String(decoding: probe.received, as: UTF8.self) == "board\n")
    #expect(asked.text.hasPrefix("CONNECT fleet.invalid:8080 HTTP/1.1\r\n"))
    let server = try server()
    let direct = try LinkProbe(
      authorities: files.path("cert"), proxy: try ProxyAddress("http://127.0.0.1:1"), certificate: certificate(),
      port: server.port)
    try direct.open("wss://127.0.0.1:\(server.port)", saying: "board\n")
    #expect(direct.failure == nil)
  }
}

/// What a thread heard.
private final class Heard: @unchecked Sendable {
  private let lock = NSLock()
  private var heard = ""
  var text: String { lock.withLock { heard } }
  func set(_ text: String) { lock.withLock { heard = text } }
}
