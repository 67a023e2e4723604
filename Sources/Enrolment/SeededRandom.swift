import Runtime

/// Reproducible pseudorandom numbers: SplitMix64 by G. L. Steele and others ("Fast splittable pseudorandom number
/// generators", 2014).
public struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A uniformly distributed number of a range.
  public mutating func number(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) * 0x1p-53
  }

  /// A normally distributed number (G. E. P. Box and M. E. Muller, 1958).
  public mutating func normal() -> Float {
    let radius = (-2 * Trigonometry.logarithm(number(1e-12...1))).squareRoot()
    return Float(radius * Trigonometry.cosine(2 * Trigonometry.pi * number(0...1)))
  }
}
