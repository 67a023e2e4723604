import Foundation
import Gateway
import Glibc
import Testing

@testable import Board

@Suite("Servers that hang up while reading pauses")
struct HangUpTests {
  private static let count = 48_000

  /// Gets 48,000 bytes of which the first thousand are taken, and the connection's end while nothing is read: the
  /// server ends it without having read what it was sent, so the kernel resets it, which epoll reports although
  /// reading pauses (`EPOLLHUP`, `EPOLLERR`).
  private func probe(readsAfterHangUp: Bool) throws -> TransportProbe {
    let (begins, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try PlainServer { peer in
      let bytes = [UInt8](repeating: 7, count: Self.count)
      _ = bytes.withUnsafeBytes { send(peer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      begins.wait()
      // Ends the connection, and leaves the number to `PlainServer`.
      let nothing = open("/dev/null", O_RDONLY)
      dup2(nothing, peer)
      close(nothing)
      ended.signal()
    }
    let probe = try TransportProbe(url: "ws://127.0.0.1:\(server.port)")
    probe.transport.readsAfterHangUp = readsAfterHangUp
    try probe.open()
    #expect(probe.write("request") == 7)
    probe.appetite = 1000
    probe.isDone = { !$0.received.isEmpty }
    try probe.run()
    begins.signal()
    ended.wait()
    // In the loop's next turn the end is heard of; this is asked before each.
    probe.appetite = .max
    var turns = 0
    probe.isDone = { _ in
      turns += 1
      return turns > 1
    }
    try probe.run()
    return probe
  }

  @Test("what had come counts: it is read to its end, and then the end is told, once")
  func readsOn() throws {
    let probe = try probe(readsAfterHangUp: true)
    #expect(probe.failures.isEmpty && probe.received.count == 1000)
    probe.transport.resumeReading()
    probe.isDone = { !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received.count == Self.count)
    #expect(probe.failures.count == 1)
  }

  @Test("a pause in between is kept: nothing is delivered before reading resumes, however often")
  func pauses() throws {
    let probe = try probe(readsAfterHangUp: true)
    probe.appetite = 5000
    probe.isDone = { !$0.failures.isEmpty || $0.received.count >= 6000 }
    probe.transport.resumeReading()
    try probe.run()
    #expect(probe.received.count == 6000 && probe.failures.isEmpty)
    probe.appetite = .max
    probe.transport.resumeReading()
    probe.isDone = { !$0.failures.isEmpty }
    try probe.run()
    #expect(probe.received.count == Self.count)
  }

  @Test("a connection on which answers are expected is over at once")
  func endsAtOnce() throws {
    let probe = try probe(readsAfterHangUp: false)
    #expect(probe.failures == [.broken] && probe.received.count == 1000)
  }
}
