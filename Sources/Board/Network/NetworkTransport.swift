import CLinux
import COpenSSL
import Fetch
import Gateway
import Runtime

/// TCP, and TLS where the URL asks for it, on the loop: resolves the name, tries every address, does the TLS handshake,
/// then transfers bytes, one record at a time through one fixed buffer in each direction. A route may lead through a
/// proxy; an address of this board is always connected to directly.
public final class NetworkTransport: Transport {
  enum Phase { case idle, resolving, connecting, tunnelling, handshaking, open }
  enum Timer {
    static let connect = TimerID(0)
    static let resume = TimerID(1)
    static let handshake = TimerID(2)
    static let next = TimerID(3)
  }

  /// Milliseconds for the address that is tried last to take a connection, and between two attempts (RFC 8305 section
  /// 8).
  static let connectTimeoutMilliseconds: Int64 = 10_000
  static let attemptDelayMilliseconds: Int64 = 250
  /// Milliseconds until unacknowledged data ends the connection (gateway reference 1.4).
  static let userTimeout: UInt32 = 30_000
  /// Most records delivered in one turn of the loop, of up to `Budget.linkReadBytes` each.
  public static let recordsPerTurn = 16

  let loop: Loop
  let clock: any Clock
  var url: GatewayURL?
  let resolver: Resolver
  /// The way to the gateway.
  let route: GatewayRoute
  /// True for a connection that takes that way, and not the plain one.
  var takesRoute = true
  /// The tunnel of this connection, made when the first one needs it; nil for a direct connection.
  var tunnel: ProxyTunnel?
  /// Of the request for the tunnel: what is still to be sent.
  var untold = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
  /// OpenSSL's context, created at the first TLS connection.
  private var settings: OpaquePointer?
  /// Why there is none.
  private(set) var contextFailure = TransportFailure(.tls, reason: .outOfMemory)
  /// This context, or that of the authorities, when the URL uses TLS.
  var context: OpaquePointer? {
    guard url?.isSecure == true else { return nil }
    return authorities == nil ? settings : authorities?.context
  }
  /// The context has authorities, which are asked of a certificate that the delegate judges.
  private(set) var hasWitnesses = false
  /// The authorities for the peer's certificate. Nil: the delegate checks its fingerprint.
  var authorities: CertificateAuthorities?
  /// Whether an address may be connected to; nil: any may.
  var permits: ((SocketAddress) -> Bool)?
  var delegate: (any TransportDelegate)?
  var phase = Phase.idle
  /// The addresses of the host, in the order in which they are tried.
  var addresses: [SocketAddress] = []
  var nextAddress = 0
  /// Sockets that are not connected yet, at most `Budget.hostAddresses`.
  var connecting: [Descriptor] = []
  var socket: Descriptor?
  var tls: OpaquePointer?
  var lastFailure = TransportFailure(.resolve)
  /// Milliseconds for the TLS handshake after the TCP connection: an old board needs one second, a slow link two or
  /// three. Tests shorten it.
  var handshakeTimeout: Int64 = 10_000

  let buffer = FixedBuffer(capacity: Budget.linkReadBytes)
  private var unread: Range<Int> = 0..<0
  private var isPaused = false
  /// A peer that hangs up while reading pauses is read to its end afterwards: what it sent counts, although nothing can
  /// be sent to it any more.
  var readsAfterHangUp = false
  private var hasHungUp = false
  var watched: Readiness = []
  private var wantsToWrite = false

  /// An idle transport; call `open`.
  ///
  /// `authorities`: who vouches for the peer's certificate; nil where the delegate compares it with a pin.
  @export(interface)
  public init(
    loop: Loop, clock: any Clock, route: GatewayRoute = GatewayRoute(), authorities: CertificateAuthorities? = nil
  ) {
    self.loop = loop
    self.clock = clock
    self.route = route
    self.authorities = authorities
    resolver = Resolver(loop: loop, clock: clock)
  }

