import Codec
import Runtime

/// The state of a session, in the words of `talon status`.
public enum SessionState: Equatable, Sendable {
  /// Not started, or stopped.
  case stopped
  /// An attempt is under way.
  case connecting
  /// Connected and approved.
  case online
  /// The last attempt or connection ended; another follows by itself.
  case waiting
  /// A person must approve this board; Talon retries slowly.
  case awaitingApproval
  /// Only a person can help; Talon retries every 15 minutes.
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

/// Gets the events of a session.
public protocol SessionDelegate: AnyObject {
  /// The session is online; see `hello`.
  func sessionOpened()
  /// An event: its name, and its payload as checked JSON, valid during the call. A `node.invoke.request` is answered
  /// exactly once, by a reply now or later.
  func sessionReceived(_ event: borrowing JSONView, _ payload: borrowing JSONView)
  /// A `node.invoke.request` that is too long for a turn of the loop: the first `count` bytes of `buffer` are the text
  /// of its frame, checked JSON. True when the delegate has kept `buffer`, and put another one of its capacity in its
  /// place; else `sessionReceived` follows.
  func sessionReceivedInvoke(in buffer: inout ReservedBuffer, count: Int) -> Bool
  /// The connection has ended: invokes can no longer be answered.
  func sessionLost()
  /// Invokes that are not answered yet: slots are kept for the replies.
  var repliesDue: Int { get }
  /// True while no message is to be read: one that was read before is worked on, and changes what later ones find.
  /// `replied` follows.
  var isOccupied: Bool { get }
}

/// One plain sentence about the state, kept for `talon status`.
public typealias Explanation = InlineText<256>
