/// How a phone makes a photo small enough, as a yardstick (node-commands 5.2 and 5.3): step by step as they do it, with
/// what they encode in vain.
public enum PhoneLimiter: String, CaseIterable, Sendable {
  case apple, android

  /// One encoding: pixels across and down, and the quality in percent; Apple's is a fraction, rounded here.
  public struct Step: Equatable, Sendable {
    public var width: Int
    public var height: Int
    public var quality: Double
  }

  /// What came of it.
  public struct Outcome: Sendable {
    /// Each encoding, in order.
    public var steps: [Step] = []
    /// Bytes of the last one.
    public var bytes = 0
    /// True when it fits.
    public var fits = false
  }

  /// Runs the algorithm on a picture of `width` x `height`.
  /// - Parameters:
  ///   - quality: 0...1.
  ///   - encode: answers the bytes of one encoding.
  public func limit(
    width: Int, height: Int, quality: Double, budget: Int, encode: (Step) throws -> Int
  ) rethrows -> Outcome {
    switch self {
    case .apple: try Self.apple(width, height, quality, budget, encode)
    case .android: try Self.android(width, height, quality, budget, encode)
    }
  }

  private static func apple(
    _ width: Int, _ height: Int, _ quality: Double, _ budget: Int, _ encode: (Step) throws -> Int
  ) rethrows -> Outcome {
    var outcome = Outcome()
    let start = min(max(quality, 0.05), 1)
    let least = max(0.2, 0.35 * start)
    let longest = max(width, height)
    var edge = longest
    func attempt(_ quality: Double) throws -> Bool {
      // The thumbnailer never enlarges.
      let shown = min(edge, longest)
      let step = Step(
        width: max(1, Int((Double(width * shown) / Double(longest)).rounded())),
        height: max(1, Int((Double(height * shown) / Double(longest)).rounded())), quality: quality)
      outcome.steps.append(step)
      outcome.bytes = try encode(step)
      outcome.fits = outcome.bytes <= budget
      return outcome.fits
    }
    if try attempt(start) { return outcome }
    for _ in 0..<6 {
      var quality = start
      for _ in 0..<6 {
        if try attempt(quality) { return outcome }
        if quality <= least { break }
        quality = max(least, 0.75 * quality)
      }
      let next = max(256, Int(0.85 * Double(edge)))
      if next == edge { break }
      edge = next
    }
    return outcome
  }

  private static func android(
    _ width: Int, _ height: Int, _ quality: Double, _ budget: Int, _ encode: (Step) throws -> Int
  ) rethrows -> Outcome {
    var outcome = Outcome()
    let start = min(max(Int((quality * 100).rounded()), 20), 100)
    var (across, down) = (width, height)
    func attempt(_ quality: Int) throws -> Bool {
      let step = Step(width: across, height: down, quality: Double(quality) / 100)
      outcome.steps.append(step)
      outcome.bytes = try encode(step)
      outcome.fits = outcome.bytes <= budget
      return outcome.fits
    }
    if try attempt(start) { return outcome }
    for _ in 0..<6 {
      var quality = start
      for _ in 0..<6 {
        if try attempt(quality) { return outcome }
        // At 20 the same picture is encoded again until the six are done.
        if quality > 20 { quality = max(20, Int((0.75 * Double(quality)).rounded())) }
      }
      let scale = max(0.85, min(1, 256 / Double(min(across, down))))
      let next = (max(256, Int((scale * Double(across)).rounded())), max(256, Int((scale * Double(down)).rounded())))
      (across, down) = (min(next.0, across), min(next.1, down))
    }
    return outcome
  }
}
