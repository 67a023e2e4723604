extension Budget {

  // MARK: The node's side of the board's own agent

  /// Milliseconds without a gateway after which the board's own agent answers, unless the file says otherwise: a
  /// connection that is lost is back within a few seconds as a rule, and an agent that answers meanwhile confuses
  /// people. And the range in seconds that the file may choose from.
  public static let standInPatience: Int64 = 10_000
  public static let standInPatienceRange: ClosedRange<Int64> = 0...3600
  /// Milliseconds before the node connects to the agent's process again: at first, and at most. It costs one system
  /// call.
  public static let standInRetry: ClosedRange<Int64> = 1_000...60_000
  /// Calls of the board's tools by its own agent at once: as many as one answer of a model makes. 700 bytes each.
  public static let borrowedCalls = modelCalls
  /// Bytes of frames that wait for the agent's process, beyond which no piece of a picture is added: what else is said
  /// has room beside them.
  public static let agentPictureQueueBytes = 64 * 1024
  /// A picture for the agent in bytes; of a larger one it is told the size alone. As `promptPictureBytes`.
  public static let agentPictureBytes = promptPictureBytes
  /// The record of the last summary that was taken: a number of 20 digits as a member of JSON.
  public static let ownAgentRecordBytes = 64
  /// Milliseconds for which a summary waits in the outbox for that record: a store that cannot be written to must not
  /// keep all events back.
  public static let summaryHoldMilliseconds: Int64 = 60_000
  /// Reminders that wait to be spoken, 250 bytes each; those beyond are only shown.
  public static let spokenReminders = 4
  /// Milliseconds before a reminder that could not be spoken is tried again, as while people talk with the board, and
  /// how often.
  public static let spokenReminderPause: Int64 = 5_000
  public static let spokenReminderTries = 24
}
