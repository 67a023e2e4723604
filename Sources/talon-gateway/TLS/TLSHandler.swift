import NIOCore

/// TLS on one channel: ciphertext towards the network, plaintext towards the other handlers. It must be the first
/// handler, and cannot be removed, so no plaintext gets out.
///
/// Whatever it calls may call it back at once: a write that is read may be answered, an error may close. So it changes
/// its state before it calls, and looks at its state again afterwards.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// How long a peer may take to answer close_notify.
  static let closeGrace = TimeAmount.seconds(5)
  /// The most bytes that wait for a handshake, which takes as long as the peer likes. What is written later is
  /// encrypted as soon as it is flushed, and bounded by whoever writes.
  static let pendingBytesMax = 1 << 20
  /// Plaintext is encrypted in pieces of this size, so that a large message is in memory once and a piece twice.
  private static let pieceBytes = 1 << 18

  private enum State {
    /// The channel is not active yet.
    case idle
    case shaking
    case open
    /// close_notify went out; the peer's is awaited.
    case closing
    /// Nothing passes any more.
    case closed
  }

  /// What was asked for, in its order.
  private struct Pending {
    /// nil: the end of the output.
    let data: ByteBuffer?
    let promise: EventLoopPromise<Void>?
  }

  private let connection: TLSConnection
  private let pendingBytesMax: Int
  private let closeGrace: TimeAmount
  private var state = State.idle
  private var pending = MarkedCircularBuffer<Pending>(initialCapacity: 16)
  private var pendingBytes = 0
  private var isDraining = false
  /// The peer said that it sends no more.
  private var isInputClosed = false
  /// We said so, and still read.
  private var isOutputClosed = false
  private var hasDelivered = false
  private var closePromise: EventLoopPromise<Void>?
  private var closeTimeout: Scheduled<Void>?

  /// Throws when memory is short.
  init(
    _ context: TLSContext, _ side: TLSConnection.Side, pendingBytesMax: Int = TLSHandler.pendingBytesMax,
    closeGrace: TimeAmount = TLSHandler.closeGrace
  ) throws(TLSFailure) {
    connection = try TLSConnection(context, side)
    self.pendingBytesMax = pendingBytesMax
    self.closeGrace = closeGrace
  }

  // MARK: The channel

  func handlerAdded(context: ChannelHandlerContext) {
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    begin(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    let error: TLSFailure? =
      switch state {
      case .shaking: .cutOffInHandshake
      case .open where !isInputClosed: .cutOff
      default: nil
      }
    state = .closed
    closeTimeout?.cancel()
    if let error { context.fireErrorCaught(error) }
    abandonPending(error ?? ChannelError.ioOnClosedChannel)
    takeClosePromise()?.succeed()
    context.fireChannelInactive()
  }

  /// Also the end of a channel that never was active.
  func handlerRemoved(context: ChannelHandlerContext) {
    state = .closed
    closeTimeout?.cancel()
    abandonPending(ChannelError.ioOnClosedChannel)
    takeClosePromise()?.succeed()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
    // TCP's half-close says nothing that close_notify has not said. Without that, somebody may have cut something off.
    switch state {
    case .shaking: fail(.cutOffInHandshake, context)
    case .open where !isInputClosed: fail(.cutOff, context)
    case .closing: end(context)
    default: break
    }
  }

  // MARK: Receiving

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closed, !isInputClosed else { return }
    do {
      try connection.feed(unwrapInboundIn(data))
    } catch {
      return fail(error, context)
    }
    if state == .shaking { shake(context) }
    // The last message of the handshake may have data behind it.
    if state == .open || state == .closing { decrypt(context) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    // Whoever reads by hand would wait for ever for the answer to what gave no plaintext.
    if !hasDelivered { context.read() }
    hasDelivered = false
    context.fireChannelReadComplete()
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard state == .idle else { return }
    state = .shaking
    shake(context)
  }

  private func shake(_ context: ChannelHandlerContext) {
    do {
      let isDone = try connection.shakeHands()
      send(context)
      guard isDone, state == .shaking else { return }
      state = .open
      drain(context)
    } catch {
      fail(error, context)
    }
  }

  private func decrypt(_ context: ChannelHandlerContext) {
    var plaintext = ByteBuffer()
    let result: Result<Bool, TLSFailure>
    do {
      result = .success(try connection.decrypt(into: &plaintext))
    } catch {
      result = .failure(error)
    }
    // Keys may have been renewed, which is answered.
    send(context)
    if plaintext.readableBytes > 0 {
      hasDelivered = true
      context.fireChannelRead(wrapInboundOut(plaintext))
    }
    switch result {
    case .success(false): break
    case .success(true): inputEnded(context)
    case .failure(let error): fail(error, context)
    }
  }

  /// close_notify came.
  private func inputEnded(_ context: ChannelHandlerContext) {
    guard state != .closed, !isInputClosed else { return }
    isInputClosed = true
    let mayStayHalfOpen = (try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)) ?? false
    guard state == .open, mayStayHalfOpen, !isOutputClosed else {
      if state == .open, !isOutputClosed { _ = connection.sayGoodbye() }
      return end(context)
    }
    context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
  }

  // MARK: Sending

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if state == .closed || state == .closing { return refuse(promise, ChannelError.ioOnClosedChannel) }
    if isOutputClosed { return refuse(promise, ChannelError.outputClosed) }
    let data = unwrapOutboundIn(data)
    guard state == .open || pendingBytes + data.readableBytes <= pendingBytesMax else {
      refuse(promise, TLSFailure.tooMuchWaits)
      return fail(.tooMuchWaits, context)
    }
    pendingBytes += data.readableBytes
    pending.append(Pending(data: data, promise: promise))
  }

  func flush(context: ChannelHandlerContext) {
    pending.mark()
    drain(context)
  }

  /// Encrypts what was flushed. A flush from within is left to the loop that runs, which keeps the order.
  private func drain(_ context: ChannelHandlerContext) {
    guard !isDraining else { return }
    isDraining = true
    while state == .open, pending.hasMark {
      let next = pending.removeFirst()
      if let data = next.data {
        pendingBytes -= data.readableBytes
        encrypt(data, next.promise, context)
      } else {
        endOutput(next.promise, context)
      }
    }
    isDraining = false
    context.flush()
  }

  /// The promise goes with the last piece.
  private func encrypt(_ data: ByteBuffer, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    var rest = data
    repeat {
      let piece = rest.readSlice(length: min(rest.readableBytes, Self.pieceBytes)) ?? ByteBuffer()
      do {
        try connection.encrypt(piece)
      } catch {
        refuse(promise, error)
        return fail(error, context)
      }
      let isLast = rest.readableBytes == 0
      context.write(wrapOutboundOut(connection.takeCiphertext()), promise: isLast ? promise : nil)
      if !isLast, state != .open { return refuse(promise, ChannelError.ioOnClosedChannel) }
    } while rest.readableBytes > 0
  }

  /// Sends what OpenSSL wants sent besides data: the handshake, alerts, answers to new keys.
  private func send(_ context: ChannelHandlerContext) {
    let bytes = connection.takeCiphertext()
    if bytes.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(bytes), promise: nil) }
  }

  // MARK: Ending

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch mode {
    case .all: closeAll(context, promise)
    case .output: closeOutput(context, promise)
    case .input: promise?.fail(ChannelError.operationUnsupported)
    }
  }

  private func closeAll(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    switch state {
    case .closed: context.close(promise: promise)
    case .closing:
      if let first = closePromise { first.futureResult.cascade(to: promise) } else { closePromise = promise }
    case .idle, .shaking:
      // There is no connection yet that close_notify could end.
      closePromise = promise
      end(context)
    case .open:
      state = .closing
      closePromise = promise
      let isMutual = isOutputClosed ? isInputClosed : connection.sayGoodbye()
      closeTimeout = context.eventLoop.assumeIsolated().scheduleTask(in: closeGrace) { [self] in end(context) }
      send(context)
      // Nothing can follow close_notify.
      abandonPending(ChannelError.ioOnClosedChannel)
      if isMutual { end(context) }
    }
  }

  /// After all that was written before.
  private func closeOutput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
    if state == .closed || state == .closing { return context.close(mode: .output, promise: promise) }
    if isOutputClosed { return refuse(promise, ChannelError.outputClosed) }
    pending.append(Pending(data: nil, promise: promise))
    pending.mark()
    drain(context)
  }

  private func endOutput(_ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext) {
    guard !isInputClosed else { return closeAll(context, promise) }
    isOutputClosed = true
    _ = connection.sayGoodbye()
    send(context)
    context.close(mode: .output, promise: promise)
    abandonPending(ChannelError.outputClosed)
  }

  /// Ends the channel after a mistake, of which the handlers behind this one hear.
  private func fail(_ error: TLSFailure, _ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    state = .closed
    closeTimeout?.cancel()
    // The alert that tells the peer why.
    send(context)
    context.fireErrorCaught(error)
    abandonPending(error)
    context.close(promise: takeClosePromise())
  }

  /// Ends the channel in order.
  private func end(_ context: ChannelHandlerContext) {
    guard state != .closed else { return }
    state = .closed
    closeTimeout?.cancel()
    send(context)
    abandonPending(ChannelError.ioOnClosedChannel)
    context.close(promise: takeClosePromise())
  }

  private func abandonPending(_ error: any Error) {
    pendingBytes = 0
    while let next = pending.popFirst() { next.promise?.fail(error) }
  }

  private func takeClosePromise() -> EventLoopPromise<Void>? {
    defer { closePromise = nil }
    return closePromise
  }

  private func refuse(_ promise: EventLoopPromise<Void>?, _ error: any Error) { promise?.fail(error) }
}
