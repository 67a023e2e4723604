import NIOCore
import NIOHTTP1
import NIOWebSocket

/// Fired through a channel when its handshake budget is spent.
struct HandshakeBudgetSpent: Sendable {}

/// Plain HTTP on the gateway's port: liveness probes, and 404 for the rest. Leaves when a channel upgrades.
final class HTTPFront: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let probes: Set<String> = ["/healthz", "/readyz"]

  private let core: GatewayCore
  private struct Answer {
    var status: HTTPResponseStatus
    var type: String
    var body: ByteBuffer
    var isHead = false
    var retryAfterSeconds: Int64?

    init(_ status: HTTPResponseStatus, _ text: String) {
      self.init(status, text.hasPrefix("{") ? "application/json" : "text/plain", ByteBuffer(string: text))
    }

    init(_ status: HTTPResponseStatus, _ type: String, _ body: ByteBuffer) {
      (self.status, self.type, self.body) = (status, type, body)
    }
  }

  private var answer: Answer?

  init(core: GatewayCore) { self.core = core }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): answer = answer(to: head, from: context.channel.remoteIPAddress)
    case .body: break
    case .end: respond(context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is HandshakeBudgetSpent { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  /// A refused upgrade still gets its HTTP answer; any other error ends the connection.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
  }

  /// While such a gateway starts, it upgrades nobody.
  fileprivate static func isClosed(_ core: GatewayCore) -> Bool {
    core.isStarting && !core.generation.answersWhileStarting
  }

  private func answer(to head: HTTPRequestHead, from address: String) -> Answer {
    let path = head.path
    if JoinDesk.owns(head.uri) {
      let join = core.joins.answer(
        to: head.uri, isGet: head.method == .GET, from: address, nowMilliseconds: wallMilliseconds())
      core.logger.info("join request from \(address): \(join.status)")
      var answer = Answer(HTTPResponseStatus(statusCode: join.status), join.body)
      answer.retryAfterSeconds = join.retryAfterSeconds
      return answer
    }
    if Self.probes.contains(path) { return Answer(.ok, #"{"ok":true}"#) }
    // An upgrade only gets here when the upgrader would not have it.
    if head.headers.contains(name: "Upgrade"), !core.canvas.owns(path) {
      if Self.isClosed(core) { return Answer(.serviceUnavailable, "Gateway websocket handlers unavailable") }
      core.logger.info("refused \(address): too many unauthenticated sockets")
      return Answer(.serviceUnavailable, "Too many unauthenticated sockets")
    }
    if head.method == .GET || head.method == .HEAD, let (status, type, body) = core.canvas.answer(to: path) {
      var answer = Answer(HTTPResponseStatus(statusCode: status), type, ByteBuffer(bytes: body))
      answer.isHead = head.method == .HEAD
      return answer
    }
    return Answer(.notFound, "Not Found")
  }

  private func respond(_ context: ChannelHandlerContext) {
    guard let answer else { return }
    var headers: HTTPHeaders = [
      "Content-Type": answer.type, "Content-Length": "\(answer.body.readableBytes)", "Cache-Control": "no-store",
      "Connection": "close",
    ]
    if let seconds = answer.retryAfterSeconds { headers.add(name: "Retry-After", value: "\(seconds)") }
    let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !answer.isHead { context.write(wrapOutboundOut(.body(.byteBuffer(answer.body))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { _ in
      context.close(promise: nil)
    }
  }
}

extension HTTPFront {
  /// Makes an accepted channel speak HTTP and, on request, WebSocket. Runs on the channel's event loop.
  static func install(on channel: any Channel, core: GatewayCore, isEncrypted: Bool) throws {
    let loop = channel.eventLoop
    let isolatedCore = NIOLoopBound(core, eventLoop: loop)
    let front = NIOLoopBound(HTTPFront(core: core), eventLoop: loop)
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: core.generation.messageBytesMax, automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        if isolatedCore.value.canvas.owns(head.path) {
          let mayListen = isolatedCore.value.canvas.mayListen(head.path)
          return channel.eventLoop.makeSucceededFuture(mayListen ? HTTPHeaders() : nil)
        }
        let open = isolatedCore.value.preAuthSockets(from: channel.remoteIPAddress)
        return channel.eventLoop.makeSucceededFuture(
          open < GatewayCore.preAuthSocketsMax && !isClosed(isolatedCore.value) ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          if isolatedCore.value.canvas.owns(head.path) {
            return try channel.pipeline.syncOperations.addHandler(LiveReloadHandler(isolatedCore.value.canvas))
          }
          let handler = WebSocketHandler(bufferedBytesMax: isolatedCore.value.generation.bufferedBytesMax) {
            Session(
              core: isolatedCore.value, transport: $0,
              origin: Session.Origin(
                remoteAddress: channel.remoteIPAddress, host: head.headers.first(name: "Host"),
                sentOrigin: head.headers.contains(name: "Origin"), isEncrypted: isEncrypted))
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      })
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { context in
          context.pipeline.syncOperations.removeHandler(front.value, promise: nil)
        }
      ))
    try channel.pipeline.syncOperations.addHandler(front.value)
    loop.scheduleTask(in: .milliseconds(core.generation.handshakeMillisecondsMax)) {
      channel.pipeline.fireUserInboundEventTriggered(HandshakeBudgetSpent())
    }
  }
}

extension HTTPRequestHead {
  /// The path, without the query.
  fileprivate var path: String { String(uri.prefix { $0 != "?" }) }
}

extension Channel {
  /// The peer's numeric address, without the port.
  var remoteIPAddress: String { remoteAddress?.ipAddress ?? "unknown" }
}
