import Foundation

@testable import talon_gateway

/// A gateway on a free loopback port with a state folder of its own.
struct TestGateway {
  let server: GatewayServer
  let folder: StateFolder

  static func run(
    authMode: AuthMode = .token("shared"), policy: CommandPolicy = CommandPolicy(), tickMs: Int64 = 30_000,
    tls: Bool = false, generation: Generation = .newest, change: (inout GatewayOptions) -> Void = { _ in },
    _ body: (TestGateway) async throws -> Void
  ) async throws {
    let folder = try temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    var options = GatewayOptions(authMode: authMode)
    options.policy = policy
    options.generation = generation
    options.tickIntervalMilliseconds = tickMs
    options.replyDelayMilliseconds = 1
    change(&options)
    let certificate = tls ? try ServerCertificate(folder: folder) : nil
    let server = try await GatewayServer.start(
      options, folder: folder, host: "127.0.0.1", port: 0, certificate: certificate, logger: .silent)
    do {
      try await body(TestGateway(server: server, folder: folder))
    } catch {
      try await server.stop(goodbyeGrace: .zero)
      throw error
    }
    try await server.stop(goodbyeGrace: .zero)
  }

  static func temporaryFolder() throws -> StateFolder {
    let name = "talon-gateway-\(UUID().uuidString.prefix(8))"
    let folder = StateFolder(path: FileManager.default.temporaryDirectory.appendingPathComponent(name).path)
    try folder.create()
    return folder
  }

  func client(tls: Bool = false) async throws -> TestClient {
    try await TestClient(port: server.port, tls: tls)
  }

  /// One operation on the control socket.
  func control(_ operation: String, _ params: JSON = [:]) async throws -> JSON {
    try await withControl { try $0.call(operation, params) }
  }

  /// Runs `body` on a thread of its own, because the control client blocks.
  func withControl<Value: Sendable>(
    _ body: @escaping @Sendable (ControlClient) throws -> Value
  ) async throws -> Value {
    let path = folder.path(of: ControlSocket.name)
    return try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let client = try ControlClient(path: path)
            defer { client.close() }
            return try body(client)
          })
      }
    }
  }

  /// Approves `node` and returns its open connection.
  func paired(_ node: TestNode) async throws -> TestClient {
    let client = try await self.client()
    _ = try await hello(node, client)
    return client
  }

  /// Approves `node` and returns what `client` got as hello-ok.
  @discardableResult
  func hello(_ node: TestNode, _ client: TestClient) async throws -> JSON {
    let first = try await self.client()
    _ = try await node.connect(first)
    _ = try await control("devices.approve")
    return try await node.connect(client)?["payload"] ?? .null
  }
}
