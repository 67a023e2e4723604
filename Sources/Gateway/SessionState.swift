import Codec
import Runtime

/// Where the session stands, in the words of `talon status`.
public enum SessionState: Equatable, Sendable {
  /// Not started, or told to stop.
  case stopped
  /// An attempt is under way.
  case connecting
  /// The gateway knows this board and serves it.
  case online
  /// The last attempt or connection ended; another follows by itself.
  case waiting
  /// A person must approve this board; Talon asks again slowly.
  case awaitingApproval
  /// Only a person can help; Talon looks again every 15 minutes.
  case paused
  /// The gateway's certificate is not the one that is trusted.
  case untrusted

  /// One word for machines.
  public var word: StaticString {
    switch self {
    case .stopped: "stopped"
    case .connecting: "connecting"
    case .online: "online"
    case .waiting: "waiting"
    case .awaitingApproval: "awaiting-approval"
    case .paused: "paused"
    case .untrusted: "untrusted"
    }
  }
}

/// Told what the session hears from the gateway.
public protocol SessionDelegate: AnyObject {
  /// The session is online; `hello` holds what the gateway said.
  func sessionOpened()
  /// An event: its name, and its payload as checked JSON, gone when this returns. A `node.invoke.request` is
  /// answered exactly once, by a reply now or later.
  func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView)
  /// The connection is gone: whoever asked can no longer be answered.
  func sessionLost()
  /// Replies that are still to come: room is kept for them.
  var repliesDue: Int { get }
}

/// One plain sentence about the state, kept for `talon status`.
public typealias Explanation = InlineText<256>
