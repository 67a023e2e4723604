import Runtime

/// One message of a conversation, without its text.
public struct ChatMessage: Sendable {
  public enum Role: UInt8, Sendable { case person, agent }

  public enum State: UInt8, Sendable {
    /// The gateway has it.
    case done
    /// A person's, on its way: the gateway has not said that it has it.
    case sending
    /// An agent's, which goes on.
    case streaming
    /// An agent's, which a person stopped.
    case stopped
    /// It did not arrive, or came to nothing: `note` says why. A person's can be sent again.
    case failed
  }

  public var role: Role
  public var state: State
  /// Milliseconds since 1970; 0: nobody knows.
  public var time: Int64
  /// Names it to whoever keeps it; 0: nobody asks for it again.
  public var tag: Int
  /// The run that it begins, or that says it.
  public var run = InlineText<64>()
  /// Why it failed.
  public var note = InlineText<256>()
  /// There was more of it than is kept.
  public var isCut = false

  var start = 0
  var count = 0
  /// Pixels on the screen with everything that belongs to it; -1: to be measured.
  var height: Int32 = -1

  /// A message; see the properties.
  public init(_ role: Role, _ state: State = .done, time: Int64 = 0, tag: Int = 0) {
    self.role = role
    self.state = state
    self.time = time
    self.tag = tag
  }
}
