import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket

@testable import talon_gateway

/// A WebSocket client that lets a test send anything.
final class TestClient {
  enum Received: Equatable, Sendable {
    case frame(JSON)
    case closed(code: UInt16, reason: String)
    case ended
  }

  private let channel: any Channel
  private var inbox: AsyncStream<Received>.AsyncIterator

  /// Connects to a gateway on loopback, with TLS that accepts any certificate, or plainly.
  init(port: Int, tls: Bool = false, headers: HTTPHeaders = [:], pongs: Bool = true) async throws {
    let (stream, continuation) = AsyncStream.makeStream(of: Received.self)
    inbox = stream.makeAsyncIterator()
    let context = tls ? try TLSContext.trustingClient() : nil
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(TLSHandler(context, .client)) }
          try Self.addUpgrade(to: channel, headers: headers, continuation, pongs: pongs)
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
  }

  private static func addUpgrade(
    to channel: any Channel, headers: HTTPHeaders, _ continuation: AsyncStream<Received>.Continuation,
    pongs: Bool
  ) throws {
    let request = NIOLoopBound(UpgradeRequest(headers: headers, continuation), eventLoop: channel.eventLoop)
    let upgrader = NIOWebSocketClientUpgrader(maxFrameSize: 1 << 26) { channel, _ in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(Inbox(continuation, pongs: pongs))
      }
    }
    try channel.pipeline.syncOperations.addHTTPClientHandlers(
      leftOverBytesStrategy: .forwardBytes,
      withClientUpgrade: (
        upgraders: [upgrader],
        completionHandler: { $0.pipeline.syncOperations.removeHandler(request.value, promise: nil) }
      ))
    try channel.pipeline.syncOperations.addHandler(request.value)
  }

  /// What arrives next.
  func next() async -> Received { await inbox.next() ?? .ended }

  /// The next JSON frame that `isWanted`; nil when the connection ends before it.
  func frame(where isWanted: (JSON) -> Bool) async -> JSON? {
    while case .frame(let frame) = await next() {
      if isWanted(frame) { return frame }
    }
    return nil
  }

  /// How the connection ends; frames before that are dropped.
  func closed() async -> Received {
    while true {
      let received = await next()
      guard case .frame = received else { return received }
    }
  }

  func event(_ name: String) async -> JSON? { await frame { $0["event"]?.string == name }?["payload"] }

  func response(_ id: String) async -> JSON? { await frame { $0["type"] == "res" && $0["id"]?.string == id } }

  func send(_ frame: JSON) async throws { try await send(text: frame.text) }

  func send(text: String) async throws { try await send(.text, ByteBuffer(string: text)) }

  func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, fin: Bool = true, masked: Bool = true) async throws {
    let frame = WebSocketFrame(fin: fin, opcode: opcode, maskKey: masked ? .random() : nil, data: data)
    try await channel.writeAndFlush(frame)
  }

  /// Sends a request and waits for its answer.
  func call(_ method: String, _ params: JSON) async throws -> JSON? {
    let id = UUID().uuidString
    try await send(["type": "req", "id": .string(id), "method": .string(method), "params": params])
    return await response(id)
  }

  func close() async throws { try await channel.close() }
}

/// Sends the upgrade request as soon as the channel is up. It leaves after the upgrade; a connection that ends before
/// that ends the test's stream.
private final class UpgradeRequest: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundOut = HTTPClientRequestPart

  private let headers: HTTPHeaders
  private let continuation: AsyncStream<TestClient.Received>.Continuation

  init(headers: HTTPHeaders, _ continuation: AsyncStream<TestClient.Received>.Continuation) {
    (self.headers, self.continuation) = (headers, continuation)
  }

  func channelInactive(context: ChannelHandlerContext) {
    continuation.finish()
    context.fireChannelInactive()
  }

  func channelActive(context: ChannelHandlerContext) {
    var all: HTTPHeaders = ["Host": "127.0.0.1"]
    all.add(contentsOf: headers)
    let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: all)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.fireChannelActive()
  }
}

private final class Inbox: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let continuation: AsyncStream<TestClient.Received>.Continuation

  private let pongs: Bool

  init(_ continuation: AsyncStream<TestClient.Received>.Continuation, pongs: Bool) {
    self.continuation = continuation
    self.pongs = pongs
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text:
      if let json = try? JSON(parsing: Array(frame.data.readableBytesView)) {
        continuation.yield(.frame(json))
      }
    case .ping where pongs:
      let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.data)
      context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
    case .connectionClose:
      let code = frame.data.readInteger(as: UInt16.self) ?? 0
      continuation.yield(.closed(code: code, reason: String(buffer: frame.data)))
    default: break
    }
  }

  func channelInactive(context: ChannelHandlerContext) { continuation.finish() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
