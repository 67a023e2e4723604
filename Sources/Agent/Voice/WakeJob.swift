import Enrolment
import Runtime
import Voice

/// Listens for phrases on a worker: takes what the loop gathered while it was not pending.
final class WakeJob: Job {
  /// What became of a phrase file.
  enum Keeping: Equatable {
    case kept, full, refused
    /// Its owner has recorded the phrase meanwhile.
    case needless
    /// It is none, or of another phrase.
    case senseless
  }

  private let listener: any PhraseEar
  private let parts: WakeParts
  private let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.wakeGatheredSamples)
  private var count = 0
  private var isInterrupted = false
  private var mustTake = false
  /// A phrase file that was made from a spelling.
  private let file = FixedBuffer(capacity: Budget.wakeFileBytes)
  private var fileCount = 0
  private let ended: () -> Void

  /// What is listened for: the phrases, and which of them have a vector, a bit each.
  private(set) var phrases = WakePhrases()
  private(set) var known: UInt32 = 0
  /// Which phrase the n-th of those is that are listened for, and how many they are.
  private var listened = 0
  private var places = InlineArray<32, UInt8>(repeating: 0)
  /// What was heard last; nil: nothing. Of several the last, as the last wake word of an utterance counts (node-commands 6.2).
  private(set) var heard: (phrase: Int, score: Float)?
  /// The phrases were taken over in the last run.
  private(set) var hasTaken = false
  /// Where the vector of each known phrase is from.
  private(set) var sources = InlineArray<32, PhraseSource>(repeating: .builtIn)
  /// What became of the phrase file that was to be kept in the last run; nil: there was none.
  private(set) var keeping: Keeping?
  /// What was learnt on this board could not be read when they were.
  private(set) var isTorn = false
  /// Whether the room was loud enough to listen at the end of it.
  private(set) var isAwake = false
  /// The best score of each phrase in it, and the score above which it is heard; the former is minus infinity where there is none.
  let scores = FloatTable(count: Budget.wakePhrases)
  let thresholds = FloatTable(count: Budget.wakePhrases)

  init(_ parts: WakeParts, ended: @escaping () -> Void) {
    self.parts = parts
    self.ended = ended
    listener = parts.ear ?? Self.network(parts)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  private static func network(_ parts: WakeParts) -> any PhraseEar {
    let listener = WakeListener(parts.model)
    listener.detector.caution = parts.settings.caution
    return listener
  }

  // MARK: The loop; not while pending

  /// Listens for these from now on.
  func take(_ phrases: borrowing WakePhrases) {
    self.phrases.copy(phrases)
    mustTake = true
  }

  /// What the next run hears. `isInterrupted`: it does not follow what came before.
  func take(_ gathered: UnsafeBufferPointer<Int16>, isInterrupted: Bool) {
    samples.baseAddress!.update(from: gathered.baseAddress!, count: gathered.count)
    count = gathered.count
    self.isInterrupted = isInterrupted
  }

  /// Keeps a phrase file that was made from a spelling, and takes all phrases over again.
  func keep(_ bytes: UnsafeBufferPointer<UInt8>) {
    fileCount = min(bytes.count, file.bytes.count)
    file.bytes.baseAddress!.update(from: bytes.baseAddress!, count: fileCount)
    mustTake = true
  }

  // MARK: A worker

  override func run() {
    (heard, hasTaken, keeping) = (nil, mustTake, nil)
    if fileCount > 0 { keep() }
    if mustTake { learn() }
    if isInterrupted { listener.interrupt() }
    listener.hear(UnsafeBufferPointer(rebasing: samples[..<count]))
    count = 0
    while let detection = listener.nextHeard() {
      heard = (Int(places[detection.phrase]), detection.score)
    }
    isAwake = listener.isAwake
    for index in 0..<listened { scores.floats[Int(places[index])] = listener.takeBest(of: index) }
  }

  override func finish() { ended() }

  private func learn() {
    mustTake = false
    isTorn = false
    // Somebody may have taught the board a phrase since.
    do throws(EnrolledError) { try parts.enrolled?.read() } catch { isTorn = true }
    known = 0
    listened = 0
    listener.removePhrases()
    listener.interrupt()
    for index in 0..<phrases.count {
      let phrase = phrases[index]
      guard let (file, source) = parts.vector(of: phrase), listener.add(file, caution: parts.caution(of: phrase)) else { continue }
      places[listened] = UInt8(index)
      thresholds.floats[index] = listener.threshold(of: listened)
      listened += 1
      known |= 1 << UInt32(index)
      sources[index] = source
    }
  }

  private func keep() {
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file.bytes[..<fileCount]))
    fileCount = 0
    guard let enrolled = parts.enrolled, let phrase = try? PhraseFile(bytes), isListed(phrase.text) else { return keeping = .senseless }
    do throws(EnrolledError) {
      try enrolled.put(phrase, as: .spelling) { self.isListed($0) }
      keeping = .kept
    } catch {
      switch error {
      case .full: keeping = .full
      case .recorded: keeping = .needless
      case .busy, .store: keeping = .refused
      }
    }
  }

  private func isListed(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    for index in 0..<phrases.count {
      if let phrase = PhraseText(phrases[index]), phrase.equals(text) { return true }
    }
    return false
  }
}
