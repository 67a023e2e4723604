import Runtime

/// A detected phrase.
public struct WakeDetection: Equatable, Sendable {
  /// The index of the phrase, in the order of `add`.
  public var phrase: Int
  /// The logarithm of the odds, above the phrase's threshold.
  public var score: Float
  /// The end of its window, in samples since the listener's start.
  public var sample: Int64
}

/// Compares nine vectors of the embedding with one vector of weights for each phrase.
public final class WakeDetector {
  /// Weights of a phrase.
  public static let weights = Budget.wakeVectors * EmbeddingNetwork.width
  private static let refractory = Int64(Budget.wakeRefractoryMilliseconds) * Int64(Budget.voiceRate) / 1000

  private let window = FloatTable(count: weights)
  private let table = FloatTable(count: Budget.wakePhrases * weights)
  private let biases = FloatTable(count: Budget.wakePhrases)
  private let thresholds = FloatTable(count: Budget.wakePhrases)
  private let scores = FloatTable(count: Budget.wakePhrases)
  private let bests = FloatTable(count: Budget.wakePhrases)
  /// The sample before which a phrase is not reported again.
  private let quiet: UnsafeMutablePointer<Int64>
  /// Number of phrases.
  public private(set) var count = 0
  private var filled = 0

  /// A detector without phrases.
  @export(interface)
  public init() {
    quiet = .allocate(capacity: Budget.wakePhrases)
    quiet.initialize(repeating: .min, count: Budget.wakePhrases)
  }

  deinit { quiet.deallocate() }

  /// Removes all phrases.
  public func removeAll() { count = 0 }

  /// Adds a phrase; false when there is no room.
  /// - Parameter caution: like `caution`, for this phrase only, and added to it
  public func add(_ vector: borrowing PhraseFile, caution: Float = 0) -> Bool {
    guard count < Budget.wakePhrases else { return false }
    vector.copyWeights(into: table.floats + count * Self.weights)
    biases.floats[count] = vector.bias
    thresholds.floats[count] = vector.threshold + caution
    scores.floats[count] = -.infinity
    bests.floats[count] = -.infinity
    quiet[count] = .min
    count += 1
    return true
  }

  /// Offset of all thresholds: 0 as learned, negative for more detections.
  public var caution: Float = 0

  /// The score of a phrase in the last window; minus infinity before the first.
  public func score(of phrase: Int) -> Float { scores.floats[phrase] }
  /// The best score of a phrase since the last call; minus infinity when there was none.
  public func takeBest(of phrase: Int) -> Float {
    defer { bests.floats[phrase] = -.infinity }
    return bests.floats[phrase]
  }
  /// The score above which a phrase is reported.
  public func threshold(of phrase: Int) -> Float { thresholds.floats[phrase] + caution }

  /// Clears the window, but not the time of the last detections.
  public func reset() {
    filled = 0
    for index in 0..<count { scores.floats[index] = -.infinity }
  }

  /// Takes a vector of the embedding that ends at a sample, and calls `report` for each detected phrase.
  public func push(_ vector: UnsafePointer<Float>, endingAt sample: Int64, _ report: (WakeDetection) -> Void) {
    let width = EmbeddingNetwork.width
    let floats = window.floats
    for index in 0..<(Self.weights - width) { floats[index] = floats[index + width] }
    (floats + Self.weights - width).update(from: vector, count: width)
    filled = min(filled + 1, Budget.wakeVectors)
    guard filled == Budget.wakeVectors else { return }
    for phrase in 0..<count {
      let score = biases.floats[phrase] + Self.product(floats, table.floats + phrase * Self.weights)
      scores.floats[phrase] = score
      if score > bests.floats[phrase] { bests.floats[phrase] = score }
      guard score > threshold(of: phrase), sample >= quiet[phrase] else { continue }
      quiet[phrase] = sample + Self.refractory
      report(WakeDetection(phrase: phrase, score: score, sample: sample))
    }
  }

  private static func product(_ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>) -> Float {
    let left = UnsafeRawPointer(a).assumingMemoryBound(to: SIMD8<Float>.self)
    let right = UnsafeRawPointer(b).assumingMemoryBound(to: SIMD8<Float>.self)
    var sum = SIMD8<Float>.zero
    for index in 0..<(weights / 8) { sum += left[index] * right[index] }
    return sum.sum()
  }
}
