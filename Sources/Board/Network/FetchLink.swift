import Fetch
import Gateway
import Runtime

/// The network for fetching: one connection per fetch.
public final class FetchLink: FetchTransport {
  private let transport: NetworkTransport
  private let authorities: CertificateAuthorities
  private var judge: (any AddressPolicy)?

  /// A link that is not connected. Links may share `authorities`. `route` leads to the gateway, and to nobody else.
  public init(
    loop: Loop, clock: any Clock, authorities: CertificateAuthorities, route: GatewayRoute = GatewayRoute()
  ) {
    transport = NetworkTransport(loop: loop, clock: clock, route: route)
    self.authorities = authorities
    transport.readsAfterHangUp = true
    transport.permits = { [unowned(unsafe) self] address in self.judge?.permits(address) ?? false }
  }

  public func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    self.judge = judge
    transport.authorities = trust == .authorities ? authorities : nil
    transport.takesRoute = trust == .pin
    if url.isSecure, trust == .authorities, authorities.context == nil {
      return delegate.transportFailed(TransportFailure(.tls, detail: authorities.objection))
    }
    transport.open(url, delegate)
  }

  public func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int { transport.write(bytes) }

  public func resumeReading() { transport.resumeReading() }

  public func close() {
    judge = nil
    transport.close()
  }
}
