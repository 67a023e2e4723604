import Codec
import Foundation
import Gateway
import Runtime
import Simulated
import Testing

@Suite("A gateway that is connected and accepts nothing")
struct AcceptanceTests {
  private final class Owner: RequestDelegate {
    func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView) {}
    func requestFailed(_ tag: Int, _ failure: RequestFailure) {}
  }

  private let bench: Bench
  private let owner = Owner()

  init() throws {
    bench = try Bench()
    try bench.reachOnline()
  }

  static let changed =
    #"{"code":"UNAVAILABLE","message":"pairing changed","retryable":true,"details":{"code":"PAIRING_CHANGED"}}"#
  static let busy = #"{"code":"UNAVAILABLE","message":"busy","retryable":true}"#

  /// Asks, and gets this answer: the rest of a response.
  private func ask(_ answer: String, of method: StaticString = "health") throws {
    let isSent = bench.session.request(method, delegate: owner, tag: 1, timeout: 8_000) { _ in }
    try #require(isSent)
    let frame = try #require(bench.gateway.take().last)
    let id = try #require(try Bench.object(frame)["id"] as? String)
    bench.gateway.send(#"{"type":"res","id":"\#(id)",\#(answer)}"#)
  }

  private func refuse(_ error: String, of method: StaticString = "health") throws {
    try ask(#""ok":false,"error":\#(error)"#, of: method)
  }

  /// The gateway closes what this side has closed, and the next attempt is online.
  private func comeBack() throws {
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
    bench.passToNextAttempt()
    try bench.reachOnline()
  }

  @Test(
    "a refusal of the session ends the connection, whatever was asked, and another one follows within seconds",
    arguments: [
      changed, #"{"code":"NOT_PAIRED","message":"m"}"#,
      #"{"code":"INVALID_REQUEST","message":"m","details":{"code":"AUTH_DEVICE_TOKEN_MISMATCH"}}"#,
      #"{"code":"INVALID_REQUEST","message":"m","details":{"code":"DEVICE_AUTH_TOMORROW"}}"#,
    ])
  func ends(error: String) throws {
    try refuse(error)
    #expect(bench.lost == 1)
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
    #expect(bench.session.state == .waiting)
    #expect(try #require(bench.session.pauseLeft) <= 1_000)
    #expect(bench.explanation.contains("the gateway refused what this board asks"))
    #expect(bench.session.counters.refused == 1)
  }

  @Test("so does the refusal of a result, for which nobody waits")
  func ofAResult() throws {
    bench.gateway.send(#"{"type":"res","id":"r1","ok":false,"error":\#(Self.changed)}"#)
    #expect(bench.lost == 1)
  }

  @Test("a second in a row is shown as long as nothing was accepted")
  func isShown() throws {
    try refuse(Self.changed)
    try comeBack()
    #expect(!bench.explanation.contains("PAIRING_CHANGED") && bench.session.refusedConnections == 1)
    try refuse(Self.changed)
    try comeBack()
    #expect(bench.explanation.contains("on the last 2 connections it refused what this board asks: PAIRING_CHANGED"))
    try ask(#""ok":true,"payload":{}"#)
    #expect(!bench.explanation.contains("PAIRING_CHANGED") && bench.session.refusedConnections == 0)
  }

  @Test("pauses grow while each connection is refused at once")
  func growing() throws {
    var pauses: [Int64] = []
    for _ in 0..<7 {
      try refuse(Self.changed)
      bench.gateway.pump()
      bench.transport.fail(.init(.closedByPeer))
      pauses.append(try #require(bench.session.pauseLeft))
      bench.passToNextAttempt()
      try bench.reachOnline()
    }
    #expect(pauses[0] <= 1_000 && pauses[6] > 10_000)
  }

  @Test("several methods that the gateway cannot serve for 20 s are a session that it cannot serve")
  func allBusy() throws {
    for method in ["health", "node.event", "health"] as [StaticString] { try refuse(Self.busy, of: method) }
    bench.clock.advance(20_000)
    #expect(bench.session.state == .online)
    try refuse(Self.busy, of: "node.event")
    #expect(bench.lost == 1)
  }

  @Test("one method that it cannot serve is no such session, nor are several between which it serves others")
  func someBusy() throws {
    for _ in 0..<20 {
      try refuse(Self.busy, of: "node.event")
      bench.clock.advance(5_000)
    }
    try ask(#""ok":true"#)
    for _ in 0..<20 {
      try refuse(Self.busy, of: "node.event")
      try refuse(Self.busy, of: "health")
      try ask(#""ok":true"#, of: "health")
      bench.clock.advance(5_000)
    }
    #expect(bench.session.state == .online && bench.lost == 0)
  }

  @Test("a request that is wrong, or that this role may not make, says nothing of the session")
  func ofARequest() throws {
    for error in [
      #"{"code":"INVALID_REQUEST","message":"m"}"#,
      #"{"code":"FORBIDDEN","message":"m","details":{"code":"MISSING_SCOPE"}}"#,
      #"{"code":"INVALID_REQUEST","message":"unauthorized role: node"}"#, #"{"code":"TOMORROW","message":"m"}"#,
    ] {
      for method in ["health", "node.event", "skills.bins"] as [StaticString] { try refuse(error, of: method) }
      bench.clock.advance(20_000)
    }
    #expect(bench.session.state == .online && bench.lost == 0)
  }
}

@Suite("Another machine with this board's identity")
struct RivalryTests {
  private func closed(_ bench: Bench, after milliseconds: Int64, _ reason: String) throws {
    bench.passAnsweringPings(milliseconds)
    bench.gateway.sendFrame(0x88, [0x03, 0xE8] + Array(reason.utf8))
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
  }

  @Test(
    "is told when the gateway says a second time that it replaced the connection",
    arguments: ["replaced by a newer connection", "superseded", "duplicate node"])
  func said(reason: String) throws {
    let bench = try Bench()
    try bench.reachOnline()
    try closed(bench, after: 5_000, reason)
    #expect(!bench.session.hasRival)
    bench.passToNextAttempt()
    try bench.reachOnline()
    try closed(bench, after: 5_000, reason)
    #expect(bench.session.hasRival)
    #expect(bench.explanation.contains("another machine connects as this board"))
    #expect(bench.explanation.contains("talon reset"))
    bench.passToNextAttempt()
    try bench.reachOnline()
    #expect(bench.explanation.contains("another machine connects as this board"))
  }

  @Test("is suspected after four connections that end without a reason, and no more after one that stays")
  func silent() throws {
    let bench = try Bench()
    try bench.reachOnline()
    for turn in 1...4 {
      try closed(bench, after: 5_000, "")
      #expect(bench.session.hasRival == (turn == 4))
      bench.passToNextAttempt()
      try bench.reachOnline()
    }
    for _ in 1...30 {
      bench.passAnsweringPings(20_000)
      bench.gateway.send(#"{"type":"event","event":"tick","payload":{"ts":1767225600000}}"#)
    }
    #expect(bench.session.state == .online)
    try closed(bench, after: 1_000, "")
    #expect(!bench.session.hasRival)
  }
}
