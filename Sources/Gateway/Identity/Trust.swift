/// What a pin is compared with.
public enum Pinning: Equatable, Sendable {
  /// The certificate: a renewed one needs a person.
  case certificate
  /// Its public key: a certificate renewed with the same key is accepted (`pin = key`).
  case key
}

/// The verdict on a gateway's certificate (gateway reference 6.3). Chain, name and dates do not count: gateways make
/// their own certificates, and a board may not know the date.
public enum Trust: Equatable {
  /// The one that is trusted.
  case trusted
  /// Nothing was trusted yet: this one is from now on.
  case firstUse
  /// Another certificate with the same key, and the key is what counts.
  case renewed
  /// Not the one that is trusted.
  case changed(expected: Fingerprint)

  /// Compares a certificate with the configured pin, or else with the stored one.
  public static func judge(
    _ seen: PeerCertificate, configured: Fingerprint?, pinning: Pinning, known: Fingerprint?, knownKey: Fingerprint?
  ) -> Trust {
    if let configured { return seen.leaf == configured ? .trusted : .changed(expected: configured) }
    guard let known else { return .firstUse }
    if seen.leaf == known { return .trusted }
    if pinning == .key, let knownKey, seen.key == knownKey { return .renewed }
    return .changed(expected: known)
  }
}
