import Foundation
import Testing

@testable import talon_gateway

@Suite(.timeLimit(.minutes(1))) struct OperatorTests {
  private static func send(_ client: TestClient, _ text: String, key: String = "run-1") async throws -> JSON? {
    try await client.call(
      "chat.send",
      ["sessionKey": "agent:main:main", "message": .string(text), "idempotencyKey": .string(key)])?["payload"]
  }

  /// The reply, put together by the portable rule of section 9.9, and how it ended.
  private static func reply(_ client: TestClient) async -> (text: String, deltas: Int, last: JSON) {
    var text = ""
    var deltas = 0
    while let chat = await client.event("chat") {
      if let whole = chat["message"]?["content"]?.array?.first?["text"]?.string {
        text = whole
      } else if chat["replace"] == true {
        text = chat["deltaText"]?.string ?? ""
      } else {
        text += chat["deltaText"]?.string ?? ""
      }
      guard chat["state"] == "delta" else { return (text, deltas, chat) }
      deltas += 1
    }
    return (text, deltas, .null)
  }

  @Test("the simulated agent streams its reply in the form of the generation", arguments: Era.allCases)
  func streams(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.operator(era: era)
      #expect(try await Self.send(client, "switch the lamp on") == ["runId": "run-1", "status": "started"])
      let reply = await Self.reply(client)
      #expect(reply.text == "You said: switch the lamp on")
      #expect(reply.deltas >= 3)
      #expect(reply.last["state"] == "final")
      #expect(try await Self.send(client, "again")?["status"] == "ok")
      let history = try await client.call("chat.history", ["sessionKey": "agent:main:main"])?["payload"]
      #expect(history?["messages"]?.array?.map { $0["role"]?.string } == ["user", "assistant"])
      let sessions = try await client.call("sessions.list", [:])?["payload"]?["sessions"]?.array
      #expect(sessions?.map { $0["key"]?.string } == ["agent:main:main"])
    }
  }

  @Test("deltas are snapshots in protocol 3 and pieces in protocol 4", arguments: [Era.may, .june])
  func forms(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.operator()
      _ = try await Self.send(client, "hello")
      let first = await client.event("chat")
      #expect((first?["deltaText"] != nil) == (era == .june))
      #expect((first?["message"] != nil) == (era == .may))
      #expect(first?["seq"] == 1)
    }
  }

  @Test("a run can be aborted, and can fail")
  func ends() async throws {
    try await TestGateway.run(change: { $0.replyDelayMilliseconds = 60_000 }) { gateway in
      let client = try await gateway.operator()
      _ = try await Self.send(client, "a long story")
      #expect(try await Self.send(client, "a long story")?["status"] == "in_flight")
      try await client.send([
        "type": "req", "id": "a", "method": "chat.abort", "params": ["sessionKey": "agent:main:main"],
      ])
      #expect(await client.event("chat")?["state"] == "aborted")
      #expect(await client.response("a")?["payload"]?["runIds"] == ["run-1"])
    }
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      _ = try await Self.send(client, "/fail please")
      #expect(await Self.reply(client).last["state"] == "error")
    }
  }

  @Test("before M every node hears all chat; later only the node that subscribed")
  func chatToNodes() async throws {
    for era in [Era.april, .newest] {
      try await TestGateway.run(generation: Generation(era)) { gateway in
        let deaf = try await gateway.paired(TestNode())
        let node = try await gateway.paired(TestNode())
        if era == .newest {
          let subscription: JSON = [
            "event": "chat.subscribe", "payloadJSON": #"{"sessionKey":"agent:main:main"}"#,
          ]
          _ = try await node.call("node.event", subscription)
        }
        let client = try await gateway.operator()
        _ = try await Self.send(client, "hello")
        _ = await Self.reply(client)
        #expect(await node.event("chat")?["state"] == "delta")
        try await deaf.send(["type": "req", "id": "last", "method": "health"])
        let heard = await deaf.frame { $0["event"] == "chat" || $0["id"] == "last" }
        #expect((heard?["event"] == "chat") == (era == .april))
      }
    }
  }

  @Test("a missing scope is FORBIDDEN at N and INVALID_REQUEST before", arguments: [Era.june, .newest])
  func scopes(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.operator(scopes: ["operator.read"])
      let error = try await Self.error(client, "voicewake.set", ["triggers": ["x"]])
      #expect(error?["message"] == "missing scope: operator.write")
      #expect(error?["code"] == (era == .newest ? "FORBIDDEN" : "INVALID_REQUEST"))
      #expect((error?["details"]?["missingScope"] == "operator.write") == (era == .newest))
      #expect(
        try await Self.error(client, "node.event", ["event": "x"])?["message"]
          == "unauthorized role: operator")
      #expect(try await Self.error(client, "no.such", [:])?["message"] == "unknown method: no.such")
    }
  }

  private static func error(_ client: TestClient, _ method: String, _ params: JSON) async throws -> JSON? {
    try await client.call(method, params)?["error"]
  }

  @Test("wake words are normalised, and every node and reader hears of them")
  func voiceWake() async throws {
    try await TestGateway.run { gateway in
      let node = try await gateway.paired(TestNode())
      let client = try await gateway.operator()
      let given: JSON = ["triggers": [" hey board ", "", .string(String(repeating: "x", count: 70))]]
      let answer = try await client.call("voicewake.set", given)?["payload"]
      #expect(answer?["triggers"]?.strings == ["hey board", String(repeating: "x", count: 64)])
      #expect(await node.event("voicewake.changed") == answer)
      #expect(try await client.call("voicewake.get", [:])?["payload"] == answer)
      let reset = try await client.call("voicewake.set", ["triggers": [" "]])?["payload"]
      #expect(reset?["triggers"]?.strings == VoiceWake.defaults)
    }
  }

  @Test("an operator sees nodes, their approval, and can invoke them")
  func nodes() async throws {
    try await TestGateway.run { gateway in
      let board = TestNode()
      let node = try await gateway.paired(board)
      let client = try await gateway.operator()
      let row = try await client.call("node.describe", ["nodeId": .string(board.deviceID)])?["payload"]
      #expect(row?["approvalState"] == "approved")
      #expect(row?["connected"] == true)
      try await client.send([
        "type": "req", "id": "i", "method": "node.invoke",
        "params": ["nodeId": .string(board.deviceID), "command": "bench.echo", "idempotencyKey": "k"],
      ])
      let request = try #require(await node.event("node.invoke.request"))
      _ = try await node.call(
        "node.invoke.result",
        ["id": request["id"] ?? .null, "nodeId": .string(board.deviceID), "ok": true, "payload": ["a": 1]])
      #expect(await client.response("i")?["payload"]?["payloadJSON"] == #"{"a":1}"#)
    }
  }

  @Test("one device, two roles: each has its own token, and one can be revoked alone")
  func twoRoles() async throws {
    try await TestGateway.run { gateway in
      var board = TestNode()
      let node = try await gateway.client()
      let nodeToken = try await gateway.hello(board, node)["auth"]?["deviceToken"]
      board.role = "operator"
      board.scopes = ["operator.read"]
      let refusal = try await board.connect(gateway.client())
      #expect(refusal?["error"]?["details"]?["reason"] == "role-upgrade")
      let client = try await gateway.client()
      let operatorToken = try await gateway.hello(board, client)["auth"]?["deviceToken"]
      #expect(operatorToken != nil && operatorToken != nodeToken)
      let params: JSON = ["deviceId": .string(board.deviceID), "role": "operator"]
      _ = try await gateway.control("devices.revoke", params)
      #expect(await client.closed() == .closed(code: 4001, reason: "device removed"))
      #expect(try await node.call("health", [:])?["ok"] == true)
    }
  }
}
