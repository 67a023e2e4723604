import Foundation
import Testing

@testable import talon_gateway

@Suite struct HandshakeTests {
  @Test("refusals come in the order schema, protocol, role, origin, device, proof, credential, pairing")
  func order() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    var node = TestNode()
    node.auth = ["token": "wrong"]
    bench.sentOrigin = true
    var change: (JSON) -> JSON = {
      $0.with("x", 1).with("maxProtocol", 3).with("client.mode", "cli").with("role", "boss").with(
        "device", nil)
    }
    #expect(try bench.refusal(node, change).closeReason.hasPrefix("invalid connect params: at root"))
    change = { $0.with("maxProtocol", 3).with("client.mode", "cli").with("role", "boss").with("device", nil) }
    let mismatch = try bench.refusal(node, change)
    #expect(mismatch.closeCode == 1002)
    #expect(mismatch.error.details?["expectedProtocol"] == 4)
    change = { $0.with("role", "boss").with("device", nil) }
    #expect(try bench.refusal(node, change).closeReason == "invalid role")
    change = { $0.with("device", nil) }
    #expect(try bench.refusal(node, change).error.details?["code"] == "CONTROL_UI_ORIGIN_NOT_ALLOWED")
    bench.sentOrigin = false
    #expect(try bench.refusal(node, change).error.details?["code"] == "DEVICE_IDENTITY_REQUIRED")
    change = { $0.with("device.signature", "AAAA") }
    #expect(try bench.refusal(node, change).error.details?["code"] == "DEVICE_AUTH_SIGNATURE_INVALID")
    #expect(try bench.refusal(node).error.details?["code"] == "AUTH_TOKEN_MISMATCH")
    node.auth = ["token": "shared"]
    let pairing = try bench.refusal(node)
    #expect(pairing.error.code == "NOT_PAIRED")
    #expect(pairing.closeCode == 1008)
  }

  @Test("a node may still speak protocol 3, a client in another mode may not")
  func legacyProtocol() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    let node = TestNode()
    #expect(try bench.refusal(node) { $0.with("maxProtocol", 3) }.error.code == "NOT_PAIRED")
    #expect(try bench.refusal(node) { $0.with("maxProtocol", 3).with("client.mode", "ui") }.closeCode == 1002)
    #expect(try bench.refusal(node) { $0.with("minProtocol", 5).with("maxProtocol", 9) }.closeCode == 1002)
    #expect(try bench.refusal(node) { $0.with("minProtocol", 4).with("maxProtocol", 3) }.closeCode == 1002)
  }

  static let credentials: [(mode: AuthMode, auth: JSON, code: String, nextStep: String, canRetry: Bool)] = [
    (.token("shared"), [:], "AUTH_TOKEN_MISSING", "update_auth_configuration", false),
    (.token("shared"), ["token": "x"], "AUTH_TOKEN_MISMATCH", "retry_with_device_token", true),
    (.token("shared"), ["deviceToken": "x"], "AUTH_DEVICE_TOKEN_MISMATCH", "update_auth_credentials", false),
    (
      .token("shared"), ["token": "x", "deviceToken": "x"], "AUTH_DEVICE_TOKEN_MISMATCH",
      "update_auth_credentials", false
    ),
    (
      .token("shared"), ["bootstrapToken": "x"], "AUTH_BOOTSTRAP_TOKEN_INVALID", "update_auth_credentials",
      false
    ),
    (.password("shared"), [:], "AUTH_PASSWORD_MISSING", "update_auth_configuration", false),
    (.password("shared"), ["password": "x"], "AUTH_PASSWORD_MISMATCH", "update_auth_credentials", false),
  ]

  @Test("a wrong or missing credential gets its documented code", arguments: credentials.indices)
  func credential(index: Int) throws {
    let row = Self.credentials[index]
    var failure: Refusal?
    do {
      _ = try CredentialCheck(mode: row.mode, auth: row.auth, deviceToken: { _ in .unknown }).decide()
    } catch {
      failure = error.refusal(auth: row.auth)
    }
    let details = try #require(failure?.error.details)
    #expect(details["code"]?.string == row.code)
    #expect(details["recommendedNextStep"]?.string == row.nextStep)
    #expect(details["canRetryWithDeviceToken"]?.bool == row.canRetry)
    #expect(failure?.closeReason.hasPrefix("unauthorized") == true)
  }

  @Test("shared token, password, no credential and the device token in either field are accepted")
  func acceptedCredentials() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    var node = TestNode()
    try bench.approve(node)
    let token = try bench.admission(node).deviceToken
    for auth: JSON in [["deviceToken": .string(token)], ["token": .string(token)]] {
      node.auth = auth
      let admission = try bench.admission(node)
      #expect(admission.method == "device-token")
      #expect(admission.deviceToken == token)
    }
    node.auth = ["password": "p"]
    bench.authMode = .password("p")
    #expect(try bench.admission(node).method == "password")
    node.auth = [:]
    bench.authMode = .none
    #expect(try bench.admission(node).method == "none")
  }

  @Test("a device token is good for its own role and scopes only")
  func deviceTokenBounds() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    var node = TestNode()
    try bench.approve(node)
    node.auth = ["deviceToken": .string(try bench.admission(node).deviceToken)]
    node.role = "operator"
    #expect(try bench.refusal(node).error.details?["code"] == "AUTH_DEVICE_TOKEN_MISMATCH")
    node.role = "node"
    node.scopes = ["operator.read"]
    #expect(try bench.refusal(node).error.details?["code"] == "AUTH_SCOPE_MISMATCH")
  }

  @Test("ten wrong credentials from one address lock it out for five minutes; loopback is exempt")
  func rateLimit() throws {
    var bench = try HandshakeBench()
    defer { bench.remove() }
    var wrong = TestNode()
    wrong.auth = ["token": "wrong"]
    for _ in 0..<12 { #expect(try bench.refusal(wrong).error.details?["code"] == "AUTH_TOKEN_MISMATCH") }
    bench.remoteAddress = "192.168.1.9"
    for _ in 0..<10 { #expect(try bench.refusal(wrong).error.details?["code"] == "AUTH_TOKEN_MISMATCH") }
    let locked = try bench.refusal(TestNode())
    #expect(locked.error.details?["code"] == "AUTH_RATE_LIMITED")
    #expect(locked.error.retryAfterMilliseconds == 300_000)
    bench.now += 300_000
    #expect(try bench.refusal(TestNode()).error.code == "NOT_PAIRED")
  }
}
