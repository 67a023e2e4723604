import Codec
import Runtime

/// Why a gateway refused `connect` or another request, and what to do about it (gateway reference 4.6, 5.2, 5.6 and
/// 8.4).
///
/// A gateway says it in several ways at once. The first that `RefusalTable` knows decides: `code` when it is
/// `UNAVAILABLE` (the gateway cannot now, whatever else it says), `details.code` or the message of gateways without
/// details, `code`, `details.authReason`, `retryable` or `retryAfterMs`, and the code of the close frame. So a code of
/// tomorrow is handled as what stands around it tells.
struct Refusal {
  /// What to do next. Many codes lead to the same action.
  enum Action: Equatable {
    /// Retry slowly until a person has approved.
    case awaitApproval
    /// Try again after the usual pause.
    case retry
    /// The gateway is starting: try again soon, without a longer pause each time.
    case retrySoon
    /// Try again once on a new socket, then leave it to a person.
    case retryOnce
    /// Locked out: one attempt after the time that the gateway names, or five minutes.
    case waitForLockout
    /// Skip this credential and try the next at once.
    case nextCredential
    /// Try the older form of the proof once.
    case olderProof
    /// Leave out the keys that this gateway does not know.
    case adapt
    /// Request no more scopes than the token covers, once.
    case narrowScopes
    /// Only a person can help; retry every 15 minutes.
    case pause
    /// One side must be upgraded; retry every hour.
    case pauseLong
  }

  /// What a person has to approve (gateway reference 5.2).
  enum Reason: Equatable {
    case notPaired, roleUpgrade, scopeUpgrade, metadataUpgrade
  }

  var action = Action.pause
  /// What a person must do, for the log and `talon status`.
  var advice: StaticString = "The gateway refuses this board."
  /// `details.code`, or `code` on gateways without details.
  var code = InlineText<64>()
  /// `code` of the error itself.
  private var outer = InlineText<64>()
  /// `details.authReason`, which says the same as a code of authentication in small letters.
  private(set) var authReason = InlineText<64>()
  private var isRetryable: Bool?
  private var closeCode: UInt16?
  /// The gateway's message.
  var message = InlineText<256>()
  /// The id that a person approves; empty when there is none, or it is not safe to show in a command.
  var requestID = InlineText<128>()
  /// What the approval is for.
  var reason = Reason.notPaired
  /// Milliseconds that the gateway asks to wait, within `Budget.peerMilliseconds`, or nil.
  var retryAfter: Int64?
  /// The gateway will resolve the request by itself soon (`wait_then_retry`).
  var resolvesItself = false

  /// Reads the `error` of a response.
  init(_ error: borrowing JSONView) {
    copy(error, "code", into: &outer)
    copy(error, "message", into: &message)
    if let wait = error.member("retryAfterMs") { retryAfter = wait.peerMilliseconds }
    if let retryable = error.member("retryable") { isRetryable = retryable.bool }
    code = outer
    if let details = error.member("details") { read(details) }
    decide()
  }

  /// The refusal in a close frame without a response before it (gateway reference 1.5); nil when its code only means to
  /// retry.
  init?(close: WebSocketClose) {
    guard let number = close.code, number == 1008 || number == 1002 || number == 1013 else { return nil }
    message = InlineText(cutting: close.reason)
    closeCode = number
    if number == 1013 {
      // A gateway that starts or is suspended (newer-gateways 4.4), whose response was lost.
      outer = InlineText(cutting: "UNAVAILABLE")
      code = outer
    } else if number == 1002, close.reason.contains("protocol mismatch") {
      code = InlineText(cutting: "PROTOCOL_MISMATCH")
    } else if let known = RefusalTable.code(inMessage: message.span) {
      code = InlineText(cutting: known)
    } else {
      // "slow consumer" and the like do not refuse this board.
      return nil
    }
    readRequestID(close.reason)
    decide()
  }

  /// The connection ended with this code after the response.
  mutating func closed(_ code: UInt16) {
    closeCode = code
    decide()
  }

