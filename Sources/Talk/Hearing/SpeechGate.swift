import Runtime

/// Tells speech from noise by how loud it is, in frames of 20 ms (node-commands 6.4, "level gate"): a frame is speech when its
/// level is 6 times that of the noise, which is learnt all the time, and at least 1/1000 of full scale. Speech that has begun
/// goes on down to half of that. The noise is learnt as the reference does it, by 0.08 downwards and 0.01 upwards; but hardly
/// at all while somebody speaks, for two seconds of speech would become the noise otherwise.
public struct SpeechGate: Sendable {
  /// Samples of a frame.
  public static let frame = Budget.talkRate / 50
  /// Frames of speech in a row before it counts: shorter is a click.
  private static let onset = 3
  private static let factor: Float = 6
  private static let least: Float = 0.001
  private static let down: Float = 0.08
  private static let up: Float = 0.01
  /// A noise that has begun while somebody spoke, or that was taken for speech, is known after a minute and a half.
  private static let upInSpeech: Float = 0.000_1

  private var sum: Int64 = 0
  private var filled = 0
  private var loudFrames = 0
  /// The level of the noise, 1 being full scale.
  public private(set) var floor: Float = SpeechGate.least
  /// The level of the last frame.
  public private(set) var level: Float = 0
  /// The last frame was speech.
  public private(set) var isSpeech = false

  /// A gate in a quiet room.
  public init() {}

  /// Takes 16 kHz samples, cut anywhere, and calls `body` for each frame that they end.
  public mutating func push(_ block: UnsafeBufferPointer<Int16>, _ body: (_ isSpeech: Bool) -> Void) {
    var index = 0
    while index < block.count {
      let end = min(block.count, index + Self.frame - filled)
      filled += end - index
      while index < end {
        let value = Int64(block[index])
        sum += value * value
        index += 1
      }
      guard filled == Self.frame else { return }
      take(Float(Double(sum) / Double(Self.frame)).squareRoot() / 32_768)
      (sum, filled) = (0, 0)
      body(isSpeech)
    }
  }

  private mutating func take(_ level: Float) {
    self.level = level
    let threshold = max(Self.factor * floor, Self.least)
    let isLoud = level >= (isSpeech ? threshold / 2 : threshold)
    loudFrames = isLoud ? min(loudFrames + 1, Self.onset) : 0
    isSpeech = isSpeech ? isLoud : loudFrames == Self.onset
    let pace = level < floor ? Self.down : isLoud ? Self.upInSpeech : Self.up
    floor += (level - floor) * pace
  }
}
