/// What is bounded about listening to people and speaking to them.
extension Budget {
  /// Samples a second inside Talon: what recognisers want, and as much as speech has.
  public static let talkRate = 16_000
  /// Milliseconds of sound that are kept while nobody is recorded, so that the start of what is said is not lost: the wake
  /// phrase, the time until it is found, and room to spare. 64 KB.
  public static let prerollMilliseconds: Int64 = 2_000
  /// Milliseconds of one utterance at most (node-commands 6.4, "hard stop"). 3.9 MB with the pre-roll, reserved and given back.
  public static let utteranceMilliseconds: Int64 = 120_000
  /// Milliseconds after the wake phrase in which something must be said (node-commands 6.4).
  public static let wakePatienceMilliseconds: Int64 = 5_000
  /// Milliseconds of silence that end a command (node-commands 6.4), and a turn in talk mode (7.1).
  public static let commandSilenceMilliseconds: Int64 = 2_000
  public static let turnSilenceMilliseconds: Int64 = 700
  /// Milliseconds of one `talk.ptt.once` (node-commands 7.4).
  public static let onceMilliseconds: Int64 = 12_000
  /// Milliseconds of one utterance that is understood for who looks at the microphone: a long sentence. 400 KB with what stands before it, reserved
  /// where the board has a recogniser, and given back after each.
  public static let meterUtteranceMilliseconds: Int64 = 12_000
  /// Milliseconds within which the same command again is an echo of the recogniser, not a wish.
  public static let repeatMilliseconds: Int64 = 3_000
  /// Bytes of what was understood: two minutes of the fastest speaker have 2.5 KB, and an event of the outbox has to take it.
  public static let transcriptBytes = 3_072
  /// Bytes of an event's text: a transcript, and the line before it that says how sure the board is.
  public static let transcriptEventBytes = transcriptBytes + 128
  /// Messages that a voice sends in a minute; more are refused. People who hurry say ten. A television that wakes the board, or
  /// a recogniser that hears words in a fan, would otherwise start runs of the agent for as long as it goes on, and each costs.
  public static let voiceMessagesInMinute = 20
  /// Bytes of the last replies' words by which the board knows its own voice.
  public static let echoBytes = 2_048

  /// Bytes of one sentence that is spoken; a longer one is cut between words.
  public static let sentenceBytes = 480
  /// Sentences that wait to be spoken: what an agent says while one is spoken. A longer reply goes on at the gateway and is not
  /// spoken further. 480 bytes each.
  public static let sentences = 64
  /// Bytes of the line of a voice directive (node-commands 7.2); a longer one is text.
  public static let directiveBytes = 1_024
  /// Names that a directive has and Talon does not know, which the log tells.
  public static let directiveStrangers = 4
  /// Bytes of a voice's or model's name.
  public static let voiceNameBytes = 128
  /// Bytes of the sound of one sentence: 30 s at 48 kHz. Reserved, and given back after each. Two, for one is made while the
  /// other is heard.
  public static let speechBytes = 30 * 48_000 * 2
  /// Bytes of a sentence as the board's own voice reads it: signs become words.
  public static let speakableBytes = 2 * sentenceBytes
  /// Bytes that it says at once: half a minute of slow speech, and a fifteenth of that on a worker of a Pi 4. What needs more memory than
  /// it may is said in halves, down to so many bytes, which is a long number.
  public static let speechPieceBytes = 240
  public static let speechPieceLeastBytes = 16
  /// Bytes that it may take while it says a piece: 1.2 MB for each second of speech. Given back after each.
  public static let speechMemoryBytes = 24 << 20
  /// Milliseconds of what `talon say` says without the agent: 19 MB, in that command alone.
  public static let announcementMilliseconds: Int64 = 600_000
  /// Samples a second of speech: from a telephone's to a studio's.
  public static let speechRates = 8_000...48_000