  deinit {
    tearDown()
    if let settings { SSL_CTX_free(settings) }
  }

  public func open(_ url: GatewayURL, _ delegate: any TransportDelegate) {
    tearDown()
    self.url = url
    self.delegate = delegate
    if url.isSecure, authorities == nil, settings == nil || takesRoute && !hasWitnesses { makeSettings() }
    if url.isSecure, let authorities, authorities.context == nil {
      contextFailure = TransportFailure(.tls, detail: authorities.objection)
    }
    phase = .resolving
    tunnel = nil
    if takesRoute, !url.isLoopback, let proxy = route.proxy { tunnel = ProxyTunnel(proxy) }
    lastFailure = failure(.resolve)
    resolver.ask(tunnel?.address.host ?? url.host, port: tunnel?.address.port ?? url.port, self)
  }

  /// What could not be read now is read again at the next connection.
  private func makeSettings() {
    guard let made = tl_tls_context(Budget.certificateChainBytes) else {
      return contextFailure = TransportFailure(.tls, reason: .outOfMemory)
    }
    if takesRoute, let objection = route.certificate?.use(in: made) {
      SSL_CTX_free(made)
      return contextFailure = TransportFailure(.tls, detail: objection)
    }
    hasWitnesses = takesRoute && route.giveAuthorities(to: made)
    if let settings { SSL_CTX_free(settings) }
    settings = made
  }

  /// A failure before the gateway is reached: with a tunnel it is the proxy's.
  func failure(_ kind: TransportFailure.Kind, reason: Errno? = nil) -> TransportFailure {
    if tunnel == nil { return TransportFailure(kind, reason: reason) }
    let words: StaticString = kind == .resolve ? "its name has no address" : "it takes no connection"
    return TransportFailure(.proxy, reason: reason, detail: words.path)
  }

  public func close() {
    delegate = nil
    if phase == .open, let tls { SSL_shutdown(tls) }
    if phase == .open, let socket { Syscall.finishWriting(socket) }
    tearDown()
  }

  func fail(_ failure: TransportFailure) {
    guard let delegate else { return tearDown() }
    self.delegate = nil
    tearDown()
    delegate.transportFailed(failure)
  }

  func tearDown() {
    resolver.cancel()
    dropSocket()
    loop.cancelTimer(Timer.resume, of: self)
    phase = .idle
    unread = 0..<0
    isPaused = false
    hasHungUp = false
    wantsToWrite = false
  }

  /// Drops the attempts to connect that have not succeeded.
  func dropAttempts() {
    loop.cancelTimer(Timer.connect, of: self)
    loop.cancelTimer(Timer.next, of: self)
    for socket in connecting {
      loop.unwatch(socket)
      socket.close()
    }
    connecting.removeAll(keepingCapacity: true)
  }

  func dropSocket() {
    dropAttempts()
    loop.cancelTimer(Timer.handshake, of: self)
    if let tls { SSL_free(tls) }
    tls = nil
    guard let socket else { return }
    loop.unwatch(socket)
    socket.close()
    self.socket = nil
  }

  /// Watches the socket for the readiness that the phase needs; no system call when that has not changed.
  func watch(_ readiness: Readiness) {
    guard let socket, readiness != watched, !hasHungUp else { return }
    do throws(Errno) {
      try loop.change(socket, to: readiness)
      watched = readiness
    } catch {
      fail(TransportFailure(.broken, reason: error))
    }
  }

  private func watchOpenSocket() {
    var wanted: Readiness = []
    if !isPaused { wanted.insert(.readable) }
    if wantsToWrite { wanted.insert(.writable) }
    watch(wanted)
  }

  // MARK: Writing

