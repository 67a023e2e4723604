import Codec
import Runtime

/// One message of a conversation, without its text.
public struct ChatMessage: Sendable {
  public enum Role: UInt8, Sendable {
    case person, agent
    /// A tool that the agent calls, or a thought: a line, whose text is unfolded by a touch.
    case step
  }

  public enum State: UInt8, Sendable {
    /// Delivered to, or received from, the gateway.
    case done
    /// A person's message that the gateway has not confirmed yet.
    case sending
    /// An agent's message that is still being received.
    case streaming
    /// An agent's message that the person stopped.
    case stopped
    /// Not delivered, or failed: `note` is the reason. A person's message can be sent again.
    case failed
  }

  public var role: Role
  public var state: State
  /// Milliseconds since 1970; 0: unknown.
  public var time: Int64
  /// The caller's identifier of the message; 0: none.
  public var tag: Int
  /// The run that it starts, or that produced it.
  public var run = InlineText<64>()
  /// Why it failed; of a step, its line.
  public var note = InlineText<256>()
  /// The text of a step is unfolded.
  public var isOpen = false
  /// The picture that it shows, in `ChatPictures`; 0: none.
  public var picture = 0
  /// The board's own agent has it, or said it: the gateway's history knows nothing of it.
  public var isLocal = false
  /// True when its text was cut.
  public var isCut = false

  var start = 0
  var count = 0
  /// A hash of its text: equal texts have equal ones.
  var hash = FNV1a()
  /// Height on the screen in pixels, with its time and note; -1: not measured.
  var height: Int32 = -1

  /// A message; see the properties.
  public init(_ role: Role, _ state: State = .done, time: Int64 = 0, tag: Int = 0) {
    self.role = role
    self.state = state
    self.time = time
    self.tag = tag
  }
}
