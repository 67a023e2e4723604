/// What a pin is compared with.
public enum Pinning: Equatable, Sendable {
  /// The certificate: a renewed one needs a person.
  case certificate
  /// Its public key: a certificate renewed with the same key is accepted (`pin = key`).
  case key
}

/// How the owner wants the gateway to be known: `[gateway] pin` and `authorities`.
public struct TrustRule: Equatable, Sendable {
  /// Certificates or keys by their SHA-256, one of which must be shown; none: what is known from the first contact
  /// counts.
  public var pins: [Fingerprint] = []
  /// What is compared with a certificate that was trusted on first use.
  public var pinning = Pinning.certificate
  /// A certificate counts only with an authority's word, also at the first contact.
  public var requiresAuthorities = false

  /// First use decides.
  public init() {}

  /// By what a gateway is known, for which `known` is kept.
  func word(_ known: KnownTrust) -> StaticString {
    if !pins.isEmpty { return "configured pin" }
    if requiresAuthorities { return "configured authorities" }
    switch known {
    case .nothing: return "first use"
    case .pin: return pinning == .key ? "key" : "pin"
    case .authorities: return "authorities"
    }
  }

  /// The gateway, for which `known` is kept, is known by something.
  func knows(_ known: KnownTrust) -> Bool { !pins.isEmpty || requiresAuthorities || known != .nothing }
}

/// What a board trusts since its first contact, or since a person said so. Kept in the record of the gateway.
public enum KnownTrust: Equatable, Sendable {
  /// Nothing yet.
  case nothing
  /// One certificate. Its key is missing where a person named the certificate alone.
  case pin(Fingerprint, key: Fingerprint?)
  /// Each certificate of the gateway's name for which an authority of this board vouches.
  case authorities
}

/// The verdict on a gateway's certificate (gateway reference 6.3).
public enum Trust: Equatable {
  /// It is trusted.
  case trusted
  /// Nothing was trusted yet: this certificate is from now on.
  case firstUse
  /// Nothing was trusted yet, and an authority vouches for this one: from now on each for which one does.
  case firstVouched
  /// Another certificate with the same key, and the key is what counts.
  case renewed
  /// Not the one that is trusted.
  case changed(expected: Fingerprint)
  /// No authority vouches for it, and that is what counts.
  case unvouched(Vouching.Objection)

  /// Judges a certificate. `isName`: the address is a name that the gateway is known to have, and for which authorities
  /// may vouch; numbers are a gateway's own, and a name that the network tells is anybody's.
  public static func judge(
    _ seen: PeerCertificate, by rule: TrustRule, known: KnownTrust, isName: Bool
  ) -> Trust {
    if let expected = rule.pins.first {
      return rule.pins.contains(seen.leaf) || rule.pins.contains(seen.key) ? .trusted : .changed(expected: expected)
    }
    if rule.requiresAuthorities || known == .authorities {
      switch seen.vouching {
      case .vouched: return isName ? .trusted : .unvouched(.otherName)
      case .objected(let objection): return .unvouched(objection)
      case .unasked: return .unvouched(.noAuthorities)
      }
    }
    guard case .pin(let leaf, let key) = known else {
      if isName, rule.pinning != .key, case .vouched = seen.vouching { return .firstVouched }
      return .firstUse
    }
    if seen.leaf == leaf { return .trusted }
    if rule.pinning == .key, let key, seen.key == key { return .renewed }
    return .changed(expected: leaf)
  }
}

/// What was trusted before what is being stored: if that fails, the earlier trust counts again. Plain data.
struct UnsavedTrust {
  /// What is trusted now is not on flash yet.
  private(set) var isPending = false
  private var before = KnownTrust.nothing

  /// Something else takes the place of `trusted`. Of several changes before one is stored, the first counts.
  mutating func replace(_ trusted: KnownTrust) {
    if !isPending { before = trusted }
    isPending = true
  }

  /// The record was stored, or could not be.
  /// - Returns: what is trusted again, when that was not stored which took its place.
  mutating func stored(hasFailed: Bool) -> KnownTrust? {
    defer { isPending = false }
    return isPending && hasFailed ? before : nil
  }
}
