import Codec
import Runtime

/// Whether the gateway accepts what an online session asks for. A socket that is open and ticks is not enough: a
/// gateway can answer everything with a refusal of the session itself, and a new connection is the remedy.
///
/// A refusal is one of the session when its code says so (`isOfSession`), or when the gateway says of several methods
/// in a row that it cannot now, for longer than a passing fault takes. Plain data: a refusal goes in, the verdict comes
/// out.
struct Acceptance {
  /// So many requests in a row, of more than one method, within at least so many milliseconds.
  static let refusalsMin = 4
  static let millisecondsMin: Int64 = 20_000

  private var refusals = 0
  private var first: (method: StaticString, time: Int64)?
  private var hasSeveralMethods = false
  /// Connections in a row that ended for a refusal before any request was accepted.
  private(set) var ended = 0
  /// The refusal that ended the last of them.
  private(set) var last: Refusal?
  /// This connection was ended for it.
  private(set) var hasEnded = false

  /// A new connection: what was refused on another one says nothing of it.
  mutating func begin() {
    forget()
    hasEnded = false
  }

  private mutating func forget() {
    refusals = 0
    first = nil
    hasSeveralMethods = false
  }

  /// A request was accepted.
  mutating func accept() {
    forget()
    ended = 0
    last = nil
  }

  /// A request of this method was refused. True when the session is, and has to end.
  mutating func refuse(_ refusal: Refusal, of method: StaticString, role: Role, at now: Int64) -> Bool {
    if refusal.isOfSession(role) { return end(refusal) }
    guard refusal.isUnavailable else {
      forget()
      return false
    }
    refusals += 1
    guard let first else {
      first = (method, now)
      return false
    }
    if !Self.equal(first.method, method) { hasSeveralMethods = true }
    guard refusals >= Self.refusalsMin, hasSeveralMethods, now - first.time >= Self.millisecondsMin else {
      return false
    }
    return end(refusal)
  }

  private mutating func end(_ refusal: Refusal) -> Bool {
    ended += 1
    last = refusal
    hasEnded = true
    return true
  }

  private static func equal(_ left: StaticString, _ right: StaticString) -> Bool {
    left.utf8CodeUnitCount == right.utf8CodeUnitCount && InlineText<64>(cutting: left) == InlineText<64>(cutting: right)
  }
}

extension Refusal {
  /// The gateway cannot now, and may later.
  var isUnavailable: Bool { action == .retrySoon || action == .retry }

  /// What is refused is the session, not this request: its pairing, its credentials, its identity. An operator's
  /// requests may be about the pairing of others, and about scopes that this one lacks.
  func isOfSession(_ role: Role) -> Bool {
    // This method is for the other role (gateway reference 4.5): the session has its own.
    if message.span.contains("unauthorized role") { return false }
    if code.equals(("PAIRING_CHANGED" as StaticString).utf8Bytes) { return true }
    if role == .node, code.begins("PAIRING_") || code.equals(("NOT_PAIRED" as StaticString).utf8Bytes) { return true }
    guard action != .narrowScopes, action != .waitForLockout else { return false }
    return code.begins("AUTH_") || code.begins("DEVICE_AUTH_") || code.begins("DEVICE_IDENTITY_")
  }
}

extension InlineText {
  fileprivate func begins(_ word: StaticString) -> Bool {
    guard count >= word.utf8CodeUnitCount else { return false }
    for index in 0..<word.utf8CodeUnitCount where span[index] != word.utf8Bytes[index] { return false }
    return true
  }
}
