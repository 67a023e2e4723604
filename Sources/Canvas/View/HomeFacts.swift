import Runtime

/// Contents of the home page.
public struct HomeFacts: Sendable {
  /// How the connection to the gateway is.
  public enum Link: Sendable { case up, down }

  /// The device's name.
  public var name = InlineText<64>()
  /// The state of the connection in one word, empty where the sentence says it all; and in a sentence that says what to
  /// do.
  public var state = InlineText<32>()
  public var sentence = InlineText<256>()
  public var link = Link.down
  /// The command to enter at the gateway; empty: none.
  public var command = InlineText<192>()
  /// The address of the page that does the same; empty: none. The QR code beside a command leads there, where a phone
  /// can do something.
  public var page = InlineText<192>()
  /// The time of day and the date; empty while unknown.
  public var time = InlineText<48>()
  public var date = InlineText<96>()
  /// Minutes since any instant: the face moves with them.
  public var minute: Int64 = 0
  /// The agent's name, and the last thing that it has said; empty while there is none.
  public var agent = InlineText<96>()
  public var message = InlineText<256>()
  /// Whether the person can talk to the agent, or why not.
  public var canChat = false
  /// What was used last, a line each, the newest first: the person sees what the board did.
  public var uses = InlineList<3, InlineText<96>>()
  public var noChat = InlineText<256>()

  public init() {}

  func equals(_ other: HomeFacts) -> Bool {
    name.equals(other.name.span) && state.equals(other.state.span) && sentence.equals(other.sentence.span)
      && link == other.link && command.equals(other.command.span) && page.equals(other.page.span)
      && time.equals(other.time.span)
      && date.equals(other.date.span) && minute == other.minute && agent.equals(other.agent.span)
      && message.equals(other.message.span) && canChat == other.canChat && noChat.equals(other.noChat.span)
      && hasSameUses(other)
  }

  private func hasSameUses(_ other: HomeFacts) -> Bool {
    guard uses.count == other.uses.count else { return false }
    for index in 0..<uses.count where uses[index] != other.uses[index] { return false }
    return true
  }
}
