import Codec
import Gateway
import Runtime

/// Gets the result of a search.
public protocol GatewayFinderDelegate: AnyObject {
  /// The gateway was found. Its advertisement is not authenticated: compare its certificate with the pin, and use
  /// `gateway.url(requiresTLS:)` with true when there is a pin.
  func gatewayFound(_ gateway: DiscoveredGateway)

  /// The gateway was not found in time.
  func gatewayNotFound()
}

/// Finds the current address of the gateway with a given ID, or with a given certificate (gateway reference 7.4: a
/// discovered gateway is used only when its ID is that of the paired one; the certificate says so under any name).
public final class GatewayFinder: GatewaySearchDelegate {
  /// Milliseconds after which a search ends: the last query is sent after three seconds.
  public static let searchTimeout: Int64 = 5_000

  private let search: GatewaySearch
  private var delegate: (any GatewayFinderDelegate)?

  @export(interface)
  public init(loop: Loop, clock: any Clock) {
    search = GatewaySearch(loop: loop, clock: clock)
  }

  /// Searches by multicast DNS for an ID in `local`, otherwise in the ID's domain; without an ID in `local`, by the
  /// certificate alone. Calls exactly one of the delegate's methods, never from inside this call, unless `cancel` comes
  /// first. False, and nothing is called, when the ID's domain is too long for a service name.
  public func find(
    _ id: GatewayID?, fingerprint: Fingerprint? = nil, milliseconds: Int64 = GatewayFinder.searchTimeout,
    _ delegate: any GatewayFinderDelegate
  ) -> Bool {
    cancel()
    do throws(DNSError) {
      try search.start(
        id?.domain ?? DNSName("local"), wanted: id, fingerprint: fingerprint, milliseconds: milliseconds, self)
    } catch {
      return false
    }
    self.delegate = delegate
    return true
  }

  /// Cancels the search without calling the delegate.
  public func cancel() {
    delegate = nil
    search.stop()
  }

  public func gatewaysChanged(_ search: GatewaySearch) {
    guard let gateway = search.browser?.match(isLast: false), let delegate else { return }
    cancel()
    delegate.gatewayFound(gateway)
  }

  public func searchEnded(_ search: GatewaySearch) {
    guard let delegate else { return }
    self.delegate = nil
    if let gateway = search.browser?.match(isLast: true) { return delegate.gatewayFound(gateway) }
    delegate.gatewayNotFound()
  }
}
