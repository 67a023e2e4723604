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

  @Test("addresses of both families are tried by turns, the first family first")
  func families() throws {
    let texts = ["fd00::1", "fd00::2", "fd00::3", "192.0.2.1", "192.0.2.2"]
    let addresses = try texts.map { try #require(SocketAddress(literal: $0, port: 1)) }
    let order = NetworkTransport.interleaved(addresses).map { address in addresses.firstIndex(of: address) }
    #expect(order == [0, 3, 1, 4, 2])
    #expect(NetworkTransport.interleaved([]).isEmpty)
  }

  @Test("an address that does not answer delays the next one for no longer than a moment, and is dropped")
  func silentAddresses() throws {
    let silent = try SilentPort()
    let server = try PlainServer { peer in
      var byte: UInt8 = 0
      _ = read(peer, &byte, 1)
    }
    let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)")
    let live = try #require(SocketAddress(literal: "127.0.0.1", port: server.port))
    let dead = try #require(SocketAddress(literal: "127.0.0.1", port: silent.port))
    try probe.open([dead, dead, dead, live])
    #expect(probe.isSecured)
    #expect(probe.transport.connecting.isEmpty)
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
