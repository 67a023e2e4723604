import Runtime

/// How much what is heard is made louder.
public enum SoundGain: Equatable, Sendable {
  /// So many decibels.
  case fixed(Int)
  /// As much as speech needs to be of the usual level.
  case automatic
}

/// Makes speech as loud as recognisers expect, and leaves what is between alone: the gain follows the level of speech only, slowly up, at
/// once down, and never so far that something clips.
public struct AutomaticGain: Sendable {
  /// The level of speech that is wanted: -23 dB of full scale, as broadcasters have it (EBU R 128).
  private static let target: Float = 0.0708
  /// At most 30 dB, and never quieter.
  private static let range: ClosedRange<Float> = 1...31.6
  /// A block: 3 dB a second.
  private static let rise: Float = 1.00693
  private static let headroom: Float = 0.95

  /// What samples are multiplied by.
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

  /// Ten to the power of a twentieth.
  static func factor(decibels: Int) -> Float {
    var factor: Float = 1
    for _ in 0..<abs(decibels) { factor *= 1.122_018_45 }
    return decibels < 0 ? 1 / factor : factor
  }

  /// Changes a block, which `meter` has measured.
  public mutating func apply(to block: UnsafeMutableBufferPointer<Float>, _ meter: borrowing LevelMeter) {
    let before = factor
    if isAutomatic { follow(meter) }
    if before == 1, factor == 1 { return }
    // In steps, it would click.
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
