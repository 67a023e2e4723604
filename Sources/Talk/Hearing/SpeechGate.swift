import Runtime

/// Detects speech by its level, in frames of 20 ms (`NoiseFloor`). Once speech has begun it continues down to half of
/// the threshold, and hardly raises the noise floor, which would otherwise reach the speech within two seconds.
public struct SpeechGate: Sendable {
  /// Samples of a frame.
  public static let frame = Budget.talkRate / 50
  /// Consecutive frames before speech is reported: shorter sounds are clicks.
  private static let onset = 3
  /// Smoothing factor during speech: a noise that begins during speech, or is taken for speech, is learned within a
  /// minute and a half.
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

  /// Takes 16 kHz samples in pieces of any size, and calls `body` for each complete frame.
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
