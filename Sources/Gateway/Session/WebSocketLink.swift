import Codec
import Runtime

/// How a link ended.
public enum LinkEnd {
  /// TCP or TLS.
  case transport(TransportFailure)
  /// The server refused the upgrade.
  case refused(UpgradeRefusal)
  /// The server's response to the upgrade is not valid.
  case handshake(WebSocketHandshakeError)
  /// The server broke the WebSocket protocol.
  case violation(WebSocketError)
  /// A close frame from the server, perhaps in answer to one from here. No code when it had none.
  case closed(WebSocketClose)
  /// Closed from here, and the server did not answer in time.
  case unanswered
}

/// Gets the events of a WebSocket.
public protocol LinkDelegate: AnyObject {
  /// The server at this address does not answer; others are still tried, or `linkEnded` follows.
  func linkMissed(_ url: GatewayURL, _ failure: TransportFailure)
  /// TCP and TLS are connected to `url` of the link; nothing was sent. Call `upgrade()` to continue, or `abort()`.
  func linkSecured(certificate: PeerCertificate?)
  /// The WebSocket is open.
  func linkOpened()
  /// False while the delegate cannot take another message; call `resume()` when it can.
  func linkCanTakeMessage() -> Bool
  /// Something was sent: there may be room for more.
  func linkHasRoom()
  /// A piece of a message.
  func linkReceived(_ bytes: Span<UInt8>, _ chunk: WebSocketChunk)
  /// A ping, a pong or part of a message arrived: the server is alive.
  func linkIsAlive()
  /// The link has ended. Called exactly once after `open`, unless `abort()` was called.
  func linkEnded(_ end: LinkEnd)
}

/// One WebSocket over a transport (RFC 6455, the client's half): upgrade, frames in both directions, close
/// handshake. Long messages go out as many frames, so that a pong never waits for a photo.
public final class WebSocketLink: RacewayDelegate {
  enum Phase { case idle, opening, secured, upgrading, refused, open, closing }

  /// Timeout in milliseconds for the server to answer a close frame and to close TCP (RFC 6455 section 7.1.1).
  static let closeTimeout: Int64 = 2_000
  /// Milliseconds for the first words of the page that comes with a refusal of the upgrade.
  static let refusalTimeout: Int64 = 1_000

  private let raceway: Raceway
  private let clock: any Clock
  private let random: any RandomSource
  private let cryptography: any Cryptography
  /// The address of the connection; nil before there was one.
  public private(set) var url: GatewayURL?
  private let userAgent: String
  /// Sent with the upgrade to the addresses that it is for.
  var access: EdgeAccess?
  public unowned(unsafe) var delegate: any LinkDelegate

  private(set) var phase = Phase.idle
  private var decoder = WebSocketDecoder()
  private var response: WebSocketResponse?
  private var outbound: OutboundQueue
  private var pong: WebSocketControl?
  private var mustPing = false
  private var close: (code: UInt16?, reason: InlineText<123>)?
  private var hasSentClose = false
  private var received: LinkEnd?
  private let chunk = FixedBuffer(capacity: Budget.linkWriteBytes)
  private var unsent: Range<Int> = 0..<0
  /// The delegate of the blob whose last byte is in the chunk's frame.
  private var released: (any BlobDelegate)?
  /// When the server must have answered a close frame, or have sent the page of a refusal.
  private var answerDeadline: Int64?

  @export(interface)
  public init(
    userAgent: String, transport: any Transport, clock: any Clock,
    random: any RandomSource, cryptography: any Cryptography, delegate: any LinkDelegate
  ) throws(Errno) {
    self.userAgent = userAgent
    raceway = Raceway(transport: transport, clock: clock)
    self.clock = clock
    self.random = random
    self.cryptography = cryptography
    self.delegate = delegate
    outbound = try OutboundQueue()
    raceway.delegate = self
  }

  /// Makes more transports, for attempts that overlap; nil where addresses are tried one after the other.
  public var moreTransports: (() -> any Transport)? {
    get { raceway.moreTransports }
    set { raceway.moreTransports = newValue }
  }

  /// When `advance` wants to be called.
  public var deadline: Int64? {
    guard let answerDeadline else { return raceway.deadline }
    return min(answerDeadline, raceway.deadline ?? .max)
  }

  /// Addresses that were tried since `open`, or are being tried.
  var begun: ArraySlice<GatewayURL> { raceway.begun }

  // MARK: Life

  /// Starts a connection to `url`; an earlier one is dropped.
  public func open(_ url: GatewayURL) { open([url], isPreferred: true) }

