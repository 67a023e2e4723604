import Codec
import Runtime

/// Why a request to the gateway failed.
public struct RequestFailure {
  /// The kind of failure.
  public enum Kind: Equatable, Sendable {
    /// The gateway refused: see `code` and `message`.
    case refused
    /// No response in time. Whether the gateway did it is unknown.
    case timedOut
    /// The connection ended first. Whether the gateway did it is unknown.
    case lost
    /// The response was larger than this connection keeps.
    case tooLarge
  }

  public var kind: Kind
  /// `details.code` of a refusal, else its `code`; empty otherwise.
  public var code = InlineText<64>()
  /// The gateway's message; empty unless refused.
  public var message = InlineText<256>()
  /// The missing scope, from either form of the error (gateway reference 2.2); else empty.
  public var missingScope = InlineText<64>()
  /// `details.reason`, where the gateway gives one; else empty.
  public var reason = InlineText<64>()
  /// `details.fallbackEligible`: the board may do it by itself (gateway reference 9.10).
  public var isFallbackEligible = false

  /// A failure; see the properties.
  public init(_ kind: Kind) { self.kind = kind }
}

extension RequestFailure {
  /// A refusal, from the gateway's answer.
  init(answer: borrowing JSONView) {
    self.init(.refused)
    guard let error = answer.member("error") else { return }
    if let code = error.member("code") { self.code.fill { code.copyString(into: $0) } }
    if let message = error.member("message") { self.message.fill { message.copyString(into: $0) } }
    readMissingScope()
    guard let details = error.member("details") else { return }
    if let code = details.member("code"), code.kind == .string { self.code.fill { code.copyString(into: $0) } }
    if let scope = details.member("missingScope") { missingScope.fill { scope.copyString(into: $0) } }
    if let reason = details.member("reason") { self.reason.fill { reason.copyString(into: $0) } }
    if let eligible = details.member("fallbackEligible") { isFallbackEligible = eligible.bool == true }
  }

  /// The older form has no details: "missing scope: operator.admin".
  private mutating func readMissingScope() {
    let prefix: StaticString = "missing scope: "
    let message = self.message
    let length = prefix.utf8CodeUnitCount
    guard message.count > length, message.count - length <= 64 else { return }
    for index in 0..<length where message.span[index] != prefix.utf8Bytes[index] { return }
    missingScope.set(message.span.extracting(length..<message.count))
  }
}

/// Gets the responses to its requests. `tag` is the value given with the request; exactly one of the two calls comes
/// for each accepted request.
public protocol RequestDelegate: AnyObject {
  /// The gateway did it. `payload` is valid during the call; it is `null` where the gateway sent none.
  func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView)
  /// It did not, or that is unknown.
  func requestFailed(_ tag: Int, _ failure: RequestFailure)
}

/// Sends requests to the gateway: a session, or a substitute in tests.
public protocol RequestChannel: AnyObject {
  /// Sends a request; `build` writes the members of its `params` object. False, and no call follows, when the session
  /// is not online or has no room, or the message is too large. `timeout` is in milliseconds (gateway reference 2.2).
  func request(
    _ method: StaticString, delegate: any RequestDelegate, tag: Int, timeout: Int64,
    _ build: (inout JSONWriter) -> Void
  ) -> Bool
}