  /// Milliseconds of sound that a realtime session's answer may be ahead of the speaker, and that are gathered before it is
  /// heard: a gateway sends faster than one listens, and a network may be late by so much. 3.8 MB reserved at 24 kHz.
  public static let jitterMilliseconds: Int64 = 80_000
  public static let jitterStartMilliseconds: Int64 = 120
  /// Milliseconds without sound after which what a session says has stalled, and is over; and behind a mark that may be the last.
  public static let callStallMilliseconds: Int64 = 1_500
  public static let callPauseMilliseconds: Int64 = 400
  /// Characters of base64 in one piece of a session's sound: what gateways allow in one of ours (gateway reference 9.10), 8 s at 24 kHz.
  public static let callPieceCharacters = 512 * 1024
  /// Milliseconds of what is said to a session that wait for the connection: more would be an answer to what was asked long ago. 96 KB.
  public static let callQueueMilliseconds = 3_000
  /// Milliseconds of what is heard while the board speaks that go out once somebody has interrupted it: the beginning of their words.
  public static let callPrerollMilliseconds = 300
  /// Samples that are sent to a session at once, at least: 100 ms. More when the connection is slow.
  public static let callPieceSamples = 1_600
  /// Milliseconds that a gateway may take to open a session, and for each piece of sound: who speaks does not wait longer.
  public static let callPatience: Int64 = 10_000
  /// Seconds of silence on both sides that end a conversation, for sessions are paid for: unless configured, and what may be.
  public static let callIdleSeconds: Int64 = 60
  public static let callIdleRange: ClosedRange<Int64> = 5...3_600
  /// Milliseconds that a session has lasted which ended in its time: gateways give them half an hour, and behind that a new one begins.
  public static let callShortest: Int64 = 30_000
  /// Bytes of what one side has said.
  public static let callWordsBytes = 2_048
  /// Milliseconds that the talk button is down at least to be held: shorter is a tap, which means talk mode.
  public static let talkHoldMilliseconds: Int64 = 400
  /// Samples of one piece of sound for the gateway: 200 ms at 16 kHz.
  public static let appendSamples = 3_200
  /// Pieces on their way to the gateway without an answer. More wait in the utterance.
  public static let appendsInFlight = 4
  /// Milliseconds that a transcription has to end once everything was sent: gateways give their provider 5 s.
  public static let transcriptionMilliseconds: Int64 = 8_000
  /// Milliseconds that are waited behind a sentence that is certain, when everything was sent: gateways keep a session open for the whole
  /// 5 s, and one that has another sentence sends it with the first.
  public static let transcriptionQuiet: Int64 = 600
  /// Milliseconds that are waited behind the end of a session for what was understood last: older gateways say it then.
  public static let transcriptionLinger: Int64 = 2_500
  /// Milliseconds until a reply is looked for in the history, and until nobody waits for it any more (node-commands 7.1).
  public static let replyMilliseconds: Int64 = 120_000
  public static let replyGraceMilliseconds: Int64 = 30_000
  /// Invokes of one push-to-talk command at once.
  public static let talkInvokes = 4
  /// Routes from wake phrases to sessions (gateway reference 9.11).
  public static let voiceRoutes = 32

  // MARK: The board's own recogniser

  /// Bytes of a model's files: the English one has 37 MB, and takes three times as much memory.
  public static let speechModelBytes = 48 * 1024 * 1024
  /// Bytes of memory that the recogniser's process has while a model of that size is loaded: 102 MB were seen with the English one.
  static let speechProcessBytes = 3 * speechModelBytes
  /// Milliseconds for an utterance, the loading of the model included: who waits longer has gone.
  public static let recogniserMilliseconds: Int64 = 60_000
  /// Milliseconds without an utterance after which the model is given back: long enough for another try, and for the next turn of a
  /// conversation.
  public static let recogniserLingerMilliseconds: Int64 = 120_000
  /// Bytes of a line of the recogniser's process: a transcript, and what stands before it. A longer one is cut.
  public static let recogniserLineBytes = transcriptBytes + 64
}
