import Codec
import Gateway
import Runtime

/// Told where a gateway is now.
public protocol GatewayFinderDelegate: AnyObject {
  /// The gateway that was asked for. What it advertises is not proven: compare its certificate with the pin, and
  /// use `gateway.url(requiresTLS:)` with true when there is one.
  func gatewayFound(_ gateway: DiscoveredGateway)

  /// It did not show itself in time.
  func gatewayNotFound()
}

/// Answers "where is the gateway with this id now?" (gateway reference 7.4: a discovered gateway is used only when its
/// id is that of the paired one).
public final class GatewayFinder: GatewaySearchDelegate {
  /// Milliseconds that a search takes at most: the last question goes out after three seconds.
  public static let patience: Int64 = 5_000

  private let search: GatewaySearch
  private var delegate: (any GatewayFinderDelegate)?

  public init(loop: Loop, clock: any Clock) {
    search = GatewaySearch(loop: loop, clock: clock)
  }

  /// Looks on the links for ids in `local`, else in the id's domain. Exactly one of the delegate's methods is called,
  /// later and not from inside this call, unless `cancel` comes first. False, and nothing is called, when the id's
  /// domain is too long for any gateway to be in it.
  public func find(
    _ id: GatewayID, milliseconds: Int64 = GatewayFinder.patience, _ delegate: any GatewayFinderDelegate
  ) -> Bool {
    cancel()
    do throws(DNSError) {
      try search.start(id.domain, wanted: id, milliseconds: milliseconds, self)
    } catch {
      return false
    }
    self.delegate = delegate
    return true
  }

  /// Drops the question; the delegate hears nothing.
  public func cancel() {
    delegate = nil
    search.stop()
  }

  public func gatewaysChanged(_ search: GatewaySearch) {
    guard let gateway = search.browser?.first, let delegate else { return }
    cancel()
    delegate.gatewayFound(gateway)
  }

  public func searchEnded(_ search: GatewaySearch) {
    guard let delegate else { return }
    self.delegate = nil
    delegate.gatewayNotFound()
  }
}
