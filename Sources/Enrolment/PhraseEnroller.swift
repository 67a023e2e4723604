import Codec
import Runtime
import Voice

/// Learns the vector of one phrase from spoken words.
public final class PhraseEnroller {
  /// The amount of data for a phrase.
  public struct Recipe: Sendable {
    /// Steps of the phrase, of other sounds, and for validation.
    public var phraseSteps: Int
    public var otherSteps: Int
    public var checkSteps: Int

    public init(phraseSteps: Int, otherSteps: Int, checkSteps: Int) {
      (self.phraseSteps, self.otherSteps, self.checkSteps) = (phraseSteps, otherSteps, checkSteps)
    }

    /// For three recordings, or a few synthetic voices; a megabyte.
    public static let board = Recipe(
      phraseSteps: Budget.enrolPhraseSteps, otherSteps: Budget.enrolOtherSteps, checkSteps: Budget.enrolCheckSteps)
  }

  /// The use of an added word.
  public enum Use: Sendable {
    /// For fitting.
    case phrase
    /// The owner's own voice, in addition to synthetic ones.
    case delegate
    /// For validation.
    case check
  }

  /// The result.
  public struct Outcome: Sendable {
    /// Bytes of the phrase file.
    public var size: Int
    /// The threshold of its score.
    public var threshold: Float
    /// Words for validation, and how many of them are detected.
    public var checked: Int
    public var heard: Int
    /// The highest scores of the bank's speech.
    public var loudest: [Float]
  }

  /// The threshold is the score that one in forty-five recordings of the bank reaches, plus a margin, clamped to a
  /// range. The highest scores are not used, because they are few and depend on chance. A phrase from its owner's voice
  /// alone scores far higher, so its margin is larger; so are those of a phrase from its spelling, by both synthesizers
  /// and by flite alone, with which it is heard wrongly about once in two hours (docs/developers/WAKE-PHRASES.md).
  static let rareness = 45
  static let margin: Float = 0.65, ownerMargin: Float = 1.75
  static let spelledMargin: Float = 0.85, fliteMargin: Float = 1.05
  public static let thresholds: ClosedRange<Float> = -1...2.75
  /// Samples after a word's end in which its windows may end.
  private static let late = 3_200
  /// A word that is cut off after this fraction must not be detected.
  private static let parts: [Double] = [0.45, 0.6]
  /// Weight of similar windows relative to the bank, and of the owner's voice relative to synthetic ones.
  private static let nearWeight: Float = 0.5, ownerWeight: Float = 0.5
  /// Largest distance of two recordings of one phrase by one voice: for synthetic voices it is 0.15, and for two
  /// different phrases 0.5 or more.
  private static let alike: Float = 0.4

  private let bank: SpeechBank
  private let components: SpeechComponents
  private let front: MelFrontEnd
  private let network: EmbeddingNetwork
  private let phrases: StepRuns
  private let owners: StepRuns
  private let others: StepRuns
  private let checks: StepRuns
  private var random: SeededRandom
  private var added = 0
  /// Speech to surround half of the words: 16 kHz, -1 to 1, some seconds of words by synthetic voices. Set it before
  /// adding words; if it is empty, all words are in silence.
  public var talk: [Float] = []
  /// How far above other speech the threshold is, where not only its owner said the phrase.
  var margin = PhraseEnroller.margin

  /// An enroller without words.
  @export(interface)
  public init(_ bank: SpeechBank, _ model: VoiceModel, _ recipe: Recipe = .board, seed: UInt64 = 1) {
    self.bank = bank
    components = SpeechComponents(bank)
    (front, network) = (MelFrontEnd(model), EmbeddingNetwork(model))
    phrases = StepRuns(capacity: recipe.phraseSteps)
    owners = StepRuns(capacity: recipe.phraseSteps)
    others = StepRuns(capacity: recipe.otherSteps)
    checks = StepRuns(capacity: recipe.checkSteps)
    random = SeededRandom(seed: seed)
  }

  /// Adds the phrase in a simulated room. `word` is 16 kHz, -1 to 1, without silence at its ends.
  /// - Parameter length: samples of the phrase at the end of a sentence; nil for the phrase alone
  public func add(_ word: [Float], ofWhich length: Int? = nil, as use: Use) {
    guard word.count > Self.late / 2 else { return }
    let count = length ?? word.count
    let heard = hear(word, first: count / 2)
    let last = Self.late
    let runs = use == .check ? checks : use == .delegate ? owners : phrases
    _ = runs.add(heard.windows { 0...last ~= $0 })
    // A phrase that is not finished yet must not be detected either; silence follows in one of three cuts.
    _ = others.add(heard.windows { $0 < -count / 3 })
    guard length == nil else { return }
    added += 1
    if added % 3 == 0 { addPart(of: word, added / 3) }
  }

