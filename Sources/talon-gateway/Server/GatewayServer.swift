import Foundation
import Glibc
import NIOCore
import NIOPosix

/// A running gateway: one event loop, one port, one control socket.
final class GatewayServer: Sendable {
  /// How long clients get to read the goodbye.
  static let goodbyeGrace = Duration.seconds(1)

  private let group: MultiThreadedEventLoopGroup
  private let core: NIOLoopBound<GatewayCore>
  private let listener: any Channel
  private let control: any Channel
  private let controlPath: String
  let port: Int
  /// Where clients find it.
  let url: String

  /// Binds the port and the control socket of `folder`. Without a certificate it serves `ws://`.
  static func start(
    _ options: GatewayOptions, folder: StateFolder, host: String, port: Int, certificate: ServerCertificate?,
    logger: Logger
  ) async throws -> GatewayServer {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    do {
      return try await GatewayServer(
        group, options, folder: folder, host: host, port: port, certificate: certificate, logger: logger)
    } catch {
      try await group.shutdownGracefully()
      throw error
    }
  }

  private init(
    _ group: MultiThreadedEventLoopGroup, _ options: GatewayOptions, folder: StateFolder, host: String,
    port: Int,
    certificate: ServerCertificate?, logger: Logger
  ) async throws {
    let loop = group.next()
    let core = try await loop.submit {
      let core = try GatewayCore(eventLoop: loop, options: options, folder: folder, logger: logger)
      core.tls = certificate?.tls
      core.start()
      return NIOLoopBound(core, eventLoop: loop)
    }.get()
    self.group = group
    self.core = core
    listener = try await Self.listen(host, port, group, core)
    // Last, so that a failed start leaves no socket after.
    controlPath = folder.path(of: ControlSocket.name)
    control = try await ControlServer.bind(path: controlPath, group: group, core: core)
    let port = listener.localAddress?.port ?? port
    self.port = port
    let bracketed = host.contains(":") ? "[\(host)]" : host
    let url = "\(certificate == nil ? "ws" : "wss")://\(bracketed):\(port)/"
    self.url = url
    let isolatedCore = core
    try await loop.submit {
      isolatedCore.value.address = GatewayAddress(url: url, fingerprint: certificate?.fingerprint)
    }.get()
  }

  private static func listen(
    _ host: String, _ port: Int, _ group: any EventLoopGroup, _ core: NIOLoopBound<GatewayCore>
  ) async throws -> any Channel {
    do {
      return try await ServerBootstrap(group: group)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let tls = core.value.tls
            if let tls { try channel.pipeline.syncOperations.addHandler(TLSHandler(tls, .server)) }
            try HTTPFront.install(on: channel, core: core.value, isEncrypted: tls != nil)
          }
        }
        .bind(host: host, port: port).get()
    } catch {
      throw GatewayFailure("cannot listen on \(host), port \(port): \(error)")
    }
  }

  /// The orderly goodbye: `shutdown` event, close 1012, then the end.
  func stop(goodbyeGrace: Duration = GatewayServer.goodbyeGrace) async throws {
    try? await listener.close()
    try? await control.close()
    unlink(controlPath)
    let core = core
    try await listener.eventLoop.submit { core.value.shutDown() }.get()
    try await Task.sleep(for: goodbyeGrace)
    try await group.shutdownGracefully()
  }
}
