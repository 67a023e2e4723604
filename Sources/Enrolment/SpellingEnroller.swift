import Runtime
import Voice

/// Synthesizes a text with a variation of its synthesizer.
public protocol PhraseVoice: AnyObject {
  /// 16 kHz, -1 to 1, perhaps with silence at its ends; nil when it failed.
  func speak(_ text: [UInt8], _ manner: Manner) -> [Float]?
}

/// Learns a phrase from its spelling: synthesizes it in many variations and rooms, and its halves as negative examples.
public final class SpellingEnroller {
  /// The amount of data for a phrase.
  public struct Recipe: Sendable {
    /// Variants by each synthesizer, rooms for each variant, and variants of each half.
    public var flite = Budget.spelledByFlite
    public var espeak = Budget.spelledByEspeak
    public var rooms = Budget.spelledRooms
    /// Variants and rooms when flite is the only synthesizer.
    public var fliteAlone = Budget.spelledByFliteAlone
    public var roomsAlone = Budget.spelledRoomsAlone
    public var parts = Budget.spelledParts
    /// Number of other words, by all voices in turn.
    public var talk = OtherWords.all.count

    public init() {}
  }

  /// The result.
  public struct Outcome: Sendable {
    public var fitted: PhraseEnroller.Outcome
    /// Variants by each synthesizer.
    public var flite: Int
    public var espeak: Int
  }

  /// Why learning failed.
  public enum Failure: Error, Sendable {
    /// Ended by the progress callback.
    case ended
    /// The voices produce almost no sound.
    case silent
  }

  /// One in this many variants is used for validation.
  private static let checked = 7
  /// Steps that a variant may add: of the phrase, and of everything else.
  private static let phraseSteps = 12, otherSteps = 32
  /// The fraction of the work for synthesis.
  private static let saying = 0.7
  /// Level relative to the loudest sample that counts as silence.
  private static let quiet: Float = 0.03
  /// Peak of the other words, and the longest silence between two of them in samples.
  private static let loud: Float = 0.5, pause: UInt64 = 2_000
  /// Consecutive failures after which espeak-ng is not used any more.
  private static let failureLimit = 3

  private let recipe: Recipe
  private let rooms: Int
  /// Variants of the phrase by each synthesizer.
  private let flites: Int
  private let espeaks: Int
  private let language: Language
  private let flite: (any PhraseVoice)?
  private let espeak: (any PhraseVoice)?
  private let enroller: PhraseEnroller
  private var plan: SpeakingPlan
  private var random: SeededRandom
  private var spoken = (flite: 0, espeak: 0)
  /// Consecutive failures of espeak-ng.
  private var failures = 0
  private var (done, all) = (0, 1)

  /// The voices of a language, at least one: flite's is English only; without it espeak-ng is used for both.
  @export(interface)
  public init(
    _ bank: SpeechBank, _ model: VoiceModel, _ language: Language = .english, flite: (any PhraseVoice)?,
    espeak: (any PhraseVoice)?,
    _ recipe: Recipe = Recipe(), seed: UInt64 = 1
  ) {
    self.recipe = recipe
    self.language = language
    flites = flite == nil ? 0 : espeak == nil ? recipe.fliteAlone : recipe.flite
    espeaks = espeak == nil ? 0 : recipe.espeak + (flite == nil ? recipe.flite : 0)
    rooms = espeak == nil ? recipe.roomsAlone : recipe.rooms
    (self.flite, self.espeak) = (flite, espeak)
    plan = SpeakingPlan(language, seed: seed)
    random = SeededRandom(seed: seed)
    let heard = (flites + espeaks) * rooms
    enroller = PhraseEnroller(
      bank, model,
      PhraseEnroller.Recipe(
        phraseSteps: heard * Self.phraseSteps, otherSteps: heard * Self.otherSteps + 4 * recipe.parts * Self.otherSteps,
        checkSteps: heard * Self.phraseSteps), seed: seed)
  }

