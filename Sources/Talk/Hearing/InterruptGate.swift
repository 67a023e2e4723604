import Runtime

/// Detects a person who speaks while the board speaks (node-commands 7.1), by levels of 50 ms compared with a noise
/// that includes the board's own voice. The levels are ten times the RMS; the threshold is the mean of the lower half
/// of the last 22 plus 0.10, clamped to 0.12...0.35, and 0.18 until there are 22. Four consecutive levels above it are
/// a person.
public struct InterruptGate: Sendable {
  /// Samples of a level: 50 ms.
  private static let frame = Budget.talkRate / 20
  /// See above.
  private static let levels = 22
  private static let needed = 4

  private var sum: Int64 = 0
  private var filled = 0
  private var known = InlineArray<22, Float>(repeating: 0)
  private var next = 0
  private var count = 0
  private var loud = 0

  /// A gate without a noise estimate.
  public init() {}

  /// Takes 16 kHz samples in pieces of any size; true when a person began to speak.
  public mutating func push(_ block: UnsafeBufferPointer<Int16>) -> Bool {
    var isHeard = false
    for sample in block {
      sum += Int64(sample) * Int64(sample)
      filled += 1
      guard filled == Self.frame else { continue }
      let level = Float(Double(sum) / Double(Self.frame)).squareRoot() / 32_768 * 10
      (sum, filled) = (0, 0)
      if take(level) { isHeard = true }
    }
    return isHeard
  }

  private mutating func take(_ level: Float) -> Bool {
    loud = level > threshold ? loud + 1 : 0
    known[next] = level
    next = (next + 1) % Self.levels
    count = min(count + 1, Self.levels)
    return loud == Self.needed
  }

  /// The threshold of a level.
  var threshold: Float {
    guard count == Self.levels else { return 0.18 }
    var sorted = known
    for index in 1..<Self.levels {
      var place = index
      while place > 0, sorted[place - 1] > sorted[place] {
        (sorted[place - 1], sorted[place]) = (sorted[place], sorted[place - 1])
        place -= 1
      }
    }
    var mean: Float = 0
    for index in 0..<Self.levels / 2 { mean += sorted[index] / Float(Self.levels / 2) }
    return min(max(mean + 0.10, 0.12), 0.35)
  }
}
