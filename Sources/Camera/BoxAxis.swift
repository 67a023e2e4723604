/// The weights of area averaging along one axis: each target sample is the mean of the source samples that it covers,
/// partially covered ones in proportion.
struct BoxAxis {
  /// The sum of the weights of one target sample: 4096.
  static let unitBits: UInt32 = 12

  /// For each target sample, the first source sample that it covers, and how many.
  private let firsts, counts: UnsafeMutablePointer<UInt16>
  /// The weights of all target samples, one after the other.
  private let weights: UnsafeMutablePointer<UInt16>

  /// UInt16 entries of storage that sides of up to `side` samples need.
  static func storage(side: Int) -> Int { 4 * side }

  /// An axis in `storage`, for sides of up to `side` samples.
  init(in storage: UnsafeMutablePointer<UInt16>, side: Int) {
    firsts = storage
    counts = storage + side
    weights = storage + 2 * side
  }

  /// Computes the weights. In units of 1/`target` of a source sample, target sample t covers
  /// t * source ..< (t + 1) * source, and source sample s is s * target ..< (s + 1) * target.
  func prepare(source: Int, target: Int) {
    var weight = weights
    for index in 0..<target {
      let begin = index * source
      let end = begin + source
      let first = begin / target
      let last = (end - 1) / target
      firsts[index] = UInt16(first)
      counts[index] = UInt16(last - first + 1)
      // Differences of rounded sums, so that the weights of one target sample add up exactly.
      var before = 0
      for sample in first...last {
        let covered = min((sample + 1) * target, end) - begin
        let sum = (covered << Int(Self.unitBits) + source / 2) / source
        weight[0] = UInt16(sum - before)
        weight += 1
        before = sum
      }
    }
  }

  /// Calls `body` for each of `target` samples with the source samples it covers and their weights.
  @inline(__always)
  func forEach(_ target: Int, _ body: (Int, Int, UnsafeBufferPointer<UInt16>) -> Void) {
    var weight = UnsafePointer(weights)
    for index in 0..<target {
      let count = Int(counts[index])
      body(index, Int(firsts[index]), UnsafeBufferPointer(start: weight, count: count))
      weight += count
    }
  }
}
