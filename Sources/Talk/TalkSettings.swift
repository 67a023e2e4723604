import Runtime

/// The configuration of talk. The keys of `[talk]` write into it.
public struct TalkSettings: Sendable {
  /// True when talk may be used.
  public var isEnabled = true
  /// Loudness of the tones, 0 to 1; 0 for none.
  public var toneVolume = 0.3
  public var tonesWhenListening = true
  public var tonesWhenSent = true
  /// Whether replies to push to talk are spoken, and whether speech interrupts the board's own in talk mode.
  public var speaksReplies = true
  public var hearsInterruptions = true
  /// Milliseconds of silence that end a turn.
  public var turnSilence = Budget.turnSilenceMilliseconds
  /// A command after a wake phrase is sent as `agent.request` instead of `voice.transcript`: without a route it then
  /// goes to the node's session instead of the main one (node-commands 9).
  public var sendsRequests = false
  /// The least confidence of the local recognizer for a text to be sent to the agent.
  public var leastConfidence = 0.4

  /// Talk mode is a conversation if the gateway offers one, otherwise turns.
  public var converses = false
  /// Milliseconds of silence on both sides that end a conversation.
  public var idle = Budget.callIdleSeconds * 1000
  /// A wake phrase switches talk mode on, instead of recording one command.
  public var wakeTalks = false

  /// The gateway has commands for listening and speaking (`stt.*`, `tts.*`).
  public var hasCommands = false

  /// The defaults of the reference.
  public init() {}
}
