import Voice

/// Detects phrases, on a worker: the network, or its replacement where the network would cost too much (a simulated day
/// has more sound than it can process in a minute). Phrases are numbered in the order in which they were added.
public protocol PhraseDetector: AnyObject {
  /// True when the sound is loud enough for detection.
  var isAwake: Bool { get }
  /// Removes all phrases.
  func removePhrases()
  /// Adds a phrase; false when there are as many as fit.
  func add(_ file: PhraseFile, caution: Float) -> Bool
  /// The threshold of a phrase, and its best score since the last call; minus infinity without one.
  func threshold(of phrase: Int) -> Float
  func takeBest(of phrase: Int) -> Float
  /// The next samples do not continue the last ones.
  func interrupt()
  /// Takes any number of samples of 16 kHz.
  func hear(_ samples: UnsafeBufferPointer<Int16>)
  /// The next detected phrase, in order.
  func nextHeard() -> (phrase: Int, score: Float)?
}

extension WakeListener: PhraseDetector {
  public func removePhrases() { detector.removeAll() }
  public func add(_ file: PhraseFile, caution: Float) -> Bool { detector.add(file, caution: caution) }
  public func threshold(of phrase: Int) -> Float { detector.threshold(of: phrase) }
  public func takeBest(of phrase: Int) -> Float { detector.takeBest(of: phrase) }
  public func nextHeard() -> (phrase: Int, score: Float)? { next().map { ($0.phrase, $0.score) } }
}
