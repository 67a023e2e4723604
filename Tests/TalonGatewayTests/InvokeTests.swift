import Foundation
import Testing

@testable import talon_gateway

@Suite(.timeLimit(.minutes(1))) struct InvokeTests {
  private static func invoke(_ gateway: TestGateway, _ members: JSON) async throws -> JSON {
    var params = JSONObject()
    params.append("node", "test board")
    for member in members.object?.members ?? [] { params.append(member.key, member.value) }
    return try await gateway.control("nodes.invoke", .object(params))
  }

  /// The error of an invoke that must fail.
  private static func failure(_ gateway: TestGateway, _ members: JSON) async throws -> GatewayError? {
    await #expect(throws: GatewayError.self) { _ = try await invoke(gateway, members) }
  }

  /// Answers the next invoke with `result` added to its ids; returns the request.
  @discardableResult
  private static func answer(_ client: TestClient, _ result: JSON) async throws -> JSON {
    let request = try #require(await client.event("node.invoke.request"))
    var params = result.object ?? JSONObject()
    params.append("id", request["id"] ?? .null)
    params.append("nodeId", request["nodeId"] ?? .null)
    _ = try await client.call("node.invoke.result", .object(params))
    return request
  }

  @Test("an invoke reaches the node with its parameters as text, and its payload comes back")
  func success() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      async let result = Self.invoke(
        gateway,
        ["command": "bench.echo", "params": ["maxWidth": 640], "timeoutMs": 5000, "idempotencyKey": "k"])
      let request = try await Self.answer(client, ["ok": true, "payload": ["format": "jpg"]])
      #expect(request["paramsJSON"] == #"{"maxWidth":640}"#)
      #expect(request["timeoutMs"] == 5000)
      #expect(request["idempotencyKey"] == "k")
      #expect(
        try await result == [
          "ok": true, "nodeId": .string(node.deviceID), "command": "bench.echo",
          "payload": ["format": "jpg"],
        ])
    }
  }

  @Test("without parameters paramsJSON is null; payloadJSON comes back parsed")
  func withoutParams() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      async let result = Self.invoke(gateway, ["command": "bench.echo"])
      let request = try await Self.answer(client, ["ok": true, "payloadJSON": #"{"a":[1]}"#, "error": nil])
      #expect(request["paramsJSON"] == .null)
      #expect(request["timeoutMs"] == 30_000)
      #expect(try await result["payload"] == ["a": [1]])
    }
  }

  @Test("a failed result reaches the caller as UNAVAILABLE with the node's code")
  func failure() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      async let failure = Self.failure(gateway, ["command": "camera.snap"])
      try await Self.answer(client, ["ok": false, "error": ["code": "CAMERA_DISABLED", "message": "off"]])
      let error = try await failure
      #expect(error == .invoke("CAMERA_DISABLED", "off"))
      #expect(error?.message == "CAMERA_DISABLED: off")
    }
  }

  @Test("a node that is not ready is called again four times since July, under another id and with the same key")
  func unready() async throws {
    let unready: JSON = ["ok": false, "error": ["code": "NODE_NOT_READY", "message": "starting"]]
    try await TestGateway.run(generation: Generation(.autumn)) { gateway in
      let client = try await gateway.paired(TestNode())
      async let result = Self.invoke(gateway, ["command": "bench.echo", "params": ["a": 1], "idempotencyKey": "k"])
      var ids: Set<String> = []
      for _ in 0..<4 { ids.insert(try await Self.answer(client, unready)["id"]?.string ?? "") }
      let last = try await Self.answer(client, ["ok": true, "payload": 7])
      #expect(ids.count == 4 && !ids.contains(last["id"]?.string ?? ""))
      #expect(last["idempotencyKey"] == "k" && last["paramsJSON"] == #"{"a":1}"#)
      #expect(try await result["payload"] == 7)
      async let failure = Self.failure(gateway, ["command": "bench.echo"])
      for _ in 0..<5 { try await Self.answer(client, unready) }
      #expect(try await failure == .invoke("NODE_NOT_READY", "starting"))
    }
    try await TestGateway.run(generation: Generation(.june)) { gateway in
      let client = try await gateway.paired(TestNode())
      async let failure = Self.failure(gateway, ["command": "bench.echo"])
      try await Self.answer(client, unready)
      #expect(try await failure == .invoke("NODE_NOT_READY", "starting"))
    }
  }

  @Test("a deadline answers TIMEOUT, cancels at the node, and the late result is ignored")
  func timeout() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      let error = try await Self.failure(gateway, ["command": "camera.snap", "timeoutMs": 20])
      #expect(error == .invoke("TIMEOUT", "node invoke timed out"))
      let request = try #require(await client.event("node.invoke.request"))
      #expect(await client.event("node.invoke.cancel")?["invokeId"] == request["id"])
      let late: JSON = ["id": request["id"] ?? .null, "nodeId": .string(node.deviceID), "ok": true]
      #expect(try await client.call("node.invoke.result", late)?["payload"] == ["ok": true, "ignored": true])
    }
  }

  @Test("a result with a foreign node id or an unknown key is refused, and the invoke goes on")
  func badResults() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      async let result = Self.invoke(gateway, ["command": "bench.echo"])
      let request = try #require(await client.event("node.invoke.request"))
      let good: JSON = [
        "id": request["id"] ?? .null, "nodeId": .string(node.deviceID), "ok": true, "payload": 1,
      ]
      let foreign = try await client.call("node.invoke.result", good.with("nodeId", "other"))
      #expect(foreign?["error"]?["message"] == "nodeId mismatch")
      let unknown = try await client.call("node.invoke.result", good.with("retryable", true))
      #expect(unknown?["error"]?["code"] == "INVALID_REQUEST")
      #expect(try await client.call("node.invoke.result", good)?["payload"] == ["ok": true])
      #expect(try await result["payload"] == 1)
    }
  }

  @Test("a node that leaves fails its invokes; afterwards it is not connected")
  func disconnection() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      async let failure = Self.failure(gateway, ["command": "device.info"])
      _ = await client.event("node.invoke.request")
      try await client.close()
      let error = try await failure
      #expect(error == .invoke("DISCONNECTED", "node disconnected (device.info)"))
      let next = try await Self.failure(gateway, ["command": "device.info"])
      #expect(next?.details?["code"] == "NOT_CONNECTED")
    }
  }

  @Test("what is not declared or not allowed does not reach the node")
  func policy() async throws {
    try await TestGateway.run(policy: CommandPolicy(allow: ["device.info", "x"])) { gateway in
      _ = try await gateway.paired(TestNode())
      for (command, reason) in [
        ("camera.snap", "command not allowlisted"), ("x", "command not declared by node"),
        (" ", "command required"),
      ] {
        let error = try await Self.failure(gateway, ["command": .string(command)])
        #expect(error?.code == "INVALID_REQUEST")
        #expect(error?.details?["reason"]?.string == reason)
      }
      let row = try await gateway.control("nodes.status")["nodes"]?.array?.first
      #expect(row?["commands"] == ["device.info"])
    }
  }

  @Test("many invokes through one control connection are all answered")
  func many() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      async let report = gateway.withControl { control in
        let request: JSON = ["node": "test board", "command": "bench.echo"]
        return try InvokeReport.measure(control, request, count: 200, concurrency: 8)
      }
      for _ in 0..<200 {
        let request = try #require(await client.event("node.invoke.request"))
        let result: JSON = ["id": request["id"] ?? .null, "nodeId": request["nodeId"] ?? .null, "ok": true]
        try await client.send(["type": "req", "id": "r", "method": "node.invoke.result", "params": result])
      }
      #expect(try await report.errors == 0)
      #expect(try await report.count == 200)
    }
  }

  @Test("the CLI's errors say what is wrong")
  func controlErrors() async throws {
    try await TestGateway.run { gateway in
      let cases: [(String, JSON, String)] = [
        ("devices.approve", ["requestId": "nope"], "no pairing request nope is waiting"),
        ("devices.approve", [:], "no pairing request is waiting"),
        ("devices.revoke", ["deviceId": "nope"], "unknown device id nope"),
        ("nodes.invoke", ["node": "nope", "command": "c"], "unknown node nope"),
        ("nodes.dance", [:], "unknown operation nodes.dance"),
      ]
      for (operation, params, message) in cases {
        let error = await #expect(throws: GatewayError.self) {
          _ = try await gateway.control(operation, params)
        }
        #expect(error?.message == message)
      }
    }
    let missing = #expect(throws: GatewayFailure.self) {
      try ControlClient(path: "/nonexistent/control.sock")
    }
    #expect(missing?.description.contains("no gateway is running") == true)
  }

  @Test("a second gateway with the same state folder does not start")
  func exclusiveState() async throws {
    try await TestGateway.run { gateway in
      await #expect(throws: GatewayFailure.self) {
        _ = try await GatewayServer.start(
          GatewayOptions(authMode: .none), folder: gateway.folder, host: "127.0.0.1", port: 0,
          certificate: nil,
          logger: .silent)
      }
      let devices = try await gateway.control("devices.list")
      #expect(devices["pending"] == [])
    }
  }
}
