extension Budget {

  // MARK: The language model of the board's own agent

  /// Models in order of preference: one elsewhere, one in the house, one on the board, and a spare one.
  public static let models = 4
  /// The name of a model in bytes: names with the path of a provider have about 60.
  public static let modelNameBytes = 128
  /// Tools that a request offers: a model finds the right one less often the more there are, and each takes about 150
  /// tokens of every request.
  public static let modelTools = 64
  /// The name of a tool in bytes: what servers take ("Function calling", OpenAI's API reference).
  public static let modelToolNameBytes = 64

  /// Calls of tools in one answer: more than a person could follow.
  public static let modelCalls = 8
  /// A call's id in bytes; vLLM's have 46. A longer one is replaced.
  public static let modelCallIDBytes = 64
  /// The arguments of one call in bytes: a page of text for a message or a file. Taken once for each of `modelCalls`:
  /// 128 KiB.
  public static let modelArgumentBytes = 16 * 1024
  /// The data of one event of a stream, and the whole answer of a server that does not stream, in bytes: an answer of
  /// `modelTextBytes` with escapes, or a few whole calls. Taken twice, once for its text without escapes: 128 KiB.
  public static let modelEventBytes = 64 * 1024
  /// The visible text of one answer in bytes: 20 minutes of speech.
  public static let modelTextBytes = 32 * 1024
  /// Bytes of one answer as it is sent: about 300 for each token of a stream, so 28,000 tokens, most of which are
  /// thoughts. An answer that goes on after them is endless.
  public static let modelStreamBytes = 8 * 1024 * 1024
  /// Levels of objects and arrays in what a server sends, and in the arguments of a call: servers need 8. One bit each.
  public static let modelDepth = 64
  /// What is kept of a server's error message, in bytes.
  public static let modelMessageBytes = 160

  /// Text of the messages of one prompt in bytes: about 32,000 tokens, the context of what runs on a small server.
  public static let promptBytes = 128 * 1024
  /// Messages and calls of one prompt: 50 turns of two messages, and a few with calls. 56 bytes each.
  public static let promptMessages = 160
  /// A picture of a prompt in bytes: a JPEG of 1024 pixels, which models divide into tiles, has less than half of it.
  public static let promptPictureBytes = 512 * 1024

  /// Further attempts with one model after a failure: the usual number, and what may be configured.
  public static let modelRetries = 2
  public static let modelRetriesRange: ClosedRange<Int> = 0...5
  /// First and longest pause in milliseconds before such an attempt: a person waits for the answer.
  public static let modelPauseMilliseconds: ClosedRange<Int64> = 500...8_000
  /// Milliseconds after a question in which an attempt may still be put off: so long does a person wait without a word.
  public static let modelPatienceMilliseconds: Int64 = 20_000
  /// Longest wait in milliseconds that a server's `Retry-After` may ask for: limits are for a minute as a rule. Until
  /// then, questions go to another model, or fail.
  public static let modelRetryAfterMilliseconds: Int64 = 120_000
  /// First and longest rest in milliseconds of a model that failed, before it is preferred again.
  public static let modelRestMilliseconds: ClosedRange<Int64> = 15_000...900_000
  /// The rest in milliseconds where a person has to do something first: key, credit, name of the model.
  public static let modelRefusedMilliseconds: Int64 = 3_600_000
  /// Bytes of text in one token, for servers that do not count: English has about 4 ("What are tokens", OpenAI).
  public static let modelTokenBytes: Int64 = 4

  /// The answer of `/v1/models` in bytes: the longest known one, of a provider with 400 models, has 0.6 MB.
  public static let modelListBytes = 4 * 1024 * 1024
  /// One entry of it in bytes; longer ones are left out.
  public static let modelListEntryBytes = 8 * 1024

  /// Numbers of one vector of an embedding: more than that, small models do not have, and large ones can be asked for
  /// less. 4 bytes each.
  public static let embeddingDimensions = 2048
  /// Texts of one request: 100 KiB of an answer in numbers of 16 bytes.
  public static let embeddingTexts = 16
  /// One vector as the server writes it, in bytes: 2048 numbers of up to 24 characters, and what stands around them.
  public static let embeddingEntryBytes = 56 * 1024
  /// The whole answer in bytes.
  public static let embeddingBytes = embeddingTexts * embeddingEntryBytes
}
