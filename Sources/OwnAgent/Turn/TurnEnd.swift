/// How a turn of the board's own agent has ended.
public enum TurnEnd: UInt8, Sendable {
  case answered = 0
  /// A person did not want it any more.
  case cancelled = 1
  /// The sentence that came with it says why.
  case failed = 2
}

/// What the board's own agent does.
public enum AgentState: UInt8, Sendable {
  case idle = 0
  /// The model was asked, and has said nothing yet.
  case thinking = 1
  /// Tools that the model has called are at work.
  case waiting = 2
  /// Its answer arrives, and is shown and spoken.
  case speaking = 3
}
