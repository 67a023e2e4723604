/// What the gateway asks of a client before it looks at pairing.
enum AuthMode: Sendable, Equatable {
  case none
  case token(String)
  case password(String)

  /// The words of `hello-ok.snapshot.authMode`.
  var name: String {
    switch self {
    case .none: "none"
    case .token: "token"
    case .password: "password"
    }
  }
}

/// The credential decision (protocol reference, sections 5.5 and 5.6): shared secret, then bootstrap token,
/// then device token.
struct CredentialCheck {
  let mode: AuthMode
  let auth: JSON
  /// Whether a token is the one issued to this device for this role, and what it covers.
  let deviceToken: (String) -> DeviceTokenMatch
  /// The bootstrap token of that text, if this device may use it for what it asks.
  var bootstrapToken: (String) -> BootstrapToken? = { _ in nil }

  enum DeviceTokenMatch { case valid, narrower, unknown }

  /// How a client authenticated.
  struct Outcome {
    /// `token`, `password`, `none`, `device-token` or `bootstrap-token`.
    let method: String
    var bootstrap: BootstrapToken?
  }

  /// Throws why the client may not go on.
  func decide() throws(CredentialFailure) -> Outcome {
    if let text = auth["bootstrapToken"]?.string {
      guard let token = bootstrapToken(text) else { throw .bootstrapTokenInvalid }
      return Outcome(method: "bootstrap-token", bootstrap: token)
    }
    if matchesSharedSecret { return Outcome(method: mode.name) }
    guard let candidate = auth["deviceToken"]?.string ?? auth["token"]?.string else {
      throw sharedSecretFailure
    }
    switch deviceToken(candidate) {
    case .valid: return Outcome(method: "device-token")
    case .narrower: throw .scopeMismatch
    case .unknown: throw auth["deviceToken"] == nil ? sharedSecretFailure : .deviceTokenMismatch
    }
  }

  private var matchesSharedSecret: Bool {
    switch mode {
    case .none: true
    case .token(let token): auth["token"]?.string?.equalsInConstantTime(token) ?? false
    case .password(let password): auth["password"]?.string?.equalsInConstantTime(password) ?? false
    }
  }

  private var sharedSecretFailure: CredentialFailure {
    switch mode {
    case .password: auth["password"] == nil ? .passwordMissing : .passwordMismatch
    case .none, .token: auth["token"] == nil ? .tokenMissing : .tokenMismatch
    }
  }
}

/// Table 5.6, as far as this gateway's modes can produce it.
enum CredentialFailure: Error, CaseIterable {
  case tokenMissing
  case tokenMismatch
  case passwordMissing
  case passwordMismatch
  case deviceTokenMismatch
  case scopeMismatch
  case bootstrapTokenInvalid
  case rateLimited

  private struct Row {
    let code: String
    let authReason: String
    let explanation: String
    let nextStep: String
  }

  private var row: Row {
    switch self {
    case .tokenMissing:
      Row(
        code: "AUTH_TOKEN_MISSING", authReason: "token_missing",
        explanation: "gateway token missing (configure the gateway token on this client)",
        nextStep: "update_auth_configuration")
    case .tokenMismatch:
      Row(
        code: "AUTH_TOKEN_MISMATCH", authReason: "token_mismatch",
        explanation: "gateway token mismatch (the token on this client is not the gateway's)",
        nextStep: "update_auth_credentials")
    case .passwordMissing:
      Row(
        code: "AUTH_PASSWORD_MISSING", authReason: "password_missing",
        explanation: "gateway password missing (configure the gateway password on this client)",
        nextStep: "update_auth_configuration")
    case .passwordMismatch:
      Row(
        code: "AUTH_PASSWORD_MISMATCH", authReason: "password_mismatch",
        explanation: "gateway password mismatch (the password on this client is not the gateway's)",
        nextStep: "update_auth_credentials")
    case .deviceTokenMismatch:
      Row(
        code: "AUTH_DEVICE_TOKEN_MISMATCH", authReason: "device_token_mismatch",
        explanation: "device token mismatch (rotate/reissue device token)",
        nextStep: "update_auth_credentials")
    case .scopeMismatch:
      Row(
        code: "AUTH_SCOPE_MISMATCH", authReason: "scope_mismatch",
        explanation: "device token does not cover the requested scopes",
        nextStep: "review_auth_configuration")
    case .bootstrapTokenInvalid:
      Row(
        code: "AUTH_BOOTSTRAP_TOKEN_INVALID", authReason: "bootstrap_token_invalid",
        explanation: "bootstrap token invalid or expired", nextStep: "update_auth_credentials")
    case .rateLimited:
      Row(
        code: "AUTH_RATE_LIMITED", authReason: "rate_limited",
        explanation: "too many failed authentication attempts (retry later)", nextStep: "wait_then_retry")
    }
  }

  /// The nearest failure that a generation has a code for.
  func known(to generation: Generation) -> CredentialFailure {
    self == .scopeMismatch && !generation.knowsScopeMismatch ? .deviceTokenMismatch : self
  }

  /// The answer to a client that sent `auth` together with a device object.
  func refusal(auth: JSON, retryAfterMilliseconds: Int64? = nil) -> Refusal {
    let canRetry = self == .tokenMismatch && auth["token"] != nil && auth["deviceToken"] == nil
    let message = "unauthorized: " + row.explanation
    return Refusal(
      GatewayError(
        code: "INVALID_REQUEST", message: message,
        details: [
          "code": .string(row.code),
          "authReason": .string(row.authReason),
          "canRetryWithDeviceToken": .bool(canRetry),
          "recommendedNextStep": .string(canRetry ? "retry_with_device_token" : row.nextStep),
        ],
        retryAfterMilliseconds: retryAfterMilliseconds))
  }
}
