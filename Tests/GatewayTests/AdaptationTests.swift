import Foundation
import Runtime
import Simulated
import Testing

@testable import Gateway

/// How a session finds its way with gateways of every age.
@Suite("Adapting to gateways")
struct AdaptationTests {
  /// Refuses the attempt under way, and goes on to the next one.
  private func refuse(_ bench: Bench, _ error: String) throws {
    bench.gateway.send(#"{"type":"res","id":"connect","ok":false,"error":\#(error)}"#)
    bench.gateway.sendFrame(0x88, [0x03, 0xF0])
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
  }

  private func params(_ bench: Bench) throws -> [String: Any] {
    try #require(try bench.reachConnect()["params"] as? [String: Any])
  }

  private func accept(_ bench: Bench, version: String = "2026.2.3", auth: String = "") {
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","server":{"version":"\#(version)"}\#(auth)}}"#
    )
    bench.runner.runAll()
  }

  private func unknownKey(_ path: String) -> String {
    #"{"code":"INVALID_REQUEST","message":"invalid connect params: \#(path)"}"#
  }

  @Test("a gateway that knows no auth.deviceToken gets it in auth.token, remembered until its release changes")
  func oldTokenPlace() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["deviceToken": "device-token-1"])
    try refuse(bench, unknownKey("at /auth: unexpected property 'deviceToken'"))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["token": "device-token-1"])
    // Another release than before, which has just taught this itself.
    accept(bench)
    #expect(bench.session.state == .online)
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["token": "device-token-1"])
    let stored = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    #expect(try stored.load(from: bench.store) != nil)
    #expect(stored.quirks == .tokenInToken)
    accept(bench, version: "2026.3.1")
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["deviceToken": "device-token-1"])
  }

  @Test("what the session of one role learns or forgets, the other knows, and does not write back")
  func sharedLesson() throws {
    let bench = try Bench()
    try bench.reachOnline()
    // The operator connection was first to meet an older release.
    bench.record.quirks = .tokenInToken
    bench.record.serverVersion = InlineText(cutting: "2026.2.3")
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["token": "device-token-1"])
    accept(bench)
    // And first to meet a newer one.
    bench.record.quirks = Quirks()
    bench.record.serverVersion = InlineText(cutting: "2026.8.1")
    let saves = bench.store.saves
    bench.transport.fail(.init(.broken))
    bench.passToNextAttempt()
    #expect(try params(bench)["auth"] as? [String: String] == ["deviceToken": "device-token-1"])
    accept(bench, version: "2026.8.1")
    #expect(bench.session.state == .online)
    #expect(bench.record.quirks == Quirks() && bench.store.saves == saves)
  }

  @Test("an optional key that a gateway does not know is left out, each once; then only a person can help")
  func optionalKeys() throws {
    let bench = try Bench()
    #expect(try params(bench)["locale"] as? String == "en-US")
    try refuse(bench, unknownKey("at root: unexpected property 'locale'"))
    bench.passToNextAttempt()
    #expect(try params(bench)["locale"] == nil)
    try refuse(bench, unknownKey("at root: unexpected property 'locale'"))
    #expect(bench.session.state == .paused)
  }

  @Test("a refused signature is answered with the older proof, once", arguments: [true, false])
  func olderProof(hasDetails: Bool) throws {
    let bench = try Bench()
    let error =
      hasDetails
      ? #"{"code":"INVALID_REQUEST","message":"m","details":{"code":"DEVICE_AUTH_SIGNATURE_INVALID"}}"#
      : #"{"code":"INVALID_REQUEST","message":"device signature invalid"}"#
    let first = try params(bench)
    try refuse(bench, error)
    bench.passToNextAttempt()
    let second = try params(bench)
    let signatures = [first, second].compactMap { ($0["device"] as? [String: Any])?["signature"] as? String }
    #expect(signatures.count == 2 && signatures[0] != signatures[1])
    try refuse(bench, error)
    #expect(bench.session.state == .paused)
  }

  @Test(
    "gateways without details say it in words",
    arguments: [
      ("pairing required", SessionState.awaitingApproval), ("unauthorized: gateway token mismatch", .paused),
      ("device identity required", .paused), ("protocol mismatch", .paused), ("gateway starting", .paused),
    ])
  func words(message: String, state: SessionState) throws {
    let bench = try Bench()
    _ = try params(bench)
    try refuse(bench, #"{"code":"INVALID_REQUEST","message":"\#(message)"}"#)
    #expect(bench.session.state == state)
  }

  @Test("a close without an answer is understood by its reason, and its request id is shown")
  func closeAlone() throws {
    let bench = try Bench()
    _ = try params(bench)
    bench.gateway.sendFrame(0x88, [0x03, 0xF0] + Array("pairing required (requestId: r-17)".utf8))
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
    #expect(bench.session.state == .awaitingApproval)
    #expect(bench.explanation.contains("devices approve r-17"))
  }

  @Test("a slow consumer's close is a loss like any other")
  func slowConsumer() throws {
    let bench = try Bench()
    _ = try params(bench)
    bench.gateway.sendFrame(0x88, [0x03, 0xF0] + Array("slow consumer".utf8))
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
    #expect(bench.session.state == .waiting)
  }

  @Test("a protocol mismatch is said once, and looked at again every hour")
  func mismatch() throws {
    let bench = try Bench()
    for _ in 0..<3 {
      _ = try params(bench)
      try refuse(bench, #"{"code":"INVALID_REQUEST","message":"protocol mismatch","details":{"expectedProtocol":5}}"#)
      let planned = try #require(bench.session.deadline)
      #expect(planned - bench.clock.monotonic == 3_600_000)
      bench.passToNextAttempt()
    }
    #expect(bench.lines.filter { $0.hasPrefix("<3>") && $0.contains("protocol versions") }.count == 1)
  }

  @Test("a gateway that starts is asked again when it says, without a longer pause each time")
  func starting() throws {
    let bench = try Bench()
    for _ in 0..<5 {
      _ = try params(bench)
      try refuse(
        bench,
        #"{"code":"UNAVAILABLE","message":"gateway starting; retry shortly","details":{"reason":"startup-sidecars"},"retryable":true,"retryAfterMs":500}"#
      )
      #expect(try #require(bench.session.deadline) - bench.clock.monotonic == 500)
      bench.passToNextAttempt()
    }
  }

  @Test("a gateway that is suspended closes with 1013: asked again soon, even when its answer was lost")
  func suspended() throws {
    let bench = try Bench()
    for hasAnswer in [true, false, false, true] {
      _ = try params(bench)
      if hasAnswer {
        bench.gateway.send(
          #"{"type":"res","id":"connect","ok":false,"error":{"code":"UNAVAILABLE","message":"gateway suspended; retry shortly","retryable":true,"retryAfterMs":1000}}"#
        )
      }
      bench.gateway.sendFrame(0x88, [0x03, 0xF5] + Array("gateway suspended".utf8))
      bench.gateway.pump()
      bench.transport.fail(.init(.closedByPeer))
      let pause = try #require(bench.session.deadline) - bench.clock.monotonic
      #expect(pause == (hasAnswer ? 1_000 : 500))
      bench.passToNextAttempt()
    }
  }

  @Test("never more than twelve attempts in any minute, and quick retries never cost more than ten seconds")
  func limiter() throws {
    let bench = try Bench()
    var opens: [Int64] = []
    bench.session.start()
    let end = bench.clock.monotonic + 300_000
    while bench.clock.monotonic < end {
      opens.append(bench.clock.monotonic)
      bench.reachOpen()
      bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
      try refuse(bench, #"{"code":"UNAVAILABLE","message":"x","retryAfterMs":100}"#)
      bench.passToNextAttempt()
    }
    for (index, open) in opens.enumerated() {
      #expect(opens[index...].prefix { $0 - open < 60_000 }.count <= 12)
      if index > 0 { #expect(open - opens[index - 1] <= 10_000) }
    }
    #expect(opens.count >= 30 && opens[5] - opens[0] < 1_000)
  }

  @Test(
    "approval for a new role, more scopes or another platform is said in those words",
    arguments: [
      ("role-upgrade", "role"), ("scope-upgrade", "scopes"), ("metadata-upgrade", "platform"),
    ])
  func reasons(reason: String, word: String) throws {
    let bench = try Bench()
    _ = try params(bench)
    try refuse(
      bench,
      #"{"code":"NOT_PAIRED","message":"m","details":{"code":"PAIRING_REQUIRED","reason":"\#(reason)","requestId":"r1"}}"#
    )
    #expect(bench.explanation.contains(word) && bench.explanation.contains("devices approve r1"))
  }
}
