import Foundation
import Runtime

/// The scores that a phrase reached in recordings: the best of each in which it was said, and every peak in the others.
struct HeardScores {
  /// Steps of 80 ms for which the detector is silent after a detection.
  private static let quiet = Int(Budget.wakeRefractoryMilliseconds) / 80
  /// Peaks below this are of no interest: no threshold is as low.
  private static let least: Float = -6

  private(set) var said: [Float] = []
  private(set) var peaks: [Float] = []

  /// Adds a recording: the scores of its windows in order.
  mutating func add(_ scores: [Float], isSaid: Bool) {
    guard !isSaid else { return said.append(scores.max() ?? -.infinity) }
    for (index, score) in scores.enumerated() where score > Self.least {
      let around = max(0, index - Self.quiet)..<min(scores.count, index + Self.quiet + 1)
      // Of equal ones the first.
      guard scores[around.lowerBound..<index].allSatisfy({ $0 < score }),
        scores[index..<around.upperBound].allSatisfy({ $0 <= score })
      else { continue }
      peaks.append(score)
    }
  }

  func heard(above threshold: Float) -> Int { said.count { $0 > threshold } }

  func falseAccepts(above threshold: Float) -> Int { peaks.count { $0 > threshold } }

  /// The lowest threshold with at most so many false accepts.
  func threshold(falseAccepts count: Int) -> Float {
    let sorted = peaks.sorted(by: >)
    return count < sorted.count ? sorted[count] : Self.least
  }
}

/// Intervals in which the true value lies with 95 % confidence.
enum Confidence {
  /// Of a part: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927.
  static func part(_ count: Int, of all: Int) -> ClosedRange<Double> {
    guard all > 0 else { return 0...1 }
    let (z, n) = (1.96, Double(all))
    let part = Double(count) / n
    let middle = (part + z * z / (2 * n)) / (1 + z * z / n)
    let half = z / (1 + z * z / n) * (part * (1 - part) / n + z * z / (4 * n * n)).squareRoot()
    return max(0, middle - half)...min(1, middle + half)
  }

  /// Of the mean number of events, of which so many were counted: F. Garwood, "Fiducial limits for the Poisson
  /// distribution", 1936.
  static func mean(_ count: Int) -> ClosedRange<Double> {
    let low = count == 0 ? 0 : root { 1 - atMost(count - 1, mean: $0) < 0.025 }
    return low...root { atMost(count, mean: $0) > 0.025 }
  }

  /// The chance of at most so many events.
  private static func atMost(_ count: Int, mean: Double) -> Double {
    var (term, sum) = (exp(-mean), 0.0)
    for index in 0...count {
      sum += term
      term *= mean / Double(index + 1)
    }
    return sum
  }

  /// Where what holds for small numbers ends to hold.
  private static func root(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1.0)
    while holds(high), high < 600 { high *= 2 }
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
