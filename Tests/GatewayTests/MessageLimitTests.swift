import Codec
import Runtime
import Testing

@testable import Gateway

@Suite("A hop that lets less pass than the gateway")
struct MessageLimitTests {
  private final class Owner: RequestDelegate {
    func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {}
    func requestFailed(_ tag: Int, _ failure: RequestFailure) {}
  }

  @Test("each close leads to the next common limit below what was sent")
  func steps() {
    var limit = MessageLimit()
    #expect(limit.applied(to: 26_214_400) == 26_214_400)
    var seen: [Int] = []
    while limit.closed(largest: limit.applied(to: 5_000_000)) { seen.append(limit.learned ?? 0) }
    #expect(seen.first == 4 << 20 && seen.last == 8 << 10)
    #expect(seen == seen.sorted(by: >))
    #expect(limit.applied(to: 4_096) == 4_096)
  }

  @Test("a small message that was closed with 1009 teaches nothing, for there is nothing smaller")
  func small() {
    var limit = MessageLimit()
    #expect(!limit.closed(largest: 0) && !limit.closed(largest: 8 << 10))
    #expect(limit.learned == nil)
  }

  @Test("any order of sizes: the limit only falls, and is below every message that was too large")
  func anyOrder() {
    var state: UInt64 = 45
    for _ in 0..<200 {
      var limit = MessageLimit()
      for _ in 0..<20 {
        let before = limit.applied(to: .max)
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let sent = Int(state >> 33) % 30_000_000
        if limit.closed(largest: sent) {
          #expect(limit.applied(to: .max) < min(before, sent))
        } else {
          #expect(limit.applied(to: .max) == before)
        }
      }
    }
  }

  @Test("a connection that is closed with 1009 says so, and the next one sends less")
  func learned() throws {
    let bench = try Bench()
    try bench.reachOnline()
    let owner = Owner()
    let photo = [UInt8](repeating: 7, count: 1_500_000)
    photo.withUnsafeBufferPointer { bytes in
      #expect(
        bench.session.request(
          "node.event", delegate: owner, tag: 1, timeout: 8_000, blob: OutboundBlob(bytes, .base64, delegate: nil)
        ) {
          $0.string(""); return 1
        })
      _ = bench.gateway.take()
      bench.gateway.sendFrame(0x88, [0x03, 0xF1] + Array("message too big".utf8))
      bench.gateway.pump()
      bench.transport.fail(TransportFailure(.closedByPeer))
    }
    #expect(bench.session.learnedMessageLimit == 1 << 20)
    #expect(bench.explanation.contains("from now on messages have at most 1024 KiB"))
    bench.passToNextAttempt()
    try bench.reachOnline()
    #expect(bench.session.messageLimit == 1 << 20)
  }
}
