import Runtime
import Voice

/// Logistic regression of a phrase's windows against those of speech and of similar words.
///
/// Windows are never copied: each step is unpacked once and belongs to nine windows. Windows of speech with a high
/// score get more weight in the next round, because only these few of a hundred thousand can cause false detections.
final class WakeFit {
  /// A group of windows.
  struct Group {
    let steps: UnsafePointer<Int8>
    let runs: [StepRuns.Run]
    /// 1 for the phrase and -1 for anything else.
    let side: Float
    /// The total weight of its windows.
    let weight: Float
    /// True when high-scoring windows get more weight in the next round.
    let isSearched: Bool
  }

  /// Size of a window, without the bias.
  static let width = Budget.wakeVectors * components
  private static let components = StepRuns.components
  private static let rounds = 3, steps = 40
  /// Ridge penalty on the weights: large, because overfitting to synthetic voices would reject people.
  private static let ridge: Float = 0.5
  /// Penalty on the variance of speech's scores, which limits overfitting to synthetic voices.
  private static let spread: Float = 0.1
  /// The score from which a window gets more weight, and that weight.
  private static let near: Float = -2, emphasis: Float = 20
  /// Beyond this margin a window contributes less than a thousandth of its weight.
  private static let settled: Float = 7

  private let groups: [Group]
  private let components: SpeechComponents
  /// The weight of each window, by group and run.
  private var factors: [[Float]]
  private var scores: [Float]
  private var slopes: [Float]

  init(_ groups: [Group], _ components: SpeechComponents) {
    self.groups = groups
    self.components = components
    factors = groups.map { group in
      var count = 0
      for run in group.runs { count += run.windows }
      return [Float](repeating: 1, count: count)
    }
    var longest = 1
    for group in groups { for run in group.runs { longest = max(longest, run.windows) } }
    scores = .init(repeating: 0, count: longest)
    slopes = scores
  }

  /// Returns the weights, followed by the bias. `progress` is called with the fraction that is done; returning false
  /// ends the work.
  func run(_ progress: (Double) -> Bool) -> [Float]? {
    var weights = [Float](repeating: 0, count: Self.width + 1)
    for round in 0..<Self.rounds {
      weights = QuasiNewton.minimize(from: weights, steps: Self.steps) { self.loss($0, gradient: &$1) }
      guard progress(Double(round + 1) / Double(Self.rounds)) else { return nil }
      if round + 1 < Self.rounds { emphasize(weights, Self.emphasis * Float(round + 1)) }
    }
    return weights
  }

  private func emphasize(_ weights: [Float], _ factor: Float) {
    for group in groups.indices where groups[group].isSearched {
      var place = 0
      for run in groups[group].runs where run.windows > 0 {
        Self.score(groups[group].steps, run, weights, &scores)
        for index in 0..<run.windows where scores[index] > Self.near { factors[group][place + index] = factor }
        place += run.windows
      }
    }
  }

  /// The scores of the windows of a run.
  static func score(_ steps: UnsafePointer<Int8>, _ run: StepRuns.Run, _ weights: [Float], _ scores: inout [Float]) {
    let windows = run.windows
    for window in 0..<windows { scores[window] = weights[width] }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: components) { step in
      weights.withUnsafeBufferPointer { weights in
        for place in 0..<run.count {
          unpack(steps + (run.start + place) * components, step)
          for part in max(0, place - windows + 1)...min(place, Budget.wakeVectors - 1) {
            let line = weights.baseAddress! + part * components
            scores[place - part] += product(line, step.baseAddress!)
          }
        }
      }
    }
  }

  private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    let (left, right) = (UnsafeRawPointer(a), UnsafeRawPointer(b))
    var sum = SIMD8<Float>.zero
    for offset in stride(from: 0, to: 4 * components, by: 32) {
      sum +=
        left.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
        * right.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
    }
    return sum.sum()
  }

  private static func unpack(_ bytes: UnsafePointer<Int8>, _ step: UnsafeMutableBufferPointer<Float>) {
    for index in 0..<components { step[index] = Float(bytes[index]) * (1 / StepRuns.scale) }
  }

  private func loss(_ weights: [Float], gradient: inout [Float]) -> Float {
    var loss: Float = 0
    for index in 0..<Self.width {
      gradient[index] = 2 * Self.ridge * weights[index]
      loss += Self.ridge * weights[index] * weights[index]
    }
    gradient[Self.width] = 0
    loss += components.addSpread(Self.spread, of: weights, to: &gradient)
    for group in groups.indices { loss += take(group, weights, &gradient) }
    return loss
  }

  private func take(_ group: Int, _ weights: [Float], _ gradient: inout [Float]) -> Float {
    let (side, steps) = (groups[group].side, groups[group].steps)
    var total: Float = 0
    for factor in factors[group] { total += factor }
    let share = groups[group].weight / max(1, total)
    var (loss, place): (Double, Int) = (0, 0)
    for run in groups[group].runs where run.windows > 0 {
      Self.score(steps, run, weights, &scores)
      var isFlat = true
      for window in 0..<run.windows {
        let margin = side * scores[window]
        slopes[window] = 0
        guard margin < Self.settled else { continue }
        isFlat = false
        let power = Trigonometry.exponential(Double(-max(margin, -30)))
        let part = share * factors[group][place + window]
        slopes[window] = -side * part * Float(power / (1 + power))
        loss += Double(part) * (margin > -20 ? Trigonometry.logarithm(1 + power) : Double(-margin))
      }
      place += run.windows
      if !isFlat { descend(steps, run, &gradient) }
    }
    return Float(loss)
  }

  /// Adds the windows of a run to the gradient.
  private func descend(_ steps: UnsafePointer<Int8>, _ run: StepRuns.Run, _ gradient: inout [Float]) {
    let windows = run.windows
    for window in 0..<windows { gradient[Self.width] += slopes[window] }
    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.components) { step in
      gradient.withUnsafeMutableBufferPointer { gradient in
        for place in 0..<run.count {
          var isUnpacked = false
          for part in max(0, place - windows + 1)...min(place, Budget.wakeVectors - 1) where slopes[place - part] != 0 {
            if !isUnpacked { Self.unpack(steps + (run.start + place) * Self.components, step) }
            isUnpacked = true
            let (slope, line) = (slopes[place - part], gradient.baseAddress! + part * Self.components)
            for index in 0..<Self.components { line[index] += slope * step[index] }
          }
        }
      }
    }
  }
}
