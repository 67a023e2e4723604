import Foundation
import NIOCore
import NIOPosix

/// The status of one GET, with or without the wish to speak WebSocket.
enum HTTPProbe {
  private static let upgradeHeaders =
    "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

  static func status(of url: URL, upgrade: Bool = false) async throws -> Int? {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: url.port ?? 80) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      let headers = upgrade ? Self.upgradeHeaders : ""
      try await outbound.write(
        ByteBuffer(string: "GET \(url.path.isEmpty ? "/" : url.path) HTTP/1.1\r\nHost: x\r\n\(headers)\r\n"))
      for try await bytes in inbound {
        return String(buffer: bytes).split(separator: " ").dropFirst().first.flatMap { Int($0) }
      }
      return nil
    }
  }
}
