/// What is bounded about the conversation on the screen.
extension Budget {
  /// Messages that can be scrolled through; the oldest go first. The reconnect recipe (gateway reference 9.9) asks for 50,
  /// of which some are tools' and are not shown.
  public static let chatMessages = 64
  /// Bytes of one message; what is longer ends in "…". A page of the largest screen has 8 KiB; the whole is at the gateway.
  public static let chatShownBytes = 12 * 1024
  /// Bytes of all messages together: some twenty long ones. Reserved twice, because a history that is read anew takes the
  /// place of the one before.
  public static let chatTextsBytes = 256 * 1024
  /// Messages of a history that are asked for; a gateway whose answer does not fit `operatorMessageBytes` is asked for a
  /// quarter of that, and so on.
  public static let chatHistoryMessages = 80
  /// Characters of each that a gateway is asked for, where it knows how to cut: as many as are shown.
  public static let chatHistoryCharacters = chatShownBytes
  /// Replies of the main session that are followed at once: that to a person at the screen, to a press on the canvas, to a
  /// phone, and one to spare. What others say stands in the history.
  public static let chatFollowed = 4
  /// Milliseconds from one reading of the history to the next: a session in which much happens is not read all the time.
  public static let chatReadMilliseconds: Int64 = 2_000
  /// Milliseconds between two messages from which on the time stands above the second.
  public static let chatPauseMilliseconds: Int64 = 10 * 60_000
  /// Milliseconds between the pictures of the three points while an agent thinks.
  public static let chatDotMilliseconds: Int64 = 400
}
