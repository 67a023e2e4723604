import Fetch
import Gateway
import Runtime

/// The network for fetching: one connection per fetch.
public final class FetchLink: FetchTransport {
  /// The one server that learns who the board is, by the client certificate of these authorities.
  public struct KnownServer {
    let host: String
    let port: UInt16
    let authorities: CertificateAuthorities

    /// The server at this host and port.
    public init(host: String, port: UInt16, authorities: CertificateAuthorities) {
      (self.host, self.port, self.authorities) = (host, port, authorities)
    }
  }

  private let transport: NetworkTransport
  private let authorities: CertificateAuthorities
  private let known: KnownServer?
  private let takesRoute: Bool
  private var judge: (any AddressPolicy)?

  /// A link that is not connected. Links may share `authorities`. `route` leads to the gateway, and to nobody else.
  @export(interface)
  public convenience init(
    loop: Loop, clock: any Clock, authorities: CertificateAuthorities, route: GatewayRoute = GatewayRoute()
  ) {
    self.init(loop: loop, clock: clock, authorities: authorities, route: route, known: nil, takesRoute: false)
  }

  /// A link to servers that the configuration names: through `proxy` if there is one, with a certificate for `known`
  /// alone.
  @export(interface)
  public convenience init(
    loop: Loop, clock: any Clock, authorities: CertificateAuthorities, proxy: ProxyAddress?, known: KnownServer?
  ) {
    self.init(
      loop: loop, clock: clock, authorities: authorities, route: GatewayRoute(proxy: proxy), known: known,
      takesRoute: true)
  }

  private init(
    loop: Loop, clock: any Clock, authorities: CertificateAuthorities, route: GatewayRoute, known: KnownServer?,
    takesRoute: Bool
  ) {
    transport = NetworkTransport(loop: loop, clock: clock, route: route)
    (self.authorities, self.known, self.takesRoute) = (authorities, known, takesRoute)
    transport.readsAfterHangUp = true
    transport.permits = { [unowned(unsafe) self] address in self.judge?.permits(address) ?? false }
  }

  public func open(_ url: GatewayURL, trust: FetchTrust, judge: any AddressPolicy, _ delegate: any TransportDelegate) {
    self.judge = judge
    var authorities = authorities
    if let known, known.host == url.host, known.port == url.port { authorities = known.authorities }
    transport.authorities = trust == .authorities ? authorities : nil
    transport.takesRoute = takesRoute || trust == .pin
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
