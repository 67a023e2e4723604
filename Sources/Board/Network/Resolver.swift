import CCares
import Runtime

/// Gets the addresses of a host.
protocol ResolverDelegate: AnyObject {
  /// The result is in `resolver.addresses`; empty when the name has none or there was no reply.
  func resolved(_ resolver: Resolver)
}

/// Resolves host names on the loop without blocking it: by c-ares, and names that end in `.local` by multicast DNS (RFC
/// 6762), unless the hosts file has them.
final class Resolver: AresChannelDelegate, LocalResolverDelegate {
  private let channel: AresChannel
  private let local: LocalResolver
  private var delegate: (any ResolverDelegate)?
  private var isAsking = false
  private var isLocal = false
  private var host = ""
  /// The result, in the order in which to try (RFC 6724, by c-ares).
  private(set) var addresses: [SocketAddress] = []
  private var port: UInt16 = 0

  init(loop: Loop, clock: any Clock) {
    channel = AresChannel(loop: loop, clock: clock)
    local = LocalResolver(loop: loop, clock: clock)
    addresses.reserveCapacity(Budget.hostAddresses)
  }

  deinit { cancel() }

  /// Resolves `host`; a literal address at once.
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

  /// Cancels without calling the delegate.
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

  /// Ends when the result is complete.
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
