/// What is bounded about waking to a phrase. The phrases themselves: `wakePhrases` of `wakePhraseUnits`.
extension Budget {
  /// Samples a second of everything that listens, in one channel.
  public static let voiceRate = 16_000
  /// Vectors of the speech embedding that a phrase is looked for in, 80 ms each: with what the first of them has heard, 1.4 s. Longer
  /// windows are better on single words and worse in the middle of a sentence.
  public static let wakeVectors = 9
  /// Hops of 10 ms that are heard again when the energy gate opens: all that a window sees, 140 and the rest of a transform, so that a
  /// phrase that opens the gate is heard as if it had been open. 320 bytes each.
  public static let wakePrerollHops = 144
  /// Hops that the gate stays open after the last loud one: 0.8 s, for a phrase is heard up to 0.3 s after its end.
  public static let wakeHangHops = 80
  /// Hops of one look for the quietest, and such looks that are remembered: 4 s, in which every speaker takes a breath.
  public static let wakeFloorHops = 50, wakeFloorLooks = 8
  /// Milliseconds after a detection in which the same phrase is not told again.
  public static let wakeRefractoryMilliseconds = 1_500
  /// Detections that wait to be taken. One block seldom has one; 16 bytes each.
  public static let wakeDetections = 32
  /// Bytes of a phrase's text, normalised: three for each unit of UTF-16.
  public static let wakePhraseBytes = 3 * wakePhraseUnits
  /// Bytes of one phrase file: header, 9 scales, text, 864 weights and checksum, rounded up. A phrase of ten letters has 940.
  public static let wakeFileBytes = 1152
  /// Samples that wait for the worker that listens: 2 s, in which a small board catches up with 1.4 s of pre-roll. 64 KB, twice.
  public static let wakeGatheredSamples = 32_000
  /// Workers that listen for phrases, and jobs that wait for them: the one alone.
  public static let wakeThreads = 1, wakeQueue = 2
  /// Bytes of the gateway's list of phrases on flash: how many, and each behind its length. 6 KB, twice.
  public static let wakeRecordBytes = 1 + wakePhrases * (1 + wakePhraseBytes)
  /// Milliseconds that a phrase's best score is shown to who looks, who asks once a second.
  public static let wakeScoreMilliseconds: Int64 = 2_000
  /// Bytes of a file of phrases: as many as there can be of the gateway's, twice.
  public static let wakeBankBytes = 2 * wakePhrases * wakeFileBytes
}

/// What is bounded about enrolling a phrase.
extension Budget {
  /// Components of the embedding that a phrase is fitted to, a byte each: the 40 directions in which speech varies most.
  public static let enrolComponents = 40
  /// Steps of 80 ms that are kept of the phrase, of what is near it, and of what was put aside: of 200 words in rooms 11 each, and twice
  /// as many of what is not the phrase. 40 bytes each, so 0.3 MB while a phrase is enrolled.
  public static let enrolPhraseSteps = 2_400, enrolOtherSteps = 6_000, enrolCheckSteps = 600
}

extension Budget {
  /// Recordings that make a phrase, and how many rooms each of them is put into.
  public static let enrolTakes = 3, enrolCopies = 60
  /// Samples of a recording, 3 s, and how many before it are left out, 0.3 s, in which a microphone settles. 192 KB as floats, in the
  /// program that learns; 96 KB in an agent that lends its microphone for it, reserved, and given back behind the last.
  public static let enrolTakeSamples = 48_000, enrolSkippedSamples = 4_800
  /// Recordings that may be refused before somebody is told to look at the microphone.
  public static let enrolRefusals = 6
  /// Bytes of a recording that is given as a file: 3 s of two channels at 48 kHz and 32 bits, and a little more.
  public static let enrolFileBytes = 2_000_000
}

extension Budget {
  /// Phrases that were learnt on the board and are kept: as many as can be listened for. They fit a bank of `wakeBankBytes`.
  public static let enrolledPhrases = wakePhrases
}

/// What is bounded about the model of a language other than English.
extension Budget {
  /// Bytes of its `model.conf`, and of its bank of speech, of which the built-in one has half as many. Only who learns keeps the latter in memory.
  public static let languageFileBytes = 4_096, speechBankBytes = 4 * 1024 * 1024
  /// Voices of espeak-ng that it may name, more than any language has, and letters beyond a to z: both alphabets of Japanese are 180.
  public static let languageVoices = 16, languageLetters = 256
}

/// What is bounded about learning a phrase from its spelling.
extension Budget {
  /// How often flite's voice and espeak-ng's say the phrase, in how many rooms each of these is heard, and in how many where flite's voice is alone:
  /// more of either was hardly better. In how many ways each half of it is said.
  public static let spelledByFlite = 32, spelledByEspeak = 32, spelledRooms = 3, spelledRoomsAlone = 6, spelledParts = 8
  /// Milliseconds that espeak-ng may take for a phrase, which is 30 on a computer, and bytes of the recording that it may make: 8 s of 22 kHz.
  public static let spellingVoiceMilliseconds: Int64 = 20_000
  public static let spellingVoiceBytes = 8 * 22_050 * 2 + 64
  /// Milliseconds after which a learning process that tells of no progress is ended: a part of the work takes a board of one core a minute.
  public static let spellingSilenceMilliseconds: Int64 = 600_000
  /// Bytes of memory that the process has with espeak-ng's beside it: 16 and 8 MB were seen.
  static let spellingProcessBytes = 32 * 1024 * 1024
  /// Bytes of a line that it says: a phrase file in base64, and what stands before it. A longer one is cut.
  public static let spellingLineBytes = (wakeFileBytes + 2) / 3 * 4 + 64
  /// Milliseconds of the first pause before a phrase that could not be learnt is tried again, how many times as long the next one is, and how often
  /// it is tried: the last time two hours behind the first.
  public static let spellingRetryMilliseconds: Int64 = 5_000, spellingRetryFactor: Int64 = 4
  public static let spellingTries = 7
}
