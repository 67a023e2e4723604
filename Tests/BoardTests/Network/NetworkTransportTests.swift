import Foundation
import Gateway
import Glibc
import Runtime
import Testing

@testable import Board

@Suite("Network transport")
struct NetworkTransportTests {
  @Test("a port without a listener fails with the kernel's error")
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
    #expect(probe.certificate == nil)
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

  @Test("all addresses of a name together have ten seconds, and each at least one")
  func connectTimeouts() {
    #expect([0, 1, 2, 4, 8, 20].map(NetworkTransport.connectTimeout) == [10_000, 10_000, 5_000, 2_500, 1_250, 1_000])
  }

  @Test("closing calls no delegate, and leaves no descriptor open")
  func close() throws {
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    for _ in 0..<100 {
      let server = try PlainServer { peer in
        var byte: UInt8 = 0
        _ = read(peer, &byte, 1)
      }
      let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)")
      try probe.open()
      probe.transport.close()
      #expect(probe.failures.isEmpty)
    }
    // Other tests open descriptors meanwhile; a hundred that leak would show all the same.
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    #expect(after < before + 100)
  }
}