  /// Learns a phrase, and writes its phrase file.
  /// - Parameter progress: called with the fraction that is done; returning false ends the work
  @export(interface)
  public func learn(
    _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableRawBufferPointer, _ progress: (Double) -> Bool
  ) throws(Failure) -> Outcome {
    guard let phrase = PhraseText(text), let accented = PhraseText(text, keepsAccents: true) else { throw .silent }
    let spelling = Spelling(accented, language)
    let parts = spelling.parts
    (done, all) = (0, recipe.talk + flites + espeaks + parts.count * recipe.parts)
    try talk(without: spelling.text, progress)
    for index in 0..<max(flites, espeaks) {
      if index < flites { try say(spelling.text, .flite, progress) }
      if index < espeaks { try say(spelling.text, .espeak, progress) }
    }
    for part in parts {
      for index in 0..<recipe.parts {
        if let word = speak(part, inTurn(index)) { enroller.add(other: word) }
        try advance(progress)
      }
    }
    // espeak-ng may be there, and fail.
    enroller.margin = spoken.espeak == 0 ? PhraseEnroller.fliteMargin : PhraseEnroller.spelledMargin
    var isEnded = false
    let fitted = enroller.fit(phrase, into: target) { part in
      if !progress(Self.saying + (1 - Self.saying) * part) { isEnded = true }
      return !isEnded
    }
    if isEnded { throw .ended }
    guard let fitted else { throw .silent }
    return Outcome(fitted: fitted, flite: spoken.flite, espeak: spoken.espeak)
  }

  /// Synthesizes other words.
  private func talk(without phrase: [UInt8], _ progress: (Double) -> Bool) throws(Failure) {
    var talk: [Float] = []
    for index in 0..<min(recipe.talk, OtherWords.all.count) {
      let word = OtherWords.all[index]
      if !OtherWords.isIn(phrase, word), let said = speak(Array(word.bytes), inTurn(index)) {
        var loudest: Float = 1e-3
        for sample in said { loudest = max(loudest, sample.magnitude) }
        for sample in said { talk.append(sample * Self.loud / loudest) }
        for _ in 0..<(random.next() % Self.pause) { talk.append(0) }
      }
      try advance(progress)
    }
    enroller.talk = talk
  }

  private var isEspeakThere: Bool { espeak != nil && failures < Self.failureLimit }

  /// The synthesizer for a word's index.
  private func inTurn(_ index: Int) -> Manner.Family {
    flite == nil || index % 2 == 1 && isEspeakThere ? .espeak : .flite
  }

  private func say(_ text: [UInt8], _ family: Manner.Family, _ progress: (Double) -> Bool) throws(Failure) {
    if let word = speak(text, family) {
      if family == .flite { spoken.flite += 1 } else { spoken.espeak += 1 }
      let isCheck = (spoken.flite + spoken.espeak) % Self.checked == 0
      for _ in 0..<rooms { enroller.add(word, as: isCheck ? .check : .phrase) }
    }
    try advance(progress)
  }

  /// Reports progress after a variant.
  private func advance(_ progress: (Double) -> Bool) throws(Failure) {
    done += 1
    if !progress(Self.saying * Double(done) / Double(max(1, all))) { throw .ended }
  }

  private func speak(_ text: [UInt8], _ family: Manner.Family) -> [Float]? {
    let manner = plan.next(family)
    guard family == .espeak else { return shaped(flite?.speak(text, manner), manner) }
    guard isEspeakThere, let said = espeak?.speak(text, manner) else {
      failures += 1
      return nil
    }
    failures = 0
    return shaped(said, manner)
  }

  private func shaped(_ samples: [Float]?, _ manner: Manner) -> [Float]? {
    guard let samples else { return nil }
    let word = Room.bend(Self.trim(samples), by: manner.bend, manner.sway)
    return word.isEmpty ? nil : word
  }

  /// Trims silence at both ends.
  static func trim(_ samples: [Float]) -> [Float] {
    var loudest: Float = 0
    for sample in samples { loudest = max(loudest, sample.magnitude) }
    let level = quiet * loudest
    var (first, last) = (samples.count, -1)
    for index in samples.indices where samples[index].magnitude > level {
      first = min(first, index)
      last = index
    }
    return last < first ? [] : Array(samples[first...last])
  }
}
