/// Searches the gateway on the network, when none of its known addresses answers.
public protocol EndpointFinder: AnyObject {
  /// The owner has named the gateway, so that it can be searched without knowing anything else of it.
  var hasName: Bool { get }

  /// Starts a search. Exactly one `endpointFound` follows, not within this call, unless `cancel` is called first.
  /// False, and nothing follows, when there is nothing to search by, or the last search is not long ago.
  /// - Parameters:
  ///   - requiresTLS: the gateway is known to speak TLS, whatever is announced (gateway reference 7.2).
  ///   - fingerprint: its certificate, where that is known.
  func find(requiresTLS: Bool, fingerprint: Fingerprint?, _ delegate: any EndpointFinderDelegate) -> Bool

  /// Cancels the search without a call of the delegate.
  func cancel()
}

/// Gets the result of a search.
public protocol EndpointFinderDelegate: AnyObject {
  /// The announced address, not authenticated: the certificate decides. Nil when the gateway was not found.
  func endpointFound(_ url: GatewayURL?)
}
