/// What bounds sound that comes in and goes out.
extension Budget {

  // MARK: Blocks

  /// Samples a second of what the rooms hear, in one channel: what detectors of phrases and recognisers of speech are made for.
  public static let soundRate = 16_000
  /// Samples of a block: 20 ms. A denoiser wants a fixed size.
  public static let soundBlock = 320
  /// Frames that are converted at once. 4 bytes each, and four times that behind a rate of 4 kHz: 20 KiB.
  public static let soundChunk = 1024

  // MARK: Cards

  /// Milliseconds between looks at a card that captures or plays: 25 a second.
  public static let soundPeriodMilliseconds = 40
  /// Milliseconds that the kernel holds for us: a board that is busy for longer loses some.
  public static let soundBufferMilliseconds = 500
  /// Bytes read from a card at once; what is left makes the loop come again. 8 KiB are 42 ms of two channels of 24 bits at 32 kHz.
  public static let soundReadBytes = 16 * 1024
  /// Reads in one turn of the loop. With the above 87 ms of eight channels of 32 bits at 48 kHz.
  public static let soundReadsPerTurn = 8
  /// Channels of a card that are told apart, and bytes of a frame: 8 for each of them.
  public static let soundChannels = 64
  public static let soundFrameBytes = 8 * soundChannels
  /// Samples a second of a card.
  public static let soundCardRates: ClosedRange<UInt32> = 4_000...384_000
  /// Cards that are looked at (`SNDRV_CARDS`), and devices of a card that are listed.
  public static let soundCards = 32, soundDevices = 16
  /// Controls of a mixer that are looked at; a codec of a phone has 300.
  public static let mixerControls = 512
  /// Bytes of a card's name in the configuration: as long as where it is plugged in.
  public static let soundNameBytes = 95
  /// First and longest pause in milliseconds before a card that failed is tried again; it doubles in between.
  public static let soundRetryMilliseconds: ClosedRange<Int64> = 500...60_000
  /// Milliseconds without a frame after which a card has stalled though it says nothing.
  public static let soundSilenceMilliseconds: Int64 = 3_000
  /// Milliseconds until sound that was written must have been heard: what the kernel holds, twice, and a slow card.
  public static let soundDrainMilliseconds: Int64 = 2_000
  /// Milliseconds that a speaker stays open behind the last word, for the next sentence.
  public static let speakerLingerMilliseconds: Int64 = 1_500

  // MARK: Recordings

  /// Bytes before the samples of a WAV file that are looked through for what they are: titles and cues have some hundred.
  public static let wavHeaderBytes = 4096
  /// Milliseconds for which a pipe is waited for to say what it brings.
  public static let wavPipeMilliseconds: Int64 = 2_000

  // MARK: Judging

  /// Blocks after which a microphone is judged anew: 2 s.
  public static let soundVerdictBlocks = 100
  /// Ways in which a microphone can be wanted (`MicrophoneUse`), each by one at a time. 24 bytes each.
  public static let microphoneUses = 7
  /// Blocks that wait for a clip's worker, which reads with each picture: the longest pause between two (`clipGapMicroseconds`), and a
  /// second more. 192 KB, while there is a clip.
  public static let clipEarBlocks = 300
}
