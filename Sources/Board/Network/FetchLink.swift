import Fetch
import Gateway
import Runtime

/// The network for fetching: one connection per fetch.
public final class FetchLink: FetchTransport {
  private let transport: NetworkTransport
  private let authorities: CertificateAuthorities
  private var judge: (any AddressPolicy)?

  /// A link that is not connected. Links may share `authorities`.
  public init(loop: Loop, clock: any Clock, authorities: CertificateAuthorities) {
    transport = NetworkTransport(loop: loop, clock: clock)
    self.authorities = authorities
    transport.permits = { [unowned(unsafe) self] address in self.judge?.permits(address) ?? false }
  }

  public func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    self.judge = judge
    transport.authorities = trust == .authorities ? authorities : nil
    if url.isSecure, trust == .authorities, authorities.context == nil {
      return delegate.transportFailed(TransportFailure(.tls, detail: Self.noAuthorities.path))
    }
    transport.open(url, delegate)
  }

  public func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { transport.write(bytes) }

  public func close() {
    judge = nil
    transport.close()
  }

  private static let noAuthorities: StaticString =
    "this board has no certificate authorities: install ca-certificates, or set authorities in [canvas]"
}
