import NIOCore
import NIOWebSocket

/// RFC 6455 on one upgraded channel: whole messages go to the session, and the session's frames go out.
final class WebSocketHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// How long the peer may take to answer our close frame.
  private static let closeGrace = TimeAmount.seconds(1)

  private let makeSession: (WebSocketHandler) -> Session
  private let bufferedBytesMax: Int
  private var session: Session?
  private var context: ChannelHandlerContext?
  private var fragments: ByteBuffer?
  private var isText = true
  private var queuedBytes = 0
  private var isClosing = false

  init(bufferedBytesMax: Int, makeSession: @escaping (WebSocketHandler) -> Session) {
    self.bufferedBytesMax = bufferedBytesMax
    self.makeSession = makeSession
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let session = makeSession(self)
    self.session = session
    session.start()
  }

  func channelInactive(context: ChannelHandlerContext) {
    session?.end()
    session = nil
    self.context = nil
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is HandshakeBudgetSpent { session?.handshakeBudgetSpent() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    guard frame.maskKey != nil else { return close(1002, "client frames must be masked") }
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return close(1002, "no extension was agreed") }
    switch frame.opcode {
    case .ping: send(.pong, frame.unmaskedData)
    case .pong: session?.receivedPong()
    case .connectionClose: receivedClose(frame.unmaskedData)
    case .text, .binary: receivedFirst(frame)
    case .continuation: receivedContinuation(frame)
    default: close(1002, "unknown opcode")
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? NIOWebSocketError else { return context.close(promise: nil) }
    switch error {
    case .invalidFrameLength: close(1009, "")
    case .fragmentedControlFrame, .multiByteControlFrameLength: close(1002, "invalid control frame")
    }
  }

  // MARK: Receiving

  private func receivedFirst(_ frame: WebSocketFrame) {
    guard fragments == nil else { return close(1002, "a message began inside another") }
    isText = frame.opcode == .text
    if frame.fin { return deliver(frame.unmaskedData) }
    collect(frame.unmaskedData)
  }

  private func receivedContinuation(_ frame: WebSocketFrame) {
    guard fragments != nil else { return close(1002, "a continuation without a beginning") }
    collect(frame.unmaskedData)
    guard frame.fin, let whole = fragments else { return }
    fragments = nil
    deliver(whole)
  }

  private func collect(_ data: ByteBuffer) {
    var data = data
    if fragments == nil { fragments = data } else { fragments?.writeBuffer(&data) }
    if let session, let size = fragments?.readableBytes, size > session.messageBytesMax {
      close(1009, session.oversizeReason)
    }
  }

  /// Binary messages are taken as UTF-8 JSON too, as real gateways do.
  private func deliver(_ data: ByteBuffer) {
    guard !isClosing, let session else { return }
    guard data.readableBytes <= session.messageBytesMax else { return close(1009, session.oversizeReason) }
    let message = Array(data.readableBytesView)
    guard !isText || String(validating: message, as: UTF8.self) != nil else {
      return close(1007, "invalid UTF-8")
    }
    session.receive(message)
  }

  private func receivedClose(_ data: ByteBuffer) {
    guard !isClosing else { return terminate() }
    isClosing = true
    send(
      .connectionClose,
      data.getSlice(at: data.readerIndex, length: min(2, data.readableBytes)) ?? ByteBuffer())
    terminate()
  }

  // MARK: Sending

  /// Queues one text message. A peer that lets too much pile up is closed.
  func send(_ text: [UInt8]) {
    guard !isClosing else { return }
    guard queuedBytes + text.count <= bufferedBytesMax else { return close(1008, "slow consumer") }
    send(.text, ByteBuffer(bytes: text))
  }

  func ping() { send(.ping, ByteBuffer()) }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    guard let context else { return }
    let count = data.readableBytes
    queuedBytes += count
    let frame = WebSocketFrame(fin: true, opcode: opcode, data: data)
    context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { [self] _ in
      queuedBytes -= count
    }
  }

  /// Begins the close handshake. The reason is cut to 120 bytes, as real gateways do.
  func close(_ code: UInt16, _ reason: String) {
    guard !isClosing, let context else { return }
    isClosing = true
    var data = ByteBuffer(integer: code)
    data.writeString(reason.prefix(utf8BytesMax: 120))
    send(.connectionClose, data)
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.closeGrace) { [self] in terminate() }
  }

  /// Drops the connection without a word more.
  func terminate() { context?.close(promise: nil) }
}

extension String {
  /// The longest prefix of whole characters that fits.
  func prefix(utf8BytesMax: Int) -> String {
    var result = self
    while result.utf8.count > utf8BytesMax { result.removeLast() }
    return result
  }
}
