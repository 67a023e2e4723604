/// Limits of listening to people and speaking to them.
extension Budget {
  /// Samples at 16 kHz after which the level of a person's voice is shown anew: a tenth of a second.
  public static let voiceLevelSamples = 1_600
  /// Milliseconds between two looks of the orb while it thinks: four a second, so that an old board draws it without
  /// effort.
  public static let orbStepMilliseconds: Int64 = 250
  /// Samples a second inside Talon: what recognizers expect, and enough for speech.
  public static let talkRate = 16_000
  /// Milliseconds of sound that are kept before a recording starts (pre-roll), so that the start of an utterance is not
  /// lost: the wake phrase, the time until it is detected, and a margin. 64 KB.
  public static let prerollMilliseconds: Int64 = 2_000
  /// Milliseconds of one utterance at most (node-commands 6.4, "hard stop"). 3.9 MB with the pre-roll, reserved and
  /// given back.
  public static let utteranceMilliseconds: Int64 = 120_000
  /// Milliseconds after the wake phrase in which something must be said (node-commands 6.4).
  public static let wakeSpeechTimeoutMilliseconds: Int64 = 5_000
  /// Milliseconds of silence that end a command (node-commands 6.4), and a turn in talk mode (7.1).
  public static let commandSilenceMilliseconds: Int64 = 2_000
  public static let turnSilenceMilliseconds: Int64 = 700
  /// Milliseconds of one `talk.ptt.once` (node-commands 7.4).
  public static let onceMilliseconds: Int64 = 12_000
  /// Milliseconds of one utterance that `talon listen` shows as text: a long sentence. 400 KB with its pre-roll,
  /// reserved where the board has a recognizer, and given back after each.
  public static let meterUtteranceMilliseconds: Int64 = 12_000
  /// Milliseconds within which the same text again is a repetition of the recognizer, not a second command.
  public static let repeatMilliseconds: Int64 = 3_000
  /// Bytes of a transcript: two minutes of the fastest speaker have 2.5 KB, and it must fit an event of the outbox.
  public static let transcriptBytes = 3_072
  /// Bytes of an event's text: a transcript, and the line before it that says how sure the board is.
  public static let transcriptEventBytes = transcriptBytes + 128
  /// Voice messages to the agent in a minute; more are refused. People in a hurry say ten. Without the limit a
  /// television that wakes the board, or a fan that a recognizer takes for words, would start one paid run of the agent
  /// after another.
  public static let voiceMessagesInMinute = 20
  /// Bytes of the words of recent replies by which the board recognizes its own voice.
  public static let echoBytes = 2_048

  /// Bytes of one sentence that is spoken; a longer one is cut between words.
  public static let sentenceBytes = 480
  /// Sentences queued for speaking. The rest of a longer reply is not spoken. 480 bytes each.
  public static let sentences = 64
  /// Bytes of the line of a voice directive (node-commands 7.2); a longer one is text.
  public static let directiveBytes = 1_024
  /// Unknown keys of a directive that are logged.
  public static let directiveUnknownKeys = 4
  /// Bytes of a voice's or model's name.
  public static let voiceNameBytes = 128
  /// Bytes of the sound of one sentence: 30 s at 48 kHz. Reserved, and given back after each. Two, because one is
  /// synthesized while the other is played.
  public static let speechBytes = 30 * 48_000 * 2
  /// Bytes of a sentence as the board's own voice reads it: symbols become words.
  public static let speakableBytes = 2 * sentenceBytes
  /// Bytes that it synthesizes at once: half a minute of slow speech, which takes two seconds on a Pi 4. A piece that
  /// needs too much memory is halved, down to the minimum, which is a long number.
  public static let speechPieceBytes = 240
  public static let speechPieceMinimumBytes = 16
  /// Bytes of memory for synthesizing a piece: 1.2 MB for each second of speech. Given back after each.
  public static let speechMemoryBytes = 24 << 20
  /// Milliseconds of speech of `talon say` without the agent: 19 MB, in that command alone.
  public static let announcementMilliseconds: Int64 = 600_000
  /// Samples a second of speech: from telephone to studio quality.
  public static let speechRates = 8_000...48_000

