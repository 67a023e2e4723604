extension Budget {

  // MARK: The board's own agent

  /// Bytes of the body of one frame between the node and the agent's process; what is longer comes in several. Each
  /// side has two buffers of it.
  public static let agentFrameBytes = 16 * 1024
  /// Frames that one side may have written before the other has read them, in bytes: the board with all its tools is
  /// the most that is written at once.
  public static let agentQueueBytes = 192 * 1024
  /// A message of a person in bytes: as much as a gateway takes (`chatMessageBytes`).
  public static let agentMessageBytes = 6144
  /// Tools that the model is told of: the board's own, the owner's (`[tool NAME]`) and those of the agent. A model of
  /// the cloud takes 128; each costs about 150 tokens of every request.
  public static let agentTools = 48
  /// The description of one tool in bytes, with its name and the schema of its arguments, as JSON: gateways cut a
  /// description at 1024 (newer-gateways 1.1), and the longest schema of ours has 500.
  public static let agentToolBytes = 2048
  /// The result of a tool in bytes: some 4,000 tokens. A page is cut to the same.
  public static let agentResultBytes = 16 * 1024
  /// Rounds of calls in one turn: the tenth question to the model is told to answer.
  public static let agentRounds = 10
  /// Milliseconds that a turn may take, and that one tool may take in it: as long as a gateway waits for a run's next
  /// sign, and for a tool of a node (newer-gateways 1.2).
  public static let agentTurnMilliseconds: Int64 = 600_000
  public static let agentToolMilliseconds: Int64 = 120_000
  /// Turns of the conversation that the model is told of again, and bytes that are kept of what was said in one, by the
  /// person and by the agent: 60 KB, half of a prompt.
  public static let agentHistoryTurns = 12
  public static let agentQuestionBytes = 2048
  public static let agentAnswerBytes = 3072
  /// Addresses that may be fetched because somebody named them: those of two pages with 64 links each. 8 bytes each.
  public static let agentAddresses = 128
  /// Reminders that wait, and a reminder's text in bytes. 300 bytes each, in memory and on flash.
  public static let agentReminders = 32
  public static let agentReminderBytes = 240
  /// The record of all reminders: each byte of a text may be escaped, and 130 bytes stand around it.
  public static let agentRemindersBytes = agentReminders * (2 * agentReminderBytes + 130) + 100
  /// Milliseconds that a reminder may lie ahead: a year.
  public static let agentReminderMost: Int64 = 366 * 86_400_000
  /// What happened while the gateway was away: turns that are told one by one, those beyond are counted; bytes that are
  /// kept of a question and of an answer, and of what was done in the turn. 12 KB in memory and on flash.
  public static let handOverTurns = 24
  public static let handOverTextBytes = 200
  public static let handOverDeedBytes = 96
  /// The record of it: each byte may be escaped, and 100 bytes stand around the texts of a turn.
  public static let handOverRecordBytes =
    handOverTurns * (2 * (2 * handOverTextBytes + handOverDeedBytes) + 100) + 200
  /// The summary in Markdown as a JSON string, in bytes: it fits an event of the outbox (`outboxEventBytes`) with the
  /// members around it.
  public static let handOverBytes = 3000
  /// The owner's files AGENT.md and MEMORY.md in bytes each: some 2,000 tokens of every request.
  public static let agentFileBytes = 8192
  /// What the model is told beside them before a turn, in bytes: rules, the board's name, the time.
  public static let agentWordsBytes = 3072
  /// The arguments of a page or a search that waits for the one before it, in bytes, eight times.
  public static let agentWaitingBytes = fetchURLBytes
  /// A piece of the owner's exports and imports in bytes, and the longest answer to a request of the owner: with six
  /// bytes for each as JSON it is a fifth of what the local socket sends at once. Entries that a search shows.
  public static let ownerPieceBytes = 12 * 1024
  public static let ownerResults = 20
  /// Milliseconds for an answer: forgetting writes the whole file anew, and an export reads it, on a slow card.
  public static let ownerMilliseconds: Int64 = 85_000

  // MARK: Asking models

  /// The body of a request in bytes: the texts of a prompt with escapes, tools, and a picture in base64. Address space
  /// until it is used.
  public static let modelRequestBytes = 2 * promptBytes + 2 * agentTools * agentToolBytes + 2 * promptPictureBytes
  /// Bytes of an answer that are taken from the connection at once.
  public static let modelPieceBytes = 16 * 1024
  /// Bytes of a request's secrets: the header field with a key, of which the longest known have 200.
  public static let modelSecretBytes = 640
  /// Milliseconds that an answer may take, and that a server may be silent in it.
  public static let modelMilliseconds: Int64 = 300_000
  public static let modelIdleMilliseconds: Int64 = 120_000
  /// Bytes of a text of which a vector is made: some 500 tokens, more than which small models do not read; and of a
  /// request, each byte with an escape. Milliseconds for the vector of a text that is looked for, without which words
  /// alone are looked for, and for those of entries.
  public static let embeddingTextBytes = 2048
  public static let embeddingRequestBytes = embeddingTexts * 2 * embeddingTextBytes + 1024
  public static let embeddingSearchMilliseconds: Int64 = 3_000
  public static let embeddingMilliseconds: Int64 = 120_000
  /// Milliseconds from an entry without a vector, or a failure, to the request for it, the first and the longest.
  public static let embeddingPause: ClosedRange<Int64> = 5_000...3_600_000
  /// Milliseconds for the list of models of one server, of which `models` are asked one after the other while a person
  /// waits (`ownerMilliseconds`).
  public static let modelListMilliseconds: Int64 = 15_000
  /// Milliseconds until the program that serves the board's own model is started again, the first pause and the
  /// longest.
  public static let modelProgramRetry: ClosedRange<Int64> = 2_000...300_000
  /// Tokens of a conversation that a model on the board itself has room for: what the model is told of the board and
  /// its tools is some 6,000, and a turn with pages as much again. A model of a billion weights takes half a gigabyte
  /// for it.
  public static let modelContext: Int64 = 16_384
  public static let modelContextRange: ClosedRange<Int64> = 2048...131_072
  /// Tokens of an answer, unless the configuration says otherwise: three minutes of speech.
  public static let modelAnswerTokens: Int64 = 1024
}
