import Runtime

/// The gain of the microphone.
public enum SoundGain: Equatable, Sendable {
  /// Decibels.
  case fixed(Int)
  /// Automatic, to bring speech to the usual level.
  case automatic
}

/// Automatic gain control: brings speech to the level that recognizers expect. The gain follows only the level of
/// speech, slowly up and at once down, and never causes clipping.
public struct AutomaticGain: Sendable {
  /// Target level of speech: -23 dB of full scale, as broadcasters have it (EBU R 128).
  private static let target: Float = 0.0708
  /// At most 30 dB, and never quieter.
  private static let range: ClosedRange<Float> = 1...31.6
  /// Factor for each block: 3 dB a second.
  private static let rise: Float = 1.00693
  private static let headroom: Float = 0.95

  /// The current factor.
  public private(set) var factor: Float

  private let isAutomatic: Bool

  /// A gain.
  public init(_ gain: SoundGain) {
    switch gain {
    case .fixed(let decibels):
      isAutomatic = false
      factor = Self.factor(decibels: decibels)
    case .automatic:
      isAutomatic = true
      factor = 1
    }
  }

  /// 10 to the power of decibels / 20.
  static func factor(decibels: Int) -> Float {
    var factor: Float = 1
    for _ in 0..<abs(decibels) { factor *= 1.122_018_45 }
    return decibels < 0 ? 1 / factor : factor
  }

  /// Applies the gain to a block, which `meter` has measured.
  public mutating func apply(to block: UnsafeMutableBufferPointer<Float>, _ meter: borrowing LevelMeter) {
    let before = factor
    if isAutomatic { follow(meter) }
    if before == 1, factor == 1 { return }
    // A ramp, because steps would click.
    let step = (factor - before) / Float(max(block.count, 1))
    for index in 0..<block.count { block[index] *= before + step * Float(index + 1) }
  }

  private mutating func follow(_ meter: borrowing LevelMeter) {
    if meter.isSpeech {
      let wanted = Self.target / max(meter.level, 1e-6)
      factor = wanted > factor ? min(factor * Self.rise, wanted) : wanted
    }
    if meter.peak * factor > Self.headroom { factor = Self.headroom / meter.peak }
    factor = min(max(factor, Self.range.lowerBound), Self.range.upperBound)
  }
}