  /// Starts a connection to the first of `urls` that answers; an earlier one is dropped. `isPreferred`: the first one
  /// worked last time, and gets a head start.
  func open(_ urls: [GatewayURL], isPreferred: Bool) {
    abort()
    outbound.largest = 0
    phase = .opening
    raceway.open(urls, isPreferred: isPreferred)
  }

  /// Another address for a connection that is being started.
  func add(_ url: GatewayURL) {
    if phase == .opening { raceway.add(url) }
  }

  func raceMissed(_ url: GatewayURL, _ failure: TransportFailure) { delegate.linkMissed(url, failure) }
  func raceFailed(_ failure: TransportFailure) { end(.transport(failure)) }

  func raceWon(_ url: GatewayURL, certificate: PeerCertificate?) {
    self.url = url
    phase = .secured
    delegate.linkSecured(certificate: certificate)
  }

  /// Sends the HTTP request. The delegate has checked the certificate.
  public func upgrade() {
    guard phase == .secured, let url else { preconditionFailure("upgrade() answers linkSecured") }
    phase = .upgrading
    var nonce = InlineArray<16, UInt8>(repeating: 0)
    var nonceSpan = nonce.mutableSpan
    nonceSpan.withUnsafeMutableBytes { random.fill($0) }
    var key = InlineText<24>()
    key.fill { WebSocketHandshake.key(nonce.span, into: $0) }
    var hashInput = InlineText<60>()
    hashInput.fill { WebSocketHandshake.hashInput(key: key.span, into: $0) }
    response = WebSocketResponse(
      headerLimit: Budget.upgradeAnswerBytes, digest: cryptography.sha1(hashInput.span).span)
    var writer = ByteWriter(into: chunk.bytes)
    WebSocketHandshake.request(
      path: url.path.utf8.span, host: url.hostHeader.utf8.span, userAgent: userAgent.utf8.span,
      key: key.span, into: &writer
    ) { self.access?.write(for: url, to: &$0) }
    precondition(writer.isComplete, "the URL's path is bounded by the configuration")
    unsent = 0..<writer.count
    pump()
  }

  /// Begins the close handshake; `linkEnded` follows within `closeTimeout`.
  public func close(_ code: UInt16?, _ reason: StaticString) {
    guard phase == .open else { return end(.unanswered) }
    phase = .closing
    var text = InlineText<123>()
    text.set(Span(_unsafeElements: reason.bytes))
    close = (code, text)
    answerDeadline = clock.monotonic + Self.closeTimeout
    pump()
  }

  /// Closes at once, without a call of the delegate.
  public func abort() {
    phase = .idle
    raceway.close()
    outbound.clear()
    decoder = WebSocketDecoder()
    response = nil
    pong = nil
    mustPing = false
    close = nil
    hasSentClose = false
    received = nil
    unsent = 0..<0
    answerDeadline = nil
  }

  private func end(_ end: LinkEnd) {
    guard phase != .idle else { return }
    let final = received ?? end
    abort()
    delegate.linkEnded(final)
  }

  /// Ends a close handshake that took too long, and starts attempts that are due.
  public func advance(to now: Int64) {
    raceway.advance(to: now)
    if let answerDeadline, now >= answerDeadline { end(.unanswered) }
  }

  // MARK: Inbound

  /// Delivers messages again after `linkCanTakeMessage` returned false.
  public func resume() { raceway.transport.resumeReading() }

  func raceReceived(_ bytes: Span<UInt8>) -> Int {
    delegate.linkIsAlive()
    if phase == .upgrading || phase == .refused { return readAnswer(bytes) }
    return readFrames(bytes, from: 0)
  }

  private func readAnswer(_ bytes: Span<UInt8>) -> Int {
    do throws(WebSocketHandshakeError) {
      let count = try response!.feed(bytes)
      switch response!.outcome {
      case .pending: return count
      case .refused(let status, let seconds):
        readRefusal(status, seconds)
        return bytes.count
      case .upgraded:
        response = nil
        phase = .open
        delegate.linkOpened()
        return readFrames(bytes, from: count)
      }
    } catch {
      end(.handshake(error))
      return bytes.count
    }
  }

  /// Waits for the first words of the page, a moment at most.
  private func readRefusal(_ status: UInt16, _ seconds: UInt32?) {
    received = .refused(
      UpgradeRefusal(
        status: status, retryAfterSeconds: seconds, location: response!.location, words: response!.words))
    if response!.isRead { return end(.unanswered) }
    guard phase == .upgrading else { return }
    phase = .refused
    answerDeadline = clock.monotonic + Self.refusalTimeout
  }

