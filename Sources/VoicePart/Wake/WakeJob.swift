import Enrolment
import Node
import Runtime
import Voice

/// Detects phrases on a worker, in the sound that the loop collected while it was not pending.
final class WakeJob: Job {
  /// The result of keeping a phrase file.
  enum Keeping: Equatable {
    case kept, full, refused
    /// The owner has recorded the phrase meanwhile.
    case unnecessary
    /// It is not a phrase file, or of another phrase.
    case invalid
  }

  private let detector: any PhraseDetector
  private let parts: WakeParts
  private let samples = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.wakeGatheredSamples)
  private var count = 0
  private var isInterrupted = false
  private var mustTake = false
  /// A phrase file that was made from a spelling.
  private let file = FixedBuffer(capacity: Budget.wakeFileBytes)
  private var fileCount = 0
  private let ended: () -> Void

  /// The phrases, and which of them have a vector, one bit each.
  private(set) var phrases = WakePhrases()
  private(set) var known: UInt32 = 0
  /// The phrase of each of the detector's numbers, and their count.
  private var listened = 0
  private var places = InlineArray<32, UInt8>(repeating: 0)
  /// The phrase that was detected; nil without one. Of several the last, as the last wake phrase of an utterance counts
  /// (node-commands 6.2).
  private(set) var heard: (phrase: Int, score: Float)?
  /// True when the last run took over the phrases.
  private(set) var hasTaken = false
  /// The source of each known phrase's vector.
  private(set) var sources = InlineArray<32, PhraseSource>(repeating: .builtIn)
  /// The result of keeping a phrase file in the last run; nil without one.
  private(set) var keeping: Keeping?
  /// True when the phrases learned on this board could not be read.
  private(set) var isTorn = false
  /// True when the sound was loud enough for detection at the end of the last run.
  private(set) var isAwake = false
  /// The best score of each phrase in the last run, or minus infinity, and its threshold.
  let scores = FloatTable(count: Budget.wakePhrases)
  let thresholds = FloatTable(count: Budget.wakePhrases)

  init(_ parts: WakeParts, ended: @escaping () -> Void) {
    self.parts = parts
    self.ended = ended
    detector = parts.detector ?? Self.network(parts)
    samples.initialize(repeating: 0)
  }

  deinit { samples.deallocate() }

  private static func network(_ parts: WakeParts) -> any PhraseDetector {
    let detector = WakeListener(parts.model)
    detector.detector.caution = parts.settings.caution
    return detector
  }

  // MARK: The loop; not while pending

  /// Sets the phrases.
  func take(_ phrases: borrowing WakePhrases) {
    self.phrases.copy(phrases)
    mustTake = true
  }

  /// Sets the sound of the next run. `isInterrupted`: it does not continue the last one.
  func take(_ gathered: UnsafeBufferPointer<Int16>, isInterrupted: Bool) {
    samples.baseAddress!.update(from: gathered.baseAddress!, count: gathered.count)
    count = gathered.count
    self.isInterrupted = isInterrupted
  }

  /// Keeps a phrase file that was made from a spelling, and takes over all phrases again.
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
    if isInterrupted { detector.interrupt() }
    detector.hear(UnsafeBufferPointer(rebasing: samples[..<count]))
    count = 0
    while let detection = detector.nextHeard() {
      heard = (Int(places[detection.phrase]), detection.score)
    }
    isAwake = detector.isAwake
    for index in 0..<listened { scores.floats[Int(places[index])] = detector.takeBest(of: index) }
  }

  override func finish() { ended() }

  private func learn() {
    mustTake = false
    isTorn = false
    // A person may have taught the board a phrase meanwhile.
    do throws(EnrolledError) { try parts.enrolled?.read() } catch { isTorn = true }
    known = 0
    listened = 0
    detector.removePhrases()
    detector.interrupt()
    for index in 0..<phrases.count {
      let phrase = phrases[index]
      guard let (file, source) = parts.vector(of: phrase), detector.add(file, caution: parts.caution(of: phrase)) else {
        continue
      }
      places[listened] = UInt8(index)
      thresholds.floats[index] = detector.threshold(of: listened)
      listened += 1
      known |= 1 << UInt32(index)
      sources[index] = source
    }
  }

  private func keep() {
    let bytes = UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file.bytes[..<fileCount]))
    fileCount = 0
    guard let enrolled = parts.enrolled, let phrase = try? PhraseFile(bytes), isListed(phrase.text) else {
      return keeping = .invalid
    }
    do throws(EnrolledError) {
      try enrolled.put(phrase, as: .spelling) { self.isListed($0) }
      keeping = .kept
    } catch {
      switch error {
      case .full: keeping = .full
      case .recorded: keeping = .unnecessary
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
