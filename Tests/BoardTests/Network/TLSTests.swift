import COpenSSL
import Foundation
import Gateway
import Glibc
import Runtime
import Testing

@testable import Board

/// The transport against servers that are odd, old or hostile. It judges no certificate, whatever stands in it: that is
/// the pin's part (`TLSTrustTests`).
@Suite("TLS")
struct TLSTests {
  private func probe(_ port: UInt16, host: String = "127.0.0.1") throws -> TransportProbe {
    try TransportProbe(url: "wss://\(host):\(port)")
  }

  /// One failure, of this kind and in these words, and nothing left behind.
  private func expectFailure(_ probe: TransportProbe, _ kind: TransportFailure.Kind, _ words: String) {
    #expect(probe.failures == [kind])
    #expect(probe.sentence.contains(words), "\(probe.sentence)")
    #expect(probe.received.isEmpty)
    #expect(probe.transport.tls == nil && probe.transport.socket == nil)
    #expect(probe.transport.phase == .idle)
  }

  @Test("the digests of certificate and key are those that openssl prints, and bytes go both ways")
  func digests() throws {
    let server = try OpenSSLServer.reversing()
    let probe = try probe(server.port)
    try probe.open()
    let leaf = Fingerprint(text: try server.files.certificateDigest("cert").utf8.span)
    let key = Fingerprint(text: try server.files.keyDigest("key").utf8.span)
    #expect(leaf != nil && probe.certificate?.leaf == leaf)
    #expect(key != nil && probe.certificate?.key == key)
    #expect(probe.write("abc\n") == 4)
    probe.isDone = { $0.received.count >= 4 || !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received == Array("cba\n".utf8))
    probe.transport.close()
    #expect(probe.failures.isEmpty)
  }