  /// Capacity of the jitter buffer of a realtime session, and what it gathers before playback starts, in milliseconds:
  /// a gateway sends faster than real time, and the network's delay varies by the latter. 3.8 MB reserved at 24 kHz.
  public static let jitterMilliseconds: Int64 = 80_000
  public static let jitterStartMilliseconds: Int64 = 120
  /// Milliseconds without sound after which a reply of a session counts as over; and the same after an end-of-sound
  /// mark.
  public static let callStallMilliseconds: Int64 = 1_500
  public static let callPauseMilliseconds: Int64 = 400
  /// Characters of base64 in one piece of a session's sound: what gateways accept in the other direction (gateway
  /// reference 9.10), 8 s at 24 kHz.
  public static let callPieceCharacters = 512 * 1024
  /// Milliseconds of microphone sound queued for a slow connection; older sound is out of date. 96 KB.
  public static let callQueueMilliseconds = 3_000
  /// Milliseconds of pre-roll that are sent when a person interrupts the board's speech: the beginning of their words.
  public static let callPrerollMilliseconds = 300
  /// Samples that are sent to a session at once, at least: 100 ms. More when the connection is slow.
  public static let callPieceSamples = 1_600
  /// Timeout in milliseconds for opening a session, and for each piece of sound.
  public static let callTimeout: Int64 = 10_000
  /// Seconds of silence on both sides that end a conversation, because sessions cost money: the default, and the range
  /// of the configuration.
  public static let callIdleSeconds: Int64 = 60
  public static let callIdleRange: ClosedRange<Int64> = 5...3_600
  /// A session that lasted at least this many milliseconds ended normally (gateways limit them to half an hour), and a
  /// new one is opened.
  public static let callShortest: Int64 = 30_000
  /// Bytes of the transcript of one side's turn.
  public static let callWordsBytes = 2_048
  /// Milliseconds from which the talk button counts as held: a shorter press is a tap, which switches talk mode.
  public static let talkHoldMilliseconds: Int64 = 400
  /// Samples of one piece of sound for the gateway: 200 ms at 16 kHz.
  public static let appendSamples = 3_200
  /// Pieces sent to the gateway and not yet acknowledged. More wait in the utterance.
  public static let appendsInFlight = 4
  /// Timeout in milliseconds for the end of a transcription once everything was sent: gateways give their provider 5 s.
  public static let transcriptionMilliseconds: Int64 = 8_000
  /// Milliseconds to wait for more after a final sentence when everything was sent: gateways keep a session open for
  /// the whole 5 s, and send a second sentence together with the first.
  public static let transcriptionQuiet: Int64 = 600
  /// Milliseconds to wait after the end of a session for the last text: older gateways send it then.
  public static let transcriptionLinger: Int64 = 2_500
  /// Milliseconds until a reply is searched in the history, and the grace time after that (node-commands 7.1).
  public static let replyMilliseconds: Int64 = 120_000
  public static let replyGraceMilliseconds: Int64 = 30_000
  /// Invokes of one push-to-talk command at once.
  public static let talkInvokes = 4
  /// Routes from wake phrases to sessions (gateway reference 9.11).
  public static let voiceRoutes = 32

  // MARK: The board's own recognizer

  /// Bytes of a model's files: the English one has 37 MB, and takes three times as much memory.
  public static let speechModelBytes = 48 * 1024 * 1024
  /// Bytes of memory that the recognizer's process has while a model of that size is loaded: 102 MB were seen with the
  /// English one.
  static let speechProcessBytes = 3 * speechModelBytes
  /// Timeout in milliseconds for one utterance, the loading of the model included.
  public static let recognizerTimeoutMilliseconds: Int64 = 60_000
  /// Milliseconds without an utterance after which the model's memory is given back: long enough for another try, and
  /// for the next turn of a conversation.
  public static let recognizerLingerMilliseconds: Int64 = 120_000
  /// Bytes of a line from the recognizer's process: a transcript, and its prefix. A longer one is cut.
  public static let recognizerLineBytes = transcriptBytes + 64
}
