import Runtime

/// A credential for `connect`. One for each attempt (gateway reference 5.5).
enum Credential: UInt8, Equatable {
  /// Issued at pairing, sent in `auth.deviceToken`. Survives a change of the shared secret, so it goes first.
  case deviceToken = 1
  /// From a setup code, sent in `auth.bootstrapToken`. It is new and used up by the first success, so it goes before
  /// configured credentials.
  case bootstrapToken = 2
  /// Configured, sent in `auth.token`.
  case sharedToken = 4
  /// Configured, sent in `auth.password`; never signed.
  case password = 8
  /// For a gateway without authentication.
  case none = 16

  /// True when the proof covers it (gateway reference 4.2).
  var isSigned: Bool { self != .password && self != .none }

  /// Its description for people.
  var words: StaticString {
    switch self {
    case .deviceToken: "this board's own token"
    case .bootstrapToken: "the setup code"
    case .sharedToken: "the gateway's token ([gateway] token_file, token)"
    case .password: "the gateway's password ([gateway] password_file, password)"
    case .none: "no credential"
    }
  }
}

/// Credentials that the gateway refused since the last `hello-ok`. They are skipped but not deleted, because a refusal
/// may be the gateway's mistake.
struct RefusedCredentials {
  private var bits: UInt8 = 0

  var isEmpty: Bool { bits == 0 }

  func contains(_ credential: Credential) -> Bool { bits & credential.rawValue != 0 }

  mutating func insert(_ credential: Credential) { bits |= credential.rawValue }

  mutating func clear() { bits = 0 }
}
