import CCares
import Runtime

/// Told what addresses a name has.
protocol ResolverDelegate: AnyObject {
  /// The answer is in `resolver.addresses`; empty when the name has none or nobody answered.
  func resolved(_ resolver: Resolver)
}

/// Host names to addresses on the loop, never blocking it: by c-ares, and for names that end in `.local` by asking
/// the link (RFC 6762), unless the hosts file knows them.
final class Resolver: AresChannelDelegate, LocalResolverDelegate {
  private let channel: AresChannel
  private let local: LocalResolver
  private var delegate: (any ResolverDelegate)?
  private var isAsking = false
  private var isLocal = false
  private var host = ""
  /// The answer, in the order in which to try (RFC 6724, by c-ares).
  private(set) var addresses: [SocketAddress] = []
  private var port: UInt16 = 0

  init(loop: Loop, clock: any Clock) {
    channel = AresChannel(loop: loop, clock: clock)
    local = LocalResolver(loop: loop, clock: clock)
    addresses.reserveCapacity(Budget.hostAddresses)
  }

  deinit { cancel() }

  /// Asks for `host`; a literal address is answered at once.
  func ask(_ host: String, port: UInt16, _ delegate: any ResolverDelegate) {
    cancel()
    addresses.removeAll(keepingCapacity: true)
    self.port = port
    self.host = host
    self.delegate = delegate
    isLocal = LocalResolver.isLocal(host)
    if let address = SocketAddress(literal: host, port: port) {
      addresses.append(address)
      return delegate.resolved(self)
    }
    start()
  }

  /// Drops the question, if there is one; the delegate hears nothing.
  func cancel() {
    isAsking = false
    delegate = nil
    channel.close()
    local.cancel()
  }

  private func start() {
    guard channel.open(self, lookups: isLocal ? "f" : nil), let raw = channel.raw else { return finish() }
    isAsking = true
    tl_ares_ask(
      raw, host,
      { context, status, _, result in
        let resolver = Unmanaged<Resolver>.fromOpaque(context!).takeUnretainedValue()
        resolver.take(result)
        ares_freeaddrinfo(result)
      }, Unmanaged.passUnretained(self).toOpaque())
    channelAdvanced(channel)
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

  /// Ends when the answer is there.
  func channelAdvanced(_ channel: AresChannel) {
    if isAsking { return channel.wait() }
    channel.close()
    guard isLocal, addresses.isEmpty else { return finish() }
    local.ask(host, port: port, self)
  }

  func resolvedLocally(_ local: LocalResolver) {
    local.forEachAddress { addresses.append($0) }
    finish()
  }

  private func finish() {
    guard let delegate else { return }
    cancel()
    delegate.resolved(self)
  }
}
