import Runtime

/// Tells speech from noise by how loud it is, in frames of 20 ms (`NoiseFloor`). Speech that has begun goes on down to half of the
/// threshold, and hardly raises the noise, for two seconds of speech would become the noise otherwise.
public struct SpeechGate: Sendable {
  /// Samples of a frame.
  public static let frame = Budget.talkRate / 50
  /// Frames of speech in a row before it counts: shorter is a click.
  private static let onset = 3
  /// A noise that has begun while somebody spoke, or that was taken for speech, is known after a minute and a half.
  private static let upInSpeech: Float = 0.000_1

  private var sum: Int64 = 0
  private var filled = 0
  private var loudFrames = 0
  private var noise = NoiseFloor()
  /// The level of the noise, 1 being full scale.
  public var floor: Float { noise.level }
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
    let isLoud = level >= (isSpeech ? noise.threshold / 2 : noise.threshold)
    loudFrames = isLoud ? min(loudFrames + 1, Self.onset) : 0
    isSpeech = isSpeech ? isLoud : loudFrames == Self.onset
    noise.follow(level, up: isLoud ? Self.upInSpeech : NoiseFloor.up)
  }
}
