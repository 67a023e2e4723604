/// Searches the gateway on the network, when none of its known addresses answers.
public protocol EndpointFinder: AnyObject {
  /// Starts a search. Exactly one `endpointFound` follows, not within this call, unless `cancel` is called first.
  /// `requiresTLS`: the gateway is known to speak TLS, whatever is announced (gateway reference 7.2).
  func find(requiresTLS: Bool, _ delegate: any EndpointFinderDelegate)

  /// Cancels the search without a call of the delegate.
  func cancel()
}

/// Gets the result of a search.
public protocol EndpointFinderDelegate: AnyObject {
  /// The announced address, not authenticated: the certificate decides. Nil when the gateway was not found.
  func endpointFound(_ url: GatewayURL?)
}
