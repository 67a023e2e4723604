import CLinux
import COpenSSL
import Fetch
import Gateway
import Runtime

extension NetworkTransport: ResolverDelegate, DescriptorHandler, TimerHandler {

  func resolved(_ resolver: Resolver) { begin(Self.interleaved(resolver.addresses)) }

  /// Connects to the first of these that answers.
  func begin(_ addresses: [SocketAddress]) {
    self.addresses = addresses
    nextAddress = 0
    phase = .connecting
    tryNextAddress()
  }

  /// The addresses in their order, but the two families by turns (RFC 8305 section 4): where one of them does not work
  /// here, the other is not far.
  static func interleaved(_ addresses: [SocketAddress]) -> [SocketAddress] {
    guard let first = addresses.first else { return [] }
    let (near, far) = (
      addresses.filter { $0.byteCount == first.byteCount }, addresses.filter { $0.byteCount != first.byteCount }
    )
    var result: [SocketAddress] = []
    result.reserveCapacity(addresses.count)
    for index in 0..<max(near.count, far.count) {
      if index < near.count { result.append(near[index]) }
      if index < far.count { result.append(far[index]) }
    }
    return result
  }

  /// Begins to connect to the next address, beside those that have not answered yet (RFC 8305 section 5); reports the
  /// last failure when none is left.
  private func tryNextAddress() {
    loop.cancelTimer(Timer.next, of: self)
    while nextAddress < addresses.count {
      let address = addresses[nextAddress]
      nextAddress += 1
      if tunnel == nil, let permits, !permits(address) {
        if lastFailure.kind == .resolve { lastFailure = TransportFailure(.forbidden) }
        continue
      }
      do throws(Errno) {
        return try connect(to: address)
      } catch {
        lastFailure = failure(.connect, reason: error)
      }
    }
    if connecting.isEmpty { fail(lastFailure) }
  }

  private func connect(to address: SocketAddress) throws(Errno) {
    let socket = try Syscall.tcpSocket(for: address, userTimeout: Self.userTimeout)
    do throws(Errno) {
      let isConnected = try Syscall.connect(socket, to: address)
      try loop.watch(socket, for: .writable, self)
      if isConnected { return connected(socket) }
    } catch {
      socket.close()
      throw error
    }
    connecting.append(socket)
    loop.setTimer(Timer.connect, of: self, at: clock.monotonic + Self.connectTimeoutMilliseconds)
    if nextAddress < addresses.count {
      loop.setTimer(Timer.next, of: self, at: clock.monotonic + Self.attemptDelayMilliseconds)
    }
  }

  /// This address answers first; the others are dropped.
  private func connected(_ socket: Descriptor) {
    dropAttempts()
    self.socket = socket
    watched = .writable
    connected()
  }

  private func answered(_ socket: Descriptor) {
    guard let place = connecting.firstIndex(of: socket) else { return }
    connecting.remove(at: place)
    do throws(Errno) {
      try Syscall.finishConnect(socket)
      connected(socket)
    } catch {
      loop.unwatch(socket)
      socket.close()
      lastFailure = failure(.connect, reason: error)
      tryNextAddress()
    }
  }

  private func connected() {
    guard let tunnel, let url else { return secure() }
    phase = .tunnelling
    loop.setTimer(Timer.handshake, of: self, at: clock.monotonic + handshakeTimeout)
    untold = tunnel.request(to: url)
    askForTunnel()
  }

  /// Sends the request; the answer is read when all of it is on its way.
  private func askForTunnel() {
    guard let socket else { return }
    let sent = tl_send(socket.number, untold.baseAddress, numericCast(untold.count))
    if sent < 0, sent != -Int64(Errno.wouldBlock.number) {
      return fail(TransportFailure(.proxy, reason: Errno(Int32(truncatingIfNeeded: -sent))))
    }
    untold = UnsafeBufferPointer(rebasing: untold[max(Int(sent), 0)...])
    watch(untold.isEmpty ? .readable : .writable)
  }

