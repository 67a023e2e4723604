import CCares
import Runtime

/// Told what addresses a name has.
protocol ResolverDelegate: AnyObject {
  /// The answer is in `resolver.addresses`; empty when the name has none or nobody answered.
  func resolved(_ resolver: Resolver)
}

/// Host names to addresses by c-ares, on the loop and never blocking it. Each question gets a fresh channel,
/// so that a changed `/etc/resolv.conf` counts at once.
final class Resolver: DescriptorHandler, TimerHandler {
  private let loop: Loop
  private let clock: any Clock
  private var delegate: (any ResolverDelegate)?
  private var channel: ares_channel?
  private var isAsking = false
  /// The answer, in the order in which to try (RFC 6724, by c-ares).
  private(set) var addresses: [SocketAddress] = []
  private var port: UInt16 = 0

  init(loop: Loop, clock: any Clock) {
    self.loop = loop
    self.clock = clock
    addresses.reserveCapacity(Budget.hostAddresses)
  }

  deinit { cancel() }

  /// Asks for `host`; a literal address is answered at once.
  func ask(_ host: String, port: UInt16, _ delegate: any ResolverDelegate) {
    cancel()
    addresses.removeAll(keepingCapacity: true)
    self.port = port
    self.delegate = delegate
    var literal = InlineArray<16, UInt8>(repeating: 0)
    var bytes = literal.mutableSpan
    let count = bytes.withUnsafeMutableBufferPointer { tl_literal_address(host, $0.baseAddress!) }
    if count > 0 {
      addresses.append(
        SocketAddress(bytes: literal.span.extracting(first: Int(count)), port: port))
      return delegate.resolved(self)
    }
    start(host)
  }

  /// Drops the question, if there is one; the delegate hears nothing.
  func cancel() {
    isAsking = false
    delegate = nil
    closeChannel()
  }

  private func start(_ host: String) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let changed: ares_sock_state_cb = { context, socket, readable, writable in
      let resolver = Unmanaged<Resolver>.fromOpaque(context!).takeUnretainedValue()
      resolver.watch(Descriptor(socket), readable: readable != 0, writable: writable != 0)
    }
    guard let channel = tl_ares_channel(changed, context) else { return finish() }
    self.channel = channel
    isAsking = true
    tl_ares_ask(
      channel, host,
      { context, status, _, result in
        let resolver = Unmanaged<Resolver>.fromOpaque(context!).takeUnretainedValue()
        resolver.take(result)
        ares_freeaddrinfo(result)
      }, context)
    step()
  }

  private func take(_ result: UnsafeMutablePointer<ares_addrinfo>?) {
    guard isAsking else { return }
    isAsking = false
    var node = result?.pointee.nodes
    while let current = node, addresses.count < Budget.hostAddresses {
      var bytes = InlineArray<16, UInt8>(repeating: 0)
      var scope: UInt32 = 0
      var span = bytes.mutableSpan
      let count = span.withUnsafeMutableBufferPointer {
        tl_ares_address(current, $0.baseAddress!, &scope)
      }
      if count > 0 {
        addresses.append(
          SocketAddress(bytes: bytes.span.extracting(first: Int(count)), scope: scope, port: port))
      }
      node = current.pointee.ai_next
    }
  }

  private func watch(_ socket: Descriptor, readable: Bool, writable: Bool) {
    var wanted: Readiness = []
    if readable { wanted.insert(.readable) }
    if writable { wanted.insert(.writable) }
    loop.unwatch(socket)
    if wanted.isEmpty { return }
    // Without room the socket stays unwatched and the question ends by its timeout.
    do throws(Errno) { try loop.watch(socket, for: wanted, self) } catch {}
  }

  func ready(_ descriptor: Descriptor, _ readiness: Readiness) {
    guard let channel else { return }
    let readable = !readiness.isDisjoint(with: [.readable, .failed])
    let writable = readiness.contains(.writable)
    ares_process_fd(channel, readable ? descriptor.number : -1, writable ? descriptor.number : -1)
    step()
  }

  func timerFired(_ id: TimerID) {
    guard let channel else { return }
    ares_process_fd(channel, -1, -1)
    step()
  }

  /// Ends when the answer is there, else waits for sockets or c-ares's own timeouts. Never called from inside
  /// c-ares, so the channel may be destroyed.
  private func step() {
    guard isAsking, let channel else { return finish() }
    let wait = tl_ares_timeout(channel)
    loop.setTimer(TimerID(0), of: self, at: clock.monotonic + max(wait, 0))
  }

  private func finish() {
    isAsking = false
    closeChannel()
    guard let delegate else { return }
    self.delegate = nil
    delegate.resolved(self)
  }

  private func closeChannel() {
    loop.cancelTimer(TimerID(0), of: self)
    guard let channel else { return }
    self.channel = nil
    ares_destroy(channel)
  }
}
