/// What the board's certificate authorities say of a certificate at the address that shows it.
public enum Vouching: Equatable, Sendable {
  /// They were not asked, or there are none.
  case unasked
  /// The chain leads to one of them, and the certificate is of this name. `until`: its end, in milliseconds since the
  /// epoch.
  case vouched(until: Int64)
  /// They do not vouch for it.
  case objected(Objection)

  /// Why not.
  public enum Objection: Equatable, Sendable {
    /// By the board's clock its time is over, or has not begun.
    case expired, notYetValid
    /// It is of another name.
    case otherName
    /// Nobody whom this board knows has issued it: the gateway made it, or the board's authorities are old.
    case unknownIssuer
    /// The board has no authorities.
    case noAuthorities
    /// Something else is wrong with the chain.
    case other

    /// A clause about the certificate.
    public var words: StaticString {
      switch self {
      case .expired: "has expired by this board's clock"
      case .notYetValid: "is not valid yet by this board's clock"
      case .otherName: "is of another name"
      case .unknownIssuer: "comes from nobody whom this board's authorities know"
      case .noAuthorities: "cannot be checked, because this board has no certificate authorities"
      case .other: "has a chain that is not valid"
      }
    }

    /// What a person does about it, beside trusting the certificate itself.
    public var remedy: StaticString {
      switch self {
      case .expired, .notYetValid: "set the board's clock when it is wrong, or renew the gateway's certificate"
      case .otherName: "use the name that the certificate is of in [gateway] url"
      case .unknownIssuer, .other:
        "update the board's authorities (ca-certificates), or set [gateway] authorities to those of the gateway"
      case .noAuthorities: "install ca-certificates, or set [gateway] authorities"
      }
    }
  }
}

/// A gateway's certificate and the key in it, which pins are compared with. A renewed certificate often keeps its key,
/// and then has another `leaf` and the same `key`.
public struct PeerCertificate: Equatable, Sendable {
  /// SHA-256 over the certificate's DER (gateway reference 6.1).
  public let leaf: Fingerprint
  /// SHA-256 over the DER of its SubjectPublicKeyInfo (RFC 7469 section 2.4).
  public let key: Fingerprint
  /// What authorities say of it.
  public let vouching: Vouching

  /// A certificate by its two digests.
  public init(leaf: Fingerprint, key: Fingerprint, vouching: Vouching = .unasked) {
    self.leaf = leaf
    self.key = key
    self.vouching = vouching
  }
}