  private func readTunnel() {
    guard let socket, let tunnel else { return }
    let count = tl_recv(socket.number, buffer.bytes.baseAddress, numericCast(buffer.bytes.count))
    if count == -Int64(Errno.wouldBlock.number) { return }
    guard count != 0 else {
      return fail(TransportFailure(.proxy, detail: ("it closed the connection" as StaticString).path))
    }
    guard count > 0 else { return fail(TransportFailure(.proxy, reason: Errno(Int32(truncatingIfNeeded: -count)))) }
    let bytes = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<Int(count)])
    switch tunnel.receive(Span(_unsafeElements: bytes)) {
    case .pending: return
    case .send(let bytes):
      untold = bytes
      askForTunnel()
    case .refused(let failure): fail(failure)
    case .open:
      loop.cancelTimer(Timer.handshake, of: self)
      secure()
    }
  }

  /// Begins TLS where the URL asks for it.
  private func secure() {
    guard let socket, let url else { return }
    guard url.isSecure else { return secured(nil) }
    guard let context else { return fail(contextFailure) }
    phase = .handshaking
    loop.setTimer(Timer.handshake, of: self, at: clock.monotonic + handshakeTimeout)
    let isLiteral = SocketAddress(literal: url.host, port: 0) != nil
    tls =
      isLiteral
      ? tl_tls_connection(context, socket.number, nil)
      : url.host.withCString { tl_tls_connection(context, socket.number, $0) }
    guard let tls else { return fail(TransportFailure(.tls, reason: .outOfMemory)) }
    if authorities != nil {
      let isReady = url.host.withCString { tl_tls_verify(tls, $0, isLiteral ? 1 : 0) }
      guard isReady == 1 else { return fail(TransportFailure(.tls, reason: .outOfMemory)) }
    } else if hasWitnesses {
      // A clock that nothing has set says nothing of the dates of certificates. One that is far ahead does: by it they
      // have expired.
      let seconds = clock.wall >= Budget.earliestWall ? clock.wall / 1000 : -1
      let isReady = url.host.withCString { tl_tls_judge(tls, $0, isLiteral ? 1 : 0, seconds) }
      guard isReady == 1 else { return fail(TransportFailure(.tls, reason: .outOfMemory)) }
    }
    shakeHands()
  }

  private func shakeHands() {
    guard let tls else { return }
    let result = SSL_do_handshake(tls)
    if result == 1 { return finishHandshake(tls) }
    if let failure = tlsFailure(tls, result: result) { return fail(failure) }
    watch(SSL_want(tls) == SSL_WRITING ? .writable : .readable)
  }

  private func finishHandshake(_ tls: OpaquePointer) {
    loop.cancelTimer(Timer.handshake, of: self)
    var leaf = InlineArray<32, UInt8>(repeating: 0)
    var key = InlineArray<32, UInt8>(repeating: 0)
    var leafSpan = leaf.mutableSpan
    var keySpan = key.mutableSpan
    let done = leafSpan.withUnsafeMutableBufferPointer { leaf in
      keySpan.withUnsafeMutableBufferPointer { tl_tls_peer_sha256(tls, leaf.baseAddress!, $0.baseAddress!) }
    }
    guard done == 1 else { return fail(TransportFailure(.tls)) }
    secured(
      PeerCertificate(leaf: Fingerprint(digest: leaf), key: Fingerprint(digest: key), vouching: vouching(tls)))
  }

  /// What the authorities said in the handshake.
  private func vouching(_ tls: OpaquePointer) -> Vouching {
    guard authorities == nil, hasWitnesses else { return .unasked }
    var until: Int64 = 0
    switch Int(tl_tls_verdict(tls, &until)) {
    case TL_VERDICT_VOUCHED: return .vouched(until: until * 1000)
    case TL_VERDICT_EXPIRED: return .objected(.expired)
    case TL_VERDICT_NOT_YET_VALID: return .objected(.notYetValid)
    case TL_VERDICT_OTHER_NAME: return .objected(.otherName)
    case TL_VERDICT_UNKNOWN_ISSUER: return .objected(.unknownIssuer)
    default: return .objected(.other)
    }
  }

  private func secured(_ certificate: PeerCertificate?) {
    phase = .open
    watch(.readable)
    delegate?.transportSecured(certificate: certificate)
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    switch phase {
    case .idle, .resolving: return
    case .connecting: answered(descriptor)
    case .tunnelling: untold.isEmpty ? readTunnel() : askForTunnel()
    case .handshaking: shakeHands()
    case .open:
      if readiness.contains(.failed) { failedWhilePaused() }
      if phase == .open, readiness.contains(.writable) { writableWhileOpen() }
      if phase == .open, !readiness.isDisjoint(with: [.readable, .failed]) { receive() }
    }
  }

  public func timerFired(_ id: TimerID) {
    if id == Timer.resume { return receive() }
    if id == Timer.handshake { return fail(TransportFailure(phase == .tunnelling ? .proxy : .tls, reason: .timedOut)) }
    if id == Timer.next { return tryNextAddress() }
    dropAttempts()
    lastFailure = failure(.connect, reason: .timedOut)
    tryNextAddress()
  }
}