  private func readFrames(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    do throws(WebSocketError) {
      while index < bytes.count {
        guard phase == .open || phase == .closing else { return bytes.count }
        if phase == .open, !delegate.linkCanTakeMessage() { return index }
        switch try decoder.next(bytes, at: &index) {
        case .needMore: return bytes.count
        case .data(let chunk):
          if phase == .open { delegate.linkReceived(bytes.extracting(chunk.range), chunk) }
        case .ping(let control):
          pong = control
          pump()
        case .pong: break
        case .close(let close): peerClosed(close)
        }
      }
    } catch {
      fail(error)
    }
    return bytes.count
  }

  /// The server's close frame: answered with its own code; then the server closes TCP.
  private func peerClosed(_ frame: WebSocketClose) {
    received = .closed(frame)
    answerDeadline = clock.monotonic + Self.closeTimeout
    if phase == .open {
      phase = .closing
      close = (frame.code, InlineText())
      pump()
    }
  }

  private func fail(_ error: WebSocketError) {
    guard phase == .open || phase == .closing else { return }
    received = .violation(error)
    if phase == .open { close(error.closeCode, "") }
  }

  // MARK: Outbound

  /// Bytes of the largest message that was begun on this connection, or on the last one.
  var largestMessage: Int { outbound.largest }

  /// Messages that can still be queued.
  public var room: Int { outbound.free }

  /// Queues a message; see `OutboundQueue.add`. False when it found no room or is too large.
  public func send(
    limit: Int, blob: OutboundBlob? = nil, isText: Bool = true, build: (inout JSONWriter) -> Int
  ) -> Bool {
    guard phase == .open else { return false }
    guard outbound.add(limit: limit, blob: blob, isText: isText, build: build) == .taken else { return false }
    pump()
    return true
  }

  /// Sends a ping; `linkIsAlive` follows.
  public func ping() {
    mustPing = true
    pump()
  }

  func raceWritable() {
    pump()
    if phase == .open { delegate.linkHasRoom() }
  }

  /// Writes frames to the transport until it is full or nothing is left.
  private func pump() {
    while phase != .idle {
      if unsent.isEmpty { unsent = 0..<nextFrame() }
      // Called here, where queue and chunk are consistent, because the delegate may send at once.
      if let delegate = released {
        released = nil
        delegate.blobReleased()
      }
      if unsent.isEmpty { return }
      let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(chunk.bytes)[unsent])
      let count = raceway.transport.write(bytes)
      unsent = (unsent.lowerBound + count)..<unsent.upperBound
      if !unsent.isEmpty { return }
    }
  }

  /// Builds the next frame in the chunk: a pong first, then a ping or our close, then a piece of a message.
  private func nextFrame() -> Int {
    guard phase == .open || phase == .closing, !hasSentClose else { return 0 }
    let mask = WebSocketMask(randomKey())
    if let pong {
      self.pong = nil
      return WebSocketEncoder.pong(pong.payload, mask: mask, into: chunk.bytes)
    }
    if mustPing, close == nil {
      mustPing = false
      return WebSocketEncoder.ping(Span(), mask: mask, into: chunk.bytes)
    }
    if let close {
      hasSentClose = true
      return WebSocketEncoder.close(close.code, reason: close.reason.span, mask: mask, into: chunk.bytes)
    }
    // The header's length depends on the payload's: leave room for a 16-bit length, and start later for a short one.
    let room = 8
    let output = UnsafeMutableBufferPointer(rebasing: chunk.bytes[room...])
    guard let piece = outbound.produce(into: output) else { return 0 }
    released = piece.released
    let payload = UnsafeMutableBufferPointer(rebasing: output[..<piece.count])
    mask.apply(to: payload, at: 0)
    let headerLength = WebSocketEncoder.headerLength(payloadLength: UInt64(piece.count))
    _ = WebSocketEncoder.header(
      opcode(of: piece), isFinal: piece.isFinal, payloadLength: UInt64(piece.count),
      mask: mask, into: UnsafeMutableBufferPointer(rebasing: chunk.bytes[(room - headerLength)...]))
    if headerLength < room { shift(by: room - headerLength, headerLength + piece.count) }
    return headerLength + piece.count
  }

  private func opcode(of piece: OutboundQueue.Piece) -> WebSocketOpcode {
    guard piece.isStart else { return .continuation }
    return piece.isText ? .text : .binary
  }

  private func shift(by distance: Int, _ count: Int) {
    chunk.bytes.baseAddress!.update(from: chunk.bytes.baseAddress! + distance, count: count)
  }

  private func randomKey() -> UInt32 {
    var key: UInt32 = 0
    withUnsafeMutableBytes(of: &key) { random.fill($0) }
    return key
  }
}
