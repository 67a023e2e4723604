import Foundation
import Glibc
import NIOCore
import NIOPosix

/// Serves the control socket on the gateway's event loop.
enum ControlServer {
  /// Takes the place of a socket that a dead gateway left behind, but not of a live one's.
  static func bind(
    path: String, group: any EventLoopGroup, core: NIOLoopBound<GatewayCore>
  ) async throws -> any Channel {
    guard path.utf8.count <= ControlSocket.pathBytesMax else {
      throw GatewayFailure("the path \(path) is too long for a socket: choose a shorter --state folder")
    }
    if let client = try? ControlClient(path: path) {
      client.close()
      throw GatewayFailure("a gateway is already running with this state folder (\(path))")
    }
    unlink(path)
    let channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(LineDecoder()), ControlHandler(core: core.value))
        }
      }
      .bind(unixDomainSocketPath: path).get()
    chmod(path, 0o600)
    return channel
  }
}

/// Splits the stream at newlines.
private struct LineDecoder: ByteToMessageDecoder {
  typealias InboundOut = ByteBuffer

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
    guard let newline = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
      let line = buffer.readSlice(length: newline - buffer.readerIndex)
    else { return .needMoreData }
    buffer.moveReaderIndex(forwardBy: 1)
    context.fireChannelRead(Self.wrapInboundOut(line))
    return .continue
  }
}

/// One control connection. Invokes that are still running when it goes are cancelled.
private final class ControlHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let core: GatewayCore
  private var running: Set<String> = []

  init(core: GatewayCore) { self.core = core }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let line = Array(unwrapInboundIn(data).readableBytesView)
    guard let request = try? JSON(parsing: line) else {
      return answer(context, nil, .failure(.invalidRequest("the request is not JSON")))
    }
    let id = request["id"] ?? nil
    let params = request["params"] ?? [:]
    let operation = request["op"]?.string ?? ""
    if operation == "nodes.invoke" {
      if params["wait"]?.bool == false { return invokeWithoutWaiting(context, id, params) }
      return invoke(context, id) { core, finish throws(GatewayError) in
        try NodeInvocation.start(params, core, finish: finish)
      }
    }
    if operation == "tools.call" {
      return invoke(context, id) { core, finish throws(GatewayError) in
        try ToolOperations.call(params, core, finish: finish)
      }
    }
    answer(context, id, Self.run(operation, params, core))
  }

  func channelInactive(context: ChannelHandlerContext) {
    for id in running { _ = core.invokes.cancel(id, .invoke("ABORTED", "the caller went away")) }
  }

  private static func run(_ operation: String, _ params: JSON, _ core: GatewayCore) -> InvokeTable.Outcome {
    guard let body = ControlOperations.table[operation] else {
      return .failure(.invalidRequest("unknown operation \(operation)"))
    }
    do {
      return .success(try body(core, params))
    } catch let error as GatewayError {
      return .failure(error)
    } catch {
      return .failure(.unavailable("the gateway could not save its state: \(error)"))
    }
  }

  /// Begins an invoke with `start`, and answers when it ends.
  private func invoke(
    _ context: ChannelHandlerContext, _ id: JSON,
    _ start: (GatewayCore, @escaping (InvokeTable.Outcome) -> Void) throws(GatewayError) -> String
  ) {
    var invokeID: String?
    do {
      invokeID = try start(core) { [self] outcome in
        if let invokeID { running.remove(invokeID) }
        answer(context, id, outcome)
      }
    } catch {
      return answer(context, id, .failure(error))
    }
    guard let invokeID else { return }
    running.insert(invokeID)
  }

  /// Answers with the id at once; the invoke goes on without its caller, to be cancelled by that id or to end in
  /// the log.
  private func invokeWithoutWaiting(_ context: ChannelHandlerContext, _ id: JSON, _ params: JSON) {
    let core = core
    do {
      let invokeID = try NodeInvocation.start(params, core) { outcome in core.log.noteOutcome(outcome) }
      answer(context, id, .success(["ok": true, "invokeId": .string(invokeID)]))
    } catch {
      answer(context, id, .failure(error))
    }
  }

  private func answer(_ context: ChannelHandlerContext, _ id: JSON, _ outcome: InvokeTable.Outcome) {
    guard context.channel.isActive else { return }
    var bytes = ControlSocket.answer(id, outcome).bytes
    bytes.append(UInt8(ascii: "\n"))
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
  }
}
