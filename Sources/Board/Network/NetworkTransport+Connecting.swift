import CLinux
import COpenSSL
import Fetch
import Gateway
import Runtime

extension NetworkTransport: ResolverDelegate, DescriptorHandler, TimerHandler {

  func resolved(_ resolver: Resolver) {
    nextAddress = 0
    tryNextAddress()
  }

  /// Tries the addresses in order until one accepts; if none does, reports the last failure.
  private func tryNextAddress() {
    dropSocket()
    while nextAddress < resolver.addresses.count {
      let address = resolver.addresses[nextAddress]
      nextAddress += 1
      if tunnel == nil, let permits, !permits(address) {
        if lastFailure.kind == .resolve { lastFailure = TransportFailure(.forbidden) }
        continue
      }
      do throws(Errno) {
        return try connect(to: address)
      } catch {
        dropSocket()
        lastFailure = failure(.connect, reason: error)
      }
    }
    fail(lastFailure)
  }

  private func connect(to address: SocketAddress) throws(Errno) {
    phase = .connecting
    let socket = try Syscall.tcpSocket(for: address, userTimeout: Self.userTimeout)
    self.socket = socket
    let isConnected = try Syscall.connect(socket, to: address)
    try loop.watch(socket, for: .writable, self)
    watched = .writable
    if isConnected { return connected() }
    let timeout = Self.connectTimeout(addresses: resolver.addresses.count)
    loop.setTimer(Timer.connect, of: self, at: clock.monotonic + timeout)
  }

  private func connected() {
    loop.cancelTimer(Timer.connect, of: self)
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
    switch tunnel.take(Span(_unsafeElements: bytes)) {
    case .pending: return
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
    secured(PeerCertificate(leaf: Fingerprint(digest: leaf), key: Fingerprint(digest: key)))
  }

  private func secured(_ certificate: PeerCertificate?) {
    phase = .open
    watch(.readable)
    delegate?.transportSecured(certificate: certificate)
  }

  public func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    switch phase {
    case .idle, .resolving: return
    case .connecting:
      guard let socket else { return }
      do throws(Errno) {
        try Syscall.finishConnect(socket)
        connected()
      } catch {
        lastFailure = failure(.connect, reason: error)
        tryNextAddress()
      }
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
    lastFailure = failure(.connect, reason: .timedOut)
    tryNextAddress()
  }
}
