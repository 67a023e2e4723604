import NIOCore
import NIOWebSocket

/// The canvas host's socket (canvas reference 2.7): says `reload` when a file of its folder changes, and nothing else.
final class LiveReloadHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let canvas: CanvasSurface

  init(_ canvas: CanvasSurface) { self.canvas = canvas }

  func handlerAdded(context: ChannelHandlerContext) {
    canvas.observe(self, on: context.eventLoop) { [unowned self] in send(.text, ByteBuffer(string: "reload"), context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    canvas.forget(self)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .ping: send(.pong, frame.unmaskedData, context)
    case .connectionClose:
      send(.connectionClose, frame.unmaskedData, context)
      context.close(promise: nil)
    default: break
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer, _ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }
}
