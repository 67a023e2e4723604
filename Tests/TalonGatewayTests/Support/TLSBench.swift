import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import talon_gateway

/// A TLS server on loopback with nothing but the handler, and clients of it: with the handler, or with bytes alone.
struct TLSBench {
  /// What the server does with what it reads.
  enum Conduct {
    case echo
    /// Echoes and closes.
    case closes
    /// Answers when the client has closed its half.
    case answersAtEnd
  }

  /// One certificate for all tests: an RSA key takes a second of a busy machine.
  private static let served = Result {
    let folder = try TestGateway.temporaryFolder()
    defer { try? FileManager.default.removeItem(at: folder.url) }
    return try ServerCertificate(folder: folder).tls
  }

  let clientContext: TLSContext
  private let address: SocketAddress
  /// What the server heard of its connections: errors, and their end.
  private let notes: AsyncStream<String>

  static func run(
    _ conduct: Conduct, grace: TimeAmount = TLSHandler.closeGrace, _ body: (TLSBench) async throws -> Void
  ) async throws {
    let context = try served.get()
    let (notes, continuation) = AsyncStream.makeStream(of: String.self)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: conduct == .answersAtEnd)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers([
            TLSHandler(context, .server, closeGrace: grace), Recorder(conduct, continuation),
          ])
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let address = try #require(server.localAddress)
    let bench = TLSBench(clientContext: try .trustingClient(), address: address, notes: notes)
    do {
      try await body(bench)
    } catch {
      try await server.close()
      throw error
    }
    try await server.close()
  }

  /// A client whose channel `setUp` prepares.
  func connect(_ setUp: @escaping @Sendable (any Channel) throws -> Void) async throws -> any Channel {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try setUp(channel) } }
      .connect(to: address).get()
  }

  /// A client with TLS.
  func client() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    let context = clientContext
    return try await asyncChannel { try $0.addHandler(TLSHandler(context, .client)) }
  }

  /// A client of TCP alone.
  func raw() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> { try await asyncChannel { _ in } }

  private func asyncChannel(
    _ setUp: @escaping @Sendable (ChannelPipeline.SynchronousOperations) throws -> Void
  ) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: address) { channel in
      channel.eventLoop.makeCompletedFuture {
        try setUp(channel.pipeline.syncOperations)
        return try NIOAsyncChannel(wrappingChannelSynchronously: channel)
      }
    }
  }

  /// The first message of a client.
  func clientHello(of peer: TLSConnection? = nil) throws -> ByteBuffer {
    let peer = try peer ?? TLSConnection(clientContext, .client)
    _ = try peer.shakeHands()
    return peer.takeCiphertext()
  }

  /// All that the server says to these bytes until it ends the connection.
  func answer(to bytes: ByteBuffer, thenCloses: Bool = false) async throws -> ByteBuffer {
    try await raw().executeThenClose { inbound, outbound in
      try await outbound.write(bytes)
      if thenCloses { return ByteBuffer() }
      var answer = ByteBuffer()
      do {
        for try await more in inbound { answer.writeImmutableBuffer(more) }
      } catch is IOError {
        // TCP's reset: the server did not read everything.
      }
      return answer
    }
  }

  /// A client of TCP alone that has done the handshake by hand.
  func shakenHands(
    _ stream: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    _ outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
  ) async throws -> TLSConnection {
    let peer = try TLSConnection(clientContext, .client)
    var isDone = false
    while !isDone {
      isDone = try peer.shakeHands()
      let bytes = peer.takeCiphertext()
      if bytes.readableBytes > 0 { try await outbound.write(bytes) }
      if !isDone { try peer.feed(#require(await stream.next())) }
    }
    return peer
  }

  /// The number of a write that is done, or why it failed: a test that heard of success alone would wait for ever.
  static func outcome(_ number: Int, _ result: Result<Void, any Error>) -> String {
    switch result {
    case .success: "\(number)"
    case .failure(let error): "\(number): \(error)"
    }
  }

  /// The next notes of the server.
  func heard(_ count: Int) async -> [String] { await notes.prefix(count).reduce(into: []) { $0.append($1) } }

  /// The server still serves.
  func expectEcho() async throws {
    let text = try await client().executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(string: "still here"))
      return try await inbound.first { _ in true }
    }
    #expect(text.map { String(buffer: $0) } == "still here")
  }
}

/// The handler behind TLS: does what the bench wants, and notes what else it is told.
final class Recorder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let conduct: TLSBench.Conduct
  private let notes: AsyncStream<String>.Continuation
  private let echoes: Bool

  /// Notes what it reads when it does not echo it.
  init(_ conduct: TLSBench.Conduct, _ notes: AsyncStream<String>.Continuation, echoes: Bool = true) {
    (self.conduct, self.notes, self.echoes) = (conduct, notes, echoes)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard echoes else {
      notes.yield(String(buffer: unwrapInboundIn(data)))
      return
    }
    guard conduct != .answersAtEnd else { return }
    context.writeAndFlush(wrapOutboundOut(unwrapInboundIn(data)), promise: nil)
    if conduct == .closes { context.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard conduct == .answersAtEnd, case ChannelEvent.inputClosed = event else { return }
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "answer")), promise: nil)
    context.close(promise: nil)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { notes.yield("\(error)") }

  func channelInactive(context: ChannelHandlerContext) {
    notes.yield("inactive")
    context.fireChannelInactive()
  }
}
