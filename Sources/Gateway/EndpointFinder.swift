/// Looks for the gateway on the network, when none of its known addresses answers.
public protocol EndpointFinder: AnyObject {
  /// Begins to look. Exactly one `endpointFound` follows, later and not within this call, unless `cancel` comes first.
  /// `requiresTLS`: the gateway is known to speak TLS, whatever the network says (gateway reference 7.2).
  func find(requiresTLS: Bool, _ delegate: any EndpointFinderDelegate)

  /// Drops the question; the delegate hears nothing.
  func cancel()
}

/// Told where the gateway is.
public protocol EndpointFinderDelegate: AnyObject {
  /// The place that the network tells, unproven: the certificate decides. Nil when the gateway did not show itself.
  func endpointFound(_ url: GatewayURL?)
}
