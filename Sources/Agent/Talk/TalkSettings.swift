import Runtime
import Talk

/// What a person may choose about talking.
public struct TalkSettings: Sendable {
  /// Talk may be used at all.
  public var isEnabled = true
  /// Loudness of the tones, 0 to 1; 0: none.
  public var toneVolume = 0.3
  public var tonesWhenListening = true
  public var tonesWhenSent = true
  /// Replies to push to talk are spoken; speech interrupts the board's own in talk mode.
  public var speaksReplies = true
  public var hearsInterruptions = true
  /// Milliseconds of silence that end a turn.
  public var turnSilence = Budget.turnSilenceMilliseconds
  /// A command behind a wake phrase goes out as `agent.request` instead of `voice.transcript`: without a route of its own it then belongs
  /// to the node's session, and not to the main one (node-commands 9).
  public var sendsRequests = false
  /// A local recogniser's text counts from this confidence on: what it guesses below that is no order for an agent.
  public var leastConfidence: Float = 0.4

  /// Talk mode is a conversation, where the gateway has any, and turns elsewhere.
  public var converses = false
  /// Milliseconds of silence on both sides that end a conversation.
  public var idle = Budget.callIdleSeconds * 1000
  /// A wake phrase switches talk mode on, instead of asking for one command.
  public var wakeTalks = false

  /// The reference's own choice.
  public init() {}
}
