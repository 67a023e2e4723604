import Foundation
import Testing

@testable import talon_gateway

/// The rows of the reference's matrix (section 14.1), one test each.
@Suite(.timeLimit(.minutes(1))) struct GenerationTests {
  @Test("protocol, sizes, clocks and pings are those of the table", arguments: Era.allCases)
  func numbers(era: Era) {
    let generation = Generation(era)
    #expect(generation.wireProtocol == (era >= .june ? 4 : 3))
    #expect(
      generation.preAuthMessageBytesMax == (era == .old ? 524_288 : era == .early ? 26_214_400 : 65_536))
    #expect(generation.messageBytesMax == (era == .old ? 524_288 : 26_214_400))
    #expect(generation.bufferedBytesMax == (era == .old ? 1_572_864 : 52_428_800))
    #expect(generation.handshakeMillisecondsMax == (era >= .may ? 15_000 : 10_000))
    #expect(generation.signatureSkewMillisecondsMax == (era == .old ? 600_000 : 120_000))
    #expect(generation.pingIntervalMilliseconds == (era >= .may ? 25_000 : nil))
    #expect(generation.enforcesPongs == (era >= .july))
  }

  @Test("ranges of protocols that are too old or too new are refused", arguments: Era.allCases)
  func protocolRange(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    var node = TestNode()
    node.proof = era == .old ? .two : .three
    #expect(try bench.refusal(node).error.code == "NOT_PAIRED")
    let only3 = try bench.refusal(node) { $0.with("maxProtocol", 3) }
    #expect((only3.closeCode == 1002) == (era == .june))
    let only4 = try bench.refusal(node) { $0.with("minProtocol", 4) }
    #expect((only4.closeCode == 1002) == (era < .june))
    guard only4.closeCode == 1002 else { return }
    #expect(only4.error.details?["expectedProtocol"] == 3)
    #expect((only4.error.details?["clientMinProtocol"] == nil) == (era < .may))
  }

  @Test("tokens in places that a generation does not know are unknown keys", arguments: Era.allCases)
  func authKeys(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    for (key, since) in [("deviceToken", Era.early), ("bootstrapToken", .april)] {
      var node = TestNode()
      node.proof = .two
      node.auth = JSON.object(JSONObject()).with(key, "x")
      let refusal = try bench.refusal(node)
      let isUnknown = refusal.closeReason == "invalid connect params: at /auth: unexpected property '\(key)'"
      #expect(isUnknown == (era < since))
    }
  }

  @Test("the oldest know proofs of version 2 only, the others both", arguments: Era.allCases)
  func proofs(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    var node = TestNode()
    let three = try bench.refusal(node)
    #expect((three.closeReason == "device signature invalid") == (era == .old))
    #expect((three.error.details?["code"] == "DEVICE_AUTH_SIGNATURE_INVALID") == false)
    node.proof = .two
    #expect(try bench.refusal(node).error.code == "NOT_PAIRED")
  }

  @Test("credential errors have details from F on", arguments: Era.allCases)
  func errorDetails(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    var node = TestNode()
    node.proof = .two
    node.auth = ["token": "wrong"]
    let refusal = try bench.refusal(node)
    #expect(refusal.error.message.hasPrefix("unauthorized"))
    #expect(refusal.error.details?["code"]?.string == (era == .old ? nil : "AUTH_TOKEN_MISMATCH"))
  }

  static let pairingKeys: [Era: Set<String>] = [
    .old: ["requestId"],
    .early: ["requestId", "code", "reason"],
    .april: ["requestId", "code", "reason"],
    .may: ["requestId", "code", "reason", "remediationHint", "deviceId", "requestedRole", "requestedScopes"],
    .june: [
      "requestId", "code", "reason", "remediationHint", "deviceId", "requestedRole", "requestedScopes",
    ],
  ]

  @Test("pairing errors carry the keys of their generation", arguments: Era.allCases)
  func pairingDetails(era: Era) throws {
    var bench = try HandshakeBench(era)
    defer { bench.remove() }
    var node = TestNode()
    node.proof = .two
    let refusal = try bench.refusal(node)
    let keys = Set(refusal.error.details?.object?.members.map(\.key) ?? [])
    #expect(keys == Self.pairingKeys[min(era, .june)])
    #expect(
      refusal.error.message
        == (era >= .may ? "pairing required: device is not approved yet" : "pairing required"))
  }

  @Test("hello-ok has the shape of its generation", arguments: Era.allCases)
  func hello(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      var node = TestNode()
      node.proof = .two
      let client = try await gateway.client()
      let hello = try await gateway.hello(node, client)
      #expect(hello["protocol"]?.integer == Generation(era).wireProtocol)
      #expect(hello["server"]?["version"]?.string == Generation(era).serverVersion)
      #expect((hello["canvasHostUrl"] != nil) == (era < .june))
      #expect((hello["pluginSurfaceUrls"]?["canvas"] != nil) == (era >= .june))
      #expect((hello["auth"] == nil) == (era == .old))
      #expect((hello["server"]?["bootId"] != nil) == (era >= .july))
      let methods = hello["features"]?["methods"]?.strings ?? []
      #expect(methods.contains("node.invoke.progress") == (era >= .july))
      #expect(methods.contains("node.pending.pull") == (era >= .early))
      #expect(methods.contains("node.pair.request") == (era < .july))
      #expect(Set(methods).count == methods.count)
      #expect((hello["controlUiTabs"] != nil) == (era >= .september))
      #expect((hello.bytes.count > 58 * 1024) == (era >= .september) && hello.bytes.count < 64 * 1024)
    }
  }

  @Test("a beacon is recorded from M on, and a bare ok before", arguments: Era.allCases)
  func beacon(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      var node = TestNode()
      node.proof = .two
      let client = try await gateway.paired(node)
      let params: JSON = ["event": "node.presence.alive", "payloadJSON": #"{"trigger":"connect"}"#]
      let answer = try await client.call("node.event", params)?["payload"]
      #expect(answer?["handled"]?.bool == (era >= .may ? true : nil))
      #expect(answer?["ok"] == true)
    }
  }

  @Test("event numbers are the gateway's before M, the connection's from then on", arguments: Era.allCases)
  func sequence(era: Era) async throws {
    try await TestGateway.run(tickMs: 15, generation: Generation(era)) { gateway in
      var first = TestNode()
      first.proof = .two
      let early = try await gateway.paired(first)
      for _ in 0..<4 { _ = await early.event("tick") }
      var second = TestNode()
      second.proof = .two
      let late = try await gateway.paired(second)
      let number = await late.frame { $0["event"] == "tick" }?["seq"]?.integer ?? 0
      #expect((number > 4) == (era < .may))
    }
  }

  @Test("invokes tell their time limit always (N) or only when the caller named one", arguments: Era.allCases)
  func invokeTimeout(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      var node = TestNode()
      node.proof = .two
      let client = try await gateway.paired(node)
      let control = try ControlClient(path: gateway.folder.path(of: ControlSocket.name))
      defer { control.close() }
      try control.send("nodes.invoke", ["node": "test board", "command": "bench.echo"])
      let request = await client.event("node.invoke.request")
      #expect((request?["timeoutMs"] != nil) == (era >= .july))
      #expect(request?["paramsJSON"] == .null)
    }
  }

  @Test("while a gateway starts it says so (J, N), or is not there yet")
  func starting() async throws {
    for era in [Era.may, .june] {
      try await TestGateway.run(generation: Generation(era), change: { $0.startingMilliseconds = 60_000 }) {
        gateway in
        let url = try #require(URL(string: "http://127.0.0.1:\(gateway.server.port)/"))
        guard era == .june else { return #expect(try await HTTPProbe.status(of: url, upgrade: true) == 503) }
        let client = try await gateway.client()
        let answer = try await TestNode().connect(client)
        #expect(answer?["error"]?["details"]?["reason"] == "startup-sidecars")
        #expect(answer?["error"]?["retryAfterMs"] == 500)
        #expect(await client.closed() == .closed(code: 1013, reason: "gateway starting"))
      }
    }
  }

  @Test("the canvas is refreshed by the call of its generation")
  func canvas() async throws {
    for era in [Era.may, .june] {
      try await TestGateway.run(generation: Generation(era)) { gateway in
        let client = try await gateway.paired(TestNode())
        let capability = try await client.call("node.canvas.capability.refresh", [:])
        let surface = try await client.call("node.pluginSurface.refresh", ["surface": "canvas"])
        #expect((capability?["payload"]?["canvasHostUrl"] != nil) == (era == .may))
        #expect((surface?["payload"]?["pluginSurfaceUrls"]?["canvas"] != nil) == (era == .june))
      }
    }
  }
}