  public func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard phase == .open, let socket, !bytes.isEmpty else { return 0 }
    let count: Int
    if let tls {
      count = Int(SSL_write(tls, bytes.baseAddress, Int32(bytes.count)))
      if count <= 0 { ERR_clear_error() }
    } else {
      count = Int(tl_send(socket.number, bytes.baseAddress, numericCast(bytes.count)))
    }
    // A failure is also seen when reading, where it is reported once; here it counts as "would block".
    let isFull = count < bytes.count
    if isFull != wantsToWrite {
      wantsToWrite = isFull
      watchOpenSocket()
    }
    return max(count, 0)
  }

  // MARK: Reading

  public func resumeReading() {
    guard phase == .open, isPaused else { return }
    isPaused = false
    // In the loop's next turn, so that data is never delivered from inside the delegate's own call.
    loop.setTimer(Timer.resume, of: self, at: clock.monotonic)
  }

  func receive() {
    if isPaused { return }
    if !unread.isEmpty, !deliver(unread) { return }
    for _ in 0..<Self.recordsPerTurn {
      guard let count = readRecord() else {
        if hasHungUp, phase == .open { fail(TransportFailure(.closedByPeer)) }
        return
      }
      if !deliver(0..<count) { return }
    }
    // OpenSSL may hold decrypted bytes for which the socket is not readable; one that has hung up is not watched.
    if hasHungUp || tls.map({ SSL_pending($0) > 0 }) == true {
      loop.setTimer(Timer.resume, of: self, at: clock.monotonic)
    }
  }

  /// True when the delegate took everything and the connection is still open.
  private func deliver(_ range: Range<Int>) -> Bool {
    guard let delegate else { return false }
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[range])
    let taken = delegate.transportReceived(Span(_unsafeElements: bytes))
    guard phase == .open else { return false }
    unread = (range.lowerBound + taken)..<range.upperBound
    if unread.isEmpty {
      watchOpenSocket()
      return phase == .open
    }
    isPaused = true
    watchOpenSocket()
    return false
  }

  private func readRecord() -> Int? {
    guard let socket else { return nil }
    if let tls {
      let count = SSL_read(tls, buffer.bytes.baseAddress, Int32(buffer.bytes.count))
      if count > 0 { return Int(count) }
      guard let failure = tlsFailure(tls, result: count) else { return nil }
      fail(failure)
      return nil
    }
    let count = tl_recv(socket.number, buffer.bytes.baseAddress, numericCast(buffer.bytes.count))
    if count > 0 { return Int(count) }
    if count == -Int64(Errno.wouldBlock.number) { return nil }
    fail(
      count == 0
        ? TransportFailure(.closedByPeer)
        : TransportFailure(.broken, reason: Errno(Int32(truncatingIfNeeded: -count))))
    return nil
  }

  /// The error of a failed OpenSSL call; nil when it has to wait for the socket.
  func tlsFailure(_ tls: OpaquePointer, result: Int32) -> TransportFailure? {
    let code = SSL_get_error(tls, result)
    if code == SSL_ERROR_WANT_READ || code == SSL_ERROR_WANT_WRITE { return nil }
    var detail = tl_tls_reason()
    if phase == .handshaking, authorities != nil, let objection = tl_tls_objection(tls) { detail = objection }
    let number = tl_tls_errno(tls)
    // A TLS error has priority: the kernel may have refused the alert that was sent for it.
    if code != SSL_ERROR_SSL, number != 0 { return TransportFailure(.broken, reason: Errno(number)) }
    if code == SSL_ERROR_ZERO_RETURN { return TransportFailure(.closedByPeer) }
    return TransportFailure(phase == .open ? .broken : .tls, detail: detail)
  }

  // MARK: Events of the loop

  func writableWhileOpen() {
    guard wantsToWrite else { return }
    wantsToWrite = false
    watchOpenSocket()
    delegate?.transportWritable()
  }

  func failedWhilePaused() {
    guard isPaused else { return }
    // Nothing can be sent any more, so received data could not be answered.
    guard readsAfterHangUp, let socket else { return fail(TransportFailure(.broken)) }
    // It would be reported again at once.
    loop.unwatch(socket)
    hasHungUp = true
  }
}
