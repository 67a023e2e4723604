import Gateway
import Runtime

/// Finds the gateway that the configuration names by its discovery ID, and where it names none, the one whose
/// certificate is known: it may have another name than when it was paired.
public final class NamedGatewayFinder: EndpointFinder, GatewayFinderDelegate {
  /// Milliseconds between two searches that nobody has configured: they are sent to every machine of the network.
  private static let unaskedInterval: Int64 = 300_000

  private let finder: GatewayFinder
  private let id: GatewayID?
  private let allowsPlaintext: Bool
  private let clock: any Clock
  private var earliest: Int64 = .min
  private var requiresTLS = true
  private var delegate: (any EndpointFinderDelegate)?

  /// Searches for `id`; nil: by the certificate alone. Without `allowsPlaintext` the connection uses TLS whatever the
  /// advertisement says.
  @export(interface)
  public init(_ id: GatewayID?, allowsPlaintext: Bool, loop: Loop, clock: any Clock) {
    self.id = id
    self.allowsPlaintext = allowsPlaintext
    self.clock = clock
    finder = GatewayFinder(loop: loop, clock: clock)
  }

  public var hasName: Bool { id != nil }

  public func find(requiresTLS: Bool, fingerprint: Fingerprint?, _ delegate: any EndpointFinderDelegate) -> Bool {
    if id == nil {
      guard fingerprint != nil, clock.monotonic >= earliest else { return false }
      earliest = clock.monotonic + Self.unaskedInterval
    }
    self.requiresTLS = requiresTLS || !allowsPlaintext
    guard finder.find(id, fingerprint: fingerprint, self) else { return false }
    self.delegate = delegate
    return true
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
