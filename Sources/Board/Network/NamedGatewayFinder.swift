import Gateway
import Runtime

/// Finds the one gateway that a person named by its id in discovery.
public final class NamedGatewayFinder: EndpointFinder, GatewayFinderDelegate {
  private let finder: GatewayFinder
  private let id: GatewayID
  private let requiresTLS: Bool
  private var delegate: (any EndpointFinderDelegate)?

  /// Looks for `id`. With `requiresTLS` it is spoken to over TLS whatever the network says (gateway reference 7.2).
  public init(_ id: GatewayID, requiresTLS: Bool, loop: Loop, clock: any Clock) {
    self.id = id
    self.requiresTLS = requiresTLS
    finder = GatewayFinder(loop: loop, clock: clock)
  }

  public func find(_ delegate: any EndpointFinderDelegate) {
    self.delegate = finder.find(id, self) ? delegate : nil
  }

  public func cancel() {
    delegate = nil
    finder.cancel()
  }

  public func gatewayFound(_ gateway: DiscoveredGateway) { tell(gateway.url(requiresTLS: requiresTLS)) }

  public func gatewayNotFound() { tell(nil) }

  private func tell(_ url: GatewayURL?) {
    let delegate = delegate
    self.delegate = nil
    delegate?.endpointFound(url)
  }
}
