import Voice

/// What hears phrases, on a worker: the network, or what stands in for it where that would cost too much (a simulated day has more
/// sound than a minute can hear). Phrases are counted in the order in which they were added.
public protocol PhraseEar: AnyObject {
  /// Something is loud enough to be listened to.
  var isAwake: Bool { get }
  /// Forgets all phrases.
  func removePhrases()
  /// Listens for one more; false when there are as many as fit.
  func add(_ file: PhraseFile, caution: Float) -> Bool
  /// The score above which a phrase is heard, and the best since this was asked last; minus infinity where there was none.
  func threshold(of phrase: Int) -> Float
  func takeBest(of phrase: Int) -> Float
  /// What comes next does not follow what came last.
  func interrupt()
  /// Takes samples of 16 kHz, as many as there are.
  func hear(_ samples: UnsafeBufferPointer<Int16>)
  /// The next phrase heard, in order.
  func nextHeard() -> (phrase: Int, score: Float)?
}

extension WakeListener: PhraseEar {
  public func removePhrases() { detector.removeAll() }
  public func add(_ file: PhraseFile, caution: Float) -> Bool { detector.add(file, caution: caution) }
  public func threshold(of phrase: Int) -> Float { detector.threshold(of: phrase) }
  public func takeBest(of phrase: Int) -> Float { detector.takeBest(of: phrase) }
  public func nextHeard() -> (phrase: Int, score: Float)? { next().map { ($0.phrase, $0.score) } }
}
