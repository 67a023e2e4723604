import Foundation
import NIOCore
import Testing

@testable import talon_gateway

@Suite(.timeLimit(.minutes(1))) struct ConnectionTests {
  @Test("over TLS: challenge, approval, hello-ok with the token that opens the next connection")
  func pairing() async throws {
    try await TestGateway.run(tls: true) { gateway in
      var node = TestNode()
      let first = try await gateway.client(tls: true)
      let refusal = try #require(await node.connect(first))
      let requestID = try #require(refusal["error"]?["details"]?["requestId"]?.string)
      let closed = await first.next()
      #expect(
        closed
          == .closed(
            code: 1008, reason: "pairing required: device is not approved yet (requestId: \(requestID))"))
      let pending = try await gateway.control("devices.list")["pending"]?.array
      #expect(pending?.first?["requestId"]?.string == requestID)
      _ = try await gateway.control("devices.approve", ["requestId": .string(requestID)])
      let second = try await gateway.client(tls: true)
      let hello = try #require(await node.connect(second)?["payload"])
      #expect(hello["protocol"] == 4)
      #expect(hello["policy"]?["tickIntervalMs"] == 30_000)
      #expect((58_000...62_000).contains(hello.bytes.count))
      let token = try #require(hello["auth"]?["deviceToken"])
      node.auth = ["deviceToken": token]
      let third = try await gateway.client(tls: true)
      #expect(await (try node.connect(third))?["payload"]?["auth"]?["deviceToken"] == token)
    }
  }

  @Test("voice-wake snapshots come before hello-ok")
  func earlyEvents() async throws {
    try await TestGateway.run(authMode: .none) { gateway in
      let node = TestNode()
      _ = try await gateway.paired(node)
      let client = try await gateway.client()
      try await node.sendConnect(client)
      #expect(await client.event("voicewake.changed") != nil)
      #expect(await client.response("connect")?["ok"] == true)
    }
  }

  static let firstFrames: [(text: String, answer: String?, reason: String)] = [
    ("not JSON", nil, "invalid request frame"),
    (#"{"type":"res","id":"1","ok":true}"#, nil, "invalid request frame"),
    (#"{"type":"req","id":"1","method":"connect","params":{},"x":1}"#, nil, "invalid request frame"),
    (
      #"{"type":"req","id":"1","method":"health"}"#, "invalid handshake: first request must be connect",
      "invalid handshake: first request must be connect"
    ),
    (
      #"{"type":"req","id":"1","method":"connect","params":{"maxProtocol":4}}"#,
      "invalid connect params: at root: must have required property 'minProtocol'",
      "invalid connect params: at root: must have required property 'minProtocol'"
    ),
  ]

  @Test("a bad first frame closes 1008, with an answer when it was a request", arguments: firstFrames.indices)
  func firstFrame(index: Int) async throws {
    let (text, answer, reason) = Self.firstFrames[index]
    try await TestGateway.run { gateway in
      let client = try await gateway.client()
      _ = await client.event("connect.challenge")
      try await client.send(text: text)
      if let answer {
        let response = await client.response("1")
        #expect(response?["error"]?["code"] == "INVALID_REQUEST")
        #expect(response?["error"]?["message"]?.string == answer)
      }
      #expect(await client.next() == .closed(code: 1008, reason: reason))
    }
  }

  @Test(
    "a message above 64 KiB before hello-ok closes 1009, in one piece or in fragments",
    arguments: [true, false])
  func oversize(inOnePiece: Bool) async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.client()
      _ = await client.event("connect.challenge")
      let half = ByteBuffer(repeating: 0x20, count: 32_769)
      if inOnePiece {
        try await client.send(.text, ByteBuffer(repeating: 0x20, count: 65_537))
      } else {
        try await client.send(.text, half, fin: false)
        try await client.send(.continuation, half)
      }
      #expect(await client.next() == .closed(code: 1009, reason: "preauth payload too large"))
    }
  }

  @Test("unmasked frames, stray continuations and invalid UTF-8 are protocol errors")
  func webSocketErrors() async throws {
    try await TestGateway.run { gateway in
      let attempts: [(UInt16, (TestClient) async throws -> Void)] = [
        (1002, { try await $0.send(.text, ByteBuffer(string: "{}"), masked: false) }),
        (1002, { try await $0.send(.continuation, ByteBuffer(string: "{}")) }),
        (1007, { try await $0.send(.text, ByteBuffer(bytes: [0x22, 0xC3, 0x28, 0x22])) }),
      ]
      for (code, attempt) in attempts {
        let client = try await gateway.client()
        _ = await client.event("connect.challenge")
        try await attempt(client)
        guard case .closed(let closeCode, _) = await client.next() else {
          Issue.record("not closed with \(code)")
          continue
        }
        #expect(closeCode == code)
      }
    }
  }

  @Test("after hello-ok: no JSON is ignored, a request without id is answered as invalid")
  func afterHello() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      try await client.send(text: "hello?")
      try await client.send(["type": "req", "method": "health"])
      let answer = await client.response("invalid")
      #expect(answer?["error"]?["message"]?.string?.contains("must have required property 'id'") == true)
      #expect(try await client.call("health", [:])?["ok"] == true)
    }
  }

  @Test("calls of another role are refused, and the eleventh in a row closes")
  func wrongRole() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      for _ in 0..<10 {
        let answer = try await client.call("chat.send", [:])
        #expect(answer?["error"]?["message"] == "unauthorized role: node")
      }
      #expect(try await client.call("health", [:])?["ok"] == true)
      for _ in 0..<11 { _ = try await client.call("chat.send", [:]) }
      #expect(await client.next() == .closed(code: 1008, reason: "repeated unauthorized calls"))
    }
  }

  @Test("the beacon is persisted, then throttled; unknown events are accepted")
  func beacon() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      func send(_ event: String, _ payload: String) async throws -> JSON? {
        let params: JSON = ["event": .string(event), "payloadJSON": .string(payload)]
        return try await client.call("node.event", params)?["payload"]
      }
      #expect(try await send("node.presence.alive", "7")?["reason"] == "invalid_payload")
      #expect(
        try await send("node.presence.alive", #"{"trigger":" Connect "}"#)
          == ["ok": true, "event": "node.presence.alive", "handled": true, "reason": "persisted"])
      #expect(try await send("node.presence.alive", #"{"trigger":"manual"}"#)?["reason"] == "throttled")
      #expect(try await send("something.new", "{}") == ["ok": true])
      let node = try await gateway.control("nodes.status")["nodes"]?.array?.first
      #expect(node?["lastSeenReason"] == "connect")
      #expect(try await gateway.control("nodes.events")["events"]?.array?.count == 4)
    }
  }

  @Test("ticks are numbered from 1 and shutdown is followed by close 1012")
  func ticksAndGoodbye() async throws {
    var client: TestClient?
    try await TestGateway.run(tickMs: 10) { gateway in
      client = try await gateway.paired(TestNode())
      let tick = await client?.frame { $0["event"] == "tick" }
      #expect(tick?["seq"] == 1)
      #expect(tick?["payload"]?["ts"]?.integer != nil)
    }
    let goodbye = await client?.event("shutdown")
    #expect(goodbye == ["reason": "gateway stopping", "restartExpectedMs": nil])
    #expect(await client?.next() == .closed(code: 1012, reason: "service restart"))
  }

  @Test("a newer connection of the same node replaces the older")
  func replacement() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let older = try await gateway.paired(node)
      let newer = try await gateway.client()
      _ = try await node.connect(newer)
      #expect(await older.closed() == .closed(code: 1000, reason: "replaced by a newer connection"))
      #expect(try await newer.call("health", [:])?["ok"] == true)
    }
  }

  @Test("revoking closes the connection with 4001")
  func revocation() async throws {
    try await TestGateway.run { gateway in
      let node = TestNode()
      let client = try await gateway.paired(node)
      _ = try await gateway.control("devices.revoke", ["deviceId": .string(node.deviceID)])
      #expect(await client.closed() == .closed(code: 4001, reason: "device removed"))
    }
  }

  @Test("an Origin header is refused")
  func origin() async throws {
    try await TestGateway.run { gateway in
      let client = try await TestClient(port: gateway.server.port, headers: ["Origin": "http://example.org"])
      let answer = try await TestNode().connect(client)
      #expect(answer?["error"]?["details"]?["code"] == "CONTROL_UI_ORIGIN_NOT_ALLOWED")
    }
  }

  @Test(
    "healthz and readyz answer 200, other paths 404",
    arguments: [("healthz", 200), ("readyz", 200), ("x", 404)])
  func probes(path: String, status: Int) async throws {
    try await TestGateway.run { gateway in
      let url = try #require(URL(string: "http://127.0.0.1:\(gateway.server.port)/\(path)"))
      #expect(try await HTTPProbe.status(of: url) == status)
    }
  }
}
