import Foundation
import Runtime
import Testing

@testable import Gateway

/// Every time and limit that a gateway, or anybody on the way to it, may name: the session lives, and is back within an
/// hour.
@Suite("Times and limits that the gateway names")
struct PeerTimeTests {
  static let numbers = [
    "9223372036854775807", "9e18", "9223372036854775808", "18446744073709551616", "1e308", "1e400", "4294967296", "-1",
    "0",
    "-9223372036854775808", "-9223372036854775809", "1500.5", "\"60000\"", "null", "[]", "true",
  ]

  /// A session that is online although hello-ok says something else than usual.
  private func online(_ usual: String, _ said: String) throws -> Bench {
    let bench = try Bench()
    _ = try bench.reachConnect()
    bench.gateway.send(Bench.hello.replacingOccurrences(of: usual, with: said))
    bench.runner.runAll()
    #expect(bench.session.state == .online)
    return bench
  }

  @Test(
    "a refusal with any retryAfterMs is followed within an hour, whatever its code", arguments: numbers)
  func refusals(number: String) throws {
    let codes = RefusalTable.codes.map { String(describing: $0.code) } + ["UNAVAILABLE", "SOMETHING_NEW"]
    for code in codes {
      for isInside in [false, true] {
        let bench = try Bench()
        _ = try bench.reachConnect()
        let wait = #""retryAfterMs":\#(number)"#
        bench.gateway.send(
          isInside
            ? #"{"type":"res","id":"connect","ok":false,"error":{"code":"UNAVAILABLE","message":"m","retryable":true,"details":{"code":"\#(code)",\#(wait)}}}"#
            : #"{"type":"res","id":"connect","ok":false,"error":{"code":"\#(code)","message":"m","retryable":true,\#(wait)}}"#
        )
        bench.transport.fail(TransportFailure(.closedByPeer))
        let deadline = try #require(bench.session.deadline)
        #expect((0...3_600_000).contains(deadline - bench.clock.monotonic), "\(code) \(number)")
      }
    }
  }

  @Test("an hour is waited when the gateway asks for an age")
  func longest() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"AUTH_RATE_LIMITED","message":"m","retryAfterMs":9223372036854775807}}"#
    )
    bench.transport.fail(TransportFailure(.closedByPeer))
    let opens = bench.transport.opens
    bench.pass(3_599_999)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test(
    "a Retry-After of any size is waited out within an hour",
    arguments: ["3601", "4294967295", "4294967296", "99999999999999999999"])
  func header(seconds: String) throws {
    let bench = try Bench()
    bench.session.start()
    bench.transport.secure(leaf: Bench.leaf)
    bench.runner.runAll()
    Array("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\nRetry-After: \(seconds)\r\n\r\n".utf8).withUnsafeBufferPointer {
      bench.transport.deliver($0)
    }
    let deadline = try #require(bench.session.deadline)
    #expect((0...3_600_000).contains(deadline - bench.clock.monotonic))
  }

  @Test("ticks come within an hour, whatever hello-ok says: a watchdog that never fires is none", arguments: numbers)
  func ticks(number: String) throws {
    let bench = try online(#""tickIntervalMs":30000"#, #""tickIntervalMs":\#(number)"#)
    #expect((1_000...3_600_000).contains(bench.session.hello.tickInterval))
    bench.passAnsweringPings(7_200_000 + 4_000)
    #expect(bench.lost == 1)
  }

  @Test("a restart is expected within 30 seconds, whatever the gateway says", arguments: numbers)
  func restart(number: String) throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.gateway.send(#"{"type":"event","event":"shutdown","payload":{"restartExpectedMs":\#(number)}}"#)
    bench.transport.fail(TransportFailure(.closedByPeer))
    let deadline = try #require(bench.session.deadline)
    #expect((0...30_000).contains(deadline - bench.clock.monotonic))
  }

  @Test("errors are reported also to a gateway with a small message limit", arguments: ["1", "2", "600", "4095"])
  func smallest(limit: String) throws {
    let bench = try online(#""maxPayload":26214400"#, #""maxPayload":\#(limit)"#)
    #expect(bench.session.messageLimit == Budget.peerMessageMinimumBytes)
  }
}
