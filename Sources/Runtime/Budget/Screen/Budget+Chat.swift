/// Limits of the conversation on the screen.
extension Budget {
  /// Messages that can be scrolled through; the oldest go first. The reconnect recipe (gateway reference 9.9) asks for
  /// 50, of which some are tools' and are not shown.
  public static let chatMessages = 64
  /// Bytes of one message; what is longer ends in "…". A page of the largest screen has 8 KiB; the whole is at the
  /// gateway.
  public static let chatShownBytes = 12 * 1024
  /// Bytes of all messages together: some twenty long ones. Reserved twice, because a history that is read again
  /// replaces the previous one.
  public static let chatTextsBytes = 256 * 1024
  /// Messages requested of a history; when the response does not fit `operatorMessageBytes`, a quarter of that is
  /// requested, and so on.
  public static let chatHistoryMessages = 80
  /// Characters requested of each message, from gateways that can truncate: as many as are shown.
  public static let chatHistoryCharacters = chatShownBytes
  /// Replies of the main session that are followed at once: to a person at the screen, to a press on the canvas, to a
  /// phone, and one spare. Further replies appear with the next history.
  public static let chatFollowed = 4
  /// Least milliseconds between two requests for the history, for sessions in which much happens.
  public static let chatReadMilliseconds: Int64 = 2_000
  /// Pause in milliseconds between two messages after which the time is shown above the second.
  public static let chatPauseMilliseconds: Int64 = 10 * 60_000
  /// Milliseconds of each frame of the animated three dots while an agent thinks.
  public static let chatDotMilliseconds: Int64 = 400
  /// Lines of a tool's arguments or of a thought that a touch unfolds.
  public static let chatStepLines = 12
  /// Pictures of a conversation that are shown, the last ones, and bytes of the address of each: a photo of 1 MiB as a
  /// `data:` address. Reserved; a picture that is longer has a word in its place.
  public static let chatPictures = 4
  public static let chatPictureCharacters = 1_500_000
  /// Rows of the list of agents and conversations, of which this many are agents: what fits a large screen.
  public static let chatChoices = 24
  public static let chatAgents = 8
}