  @Test("a certificate renewed with the same key has another digest, and the key's stays")
  func renewal() throws {
    let files = try CertificateFolder()
    try files.key("key")
    var seen: [PeerCertificate] = []
    for name in ["old", "new"] {
      try files.certificate(name, key: "key", subject: "/CN=\(name)")
      let server = try OpenSSLServer(files, certificate: name, ["-rev"])
      let probe = try probe(server.port)
      try probe.open()
      seen.append(try #require(probe.certificate))
      probe.transport.close()
    }
    #expect(seen[0].leaf != seen[1].leaf)
    #expect(seen[0].key == seen[1].key)
  }

  @Test("a server of TLS 1.1 is refused, and the sentence says why")
  func oldProtocol() throws {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key")
    let server = try OpenSSLServer(files, ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let probe = try probe(server.port)
    try probe.open()
    expectFailure(probe, .tls, "does not speak TLS 1.2 or 1.3")
  }

  @Test("a server that wants to negotiate anew, which TLS 1.2 allows, is refused")
  func renegotiation() throws {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key")
    let server = try OpenSSLServer(files, ["-tls1_2"])
    let probe = try probe(server.port)
    try probe.open()
    #expect(probe.isSecured)
    var count = 0
    probe.isDone = { probe in
      // SSL_total_renegotiations, which is a macro.
      if let tls = probe.transport.tls { count = max(count, SSL_ctrl(tls, SSL_CTRL_GET_TOTAL_RENEGOTIATIONS, 0, nil)) }
      return count > 0 || !probe.failures.isEmpty
    }
    server.type("r\n")
    try probe.run()
    #expect(count == 0)
    #expect(!probe.failures.isEmpty, "the server ends what it cannot negotiate anew")
  }

  @Test("a chain of more bytes than the budget is refused, a long one within it is taken")
  func hugeChain() throws {
    let files = try CertificateFolder()
    try files.key("key")
    try files.certificate("cert", key: "key")
    let pem = try Data(contentsOf: URL(fileURLWithPath: files.path("cert")))
    // DER has three bytes for four of base64.
    let perCertificate = pem.count * 3 / 4
    for (count, isTaken) in [(Int(Budget.certificateChainBytes) / perCertificate * 8 / 10, true), (250, false)] {
      var chain = Data()
      for _ in 0..<count { chain += pem }
      #expect(isTaken || chain.count > 100_000)
      try chain.write(to: URL(fileURLWithPath: files.path("chain")))
      let server = try OpenSSLServer(files, ["-rev", "-cert_chain", files.path("chain")])
      let probe = try probe(server.port)
      try probe.open()
      #expect(probe.isSecured == isTaken)
      if !isTaken { expectFailure(probe, .tls, "chain is longer than a board takes") }
      probe.transport.close()
    }
  }

  @Test(
    "a handshake that does not end is a TLS failure, whether the server is silent or sends a byte at a time",
    arguments: [true, false])
  func endlessHandshake(isSilent: Bool) throws {
    let server = try PlainServer { peer in
      // A ServerHello that announces 16 KiB and comes a byte at a time.
      let record: [UInt8] = [22, 3, 3, 0x40, 0, 2, 0, 0x3F, 0xFC, 3, 3]
      for index in 0..<500 {
        usleep(10_000)
        var byte: UInt8 = index < record.count ? record[index] : 0
        if !isSilent, send(peer, &byte, 1, Int32(MSG_NOSIGNAL)) != 1 { return }
      }
    }
    let probe = try probe(server.port)
    probe.transport.handshakeTimeout = 200
    let began = probe.clock.monotonic
    try probe.open()
    expectFailure(probe, .tls, "timed out")
    #expect((200..<2_000).contains(probe.clock.monotonic - began))
  }

  @Test("a handshake that comes a byte at a time succeeds, if it comes in time")
  func byteByByte() throws {
    let server = try OpenSSLServer.reversing()
    let wire = try Wire(to: server.port, step: 1)
    let probe = try probe(wire.port)
    try probe.open()
    #expect(probe.isSecured)
    probe.transport.close()
  }

  @Test("a handshake cut after any number of bytes is a failure", arguments: [0, 1, 4, 5, 6, 60, 127, 128, 300, 500])
  func cutHandshake(bytes: Int) throws {
    let server = try OpenSSLServer.reversing()
    let wire = try Wire(to: server.port, allowance: bytes)
    let probe = try probe(wire.port)
    try probe.open()
    #expect(!probe.isSecured)
    // The kernel tells the cut as an end or as a reset, as it pleases.
    let isReset = probe.failures == [.broken]
    expectFailure(probe, isReset ? .broken : .tls, isReset ? "connection reset" : "cut off")
  }

  @Test("of a record that is cut in its middle nothing is delivered, and the link is broken")
  func cutRecord() throws {
    let server = try OpenSSLServer.reversing()
    let wire = try Wire(to: server.port)
    let probe = try probe(wire.port)
    try probe.open()
    #expect(probe.write("a\n") == 2)
    probe.isDone = { $0.received.count == 2 || !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received.count == 2)
    wire.allow(3_000)
    #expect(probe.write(String(repeating: "b", count: 9_999) + "\n") == 10_000)
    probe.isDone = { !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received.count == 2)
    #expect(probe.failures == [.broken])
    #expect(probe.sentence == "the connection broke: cut off")
    #expect(probe.transport.tls == nil && probe.transport.socket == nil)
  }

  @Test(
    "a server that answers in plain text is a TLS failure, and the sentence asks about the port",
    arguments: ["HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}"])
  func plaintextAnswer(answer: String) throws {
    let server = try PlainServer { peer in
      var bytes = [UInt8](repeating: 0, count: 4_096)
      _ = read(peer, &bytes, bytes.count)
      _ = answer.withCString { write(peer, $0, answer.utf8.count) }
    }
    let probe = try probe(server.port)
    try probe.open()
    expectFailure(probe, .tls, "the answer is not TLS")
  }
}
