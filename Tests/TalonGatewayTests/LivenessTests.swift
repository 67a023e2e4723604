import Foundation
import NIOCore
import Testing

@testable import talon_gateway

@Suite(.timeLimit(.minutes(1))) struct LivenessTests {
  private static func generation(_ change: (inout Generation) -> Void) -> Generation {
    var generation = Generation.newest
    change(&generation)
    return generation
  }

  @Test("silence after the challenge is closed with 1000 and no reason")
  func silence() async throws {
    // The upgrade counts too, which takes a busy machine some of it.
    let impatient = Self.generation { $0.handshakeMillisecondsMax = 2_000 }
    try await TestGateway.run(generation: impatient) { gateway in
      let client = try await gateway.client()
      _ = await client.event("connect.challenge")
      #expect(await client.next() == .closed(code: 1000, reason: ""))
    }
  }

  @Test("a node that answers no ping is dropped without a close frame")
  func missingPong() async throws {
    let impatient = Self.generation { $0.pingIntervalMilliseconds = 20 }
    try await TestGateway.run(authMode: .none, generation: impatient) { gateway in
      let node = TestNode()
      let first = try await gateway.client()
      _ = try await node.connect(first)
      _ = try await gateway.control("devices.approve")
      let mute = try await TestClient(port: gateway.server.port, pongs: false)
      #expect(try await node.connect(mute)?["ok"] == true)
      #expect(await mute.closed() == .ended)
    }
  }

  @Test("a client towards which too much piles up is closed as a slow consumer")
  func slowConsumer() async throws {
    let tight = Self.generation { $0.bufferedBytesMax = 2_000 }
    try await TestGateway.run(generation: tight) { gateway in
      let node = TestNode()
      _ = try await node.connect(gateway.client())
      _ = try await gateway.control("devices.approve")
      let client = try await gateway.client()
      try await node.sendConnect(client)
      #expect(await client.closed() == .closed(code: 1008, reason: "slow consumer"))
    }
  }

  @Test("the thirty-third socket without a hello from one address is turned away with 503")
  func preAuthSockets() async throws {
    try await TestGateway.run { gateway in
      var clients: [TestClient] = []
      for _ in 0..<GatewayCore.preAuthSocketsMax {
        let client = try await gateway.client()
        _ = await client.event("connect.challenge")
        clients.append(client)
      }
      let url = try #require(URL(string: "http://127.0.0.1:\(gateway.server.port)/"))
      #expect(try await HTTPProbe.status(of: url, upgrade: true) == 503)
      try await clients[0].close()
      #expect(await clients[0].next() == .ended)
    }
  }

  @Test("a caller that goes away cancels its invokes at the node")
  func abandonedCaller() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.paired(TestNode())
      let control = try ControlClient(path: gateway.folder.path(of: ControlSocket.name))
      try control.send("nodes.invoke", ["node": "test board", "command": "device.info"])
      let request = try #require(await client.event("node.invoke.request"))
      control.close()
      #expect(await client.event("node.invoke.cancel")?["invokeId"] == request["id"])
    }
  }
}