  private mutating func read(_ details: borrowing JSONView) {
    if retryAfter == nil, let wait = details.member("retryAfterMs") { retryAfter = wait.peerMilliseconds }
    if let step = details.member("recommendedNextStep") { resolvesItself = step.equals("wait_then_retry") }
    if let pause = details.member("pauseReconnect"), pause.bool == false { resolvesItself = true }
    if let why = details.member("reason") {
      if why.equals("role-upgrade") { reason = .roleUpgrade }
      if why.equals("scope-upgrade") { reason = .scopeUpgrade }
      if why.equals("metadata-upgrade") { reason = .metadataUpgrade }
    }
    copy(details, "authReason", into: &authReason)
    var id = InlineText<128>()
    copy(details, "requestId", into: &id)
    if ApprovalID.isSafe(id.span) { requestID = id }
    guard let detail = details.member("code"), detail.kind == .string else { return }
    copy(details, "code", into: &code)
  }

  private mutating func decide() {
    let hasDetailCode = code != outer
    if outer.equals(("UNAVAILABLE" as StaticString).utf8Bytes), isRetryable != false {
      // A gateway that starts names the time, or nothing but that; what else it cannot now may take longer.
      action = retryAfter != nil || !hasDetailCode ? .retrySoon : .retry
      advice = "The gateway takes no connections now; Talon tries again."
      return
    }
    if !hasDetailCode, let known = RefusalTable.code(inMessage: message.span) { code = InlineText(cutting: known) }
    let reason = Self.code(of: authReason.span)
    if let row = RefusalTable.row(code) ?? RefusalTable.row(outer) ?? RefusalTable.row(reason) {
      action = row.action
      advice = row.advice
      return
    }
    if isRetryable == true || isRetryable == nil && retryAfter != nil || Self.passes(closeCode) {
      action = .retry
      advice = "Talon keeps trying."
    }
  }

  /// `token_mismatch` is what `AUTH_TOKEN_MISMATCH` says.
  private static func code(of authReason: Span<UInt8>) -> InlineText<64> {
    var code = InlineText<64>()
    code.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("AUTH_" as StaticString)
      for index in 0..<authReason.count {
        let byte = authReason[index]
        writer.byte(byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte)
      }
      return writer.count
    }
    return code
  }

  /// A connection that ends with this code is tried again (gateway reference 8.4): the gateway, or what stands in front
  /// of it, ends, restarts or has a fault.
  private static func passes(_ closeCode: UInt16?) -> Bool {
    guard let closeCode else { return false }
    return closeCode == 1000 || closeCode == 1001 || closeCode == 1006 || (1011...1014).contains(closeCode)
  }

  /// `... (requestId: X)` at the end of a close reason.
  private mutating func readRequestID(_ text: Span<UInt8>) {
    let label: StaticString = "(requestId: "
    guard text.count > label.utf8CodeUnitCount else { return }
    for start in 0..<(text.count - label.utf8CodeUnitCount) {
      var length = 0
      while length < label.utf8CodeUnitCount, text[start + length] == label.bytes[length] { length += 1 }
      guard length == label.utf8CodeUnitCount else { continue }
      var end = start + length
      while end < text.count, text[end] != UInt8(ascii: ")") { end += 1 }
      let id = InlineText<128>(cutting: text.extracting((start + length)..<end))
      if end < text.count, ApprovalID.isSafe(id.span) { requestID = id }
      return
    }
  }

  private func copy<let capacity: Int>(
    _ object: borrowing JSONView, _ key: StaticString, into text: inout InlineText<capacity>
  ) {
    guard let member = object.member(key) else { return }
    text.fill { member.copyString(into: $0) }
  }
}

/// The id of a request for approval, which is shown in a command to be typed.
public enum ApprovalID {
  /// True when it may stand in a shell command (gateway reference 5.2): `[A-Za-z0-9][A-Za-z0-9._:-]{0,127}`.
  public static func isSafe(_ text: Span<UInt8>) -> Bool {
    for index in 0..<text.count {
      let byte = text[index]
      let letter = byte | 0x20
      let isAlphanumeric = (byte >= 0x30 && byte <= 0x39) || (letter >= 0x61 && letter <= 0x7A)
      let isMark = byte == 0x2E || byte == 0x5F || byte == 0x3A || byte == 0x2D
      guard isAlphanumeric || (isMark && index > 0) else { return false }
    }
    return text.count > 0 && text.count <= 128
  }
}
