import Codec
import Foundation
import Gateway
import Runtime
import TestSupport
import Testing

@Suite("Refusals in any order")
struct RefusalOrderTests {
  private final class Owner: RequestDelegate {
    func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {}
    func requestFailed(_ tag: Int, _ failure: RequestFailure) {}
  }

  private let owner = Owner()
  private static let outer = [
    "NOT_PAIRED", "INVALID_REQUEST", "UNAVAILABLE", "INTERNAL_ERROR", "UNAUTHORIZED", "TOMORROW",
  ]
  private static let details = [
    "PAIRING_REQUIRED", "AUTH_TOKEN_MISMATCH", "AUTH_DEVICE_TOKEN_MISMATCH", "AUTH_RATE_LIMITED", "PAIRING_CHANGED",
    "PROTOCOL_MISMATCH", "DEVICE_AUTH_SIGNATURE_INVALID", "NEWER_STILL", "",
  ]
  private static let reasons = ["token_mismatch", "rate_limited", "trusted_proxy_user_missing", "newer", ""]
  private static let closes: [UInt16] = [1000, 1001, 1002, 1008, 1011, 1012, 1013, 4000]

  /// The longest pause: an hour, where one side must be upgraded.
  private static let longest: Int64 = 3_600_000

  private func error(_ numbers: inout Seeded) -> String {
    func one(_ words: [String]) -> String { words.randomElement(using: &numbers)! }
    let details = #"{"code":"\#(one(Self.details))","authReason":"\#(one(Self.reasons))"}"#
    var members = [#""code":"\#(one(Self.outer))""#, #""message":"m""#, #""details":\#(details)"#]
    if Bool.random(using: &numbers) { members.append(#""retryable":\#(Bool.random(using: &numbers))"#) }
    if Bool.random(using: &numbers) {
      members.append(#""retryAfterMs":\#(Int.random(in: -5...100_000, using: &numbers))"#)
    }
    return "{\(members.shuffled(using: &numbers).joined(separator: ","))}"
  }

  @Test("a board that was refused by any of them in any order asks again, says why, and is online when it is accepted")
  func anyOrder() throws {
    var numbers = Seeded(45)
    for _ in 0..<80 {
      let bench = try Bench()
      var said: [String] = []
      for _ in 0..<Int.random(in: 1...8, using: &numbers) {
        let error = error(&numbers)
        let close = Self.closes.randomElement(using: &numbers)!
        said.append("\(error) \(close)")
        _ = try bench.reachConnect()
        bench.gateway.send(#"{"type":"res","id":"connect","ok":false,"error":\#(error)}"#)
        bench.gateway.sendFrame(0x88, [UInt8(close >> 8), UInt8(close & 0xFF)])
        bench.gateway.pump()
        bench.transport.fail(.init(.closedByPeer))
        try #require(bench.session.state != .online && !bench.explanation.isEmpty, "\(said)")
        let begin = bench.clock.monotonic
        bench.passToNextAttempt()
        try #require(bench.clock.monotonic - begin <= Self.longest, "\(said)")
      }
      try bench.reachOnline()
      try #require(bench.session.state == .online, "\(said)")
    }
  }

  @Test("what an online board is told in any order never leaves it online while nothing is accepted")
  func refusedOnline() throws {
    var numbers = Seeded(46)
    for _ in 0..<40 {
      let bench = try Bench()
      try bench.reachOnline()
      _ = bench.gateway.take()
      var said: [String] = []
      for index in 0..<200 where bench.session.state == .online {
        let error = error(&numbers)
        said.append(error)
        let method: StaticString = index % 2 == 0 ? "node.event" : "node.pending.drain"
        _ = bench.session.request(method, delegate: owner, tag: 1, timeout: 8_000) { _ in }
        for frame in bench.gateway.take() {
          guard let id = try Bench.object(frame)["id"] as? String else { continue }
          bench.gateway.send(#"{"type":"res","id":"\#(id)","ok":false,"error":\#(error)}"#)
        }
        bench.pass(1_000)
      }
      #expect(bench.session.state != .online, "\(said)")
    }
  }
}
