import Gateway
import Runtime

/// Finds the gateway that the configuration names by its discovery ID.
public final class NamedGatewayFinder: EndpointFinder, GatewayFinderDelegate {
  private let finder: GatewayFinder
  private let id: GatewayID
  private let allowsPlaintext: Bool
  private var requiresTLS = true
  private var delegate: (any EndpointFinderDelegate)?

  /// Searches for `id`. Without `allowsPlaintext` the connection uses TLS whatever the advertisement says.
  @export(interface)
  public init(_ id: GatewayID, allowsPlaintext: Bool, loop: Loop, clock: any Clock) {
    self.id = id
    self.allowsPlaintext = allowsPlaintext
    finder = GatewayFinder(loop: loop, clock: clock)
  }

  public func find(requiresTLS: Bool, _ delegate: any EndpointFinderDelegate) {
    self.requiresTLS = requiresTLS || !allowsPlaintext
    self.delegate = finder.find(id, self) ? delegate : nil
  }

  public func cancel() {
    delegate = nil
    finder.cancel()
  }

  public func gatewayFound(_ gateway: DiscoveredGateway) { finish(gateway.url(requiresTLS: requiresTLS)) }

  public func gatewayNotFound() { finish(nil) }

  private func finish(_ url: GatewayURL?) {
    let delegate = delegate
    self.delegate = nil
    delegate?.endpointFound(url)
  }
}
