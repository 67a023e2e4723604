import Foundation
import NIOCore
import NIOPosix

/// What one GET is answered with, with or without the wish to speak WebSocket.
enum HTTPProbe {
  private static let upgradeHeaders =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

  static func status(of url: URL, upgrade: Bool = false) async throws -> Int? {
    try await answer(url.path, port: url.port ?? 80, upgrade ? upgradeHeaders : "")?
      .split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  /// The beginning of the answer to an upgrade with more header fields.
  static func upgrade(port: Int, _ fields: String) async throws -> String {
    try await answer("/", port: port, upgradeHeaders + fields) ?? ""
  }

  private static func answer(_ path: String, port: Int, _ fields: String) async throws -> String? {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: port) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(
        ByteBuffer(string: "GET \(path.isEmpty ? "/" : path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"))
      for try await bytes in inbound { return String(buffer: bytes) }
      return nil
    }
  }
}
