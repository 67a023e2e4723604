import Foundation
import Testing

@testable import talon_gateway

/// Setup codes and what they open (section 5.4).
@Suite(.timeLimit(.minutes(1))) struct SetupCodeTests {
  private static func node(_ token: BootstrapToken) -> TestNode {
    var node = TestNode()
    node.auth = ["bootstrapToken": .string(token.token)]
    return node
  }

  private static func issue(
    _ bench: HandshakeBench, _ profile: BootstrapToken.Profile = .standard
  ) throws -> BootstrapToken {
    try bench.bootstraps.issue(
      profile, lifetimeMilliseconds: BootstrapTokens.lifetimeMilliseconds, nowMilliseconds: bench.now)
  }

  @Test(
    "up to J a code approves a node and hands an operator token over", arguments: [Era.april, .may, .june])
  func automatic(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    var node = Self.node(try Self.issue(bench))
    let admission = try bench.admission(node)
    #expect(admission.method == "bootstrap-token")
    let handedOver = try #require(admission.handedOver.first)
    #expect(handedOver.role == "operator")
    #expect(
      handedOver.scopes == ["operator.approvals", "operator.read", "operator.talk.secrets", "operator.write"])
    #expect(try bench.refusal(node).error.details?["code"] == "AUTH_BOOTSTRAP_TOKEN_INVALID")
    node.auth = ["deviceToken": .string(handedOver.token)]
    node.role = "operator"
    node.scopes = ["operator.read", "operator.write"]
    #expect(try bench.admission(node).method == "device-token")
  }

  @Test("at N a standard code waits for a person, with the hints to go on trying")
  func waits() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    let node = Self.node(try Self.issue(bench))
    let details = try #require(bench.refusal(node).error.details)
    #expect(details["recommendedNextStep"] == "wait_then_retry")
    #expect(details["retryable"] == true)
    #expect(details["pauseReconnect"] == false)
    #expect(try bench.refusal(node).error.details?["requestId"] == details["requestId"])
    _ = try bench.pairing.approve(details["requestId"]?.string ?? "", nowMilliseconds: bench.now)
    let admission = try bench.admission(node)
    #expect(!admission.wasApprovedAutomatically)
    #expect(admission.handedOver.first?.scopes.contains("operator.admin") == true)
  }

  @Test("at N a node-only code needs nobody, approves the surface too, and hands nothing over")
  func nodeOnly() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    var node = Self.node(try Self.issue(bench, .nodeOnly))
    node.role = "operator"
    #expect(try bench.refusal(node).error.details?["code"] == "AUTH_BOOTSTRAP_TOKEN_INVALID")
    node.role = "node"
    let admission = try bench.admission(node)
    #expect(admission.wasApprovedAutomatically)
    #expect(admission.handedOver.isEmpty)
  }

  @Test("a code belongs to the first device that shows it, and to nobody after ten minutes")
  func bounds() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    let token = try Self.issue(bench)
    _ = try bench.refusal(Self.node(token))
    let invalid: JSON = "AUTH_BOOTSTRAP_TOKEN_INVALID"
    #expect(try bench.refusal(Self.node(token)).error.details?["code"] == invalid)
    let other = Self.node(try Self.issue(bench))
    bench.now += BootstrapTokens.lifetimeMilliseconds
    #expect(try bench.refusal(other).error.details?["code"] == invalid)
  }

  @Test("the code carries what its generation knows", arguments: [Era.june, .newest])
  func payload(era: Era) async throws {
    try await TestGateway.run(tls: true, generation: Generation(era)) { gateway in
      let made = try await gateway.control("qr", ["urls": ["wss://one:1/", "wss://two:2/"]])
      let data = try #require(Data(base64AnyAlphabet: made["setupCode"]?.string ?? ""))
      let payload = try JSON(parsing: Array(data))
      #expect(payload["url"] == "wss://one:1/")
      #expect(payload["bootstrapToken"]?.string?.count == 43)
      let isNewest = era == .newest
      #expect(payload["urls"]?.strings == (isNewest ? ["wss://one:1/", "wss://two:2/"] : nil))
      #expect((payload["tlsFingerprint"]?.string?.count == 64) == isNewest)
      #expect((payload["expiresAtMs"] != nil) == isNewest)
    }
  }

  @Test("the oldest have no codes, and only N has node-only ones")
  func none() async throws {
    for (era, params) in [(Era.early, [:] as JSON), (.june, ["nodeOnly": true])] {
      try await TestGateway.run(generation: Generation(era)) { gateway in
        await #expect(throws: GatewayError.self) { _ = try await gateway.control("qr", params) }
      }
    }
  }
}
