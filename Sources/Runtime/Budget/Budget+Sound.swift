/// Limits of sound input and output.
extension Budget {

  // MARK: Blocks

  /// Samples a second inside Talon, in one channel: the rate for which phrase detectors and speech recognizers are
  /// made.
  public static let soundRate = 16_000
  /// Samples of a block: 20 ms. A denoiser wants a fixed size.
  public static let soundBlock = 320
  /// Frames that are converted at once. 4 bytes each, and four times that after resampling from 4 kHz: 20 KiB.
  public static let soundChunk = 1024

  // MARK: Cards

  /// Milliseconds between reads or writes of a card: 25 a second.
  public static let soundPeriodMilliseconds = 40
  /// Milliseconds of sound in the kernel's buffer: a board that is busy for longer loses some.
  public static let soundBufferMilliseconds = 500
  /// Bytes read from a card at once; the rest is read in the next turn. 8 KiB are 42 ms of two channels of 24 bits at
  /// 32 kHz.
  public static let soundReadBytes = 16 * 1024
  /// Reads in one turn of the loop. With the above 87 ms of eight channels of 32 bits at 48 kHz.
  public static let soundReadsPerTurn = 8
  /// Channels of a card, and bytes of a frame: 8 for each channel.
  public static let soundChannels = 64
  public static let soundFrameBytes = 8 * soundChannels
  /// Samples a second of a card.
  public static let soundCardRates: ClosedRange<UInt32> = 4_000...384_000
  /// Cards that are probed (`SNDRV_CARDS`), and devices of a card that are listed.
  public static let soundCards = 32, soundDevices = 16
  /// Controls read of a mixer; a phone's codec has 300.
  public static let mixerControls = 512
  /// Bytes of a card's name in the configuration: long enough for its USB path.
  public static let soundNameBytes = 95
  /// First and longest pause in milliseconds before a card that failed is tried again; it doubles in between.
  public static let soundRetryMilliseconds: ClosedRange<Int64> = 500...60_000
  /// Milliseconds without a frame after which a card has stalled, even without an error.
  public static let soundSilenceMilliseconds: Int64 = 3_000
  /// Timeout in milliseconds for the card to play what was written: twice the kernel's buffer, and room for a slow
  /// card.
  public static let soundDrainMilliseconds: Int64 = 2_000
  /// Milliseconds that a speaker stays open after the last word, for the next sentence.
  public static let speakerLingerMilliseconds: Int64 = 1_500

  // MARK: Recordings

  /// Bytes of a WAV file that are searched for its format and data chunks: titles and cues have some hundred.
  public static let wavHeaderBytes = 4096
  /// Timeout in milliseconds for the WAV header from a pipe.
  public static let wavPipeMilliseconds: Int64 = 2_000

  // MARK: Judging

  /// Blocks after which the microphone's level is assessed again: 2 s.
  public static let soundVerdictBlocks = 100
  /// Kinds of use of the microphone (`MicrophoneUse`), each by one user at a time. 24 bytes each.
  public static let microphoneUses = 7
  /// Blocks queued for a clip's worker, which reads them with each picture: the longest pause between two
  /// (`clipGapMicroseconds`) and a second more. 192 KB, while there is a clip.
  public static let clipSoundBlocks = 300
}
