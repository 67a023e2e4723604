/// Limits of wake phrase detection. The phrases themselves: `wakePhrases` of `wakePhraseUnits`.
extension Budget {
  /// Samples a second of the detector's input, in one channel.
  public static let voiceRate = 16_000
  /// Vectors of the speech embedding in the detector's window, 80 ms each: 1.4 s with the context of the first. Longer
  /// windows are better on single words and worse in the middle of a sentence.
  public static let wakeVectors = 9
  /// Hops of 10 ms that are processed again when the energy gate opens: a whole window, 140, and the rest of a
  /// transform, so that a phrase that opens the gate is scored as if it had been open. 320 bytes each.
  public static let wakePrerollHops = 144
  /// Hops that the gate stays open after the last loud one: 0.8 s, because a phrase is detected up to 0.3 s after its
  /// end.
  public static let wakeHangHops = 80
  /// Hops of one window of the noise floor's minimum, and how many windows are remembered: 4 s, in which every speaker
  /// pauses for breath.
  public static let wakeFloorHops = 50, wakeFloorWindows = 8
  /// Milliseconds after a detection in which the same phrase is not reported again.
  public static let wakeRefractoryMilliseconds = 1_500
  /// Detections in the queue. A block seldom has one; 16 bytes each.
  public static let wakeDetections = 32
  /// Bytes of a phrase's text, normalized: three for each unit of UTF-16.
  public static let wakePhraseBytes = 3 * wakePhraseUnits
  /// Bytes of one phrase file: header, 9 scales, text, 864 weights and checksum, rounded up. A phrase of ten letters
  /// has 940.
  public static let wakeFileBytes = 1152
  /// Samples queued for the detector's worker: 2 s, in which a small board catches up with 1.4 s of pre-roll. 64 KB,
  /// twice.
  public static let wakeGatheredSamples = 32_000
  /// Workers of the detector, and jobs in their queue: only the one job.
  public static let wakeThreads = 1, wakeQueue = 2
  /// Bytes of the gateway's list of phrases on flash: a count, and each phrase after its length. 6 KB, twice.
  public static let wakeRecordBytes = 1 + wakePhrases * (1 + wakePhraseBytes)
  /// Milliseconds for which a phrase's best score is kept for `talon listen`, which polls once a second.
  public static let wakeScoreMilliseconds: Int64 = 2_000
  /// Bytes of a file of phrases: as many as there can be of the gateway's, twice.
  public static let wakeBankBytes = 2 * wakePhrases * wakeFileBytes
}

/// Limits of enrolling a phrase.
extension Budget {
  /// Components of the embedding that a phrase is fitted to, a byte each: the 40 directions in which speech varies
  /// most.
  public static let enrolComponents = 40
  /// Steps of 80 ms that are kept of the phrase, of similar sounds, and for validation: 11 for each of 200 words in
  /// rooms, and twice as many of other words. 40 bytes each, so 0.3 MB while a phrase is enrolled.
  public static let enrolPhraseSteps = 2_400, enrolOtherSteps = 6_000, enrolCheckSteps = 600
}

extension Budget {
  /// Recordings from which a phrase is learned, and the number of simulated rooms for each.
  public static let enrolTakes = 3, enrolCopies = 60
  /// Samples of a recording, 3 s, and of the part before it that is skipped, 0.3 s, while the microphone settles. 192
  /// KB as floats in the process that learns; 96 KB in an agent that lends its microphone, reserved, and given back
  /// after the last.
  public static let enrolTakeSamples = 48_000, enrolSkippedSamples = 4_800
  /// Recordings that may be refused before the person is asked to check the microphone.
  public static let enrolRefusals = 6
  /// Bytes of a recording from a file: 3 s of two channels at 48 kHz and 32 bits, and a little more.
  public static let enrolFileBytes = 2_000_000
}

extension Budget {
  /// Learned phrases that are kept: as many as can be detected at once. They fit a bank of `wakeBankBytes`.
  public static let enrolledPhrases = wakePhrases
}

/// Limits of the model of a language other than English.
extension Budget {
  /// Bytes of its `model.conf`, and of its bank of speech, of which the built-in one has half as many. Only the process
  /// that learns keeps the latter in memory.
  public static let languageFileBytes = 4_096, speechBankBytes = 4 * 1024 * 1024
  /// Voices of espeak-ng that it may name, more than any language has, and letters beyond a to z: both alphabets of
  /// Japanese are 180.
  public static let languageVoices = 16, languageLetters = 256
}

/// Limits of learning a phrase from its spelling.
extension Budget {
  /// Variants of the phrase by flite's voice and by espeak-ng's, and simulated rooms for each of them: of 160 variants
  /// 3 more of a hundred calls were heard than of 64, and 128 take less time. Variants by flite where it is the only
  /// voice, and rooms for each of these. Variants of each half of the phrase.
  public static let spelledByFlite = 40, spelledByEspeak = 88, spelledRooms = 3
  public static let spelledByFliteAlone = 75, spelledRoomsAlone = 4, spelledParts = 8
  /// Timeout in milliseconds of espeak-ng for a phrase (30 ms on a desktop), and largest recording in bytes: 8 s at 22
  /// kHz.
  public static let spellingVoiceMilliseconds: Int64 = 20_000
  public static let spellingVoiceBytes = 8 * 22_050 * 2 + 64
  /// Milliseconds without a report of progress after which a learning process is killed: one step takes a minute on a
  /// board with one core.
  public static let spellingSilenceMilliseconds: Int64 = 600_000
  /// Bytes of memory of the process together with espeak-ng's: 16 and 8 MB were measured.
  static let spellingProcessBytes = 32 * 1024 * 1024
  /// Bytes of a line from it: a phrase file in base64, and its prefix. A longer one is cut.
  public static let spellingLineBytes = (wakeFileBytes + 2) / 3 * 4 + 64
  /// First pause in milliseconds before a phrase that could not be learned is tried again, by what factor it grows, and
  /// the number of tries: the last one two hours after the first.
  public static let spellingRetryMilliseconds: Int64 = 5_000, spellingRetryFactor: Int64 = 4
  public static let spellingTries = 7
}
