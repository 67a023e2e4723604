import Codec
import Runtime

/// The action and the advice for each refusal (gateway reference 4.6, 5.2, 5.6 and 8.4).
enum RefusalTable {
  private static let trustedProxy: StaticString =
    """
    The gateway lets in whom its proxy names, and has no token for boards: run talon connect CODE with a setup code \
    of it.
    """
  private static let tailscale: StaticString =
    "The gateway wants a Tailscale identity, which a board has not: run talon connect CODE with a setup code of it."

  static let codes: [(code: StaticString, action: Refusal.Action, advice: StaticString)] = [
    ("PAIRING_REQUIRED", .awaitApproval, "A person must approve this board on the gateway."),
    ("NOT_PAIRED", .awaitApproval, "A person must approve this board on the gateway."),
    ("PAIRING_EXPIRED", .awaitApproval, "The pairing request expired; Talon asks again."),
    ("PAIRING_REJECTED", .pause, "A person rejected this board on the gateway."),
    (
      "AUTH_DEVICE_TOKEN_MISMATCH", .nextCredential,
      """
      The gateway no longer knows this board's token: pair it again with talon connect CODE, or put the gateway's \
      token into [gateway] token_file.
      """
    ),
    (
      "AUTH_BOOTSTRAP_TOKEN_INVALID", .nextCredential,
      """
      The setup code is expired or used; get a new one on the gateway (openclaw qr --setup-code-only), then \
      talon connect CODE.
      """
    ),
    (
      "AUTH_TOKEN_MISSING", .pause,
      "Run talon connect CODE with a setup code of the gateway, or put its token into [gateway] token_file."
    ),
    ("AUTH_TOKEN_MISMATCH", .nextCredential, "The token in [gateway] is not the gateway's; correct it."),
    ("AUTH_TOKEN_NOT_CONFIGURED", .pause, "The gateway has no token configured; correct the gateway."),
    (
      "AUTH_PASSWORD_MISSING", .pause,
      "Run talon connect CODE with a setup code of the gateway, or put its password into [gateway] password_file."
    ),
    ("AUTH_PASSWORD_MISMATCH", .nextCredential, "The password in [gateway] is not the gateway's; correct it."),
    ("AUTH_PASSWORD_NOT_CONFIGURED", .pause, "The gateway has no password configured; correct the gateway."),
    (
      "AUTH_REQUIRED", .pause,
      "Run talon connect CODE with a setup code of the gateway, or put its token into [gateway] token_file."
    ),
    (
      "AUTH_SCOPE_MISMATCH", .narrowScopes,
      "The board's token does not cover what it asks for; approve the board again."
    ),
    ("AUTH_UNAUTHORIZED", .pause, "The gateway refuses this board's credentials."),
    ("AUTH_RATE_LIMITED", .waitForLockout, "Too many failed attempts; Talon waits as long as the gateway asks."),
    (
      "AUTH_TAILSCALE_IDENTITY_MISSING", .pause,
      tailscale
    ),
    (
      "AUTH_TAILSCALE_PROXY_MISSING", .pause, tailscale
    ),
    ("AUTH_TAILSCALE_WHOIS_FAILED", .pause, tailscale),
    (
      "AUTH_TAILSCALE_IDENTITY_MISMATCH", .pause,
      tailscale
    ),
    (
      "AUTH_IDENTITY_HEADER_REQUIRED", .pause,
      trustedProxy
    ),
    (
      "AUTH_VERIFIED_USER_REQUIRED", .pause, trustedProxy
    ),
    (
      "AUTHENTICATED_PROFILE_UNAVAILABLE", .pause,
      trustedProxy
    ),
    ("OPERATOR_ACCESS_DENIED", .retry, "The gateway's policy denies this connection for now."),
    ("DEVICE_AUTH_SIGNATURE_INVALID", .olderProof, "The gateway refuses this board's signature."),
    ("DEVICE_AUTH_SIGNATURE_EXPIRED", .retry, "The proof reached the gateway too late; Talon tries again."),
    ("DEVICE_AUTH_NONCE_MISMATCH", .retryOnce, "The proof was for another challenge."),
    ("DEVICE_AUTH_DEVICE_ID_MISMATCH", .pause, "The gateway refuses this board's identity."),
    ("DEVICE_AUTH_NONCE_REQUIRED", .pause, "The gateway refuses this board's proof."),
    ("DEVICE_AUTH_PUBLIC_KEY_INVALID", .pause, "The gateway refuses this board's key."),
    ("DEVICE_AUTH_INVALID", .pause, "The gateway refuses this board's proof."),
    ("DEVICE_IDENTITY_REQUIRED", .pause, "The gateway did not accept this board's identity."),
    ("CONTROL_UI_DEVICE_IDENTITY_REQUIRED", .pause, "The gateway did not accept this board's identity."),
    (
      "CONTROL_UI_ORIGIN_NOT_ALLOWED", .pause,
      "The gateway, or a proxy before it, takes this board for a browser; connect to the gateway directly."
    ),
    (
      "CONTROL_UI_BUILD_MISMATCH", .pause,
      "The gateway, or a proxy before it, takes this board for a browser; connect to the gateway directly."
    ),
    ("PROTOCOL_MISMATCH", .pauseLong, "Gateway and Talon speak different protocol versions; upgrade the older one."),
    ("CLIENT_VERSION_MISMATCH", .pause, "The gateway requires another version of Talon; upgrade the older of the two."),
    ("INVALID_CONNECT", .adapt, "The gateway does not understand this board; upgrade the older of the two."),
    ("INVALID_ROLE", .pause, "The gateway does not know this board's role; upgrade the gateway."),
  ]

