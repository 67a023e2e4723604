import Foundation
import Runtime
import Simulated
import Testing

@testable import Gateway

/// Which credential goes first, what follows its refusal, and what is kept.
@Suite("Credentials")
struct CredentialTests {
  private func auth(_ bench: Bench) throws -> [String: String]? {
    try #require(try bench.reachConnect()["params"] as? [String: Any])["auth"] as? [String: String]
  }

  private func refuse(_ bench: Bench, _ code: String) {
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"INVALID_REQUEST","message":"m","details":{"code":"\#(code)"}}}"#
    )
    bench.gateway.sendFrame(0x88, [0x03, 0xF0])
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
  }

  private func give(_ bench: Bench, _ secret: GatewayRecord.Secret, _ text: String) {
    _ = text.utf8.span.withUnsafeBufferPointer { bench.record.set(secret, $0) }
  }

  @Test("device token, bootstrap token, shared token: each is passed over when refused, and none is lost")
  func order() throws {
    let bench = try Bench()
    give(bench, .nodeToken, "device-token-0")
    give(bench, .bootstrapToken, "bootstrap-0")
    #expect(try auth(bench) == ["deviceToken": "device-token-0"])
    refuse(bench, "AUTH_DEVICE_TOKEN_MISMATCH")
    bench.passToNextAttempt()
    #expect(try auth(bench) == ["bootstrapToken": "bootstrap-0"])
    refuse(bench, "AUTH_BOOTSTRAP_TOKEN_INVALID")
    bench.passToNextAttempt()
    #expect(try auth(bench) == ["token": "shared-secret-token"])
    refuse(bench, "AUTH_TOKEN_MISMATCH")
    #expect(bench.session.state == .paused)
    #expect(!bench.record.token(.node).isEmpty)
    bench.passToNextAttempt()
    #expect(try auth(bench) == ["deviceToken": "device-token-0"], "after the pause it may count again")
  }

  @Test("without any other credential a dead token leads to a plain request for one")
  func bare() throws {
    let bench = try Bench(token: "")
    give(bench, .nodeToken, "device-token-0")
    #expect(try auth(bench) == ["deviceToken": "device-token-0"])
    refuse(bench, "AUTH_DEVICE_TOKEN_MISMATCH")
    bench.passToNextAttempt()
    #expect(try auth(bench) == nil)
    refuse(bench, "AUTH_TOKEN_MISSING")
    #expect(bench.session.state == .paused)
    #expect(bench.explanation.contains("talon connect CODE"))
  }

  @Test("the first success forgets the bootstrap token, in memory and on flash")
  func redeemed() throws {
    let bench = try Bench()
    give(bench, .bootstrapToken, "bootstrap-0")
    #expect(try auth(bench) == ["bootstrapToken": "bootstrap-0"])
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    #expect(bench.session.state == .online)
    #expect(bench.record.secret(.bootstrapToken).isEmpty)
    let stored = GatewayRecord(url: try GatewayURL("wss://gateway.test:18789"), cryptography: bench.cryptography)
    _ = try stored.load(from: bench.store)
    #expect(stored.secret(.bootstrapToken).isEmpty && !stored.token(.node).isEmpty)
  }

  @Test("a forgotten secret is in no generation on flash")
  func erased() throws {
    let bench = try Bench()
    give(bench, .bootstrapToken, "bootstrap-0")
    _ = try auth(bench)
    bench.gateway.send(Bench.hello)
    let before = bench.store.saves
    bench.runner.runAll()
    #expect(bench.store.saves == before + 2, "the second save pushes out the generation that holds it")
  }

  @Test(
    "a handed-over operator token is kept with the scopes that may be handed over, and only over TLS",
    arguments: [
      ("wss://gateway.test:18789", true), ("ws://192.168.1.2:18789", false), ("ws://127.0.0.1:18789", true),
    ])
  func handoff(url: String, isKept: Bool) throws {
    let bench = try Bench(url: url)
    bench.reachOpen(leaf: url.hasPrefix("wss") ? Bench.leaf : nil)
    bench.gateway.send(#"{"type":"event","event":"connect.challenge","payload":{"nonce":"n","ts":1}}"#)
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":true,"payload":{"type":"hello-ok","auth":{"deviceToken":"n","deviceTokens":[{"deviceToken":"op-token","role":"operator","scopes":["operator.admin","operator.read","operator.write","x"]},{"deviceToken":"w","role":"worker"}]}}}"#
    )
    bench.runner.runAll()
    #expect(bench.record.token(.operator).isEmpty == !isKept)
    #expect(bench.record.operatorScopes == (isKept ? Scopes.console : Scopes()))
  }

  @Test("scopes that a person must allow are asked for with another credential; without one, those that were are used")
  func moreScopes() throws {
    for token in ["shared-secret-token", ""] {
      let bench = try Bench(token: token, operatorScopes: Scopes.console.union(.approvals))
      give(bench, .operatorToken, "operator-0")
      bench.record.operatorScopes = .console
      #expect(try auth(bench) == ["deviceToken": "operator-0"])
      refuse(bench, "AUTH_SCOPE_MISMATCH")
      bench.passToNextAttempt()
      let params = try #require(try bench.reachConnect()["params"] as? [String: Any])
      let isWide = (params["scopes"] as? [String])?.contains("operator.approvals")
      #expect(params["auth"] as? [String: String] == (token.isEmpty ? ["deviceToken": "operator-0"] : ["token": token]))
      #expect(isWide == !token.isEmpty)
    }
  }
}