  /// Adds copies of the owner's phrase, in many rooms and a little faster and slower.
  public func add(copiesOf word: [Float], _ copies: Int) {
    for _ in 0..<copies { add(Room.bend(word, by: random.number(0.92...1.1)), as: .delegate) }
  }

  /// Adds a word that is not the phrase.
  public func add(other word: [Float]) {
    guard word.count > Self.late / 2 else { return }
    let last = Self.late
    _ = others.add(hear(word, first: word.count / 2).windows { $0 <= last })
  }

  /// Adds the beginning of a word, or its second half, with silence.
  private func addPart(of word: [Float], _ number: Int) {
    let place = number % (Self.parts.count + 1)
    let last = Self.late
    let part =
      place < Self.parts.count
      ? Array(word[..<Int(clamping: Double(word.count) * Self.parts[place])]) : Array(word[(word.count / 2)...])
    _ = others.add(hear(part, first: 0).windows { $0 <= last })
  }

  // MARK: Embedding

  /// Steps, with the number of samples from the word's end to the end of each.
  private struct Heard {
    var components: [Float] = []
    var late: [Int] = []

    /// The steps of the windows whose end `isWanted` accepts, which are contiguous.
    func windows(_ isWanted: (Int) -> Bool) -> ArraySlice<Float> {
      var (first, last) = (late.count, -1)
      for index in late.indices where index + 1 >= Budget.wakeVectors && isWanted(late[index]) {
        first = min(first, index)
        last = index
      }
      guard last >= first else { return [] }
      let size = StepRuns.components
      return components[((first + 1 - Budget.wakeVectors) * size)..<((last + 1) * size)]
    }
  }

  private func hear(_ word: [Float], first: Int) -> Heard {
    let (samples, end) = Room.place(word, first: first, among: talk, &random)
    var heard = Heard()
    embed(samples) { ended, vector in
      heard.late.append(ended - end)
      components.project(vector, onto: &heard.components)
    }
    return heard
  }

  private func embed(_ samples: [Int16], _ body: (Int, UnsafePointer<Float>) -> Void) {
    front.reset()
    network.reset()
    samples.withUnsafeBufferPointer { buffer in
      for start in stride(from: 0, through: buffer.count - MelFrontEnd.hop, by: MelFrontEnd.hop) {
        guard let row = front.push(buffer.baseAddress! + start), let vector = network.push(row) else { continue }
        body(start + MelFrontEnd.hop, vector)
      }
    }
  }

  // MARK: Fitting

  /// Fits the words and writes the phrase file; nil when `progress` returns false, there are no words, or `target` is
  /// too small.
  /// - Parameter progress: called with the fraction that is done
  public func fit(
    _ phrase: borrowing PhraseText, into target: UnsafeMutableRawBufferPointer,
    _ progress: (Double) -> Bool = { _ in true }
  ) -> Outcome? {
    guard phrases.windows + owners.windows > 0 else { return nil }
    let speech = runs(without: phrase)
    let isAlone = phrases.windows == 0
    let groups = [
      WakeFit.Group(steps: phrases.steps, runs: phrases.runs, side: 1, weight: 1, isSearched: false),
      WakeFit.Group(
        steps: owners.steps, runs: owners.runs, side: 1, weight: isAlone ? 1 : Self.ownerWeight, isSearched: false),
      WakeFit.Group(steps: others.steps, runs: others.runs, side: -1, weight: Self.nearWeight, isSearched: false),
      WakeFit.Group(steps: bank.steps, runs: speech, side: -1, weight: 1, isSearched: true),
    ]
    guard let weights = WakeFit(groups, components).run(progress) else { return nil }
    let (expanded, bias) = components.expand(weights)
    let best = best(of: speech, weights)
    let threshold = Self.threshold(above: best, isAlone ? Self.ownerMargin : margin)
    guard
      let size = PhraseFile.write(phrase, threshold: threshold, bias: bias, weights: expanded.floats, into: target)
    else { return nil }
    var outcome = Outcome(size: size, threshold: threshold, checked: 0, heard: 0, loudest: Array(best.prefix(5)))
    for run in checks.runs {
      var best = -Float.infinity
      forEachScore(checks.steps, run, weights) { best = max(best, $0) }
      outcome.checked += 1
      if best > threshold { outcome.heard += 1 }
    }
    return outcome
  }

