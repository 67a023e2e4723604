import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@Suite("The pause after a connection")
struct BackoffTests {
  /// Every way in which a connection that was online ends.
  enum End: CaseIterable, Sendable {
    case linkDead, gatewaySilent
    case broken, closedWithoutWords, closedForRestart, closedForSize, closedAsReplaced
    case notText, shutdown, requestsRefused, declaresAnew, stopped

    /// It takes so long that the connection was stable in any case.
    var takesLong: Bool { self == .linkDead || self == .gatewaySilent }
  }

  private final class Owner: RequestDelegate {
    func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {}
    func requestFailed(_ tag: Int, _ failure: RequestFailure) {}
  }

  private let bench: Bench
  private let owner = Owner()

  init() throws {
    bench = try Bench()
    // Trouble, until the pause is the longest.
    bench.session.start()
    for _ in 0..<7 {
      bench.transport.fail(TransportFailure(.connect))
      bench.passToNextAttempt()
    }
    try bench.reachOnline()
  }

  private func close(_ payload: [UInt8]) { bench.gateway.sendFrame(0x88, payload) }

  private func end(_ end: End) throws {
    switch end {
    case .linkDead: bench.pass(36_000)
    case .gatewaySilent: bench.passAnsweringPings(61_000)
    case .broken: bench.transport.fail(TransportFailure(.broken))
    case .closedWithoutWords: close([])
    case .closedForRestart: close([0x03, 0xF4])
    case .closedForSize: close([0x03, 0xF1])
    case .closedAsReplaced: close([0x0F, 0xA1] + Array("replaced".utf8))
    case .notText: bench.gateway.sendFrame(0x81, [0xFF])
    case .shutdown:
      bench.gateway.send(#"{"type":"event","event":"shutdown","payload":{"reason":"x","restartExpectedMs":1500}}"#)
      close([0x03, 0xF4])
    case .requestsRefused:
      try #require(bench.session.request("health", delegate: owner, tag: 1, timeout: 8_000) { _ in })
      let frame = try Bench.object(try #require(bench.gateway.take().last))
      let id = try #require(frame["id"] as? String)
      bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":false,"error":\#(AcceptanceTests.changed)}"#)
    case .declaresAnew:
      bench.session.declare(capabilities: ["camera"], commands: ["camera.snap", "camera.list"], permissions: [])
      bench.session.connectAnew()
    case .stopped: bench.session.stop()
    }
    // What was closed in words is closed by the other side, too.
    bench.gateway.pump()
    if bench.session.state == .online || end == .stopped { bench.transport.fail(TransportFailure(.closedByPeer)) }
    #expect(bench.lost == 1)
    if end == .stopped { bench.session.start() }
  }

  /// Milliseconds until the attempt after the one that follows, which fails: a gateway may set the pause before that.
  private func pauseAfterNextAttempt() throws -> Int64 {
    if bench.session.state != .connecting { bench.passToNextAttempt() }
    bench.transport.fail(TransportFailure(.connect))
    return try #require(bench.session.deadline) - bench.clock.monotonic
  }

  @Test("is short again when the connection was stable, however it ends", arguments: End.allCases)
  func stable(way: End) throws {
    bench.passAnsweringPings(Backoff.flapGuard)
    try end(way)
    #expect(try pauseAfterNextAttempt() <= 2 * Backoff.first)
  }

  @Test("stays long when it was not, however it ends", arguments: End.allCases.filter { !$0.takesLong })
  func flapping(way: End) throws {
    bench.passAnsweringPings(Backoff.flapGuard - 1)
    try end(way)
    #expect(try pauseAfterNextAttempt() >= Backoff.limit / 2)
  }
}
