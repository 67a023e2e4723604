import Foundation
import Testing

@testable import talon_gateway

/// What the command line does to a running gateway and its nodes.
@Suite(.timeLimit(.minutes(1))) struct OperationsTests {
  private static func event(_ client: TestClient, _ name: String, _ payload: String) async throws -> JSON? {
    let params: JSON = ["event": .string(name), "payloadJSON": .string(payload)]
    return try await client.call("node.event", params)?["payload"]
  }

  @Test("a restart is announced with its length, and who comes back is welcome")
  func restart() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      _ = try await gateway.control("gateway.restart", ["expectedMs": 1500])
      #expect(await client.event("shutdown") == ["reason": "gateway restarting", "restartExpectedMs": 1500])
      #expect(await client.closed() == .closed(code: 1012, reason: "service restart"))
      #expect(try await node.connect(gateway.client())?["ok"] == true)
    }
  }

  @Test("a node is dropped without a word, or closed with a code")
  func drop() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let first = try await gateway.paired(node)
      _ = try await gateway.control("gateway.drop", ["node": "test board"])
      #expect(await first.closed() == .ended)
      let second = try await gateway.client()
      _ = try await node.connect(second)
      _ = try await gateway.control("gateway.drop", ["node": "test board", "code": 1011, "reason": "oops"])
      #expect(await second.closed() == .closed(code: 1011, reason: "oops"))
    }
  }

  @Test("a renewed certificate counts for new connections; only with a new key does the key change")
  func renewal() async throws {
    try await TestGateway.run(tls: true) { gateway in
      func key() throws -> Data? { try gateway.folder.read("gateway-key.pem") }
      let first = try ServerCertificate(folder: gateway.folder).fingerprint
      let firstKey = try key()
      let second = try await gateway.control("gateway.renew", ["sameKey": true])["fingerprint"]?.string
      #expect(second != first)
      #expect(try key() == firstKey)
      let third = try await gateway.control("gateway.renew", ["sameKey": false])["fingerprint"]?.string
      #expect(third != second)
      #expect(try key() != firstKey)
      #expect(try await TestNode().connect(gateway.client(tls: true)) != nil)
    }
  }

  @Test("a rotated token is dead in both places, and the shared token gets the new one")
  func rotation() async throws {
    try await TestGateway.run { gateway in
      var node = TestNode()
      let client = try await gateway.client()
      let old = try #require(await gateway.hello(node, client)["auth"]?["deviceToken"])
      _ = try await gateway.control("devices.rotate", ["deviceId": .string(node.deviceID)])
      #expect(await client.closed() == .closed(code: 4001, reason: "device removed"))
      node.auth = ["deviceToken": old]
      let mismatch = try await node.connect(gateway.client())?["error"]?["details"]
      #expect(mismatch?["code"] == "AUTH_DEVICE_TOKEN_MISMATCH")
      node.auth = ["token": old]
      let shared = try await node.connect(gateway.client())?["error"]?["details"]
      #expect(shared?["code"] == "AUTH_TOKEN_MISMATCH")
      #expect(shared?["canRetryWithDeviceToken"] == true)
      node.auth = ["token": "shared"]
      let new = try await node.connect(gateway.client())?["payload"]?["auth"]?["deviceToken"]
      #expect(new != nil && new != old)
    }
  }

  @Test("a removed device starts from nothing; a revoked one lacks its role")
  func removal() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      for (operation, reason) in [("devices.revoke", "role-upgrade"), ("devices.remove", "not-paired")] {
        _ = try await gateway.paired(node)
        _ = try await gateway.control(operation, ["deviceId": .string(node.deviceID)])
        let refusal = try await node.connect(gateway.client())
        #expect(refusal?["error"]?["details"]?["reason"]?.string == reason)
      }
    }
  }

  @Test("wrong credentials from this machine lock it out when so asked")
  func lockout() async throws {
    try await TestGateway.run(change: { $0.limitsLoopback = true }) { gateway in
      var node = TestNode()
      node.auth = ["token": "wrong"]
      for _ in 0..<10 { _ = try await node.connect(gateway.client()) }
      let error = try await node.connect(gateway.client())?["error"]
      #expect(error?["details"]?["code"] == "AUTH_RATE_LIMITED")
      #expect((290_000...300_000).contains(error?["retryAfterMs"]?.integer ?? 0))
    }
  }

  @Test("an action waits until the node fetches and acknowledges it")
  func pendingWork() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      let enqueued = try await gateway.control(
        "nodes.enqueue", ["node": "test board", "command": "bench.echo", "params": ["a": 1]])
      let id = try #require(enqueued["actionId"])
      let action = try await client.call("node.pending.pull", [:])?["payload"]?["actions"]?.array?.first
      #expect(action?["id"] == id)
      #expect(action?["paramsJSON"] == #"{"a":1}"#)
      let acknowledged = try await client.call("node.pending.ack", ["ids": [id, "other"]])?["payload"]
      #expect(acknowledged?["ackedIds"] == [id])
      #expect(acknowledged?["remainingCount"] == 0)
      #expect(try await client.call("node.pending.pull", [:])?["payload"]?["actions"] == [])
      let drained = try await client.call("node.pending.drain", [:])?["payload"]
      #expect(drained?["items"]?.array?.first?["id"] == "baseline-status")
    }
  }

  @Test("an invoke without a waiting caller can be watched and cancelled")
  func cancel() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      let started = try await gateway.control(
        "nodes.invoke", ["node": "test board", "command": "bench.echo", "wait": false])
      let id = try #require(started["invokeId"])
      #expect(await client.event("node.invoke.request")?["id"] == id)
      func progress(_ sequence: Int64, _ chunk: String) async throws -> JSON? {
        try await client.call(
          "node.invoke.progress",
          [
            "invokeId": id, "nodeId": .string(node.deviceID), "seq": .integer(sequence),
            "chunk": .string(chunk),
          ])
      }
      #expect(try await progress(0, "half")?["ok"] == true)
      #expect(try await progress(2, "late")?["error"] != nil)
      #expect(try await gateway.control("nodes.progress", ["invokeId": id])["chunks"] == ["half"])
      _ = try await gateway.control("nodes.cancel", ["invokeId": id])
      #expect(await client.event("node.invoke.cancel")?["invokeId"] == id)
    }
  }

  @Test("the same transcript twice is one; host statistics are kept")
  func events() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      for _ in 0..<2 { _ = try await Self.event(client, "voice.transcript", #"{"text":"hi","eventId":"e"}"#) }
      let log = try await gateway.control("nodes.events")["events"]?.array
      #expect(log?.map { $0["repeated"]?.bool } == [nil, true])
      let stats = #"{"cpuCount":4,"memoryTotalBytes":100,"memoryFreeBytes":50}"#
      #expect(try await Self.event(client, "node.host.stats", stats)?["reason"] == "updated")
      #expect(try await Self.event(client, "node.host.stats", "{}")?["reason"] == "invalid_payload")
      let row = try await gateway.control("nodes.status")["nodes"]?.array?.first
      #expect(row?["hostStats"]?["cpuCount"] == 4)
      #expect(row?["violations"] == 1)
    }
  }

  @Test("a result of the wrong shape fails its invoke and is counted")
  func violation() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      let control = try ControlClient(path: gateway.folder.path(of: ControlSocket.name))
      defer { control.close() }
      try control.send("nodes.invoke", ["node": "test board", "command": "device.info"])
      let request = try #require(await client.event("node.invoke.request"))
      _ = try await client.call(
        "node.invoke.result",
        [
          "id": request["id"] ?? .null, "nodeId": .string(node.deviceID), "ok": true,
          "payload": ["deviceName": 7],
        ])
      let error = #expect(throws: GatewayError.self) { try control.result(of: control.receive()) }
      #expect(error?.message.contains("schema violation: device.info result at root") == true)
      #expect(try await gateway.control("nodes.status")["violations"] == 1)
    }
  }

  @Test("parameters that a method does not have are refused and counted")
  func unknownParams() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      let calls: [(String, JSON)] = [
        ("node.pending.ack", ["ids": []]), ("node.pending.pull", ["x": 1]), ("skills.bins", ["x": 1]),
        ("node.pluginSurface.refresh", [:]), ("node.event", ["event": "e", "payloadJSON": .null]),
      ]
      for (method, params) in calls {
        let message = try await client.call(method, params)?["error"]?["message"]?.string
        #expect(message?.hasPrefix("invalid \(method) params") == true)
      }
      #expect(try await gateway.control("nodes.status")["violations"]?.integer == Int64(calls.count))
    }
  }
}
