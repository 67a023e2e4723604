import Runtime

/// What proves to the gateway that this board may talk to it. One per attempt (gateway reference 5.5).
enum Credential: Equatable {
  /// Issued at pairing, sent in `auth.deviceToken`. Survives a change of the shared secret, so it goes first.
  case deviceToken
  /// Configured, sent in `auth.token`.
  case sharedToken
  /// Configured, sent in `auth.password`; never signed.
  case password
  /// For a gateway without authentication.
  case none

  static func choose(_ configuration: SessionConfiguration, _ record: GatewayRecord) -> Credential {
    if !record.token(.node).isEmpty { return .deviceToken }
    if !configuration.sharedToken.isEmpty { return .sharedToken }
    if !configuration.password.isEmpty { return .password }
    return .none
  }
}