  /// The bank's recordings without the phrase, also without it followed by an s, which sounds the same.
  private func runs(without phrase: borrowing PhraseText) -> [StepRuns.Run] {
    var text: [UInt8] = []
    for index in 0..<phrase.count { text.append(phrase[index]) }
    let said = [
      SpeechBank.hashes(of: text), SpeechBank.hashes(of: text + [0x73]), SpeechBank.hashes(of: text + [0x27, 0x73]),
    ]
    var runs: [StepRuns.Run] = []
    bank.forEach { recording in
      guard recording.run.windows > 0 else { return }
      for words in said where bank.has(words, in: recording) { return }
      runs.append(recording.run)
    }
    return runs
  }

  /// The best score of each recording of the bank, in descending order.
  private func best(of speech: [StepRuns.Run], _ weights: [Float]) -> [Float] {
    var scores: [Float] = []
    for run in speech {
      var best = -Float.infinity
      forEachScore(bank.steps, run, weights) { best = max(best, $0) }
      scores.append(best)
    }
    scores.sort { $0 > $1 }
    return scores
  }

  /// The threshold for a phrase, from the scores of the bank's recordings in descending order.
  static func threshold(above best: [Float], _ margin: Float) -> Float {
    // Without scores of other speech.
    guard !best.isEmpty else { return thresholds.upperBound }
    return min(max(best[best.count / rareness] + margin, thresholds.lowerBound), thresholds.upperBound)
  }

  private func forEachScore(
    _ steps: UnsafePointer<Int8>, _ run: StepRuns.Run, _ weights: [Float], _ body: (Float) -> Void
  ) {
    var scores = [Float](repeating: 0, count: run.windows)
    WakeFit.score(steps, run, weights, &scores)
    for score in scores { body(score) }
  }

  // MARK: Similarity

  /// The recording of a phrase that does not sound like the others; nil: none.
  public func oddOne(of words: [[Float]]) -> Int? {
    let profiles = words.map { profile($0) }
    var (odd, most): (Int?, Float) = (nil, Self.alike)
    for index in profiles.indices {
      // The distance to the nearest other one, so that one odd recording does not make two similar ones odd.
      var nearest = Float.infinity
      for other in profiles.indices where other != index {
        nearest = min(nearest, alignedDistance(profiles[index], profiles[other]))
      }
      if nearest > most, nearest.isFinite { (odd, most) = (index, nearest) }
    }
    return odd
  }

  /// The distance of two words: 0 for equal ones, about 1 for any two.
  public func distance(_ a: [Float], _ b: [Float]) -> Float { alignedDistance(profile(a), profile(b)) }

  /// The components of a word with a little silence around it, each step of length one.
  private func profile(_ word: [Float]) -> [Float] {
    let lead = 12_160
    var samples = [Int16](repeating: 0, count: lead + word.count + 2 * Self.late)
    var loudest: Float = 1e-6
    for sample in word { loudest = max(loudest, sample.magnitude) }
    var noise = SeededRandom(seed: 1)
    for index in samples.indices { samples[index] = Int16(clamping: 20 * noise.normal()) }
    for index in word.indices { samples[lead + index] = Int16(clamping: word[index] / loudest * 12_000) }
    var (steps, step): ([Float], [Float]) = ([], [])
    embed(samples) { ended, vector in
      guard ended > lead + 4_800 else { return }
      step.removeAll(keepingCapacity: true)
      components.project(vector, onto: &step)
      var sum: Float = 1e-9
      for value in step { sum += value * value }
      for value in step { steps.append(value / sum.squareRoot()) }
    }
    return steps
  }

  /// The mean of one minus the cosine along the best path (H. Sakoe and S. Chiba, "Dynamic programming algorithm
  /// optimization for spoken word recognition", 1978).
  private func alignedDistance(_ a: [Float], _ b: [Float]) -> Float {
    let size = StepRuns.components
    let (rows, columns) = (a.count / size, b.count / size)
    guard rows > 0, columns > 0 else { return 1 }
    var line = [Float](repeating: .infinity, count: columns + 1)
    line[0] = 0
    for row in 0..<rows {
      var diagonal = line[0]
      line[0] = .infinity
      for column in 0..<columns {
        var product: Float = 0
        for index in 0..<size { product += a[row * size + index] * b[column * size + index] }
        let cost = 1 - product
        // A diagonal step counts twice, so that the result does not depend on the lengths.
        let best = min(diagonal + 2 * cost, min(line[column], line[column + 1]) + cost)
        (diagonal, line[column + 1]) = (line[column + 1], best)
      }
    }
    return line[columns] / Float(rows + columns)
  }
}