  /// What to do about a code; nil for one that is not known.
  static func row(_ code: InlineText<64>) -> (code: StaticString, action: Refusal.Action, advice: StaticString)? {
    for row in codes where code.equals(row.code.utf8Bytes) { return row }
    return nil
  }

  /// The code that stands for a message of a gateway without details.
  static func code(inMessage message: Span<UInt8>) -> StaticString? {
    for entry in messages where message.contains(entry.words) { return entry.code }
    return nil
  }

  /// Messages of gateways that send no `details.code`, the more specific ones first.
  static let messages: [(words: StaticString, code: StaticString)] = [
    ("invalid connect params", "INVALID_CONNECT"),
    ("invalid handshake", "INVALID_CONNECT"),
    ("invalid request frame", "INVALID_CONNECT"),
    ("invalid role", "INVALID_ROLE"),
    ("protocol mismatch", "PROTOCOL_MISMATCH"),
    ("client version mismatch", "CLIENT_VERSION_MISMATCH"),
    ("pairing required", "PAIRING_REQUIRED"),
    ("device identity mismatch", "DEVICE_AUTH_DEVICE_ID_MISMATCH"),
    ("device identity required", "DEVICE_IDENTITY_REQUIRED"),
    ("device signature expired", "DEVICE_AUTH_SIGNATURE_EXPIRED"),
    ("device signature invalid", "DEVICE_AUTH_SIGNATURE_INVALID"),
    ("device nonce required", "DEVICE_AUTH_NONCE_REQUIRED"),
    ("device nonce mismatch", "DEVICE_AUTH_NONCE_MISMATCH"),
    ("device public key invalid", "DEVICE_AUTH_PUBLIC_KEY_INVALID"),
    ("origin not allowed", "CONTROL_UI_ORIGIN_NOT_ALLOWED"),
    ("too many failed", "AUTH_RATE_LIMITED"),
    ("device token mismatch", "AUTH_DEVICE_TOKEN_MISMATCH"),
    ("bootstrap token", "AUTH_BOOTSTRAP_TOKEN_INVALID"),
    ("token missing", "AUTH_TOKEN_MISSING"),
    ("token mismatch", "AUTH_TOKEN_MISMATCH"),
    ("password missing", "AUTH_PASSWORD_MISSING"),
    ("password mismatch", "AUTH_PASSWORD_MISMATCH"),
    ("unauthorized", "AUTH_UNAUTHORIZED"),
  ]
}
