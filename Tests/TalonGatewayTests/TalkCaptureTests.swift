import Foundation
import Testing

@testable import talon_gateway

/// Push to talk of nodes, and what they say by themselves (node command reference, sections 6.5 and 7.4).
@Suite(.timeLimit(.minutes(1))) struct TalkCaptureTests {
  private static let commands = ["talk.ptt.start", "talk.ptt.stop", "talk.ptt.cancel", "talk.ptt.once"]

  /// Has the node answer one invoke with that result.
  private static func invoke(
    _ command: String, _ result: JSON, _ gateway: TestGateway, _ node: TestNode, _ client: TestClient
  ) async throws -> JSON {
    let id = JSON.string(node.deviceID)
    async let answer = gateway.withControl { control in
      try control.send("nodes.invoke", ["node": id, "command": .string(command)])
      return try control.receive()
    }
    let request = try #require(await client.event("node.invoke.request"))
    _ = try await client.call(
      "node.invoke.result",
      ["id": request["id"] ?? .null, "nodeId": id, "ok": true, "payload": result])
    return try await answer
  }

  @Test("a node's answers to push to talk are told to readers", arguments: [Era.may, .june, .newest])
  func captures(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      var node = TestNode()
      node.commands = Self.commands
      let board = try await gateway.paired(node)
      let reader = try await gateway.operator(scopes: ["operator.read"])
      let answers: [(String, JSON, String)] = [
        ("talk.ptt.start", ["captureId": "c1"], "capture.started"),
        ("talk.ptt.stop", ["captureId": "c1", "transcript": "hello", "status": "queued"], "capture.stopped"),
        ("talk.ptt.once", ["captureId": "c2", "transcript": .null, "status": "empty"], "capture.once"),
        ("talk.ptt.cancel", ["captureId": "c1", "status": "cancelled"], "capture.cancelled"),
      ]
      for (command, result, _) in answers {
        #expect(try await Self.invoke(command, result, gateway, node, board)["ok"] == true)
      }
      try await reader.send(["type": "req", "id": "last", "method": "health"])
      var events: [JSON] = []
      while let frame = await reader.frame(where: { $0["event"] == "talk.event" || $0["id"] == "last" }),
        let event = frame["payload"], frame["id"] == nil
      {
        events.append(event)
      }
      guard era >= .june else { return #expect(events.isEmpty) }
      let common = events.compactMap { $0["talkEvent"] }
      #expect(common.map { $0["type"]?.string } == answers.map(\.2))
      #expect(common.map { $0["captureId"]?.string } == ["c1", "c1", "c2", "c1"])
      #expect(common.map { $0["seq"] } == [1, 2, 1, 3])
      #expect(common.first?["sessionId"]?.string == "node:\(node.deviceID):talk:c1")
      #expect(common.map { $0["final"]?.bool } == [false, true, true, true])
      #expect(common[1]["payload"]?["transcript"] == "hello" && common[1]["payload"]?["status"] == "queued")
      #expect(common[2]["payload"]?["transcript"] == nil)
      #expect(events.map { $0["command"]?.string } == answers.map(\.0))
    }
  }

  @Test("an answer without a capture, or with a word that is no status, fails its invoke")
  func violations() async throws {
    try await TestGateway.run { gateway in
      var node = TestNode()
      node.commands = Self.commands
      let board = try await gateway.paired(node)
      for (command, result): (String, JSON) in [
        ("talk.ptt.start", [:]), ("talk.ptt.once", ["captureId": "c", "status": "done"]),
        ("talk.ptt.stop", ["captureId": "c", "transcript": "", "status": "queued"]),
      ] {
        let answer = try await Self.invoke(command, result, gateway, node, board)
        #expect(answer["error"]?["message"]?.string?.contains("schema violation: \(command) result") == true)
      }
      #expect(try await gateway.control("nodes.status")["violations"] == 3)
    }
  }

  @Test("what a node heard by itself is shown; the same within a moment in the same session has no effect")
  func transcripts() async throws {
    try await TestGateway.run { gateway in
      let board = try await gateway.paired(TestNode())
      let reader = try await gateway.operator(scopes: ["operator.read"])
      func tell(_ event: String, _ payload: JSON) async throws {
        _ = try await board.call(
          "node.event", ["event": .string(event), "payloadJSON": .string(payload.text)])
      }
      let heard: JSON = ["text": "turn left", "sessionKey": "agent:main:car", "eventId": "e1"]
      try await tell("voice.transcript", heard)
      try await tell("voice.transcript", heard)
      try await tell("voice.transcript", heard.with("sessionKey", "agent:main:boat"))
      try await tell("voice.transcript", heard.with("eventId", "e2"))
      try await tell(
        "agent.request", ["message": "turn left", "sessionKey": "agent:main:car", "thinking": "low"])
      let log = try await gateway.control("nodes.events")["events"]?.array ?? []
      #expect(
        log.map { $0["event"]?.string } == Array(repeating: "voice.transcript", count: 4) + ["agent.request"])
      #expect(log.map { $0["repeated"]?.bool } == [nil, true, nil, nil, nil])
      #expect(log.first?["payload"] == heard)
      let history = try await reader.call("chat.history", ["sessionKey": "agent:main:car"])?["payload"]
      #expect(history?["messages"]?.array?.count { $0["role"] == "user" } == 3)
      #expect(try await gateway.control("nodes.status")["violations"] == 0)
    }
  }
}
