import Codec
import Runtime

/// Why a request of ours has no result.
public struct RequestFailure {
  /// Kinds, not codes.
  public enum Kind: Equatable, Sendable {
    /// The gateway said no: see `code` and `message`.
    case refused
    /// No answer in time. Whether the gateway did it is unknown.
    case timedOut
    /// The connection ended first. Whether the gateway did it is unknown.
    case lost
    /// The answer was larger than this connection keeps.
    case tooLarge
  }

  public var kind: Kind
  /// `details.code` of a refusal, else its `code`; empty otherwise.
  public var code = InlineText<64>()
  /// The gateway's own words; empty unless refused.
  public var message = InlineText<256>()
  /// The scope that is missing, in either form that gateways say it (gateway reference 2.2); else empty.
  public var missingScope = InlineText<64>()
  /// `details.reason`, where the gateway gives one; else empty.
  public var reason = InlineText<64>()
  /// `details.fallbackEligible`: the board may do it in its own way (gateway reference 9.10).
  public var isFallbackEligible = false

  /// A failure; see the properties.
  public init(_ kind: Kind) { self.kind = kind }
}

/// Waits for the answers to its own requests. `tag` is what the owner gave; exactly one of the two calls comes for each
/// request that was taken.
public protocol RequestOwner: AnyObject {
  /// The gateway did it. `payload` is gone when this returns; it reads as `null` where the gateway sent none.
  func requestSucceeded(_ tag: Int, _ payload: borrowing JSONView)
  /// It did not, or nobody knows.
  func requestFailed(_ tag: Int, _ failure: RequestFailure)
}

/// Takes requests to the gateway: a session, or its stand-in in a test.
public protocol RequestChannel: AnyObject {
  /// Sends a request; `build` writes the members of its `params` object. False, and no call follows, when the session
  /// is not online, or has no room, or the message is too large. `timeout` is in milliseconds (gateway reference 2.2).
  func request(
    _ method: StaticString, owner: any RequestOwner, tag: Int, timeout: Int64,
    _ build: (inout JSONWriter) -> Void
  ) -> Bool
}
