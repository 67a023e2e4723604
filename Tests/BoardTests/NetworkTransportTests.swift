import Foundation
import Gateway
import Glibc
import Runtime
import Testing

@testable import Board

@Suite("Network transport")
struct NetworkTransportTests {
  @Test("TLS: the leaf's fingerprint is the one that openssl prints, and bytes go both ways")
  func tls() throws {
    let server = try OpenSSLServer()
    let probe = try TransportProbe(url: "wss://127.0.0.1:\(server.port)")
    try probe.open()
    let expected = Fingerprint(text: server.fingerprint.utf8.span)
    #expect(probe.leaf != nil && probe.leaf == expected)
    #expect(probe.write("abc\n") == 4)
    probe.isDone = { $0.received.count >= 4 || !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received == Array("cba\n".utf8))
    probe.transport.close()
    #expect(probe.failures.isEmpty)
  }

  @Test("a server that answers TLS in plain text is a TLS failure")
  func plaintextAnswer() throws {
    let server = try PlainServer { peer in
      var bytes = [UInt8](repeating: 0, count: 512)
      _ = read(peer, &bytes, 512)
      let answer = "HTTP/1.1 400 Bad Request\r\n\r\n"
      _ = answer.withCString { Glibc.write(peer, $0, answer.utf8.count) }
    }
    let probe = try TransportProbe(url: "wss://127.0.0.1:\(server.port)")
    try probe.open()
    #expect(probe.failures == [.tls])
    #expect(!probe.isSecured)
  }

  @Test("a port where nobody listens fails with the kernel's reason")
  func refused() throws {
    let port = try PlainServer { _ in }.port
    let probe = try TransportProbe(url: "ws://127.0.0.1:\(port)")
    try probe.open()
    #expect(probe.failures == [.connect])
    #expect(probe.reason == .connectionRefused)
  }

  @Test("every address of a name is tried until one accepts")
  func allAddresses() throws {
    // The server has only 127.0.0.1; the name stands for ::1 too on most machines.
    let server = try PlainServer { peer in
      var byte: UInt8 = 0
      _ = read(peer, &byte, 1)
    }
    let probe = try TransportProbe(url: "ws://localhost:\(server.port)")
    try probe.open()
    #expect(probe.isSecured)
    #expect(probe.leaf == nil)
  }

  @Test("bytes that were not taken come again after resume, in order, and the end comes after them")
  func backpressure() throws {
    let sent = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let server = try PlainServer { peer in
      var done = 0
      while done < sent.count {
        let count = sent[done...].withUnsafeBytes { Glibc.write(peer, $0.baseAddress, $0.count) }
        guard count > 0 else { return }
        done += count
      }
    }
    let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)")
    try probe.open()
    probe.appetite = 1_000
    probe.isDone = { probe in
      probe.transport.resumeReading()
      return !probe.failures.isEmpty
    }
    try probe.run()
    #expect(probe.received == sent)
    #expect(probe.failures == [.closedByPeer])
  }

  @Test("closing tells nobody, and leaves no descriptor open")
  func close() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<20 {
      let server = try PlainServer { peer in
        var byte: UInt8 = 0
        _ = read(peer, &byte, 1)
      }
      let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)")
      try probe.open()
      probe.transport.close()
      #expect(probe.failures.isEmpty)
    }
    // Other tests open descriptors meanwhile; twenty that leak would show all the same.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after < before + 20)
  }
}
