extension Budget {

  // MARK: Tools

  /// Calls of tools that run at once: an agent calls those of a board one after the other, and a gateway has several
  /// agents. Each takes two of the slots of running invokes, its own and that of its command. 192 bytes each.
  public static let toolCalls = 4
  /// Slots of running invokes: as many as the gateway may have, and one for the command of each tool's call.
  public static let invokeSlots = runningInvokes + toolCalls
  /// Tools that are published: what a gateway keeps (newer-gateways 1.1). And bytes of their descriptions together,
  /// which leave room for the rest of a message (`outboundMessageBytes`): those of the owner's servers that do not fit
  /// are left out.
  public static let publishedTools = 128
  public static let publishedBytes = 60 * 1024
  /// Milliseconds by which the command of a call must end before the call itself: the time to answer that it was too
  /// slow, so that the model reads why.
  public static let toolAnswerMilliseconds: Int64 = 250
  /// What the owner says of the board in the descriptions of its tools, in bytes: gateways cut a description at 1024
  /// (newer-gateways 1.1), and the longest of ours has about 300.
  public static let toolAboutBytes = 300
  /// Milliseconds for which a tool listens unless it says otherwise, and at most: the recording has room for
  /// `utteranceMilliseconds`.
  public static let listenMilliseconds: Int64 = 12_000
  public static let listenMost: Int64 = 30_000
  /// Milliseconds for which `stt.listen` waits for somebody's words unless it says otherwise, and what is taken of what
  /// it says (node-commands 4.14): the recording has room for `utteranceMilliseconds`.
  public static let hearingMilliseconds: Int64 = 30_000
  public static let hearingRange: ClosedRange<Int64> = 1_000...120_000
  /// Milliseconds for which the light asks for a person unless the agent says otherwise, and at most.
  public static let askingMilliseconds: Int64 = 60_000
  public static let askingMost: Int64 = 600_000
  /// The text of a command's answer that becomes a sentence of a tool's result, in bytes: readings, and what a person
  /// said (`transcriptBytes`).
  public static let toolAnswerBytes = 16 * 1024
  /// Seconds for which a question to the people at the board waits: unless the agent says otherwise, at least, and at
  /// most. A call ends after 120 s (newer-gateways 1.2).
  public static let questionSeconds: Int64 = 60
  public static let questionSecondsRange: ClosedRange<Int64> = 5...110
  /// Answers from which people choose: as many buttons as a screen of 320 pixels has room for.
  public static let questionChoices = 6
  /// Their labels, as JSON text, in bytes.
  public static let questionBytes = 1024
  /// The page of a card, in bytes of messages: a picture of a code has 12 KiB, a table of 12 rows as much. Address
  /// space until it is used.
  public static let cardBytes = 64 * 1024
  /// Lines of a card's list, and rows and columns of its table: more than fits on a screen is read better in a message.
  public static let cardLines = 20
  public static let cardRows = 12
  public static let cardColumns = 6
  /// Arguments of a call of the board's own agent to which something is added, and the result of one, in bytes: a text
  /// and the same among its facts (`toolAnswerBytes`). Address space until it is used; none without that agent.
  public static let lentArgumentBytes = 20 * 1024
  public static let lentResultBytes = 2 * toolAnswerBytes
}
