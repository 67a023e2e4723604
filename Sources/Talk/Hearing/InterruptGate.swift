import Runtime

/// Hears a person speak while the board does (node-commands 7.1): levels of 50 ms against a noise that holds the board's own
/// voice. Of the last 22 levels, ten times their RMS, the mean of the lower half plus 0.10 is the threshold, from 0.12 to 0.35,
/// and 0.18 until as many are known. Four levels in a row above it are a person.
public struct InterruptGate: Sendable {
  private static let frame = Budget.talkRate / 20
  private static let levels = 22
  private static let needed = 4

  private var sum: Int64 = 0
  private var filled = 0
  private var known = InlineArray<22, Float>(repeating: 0)
  private var next = 0
  private var count = 0
  private var loud = 0

  /// A gate that knows no noise yet.
  public init() {}

  /// Takes 16 kHz samples, cut anywhere; true when a person began to speak in them.
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

  /// What a level has to pass.
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
