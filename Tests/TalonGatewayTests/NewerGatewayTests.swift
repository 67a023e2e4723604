import Foundation
import Testing

@testable import talon_gateway

/// What gateways since August 2026 do differently (newer-gateways).
@Suite(.timeLimit(.minutes(1))) struct NewerGatewayTests {
  private static func write(_ gateway: TestGateway, _ text: String) async throws {
    try gateway.folder.write(CommandPolicy.fileName, Data(text.utf8))
    _ = try await gateway.control("gateway.reload")
  }

  private static func row(_ gateway: TestGateway) async throws -> JSON? {
    try await gateway.control("nodes.status")["nodes"]?.array?.first
  }

  @Test("a list that changes counts at once, and ends what runs and is not allowed any more")
  func policy() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      async let error = #expect(throws: GatewayError.self) {
        _ = try await gateway.control("nodes.invoke", ["node": "test board", "command": "bench.echo"])
      }
      let request = try #require(await client.event("node.invoke.request"))
      try await Self.write(gateway, #"{"gateway":{"nodes":{"commands":{"deny":["bench.echo"]}}}}"#)
      #expect(await client.event("node.invoke.cancel")?["invokeId"] == request["id"])
      #expect(await error?.message.hasPrefix("ABORTED: ") == true)
      #expect(try await Self.row(gateway)?["commands"] == ["camera.snap", "device.info"])
      try await Self.write(gateway, #"{"gateway":{"nodes":{}}}"#)
      #expect(try await Self.row(gateway)?["commands"]?.array?.count == 3)
    }
  }

  @Test("a file that is wrong leaves the list as it is; older gateways read it at the start alone")
  func reload() async throws {
    try await TestGateway.run { gateway in
      _ = try await gateway.paired(TestNode())
      await #expect(throws: GatewayError.self) { try await Self.write(gateway, #"{"gateway":{"nodes":{"allow":[]}}}"#) }
      #expect(try await Self.row(gateway)?["commands"]?.array?.count == 3)
    }
    try await TestGateway.run(generation: Generation(.july)) { gateway in
      await #expect(throws: GatewayError.self) { _ = try await gateway.control("gateway.reload") }
    }
  }

  @Test("a name that was refused when the node connected needs a new connection and an approval")
  func lateName() async throws {
    let policy = CommandPolicy(allow: ["device.info"])
    try await TestGateway.run(policy: policy, change: { $0.surfaceApproval = .manual }) { gateway in
      let node = TestNode()
      _ = try await gateway.paired(node)
      _ = try await gateway.control("nodes.approve")
      try await Self.write(gateway, #"{"gateway":{"nodes":{"commands":{"allow":["device.info","camera.snap"]}}}}"#)
      #expect(try await Self.row(gateway)?["commands"] == ["device.info"])
      let again = try await gateway.client()
      _ = try await node.connect(again)
      #expect(try await Self.row(gateway)?["approvalState"] == "pending-reapproval")
      _ = try await gateway.control("nodes.approve")
      #expect(try await Self.row(gateway)?["commands"] == ["camera.snap", "device.info"])
    }
  }

  @Test("caps go with withheld commands since S, and stay before", arguments: [Era.july, .september])
  func caps(era: Era) async throws {
    let policy = CommandPolicy(allow: ["device.info"])
    try await TestGateway.run(policy: policy, generation: Generation(era)) { gateway in
      var node = TestNode()
      node.caps = ["device", "camera"]
      _ = try await gateway.paired(node)
      #expect(try await Self.row(gateway)?["caps"] == (era >= .september ? ["device"] : ["camera", "device"]))
    }
  }

  @Test("an operator without the pairing scope sees the request of its own device, and of no other")
  func ownRequest() async throws {
    try await TestGateway.run(change: { $0.surfaceApproval = .manual }) { gateway in
      let node = TestNode()
      _ = try await gateway.paired(node)
      let id = try #require(await Self.row(gateway)?["pendingRequestId"])
      var own = node
      own.role = "operator"
      own.scopes = ["operator.read"]
      let board = try await gateway.paired(own)
      let stranger = try await gateway.operator(scopes: ["operator.read"])
      for (client, isOwn) in [(board, true), (stranger, false)] {
        let row = try await client.call("node.describe", ["nodeId": .string(node.deviceID)])?["payload"]
        #expect(row?["approvalState"] == "pending-approval")
        #expect((row?["pendingRequestId"] == id) == isOwn)
        #expect((row?["pendingRequestId"] == nil) == !isOwn)
        #expect(row?["pendingDeclaredCommands"] == nil)
      }
    }
  }

  @Test("host stats are shown on the row and told to readers; more free than there is was refused")
  func hostStats() async throws {
    try await TestGateway.run { gateway in
      let node = try await gateway.paired(TestNode())
      let reader = try await gateway.operator(scopes: ["operator.read"])
      func tell(_ payload: String) async throws -> JSON? {
        try await node.call("node.event", ["event": "node.host.stats", "payloadJSON": .string(payload)])?["payload"]
      }
      let disk = #""diskTotalBytes":9,"diskAvailableBytes":9"#
      #expect(
        try await tell("{\"cpuCount\":4,\"memoryTotalBytes\":100,\"memoryFreeBytes\":60,\(disk)}")?["handled"] == true)
      #expect(await reader.event("node.hostStats")?["hostStats"]?["memoryFreeBytes"] == 60)
      for bad in [
        #"{"cpuCount":4,"memoryTotalBytes":100,"memoryFreeBytes":101}"#,
        #"{"cpuCount":4,"memoryTotalBytes":100,"memoryFreeBytes":1,"diskTotalBytes":1,"diskAvailableBytes":2}"#,
        #"{"cpuCount":4,"memoryTotalBytes":100,"memoryFreeBytes":1,"diskTotalBytes":1}"#,
      ] {
        #expect(try await tell(bad)?["reason"] == "invalid_payload", "\(bad)")
      }
      let stats = try await Self.row(gateway)?["hostStats"]
      #expect(stats?["memoryFreeBytes"] == 60 && stats?["updatedAtMs"] != nil)
    }
  }

  @Test("a node hears of its approval from U on, and operators of pairing always", arguments: [Era.next, .autumn])
  func approval(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era), change: { $0.surfaceApproval = .manual }) { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      let reader = try await gateway.operator(scopes: ["operator.read", "operator.pairing"])
      let id = try #require(await Self.row(gateway)?["pendingRequestId"])
      _ = try await gateway.control("nodes.approve")
      let told = await reader.event("node.pair.resolved")
      #expect(told?["requestId"] == id && told?["decision"] == "approved")
      try await client.send(["type": "req", "id": "x", "method": "health", "params": [:]])
      let first = await client.frame { $0["event"]?.string == "node.pair.resolved" || $0["id"] == "x" }
      #expect((first?["event"] != nil) == (era >= .autumn))
      guard era >= .autumn else { return }
      #expect(first?["payload"] == told)
      #expect(first?["payload"]?["nodeId"] == .string(node.deviceID))
    }
  }

  @Test("the challenge's time is what is signed from U on; before, one that is near", arguments: [Era.next, .autumn])
  func challengeTime(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let node = TestNode()
      _ = try await gateway.paired(node)
      let count = { try await Self.row(gateway)?["violations"]?.integer ?? 0 }
      #expect(try await count() == 0)
      let client = try await gateway.client()
      let challenge = try #require(await client.event("connect.challenge"))
      let near = try #require(challenge["ts"]?.integer) + 1
      let params = try node.params(nonce: challenge["nonce"]?.string ?? "", signedAtMs: near)
      try await client.send(["type": "req", "id": "connect", "method": "connect", "params": params])
      #expect(await client.response("connect")?["ok"] == true)
      #expect(try await count() == (era >= .autumn ? 1 : 0))
    }
  }

  @Test("a compression that a client offers is not agreed to")
  func compression() async throws {
    try await TestGateway.run(generation: Generation(.autumn)) { gateway in
      let answer = try await HTTPProbe.upgrade(
        port: gateway.server.port, "Sec-WebSocket-Extensions: permessage-deflate\r\n")
      #expect(answer.hasPrefix("HTTP/1.1 101") && !answer.lowercased().contains("permessage-deflate"))
    }
  }

  @Test("features of commands are taken from T on", arguments: [Era.september, .next, .autumn])
  func features(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.paired(TestNode())
      func tell(_ payload: String) async throws -> JSON? {
        let params: JSON = ["event": "node.command.features", "payloadJSON": .string(payload)]
        return try await client.call("node.event", params)?["payload"]
      }
      let isTaken = era >= .next
      let good = try await tell(#"{"features":{"file.create":["no-replace"]}}"#)
      #expect(good?["reason"]?.string == (isTaken ? "updated" : nil))
      let more = (0..<9).map { "\"f\($0)\"" }.joined(separator: ",")
      let bad = try await tell("{\"features\":{\"a\":[\(more)]}}")
      #expect(bad?["reason"]?.string == (isTaken ? "invalid_payload" : nil))
    }
  }

  @Test("while it is suspended it turns connections away with 1013 and the time to wait; those that are there go on")
  func suspension() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let first = try await gateway.paired(node)
      _ = try await gateway.control("gateway.suspend")
      let client = try await gateway.client()
      let answer = try await node.connect(client)
      #expect(answer?["error"]?["code"] == "UNAVAILABLE" && answer?["error"]?["retryAfterMs"] == 1000)
      #expect(await client.closed() == .closed(code: 1013, reason: "gateway suspended"))
      #expect(try await first.call("health", [:])?["ok"] == true)
      _ = try await gateway.control("gateway.resume")
      let again = try await gateway.client()
      #expect(try await node.connect(again)?["ok"] == true)
    }
  }

  @Test("a clip of speech needs a provider, and has the encoding that this makes", arguments: SpokenClip.Form.allCases)
  func clips(form: SpokenClip.Form) async throws {
    try await TestGateway.run(change: { $0.clips = form }) { gateway in
      let client = try await gateway.operator()
      let answer = try await client.call("tts.speak", ["text": "Hello"])
      guard form != .none else { return #expect(answer?["error"]?["code"] == "UNAVAILABLE") }
      let data = Data(base64Encoded: answer?["payload"]?["audioBase64"]?.string ?? "") ?? Data()
      #expect(!data.isEmpty)
      #expect((Array(data.prefix(4)) == Array("RIFF".utf8)) == (form == .wav))
      let long = String(repeating: "x", count: SpokenClip.textMax + 1)
      #expect(try await client.call("tts.speak", ["text": .string(long)])?["error"]?["code"] == "INVALID_REQUEST")
    }
  }
}
