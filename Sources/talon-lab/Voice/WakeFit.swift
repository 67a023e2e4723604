import Foundation
import Runtime
import Voice

/// Windows of the embedding's components that a phrase is fitted to.
struct WakeExamples {
  /// Numbers of a window.
  static let width = Budget.wakeVectors * SpeechBank.components
  /// Windows one behind the other.
  private(set) var floats: [Float] = []
  private(set) var count = 0

  mutating func add(_ windows: [WakeWindow]) {
    for window in windows { floats += window.floats }
    count += windows.count
  }
}

/// One window.
struct WakeWindow {
  /// Samples that it ended behind the word's end.
  var late: Int
  var floats: [Float]
}

/// Logistic regression of a phrase's windows against those of a bank and of near-sounding words.
///
/// A bank is not unfolded into windows: its score is a sliding product. Windows of speech that came near in one round weigh more in the
/// next, for of a hundred thousand only those few can wake anybody.
final class WakeFit {
  private static let rounds = 3, steps = 40
  /// What weights cost, by their square, and what a window of near-sounding words weighs beside one of the bank.
  private static let ridge: Float = 2e-3, nearWeight: Float = 0.5
  /// What the variance of the scores of speech costs: of what synthetic voices teach, that keeps what real ones can bear.
  private static let spread: Float = 0.1
  /// The score from which on a window counts as near, and how much more it weighs then.
  private static let near: Float = -2, emphasis: Float = 20

  private let positives: WakeExamples
  private let negatives: WakeExamples
  private let speech: [[Float]]
  private let covariance: WakeCovariance
  private var speechWeights: [[Float]]

  /// - Parameter speech: components of recordings, one list each
  init(positives: WakeExamples, negatives: WakeExamples, speech: [[Float]], covariance: WakeCovariance) {
    (self.positives, self.negatives, self.speech, self.covariance) = (
      positives, negatives, speech, covariance
    )
    speechWeights = speech.map { .init(repeating: 1, count: Self.windows($0)) }
  }

  private static func windows(_ sequence: [Float]) -> Int {
    max(0, sequence.count / SpeechBank.components - Budget.wakeVectors + 1)
  }

  /// The weights, with the bias behind them.
  func run() -> [Float] {
    var weights = [Float](repeating: 0, count: WakeExamples.width + 1)
    for round in 0..<Self.rounds {
      weights = QuasiNewton.minimise(from: weights, steps: Self.steps) { self.loss($0, gradient: &$1) }
      guard round + 1 < Self.rounds else { break }
      for (index, sequence) in speech.enumerated() {
        for (place, score) in Self.scores(sequence, weights).enumerated() where score > Self.near {
          speechWeights[index][place] = Self.emphasis * Float(round + 1)
        }
      }
    }
    return weights
  }

  /// The scores of all windows of a recording.
  static func scores(_ sequence: [Float], _ weights: [Float]) -> [Float] {
    (0..<windows(sequence)).map {
      product(sequence, $0 * SpeechBank.components, weights) + weights[WakeExamples.width]
    }
  }

  private static func product(_ floats: [Float], _ start: Int, _ weights: [Float]) -> Float {
    floats.withUnsafeBytes { bytes in
      weights.withUnsafeBytes { others in
        var sum = SIMD8<Float>.zero
        for index in stride(from: 0, to: WakeExamples.width * 4, by: 32) {
          sum +=
            bytes.loadUnaligned(fromByteOffset: start * 4 + index, as: SIMD8<Float>.self)
            * others.loadUnaligned(fromByteOffset: index, as: SIMD8<Float>.self)
        }
        return sum.sum()
      }
    }
  }

  private static func add(_ factor: Float, _ floats: [Float], _ start: Int, to sum: inout [Float]) {
    floats.withUnsafeBufferPointer { floats in
      sum.withUnsafeMutableBufferPointer { sum in
        for index in 0..<WakeExamples.width { sum[index] += factor * floats[start + index] }
        sum[WakeExamples.width] += factor
      }
    }
  }

  private func loss(_ weights: [Float], gradient: inout [Float]) -> Float {
    for index in weights.indices {
      gradient[index] = index < WakeExamples.width ? 2 * Self.ridge * weights[index] : 0
    }
    var loss = weights.prefix(WakeExamples.width).map { $0 * $0 }.reduce(0, +) * Self.ridge
    loss += covariance.addCost(Self.spread, of: weights, to: &gradient)
    let share = 1 / Float(max(1, positives.count))
    for index in 0..<positives.count {
      loss += take(positives.floats, index * WakeExamples.width, weights, 1, share, &gradient)
    }
    let nearShare = Self.nearWeight / Float(max(1, negatives.count))
    for index in 0..<negatives.count {
      loss += take(negatives.floats, index * WakeExamples.width, weights, -1, nearShare, &gradient)
    }
    let total = speechWeights.reduce(0) { $0 + $1.reduce(0, +) }
    for (sequence, factors) in zip(speech, speechWeights) {
      for place in factors.indices {
        loss += take(
          sequence, place * SpeechBank.components, weights, -1, factors[place] / max(1, total), &gradient)
      }
    }
    return loss
  }

  /// The loss of one window; `side` is 1 for the phrase and -1 for anything else.
  private func take(
    _ floats: [Float], _ start: Int, _ weights: [Float], _ side: Float, _ share: Float,
    _ gradient: inout [Float]
  ) -> Float {
    let margin = side * (Self.product(floats, start, weights) + weights[WakeExamples.width])
    // Beyond this a window adds less than a thousandth of its share.
    guard margin < 7 else { return 0 }
    let wrong = 1 / (1 + exp(margin))
    Self.add(-side * share * wrong, floats, start, to: &gradient)
    return share * (margin > -20 ? log1p(exp(-margin)) : -margin)
  }
}
