import Codec
import Runtime

/// Why a gateway refused `connect`, and what to do about it (gateway reference 4.6, 5.2, 5.6 and 8.4).
struct Refusal {
  /// What to do next. Kinds, not codes: many codes ask for the same thing.
  enum Action: Equatable {
    /// Ask again slowly until a person has approved.
    case awaitApproval
    /// Try again after the usual pause.
    case retry
    /// Locked out: one attempt after the time that the gateway names, or five minutes.
    case waitOut
    /// Forget the stored device token and try the next credential at once, one time.
    case forgetToken
    /// Only a person can help; look again every 15 minutes.
    case pause
  }

  var action = Action.retry
  /// What a person must do, for the log and `talon status`.
  var advice: StaticString = "Talon keeps trying."
  /// `details.code`, or `code` on gateways without details.
  var code = InlineText<64>()
  /// The gateway's own words.
  var message = InlineText<256>()
  /// The id that a person approves; empty when there is none, or it is not safe to show in a command.
  var requestID = InlineText<128>()
  /// Milliseconds that the gateway asks us to wait, or nil.
  var retryAfter: Int64?
  /// The gateway says that it will resolve the request by itself soon (`wait_then_retry`).
  var resolvesItself = false

  private static let table: [(code: StaticString, action: Action, advice: StaticString)] = [
    ("PAIRING_REQUIRED", .awaitApproval, "A person must approve this board on the gateway."),
    ("NOT_PAIRED", .awaitApproval, "A person must approve this board on the gateway."),
    ("AUTH_DEVICE_TOKEN_MISMATCH", .forgetToken, "The gateway no longer knows this board's token."),
    ("AUTH_TOKEN_MISSING", .pause, "Put the gateway's token into [gateway] token_file."),
    ("AUTH_TOKEN_MISMATCH", .pause, "The token in [gateway] is not the gateway's; correct it."),
    ("AUTH_TOKEN_NOT_CONFIGURED", .pause, "The gateway has no token configured; correct the gateway."),
    ("AUTH_PASSWORD_MISSING", .pause, "Put the gateway's password into [gateway] password_file."),
    ("AUTH_PASSWORD_MISMATCH", .pause, "The password in [gateway] is not the gateway's; correct it."),
    ("AUTH_PASSWORD_NOT_CONFIGURED", .pause, "The gateway has no password configured; correct the gateway."),
    ("AUTH_REQUIRED", .pause, "Put the gateway's token into [gateway] token_file."),
    (
      "AUTH_SCOPE_MISMATCH", .pause,
      "The board's token does not cover the node role; approve the board again."
    ),
    ("AUTH_UNAUTHORIZED", .pause, "The gateway refuses this board's credentials."),
    ("AUTH_RATE_LIMITED", .waitOut, "Too many failed attempts; Talon waits as long as the gateway asks."),
    ("DEVICE_AUTH_SIGNATURE_EXPIRED", .retry, "The proof reached the gateway too late; Talon tries again."),
    ("DEVICE_AUTH_NONCE_MISMATCH", .retry, "The proof was for another challenge; Talon tries again."),
    ("DEVICE_AUTH_DEVICE_ID_MISMATCH", .pause, "The gateway refuses this board's identity."),
    ("DEVICE_AUTH_NONCE_REQUIRED", .pause, "The gateway refuses this board's proof."),
    ("DEVICE_AUTH_SIGNATURE_INVALID", .pause, "The gateway refuses this board's signature."),
    ("DEVICE_AUTH_PUBLIC_KEY_INVALID", .pause, "The gateway refuses this board's key."),
    ("DEVICE_AUTH_INVALID", .pause, "The gateway refuses this board's proof."),
    ("DEVICE_IDENTITY_REQUIRED", .pause, "The gateway did not accept this board's identity."),
    (
      "PROTOCOL_MISMATCH", .pause,
      "Gateway and Talon speak different protocol versions; upgrade the older one."
    ),
    ("CLIENT_VERSION_MISMATCH", .pause, "The gateway wants another version of Talon."),
    ("PAIRING_REJECTED", .pause, "A person rejected this board on the gateway."),
    ("PAIRING_EXPIRED", .awaitApproval, "The pairing request expired; Talon asks again."),
  ]

  /// Reads the `error` of a failed `connect`.
  init(_ error: borrowing JSONView) {
    copy(error, "code", into: &code)
    copy(error, "message", into: &message)
    if let wait = error.member("retryAfterMs"), let value = wait.int64, value >= 0 { retryAfter = value }
    if let details = error.member("details") { read(details) }
    var isRetryable = false
    if let retryable = error.member("retryable"), retryable.bool == true { isRetryable = true }
    classify(isRetryable: isRetryable)
  }

  private mutating func read(_ details: borrowing JSONView) {
    if let detail = details.member("code"), detail.kind == .string { copy(details, "code", into: &code) }
    if retryAfter == nil, let wait = details.member("retryAfterMs"), let value = wait.int64, value >= 0 {
      retryAfter = value
    }
    if let step = details.member("recommendedNextStep") { resolvesItself = step.equals("wait_then_retry") }
    var id = InlineText<128>()
    copy(details, "requestId", into: &id)
    if Self.isSafe(id) { requestID = id }
  }

  private mutating func classify(isRetryable: Bool) {
    for entry in Self.table where code.equals(entry.code.utf8Bytes) {
      action = entry.action
      advice = entry.advice
      return
    }
    if isRetryable || code.equals(("UNAVAILABLE" as StaticString).utf8Bytes) { return }
    action = .pause
    advice = "The gateway refuses this board."
  }

  /// A request id that may stand in a shell command (gateway reference 5.2): `[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`.
  private static func isSafe(_ id: borrowing InlineText<128>) -> Bool {
    let text = id.span
    for index in 0..<text.count {
      let byte = text[index]
      let letter = byte | 0x20
      let isAlphanumeric = (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7A)
      let isMark = byte == 0x2E || byte == 0x5F || byte == 0x3A || byte == 0x2D
      guard isAlphanumeric || (isMark && index > 0) else { return false }
    }
    return text.count > 0
  }

  private func copy<let capacity: Int>(
    _ object: borrowing JSONView, _ key: StaticString, into text: inout InlineText<capacity>
  ) {
    guard let member = object.member(key) else { return }
    text.fill { member.copyString(into: $0) }
  }
}
