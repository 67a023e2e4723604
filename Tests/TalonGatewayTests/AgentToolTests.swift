import Foundation
import Testing

@testable import talon_gateway

/// Tools of nodes, from the descriptor to what a model sees (newer-gateways 1).
@Suite(.timeLimit(.minutes(1))) struct AgentToolTests {
  private static let command = "mcp.tools.call.v1"

  private static func descriptor(_ name: String, _ change: (JSON) -> JSON = { $0 }) -> JSON {
    change([
      "pluginId": "node-mcp", "name": .string(name), "description": "Does something.", "command": .string(command),
      "mcp": ["server": "talon", "tool": .string(name)],
    ])
  }

  private static func node(_ name: String = "Test board") -> TestNode {
    var node = TestNode()
    node.client = node.client.with("displayName", .string(name))
    node.commands = ["device.info", command]
    return node
  }

  /// Publishes; the names that the answer has.
  private static func publish(_ client: TestClient, _ tools: [JSON]) async throws -> [String] {
    let answer = try await client.call("node.pluginTools.update", ["tools": .array(tools)])
    return (answer?["payload"]?["tools"]?.array ?? []).compactMap { $0["name"]?.string }
  }

  private static func dropped(_ gateway: TestGateway) async throws -> [String: String] {
    let list = try await gateway.control("tools.list")["nodes"]?.array?.first?["dropped"]?.array ?? []
    return Dictionary(
      list.map { ($0["name"]?.string ?? "", $0["reason"]?.string ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Publication

  @Test("before the approval the answer is empty; after it the agent sees all, and nothing was sent again")
  func approval() async throws {
    try await TestGateway.run(change: { $0.surfaceApproval = .manual }) { gateway in
      let client = try await gateway.paired(Self.node())
      let answer = try await client.call("node.pluginTools.update", ["tools": [Self.descriptor("board_photo")]])
      #expect(answer?["payload"] == ["nodeId": answer?["payload"]?["nodeId"] ?? .null, "tools": []])
      #expect(try await gateway.control("tools.list")["tools"] == [])
      #expect(try await Self.dropped(gateway)["board_photo"]?.contains("approved") == true)
      _ = try await gateway.control("nodes.approve")
      let list = try await gateway.control("tools.list")
      #expect(list["tools"]?.array?.map { $0["name"]?.string } == ["board_photo"])
      #expect(list["nodes"]?.array?.first?["published"] == 1)
      #expect(list["tools"]?.array?.first?["description"] == "Does something. (node: Test board)")
    }
  }

  @Test("the 129th descriptor is dropped, after sorting, and the log says why")
  func most() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      let names = (0..<129).map { "t\(1000 + $0)" }
      #expect(try await Self.publish(client, names.reversed().map { Self.descriptor($0) }) == Array(names.prefix(128)))
      #expect(try await Self.dropped(gateway) == ["t1128": "a node has at most 128"])
    }
  }

  @Test("descriptors that cannot be called are dropped one by one, each for its reason")
  func flaws() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      let kept = try await Self.publish(
        client,
        [
          Self.descriptor("good"), Self.descriptor("good") { $0.with("description", "Twice.") },
          Self.descriptor("noCommand") { $0.with("command", nil) },
          Self.descriptor("noServer") { $0.with("mcp", nil) },
          Self.descriptor("blankServer") { $0.with("mcp", ["server": " ", "tool": "x"]) },
          Self.descriptor("otherCommand") { $0.with("command", "device.info") },
          Self.descriptor("plain") { $0.with("pluginId", "talon").with("command", "device.info").with("mcp", nil) },
          Self.descriptor("undeclared") { $0.with("pluginId", "talon").with("command", "camera.snap") },
        ])
      #expect(kept == ["good", "plain"])
      let dropped = try await Self.dropped(gateway)
      #expect(Set(dropped.keys) == ["good", "noCommand", "noServer", "blankServer", "otherCommand", "undeclared"])
      #expect(dropped["good"] == "it is there twice")
      #expect(dropped["undeclared"] == "camera.snap is not among the node's approved and allowed commands")
    }
  }

  @Test("a key too many, a wrong name, or an empty description fails the whole call")
  func schema() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      for bad in [
        Self.descriptor("a") { $0.with("title", "A") }, Self.descriptor("1a"), Self.descriptor("a b"),
        Self.descriptor(String(repeating: "a", count: 65)), Self.descriptor("a") { $0.with("description", "") },
        Self.descriptor("a") { $0.with("mcp.more", 1) }, Self.descriptor("a") { $0.with("parameters", []) },
      ] {
        let answer = try await client.call("node.pluginTools.update", ["tools": [Self.descriptor("good"), bad]])
        #expect(answer?["error"]?["code"] == "INVALID_REQUEST", "\(bad.text)")
      }
      let answer = try await client.call("node.pluginTools.update", ["tools": [], "more": true])
      #expect(answer?["error"]?["code"] == "INVALID_REQUEST")
      #expect(try await gateway.control("tools.list")["nodes"]?.array?.first?["published"] == 0)
    }
  }

  @Test("a long description is cut at 1024 units: hard by N, with dots by S", arguments: [Era.july, .september])
  func description(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era)) { gateway in
      let client = try await gateway.paired(Self.node())
      let long = String(repeating: "x", count: 2000)
      let tool = Self.descriptor("a") { $0.with("description", .string(long)) }
      let answer = try await client.call("node.pluginTools.update", ["tools": [tool]])
      let text = answer?["payload"]?["tools"]?.array?.first?["description"]?.string ?? ""
      #expect(text.count == 1024)
      #expect(text.hasSuffix("...") == (era >= .september))
    }
  }

  @Test("gateways of June know no tools, and call that a matter of the role")
  func unknown() async throws {
    try await TestGateway.run(generation: Generation(.june)) { gateway in
      let client = try await gateway.paired(Self.node())
      let answer = try await client.call("node.pluginTools.update", ["tools": []])
      #expect(answer?["error"]?["message"] == "unauthorized role: node")
    }
  }

  @Test("a core tool's name and another node's get the node's id before them")
  func collisions() async throws {
    try await TestGateway.run { gateway in
      let one = Self.node("One")
      let two = Self.node("Two")
      let first = try await gateway.paired(one)
      let second = try await gateway.paired(two)
      _ = try await Self.publish(
        first, [Self.descriptor("Exec"), Self.descriptor("photo"), Self.descriptor("one_say")])
      _ = try await Self.publish(second, [Self.descriptor("photo")])
      let names = try await gateway.control("tools.list")["tools"]?.array?.compactMap { $0["name"]?.string } ?? []
      let ids = [one.deviceID, two.deviceID].map(AgentTools.sanitised)
      #expect(Set(names) == ["\(ids[0])_Exec", "\(ids[0])_photo", "\(ids[1])_photo", "one_say"])
      #expect(names.allSatisfy { $0.count <= 64 })
      #expect(AgentTools.sanitised("") == "node" && AgentTools.sanitised("7-A") == "node_7_a")
    }
  }

  @Test("the owner of the gateway can keep tools from agents, and let them through, without a new connection")
  func switchedOff() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      #expect(try await Self.publish(client, [Self.descriptor("a")]) == ["a"])
      let off = #"{"gateway":{"nodes":{"pluginTools":{"enabled":false}}}}"#
      try gateway.folder.write(CommandPolicy.fileName, Data(off.utf8))
      _ = try await gateway.control("gateway.reload")
      #expect(try await gateway.control("tools.list")["tools"] == [])
      #expect(try await Self.publish(client, [Self.descriptor("a")]) == [])
      try gateway.folder.write(CommandPolicy.fileName, Data(#"{"gateway":{"nodes":{}}}"#.utf8))
      _ = try await gateway.control("gateway.reload")
      #expect(try await gateway.control("tools.list")["tools"]?.array?.count == 1)
    }
  }

  // MARK: Calls

  private static func answer(_ client: TestClient, _ payload: JSON) async throws -> JSON {
    let request = try #require(await client.event("node.invoke.request"))
    let result: JSON = [
      "id": request["id"] ?? .null, "nodeId": request["nodeId"] ?? .null, "ok": true, "payload": payload,
    ]
    _ = try await client.call("node.invoke.result", result)
    return request
  }

  @Test("a call of node-mcp has server, tool and arguments, 120 s and the session; a plain one the arguments and 30 s")
  func calls() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      let plain = Self.descriptor("plain") {
        $0.with("pluginId", "talon").with("command", "device.info").with("mcp", nil)
      }
      _ = try await Self.publish(client, [Self.descriptor("photo"), plain])
      async let result = gateway.control("tools.call", ["name": "photo", "arguments": [:]])
      let call = try await Self.answer(client, ["content": [["type": "text", "text": "done"]]])
      #expect(call["command"] == .string(Self.command))
      #expect(call["paramsJSON"] == #"{"server":"talon","tool":"photo","arguments":{}}"#)
      #expect(call["timeoutMs"] == 120_000 && call["sessionKey"] == "agent:main:main")
      #expect(call["idempotencyKey"]?.string?.contains(":call_") == true)
      #expect(try await result["view"] == ["content": [["type": "text", "text": "done"]], "isError": false])
      async let other = gateway.control("tools.call", ["name": "plain", "arguments": ["a": 1]])
      let device = try JSON(
        parsing:
          #"{"deviceName":"a","modelIdentifier":"b","systemName":"c","systemVersion":"d","appVersion":"e","appBuild":"f","locale":"g"}"#
      )
      let direct = try await Self.answer(client, device)
      #expect(direct["command"] == "device.info" && direct["timeoutMs"] == 30_000)
      #expect(direct["paramsJSON"] == #"{"a":1}"#)
      #expect(try await other["view"]?["content"]?.array?.first?["text"]?.string?.contains("deviceName") == true)
      let error = await #expect(throws: GatewayError.self) {
        _ = try await gateway.control("tools.call", ["name": "exec", "arguments": [:]])
      }
      #expect(error?.message == "the agent has no tool exec")
    }
  }

  @Test("a node that leaves in the middle of a call is MCP_SERVER_UNAVAILABLE")
  func departure() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(Self.node())
      _ = try await Self.publish(client, [Self.descriptor("photo")])
      async let error = #expect(throws: GatewayError.self) {
        _ = try await gateway.control("tools.call", ["name": "photo", "arguments": [:]])
      }
      _ = await client.event("node.invoke.request")
      try await client.close()
      #expect(await error?.message.hasPrefix("MCP_SERVER_UNAVAILABLE: ") == true)
    }
  }

  @Test("only node hosts are told that a call was cancelled")
  func cancelled() async throws {
    try await TestGateway.run { gateway in
      for (id, isTold) in [("node-host", true), ("openclaw-android", false)] {
        var node = Self.node(id)
        node.client = node.client.with("id", .string(id))
        let client = try await gateway.paired(node)
        let started = try await gateway.control(
          "nodes.invoke", ["node": .string(id), "command": "device.info", "wait": false])
        _ = await client.event("node.invoke.request")
        _ = try await gateway.control("nodes.cancel", ["invokeId": started["invokeId"] ?? .null])
        try await client.send(["type": "req", "id": "last", "method": "health"])
        let frame = await client.frame { $0["event"] == "node.invoke.cancel" || $0["id"] == "last" }
        #expect((frame?["event"] == "node.invoke.cancel") == isTold)
      }
    }
  }

  // MARK: Results

  private static func view(_ result: JSON, _ era: Era = .newest) -> [JSON] {
    ToolView(result: result, in: Generation(era)).blocks
  }

  private static func text(_ text: String) -> JSON { ["type": "text", "text": .string(text)] }

  @Test("facts come first, and a text that repeats them is left out")
  func facts() {
    let facts: JSON = ["lat": .double(46.9)]
    let view = Self.view([
      "content": [["type": "text", "text": #"{ "lat" : 46.9 }"#], ["type": "text", "text": "Here."]],
      "structuredContent": facts,
    ])
    #expect(view == [Self.text(facts.prettyText), Self.text("Here.")])
  }

  @Test("pictures are pictures; sound and links are words; an empty result says so")
  func blocks() {
    let image: JSON = ["type": "image", "data": "AAAA", "mimeType": "image/png"]
    let resource: JSON = ["type": "resource", "resource": ["uri": "x:", "mimeType": "image/png", "blob": "AAAA"]]
    let content: JSON = [
      image, ["type": "audio", "data": "AAAA", "mimeType": "audio/wav"],
      ["type": "resource_link", "title": "Plan", "uri": "https://x/"], resource,
    ]
    let now = Self.view(["content": content])
    #expect(now.prefix(3) == [image, Self.text("[audio audio/wav]"), Self.text("[Plan] https://x/")])
    #expect(now.last?["type"] == "text")
    #expect(Self.view(["content": content], .next).last == image)
    #expect(
      Self.view(["content": []]) == [Self.text("MCP tool completed without returning content.")])
  }

  @Test("facts that are nested too deeply are an error")
  func depth() {
    let deep = (0..<ToolView.depthMax).reduce(JSON.array([])) { value, _ in .array([value]) }
    let view = ToolView(result: ["content": [], "structuredContent": deep], in: .newest)
    #expect(view.isError && view.blocks.count == 1)
  }
}
