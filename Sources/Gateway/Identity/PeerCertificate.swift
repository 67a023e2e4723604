/// A gateway's certificate and the key in it, which pins are compared with. A renewed certificate often keeps its key,
/// and then has another `leaf` and the same `key`.
public struct PeerCertificate: Equatable, Sendable {
  /// SHA-256 over the certificate's DER (gateway reference 6.1).
  public let leaf: Fingerprint
  /// SHA-256 over the DER of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
  public let key: Fingerprint

  /// A certificate by its two digests.
  public init(leaf: Fingerprint, key: Fingerprint) {
    self.leaf = leaf
    self.key = key
  }
}
