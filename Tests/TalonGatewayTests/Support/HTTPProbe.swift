import Foundation
import NIOCore
import NIOPosix

/// The status of one plain GET.
enum HTTPProbe {
  static func status(of url: URL) async throws -> Int? {
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: url.port ?? 80) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: "GET \(url.path) HTTP/1.1\r\nHost: x\r\n\r\n"))
      for try await bytes in inbound {
        return String(buffer: bytes).split(separator: " ").dropFirst().first.flatMap { Int($0) }
      }
      return nil
    }
  }
}
