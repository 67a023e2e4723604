extension Budget {

  // MARK: Tools

  /// Calls of tools that run at once: an agent calls those of a board one after the other, and a gateway has several
  /// agents. Each takes two of the slots of running invokes, its own and that of its command. 192 bytes each.
  public static let toolCalls = 4
  /// Slots of running invokes: as many as the gateway may have, and one for the command of each tool's call.
  public static let invokeSlots = runningInvokes + toolCalls
  /// Milliseconds by which the command of a call must end before the call itself: the time to answer that it was too
  /// slow, so that the model reads why.
  public static let toolAnswerMilliseconds: Int64 = 250
  /// What the owner says of the board in the descriptions of its tools, in bytes: gateways cut a description at 1024
  /// (newer-gateways 1.1), and the longest of ours has about 300.
  public static let toolAboutBytes = 300
}
