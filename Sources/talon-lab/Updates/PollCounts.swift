/// How many polls came in each second of the boards' time.
struct PollCounts {
  /// Seconds, from the first on.
  private(set) var seconds: [Int]

  /// Counts for so many seconds; what comes later is left out.
  init(seconds count: Int) { seconds = Array(repeating: 0, count: count) }

  /// Counts a poll at so many milliseconds.
  mutating func add(at milliseconds: Int64) {
    let second = milliseconds / 1000
    if seconds.indices.contains(Int(clamping: second)) { seconds[Int(second)] += 1 }
  }

  /// Polls per second from one second to before another: the mean, the second that is busier than 99 of 100, and the
  /// busiest; nil without a second.
  func summary(_ range: Range<Int>) -> (mean: Double, high: Int, most: Int)? {
    let sorted = seconds[range.clamped(to: seconds.indices)].sorted()
    guard let most = sorted.last else { return nil }
    return (Double(sorted.reduce(0, +)) / Double(sorted.count), sorted[sorted.count * 99 / 100], most)
  }
}
