import Runtime
import Voice

/// Says a text in a manner of its family.
public protocol PhraseVoice: AnyObject {
  /// 16 kHz, -1 to 1, perhaps with silence at its ends; nil when it could not.
  func speak(_ text: [UInt8], _ manner: Manner) -> [Float]?
}

/// Learns a phrase from its spelling: has synthetic voices say it in many ways, in rooms, and its halves as what it is not.
public final class SpellingEnroller {
  /// How much work a phrase is worth.
  public struct Recipe: Sendable {
    /// How often each family says it, in how many rooms each of these is heard, and in how many ways each of its halves is said.
    public var flite = Budget.spelledByFlite
    public var espeak = Budget.spelledByEspeak
    public var rooms = Budget.spelledRooms
    /// In how many rooms where flite's voice is alone.
    public var roomsAlone = Budget.spelledRoomsAlone
    public var parts = Budget.spelledParts
    /// How many other words are said, by all voices in turn.
    public var talk = OtherWords.all.count

    public init() {}
  }

  /// What came of it.
  public struct Outcome: Sendable {
    public var fitted: PhraseEnroller.Outcome
    /// How often each family said it.
    public var flite: Int
    public var espeak: Int
  }

  /// Why nothing did.
  public enum Failure: Error, Sendable {
    /// Who listens to the progress ended it.
    case ended
    /// The voices say next to nothing.
    case silent
  }

  /// Of how many ways one is kept aside to see how much is heard.
  private static let checked = 7
  /// Steps that a way may add of the phrase and of what is not it, and a half of it.
  private static let phraseSteps = 12, otherSteps = 32
  /// The part of the work that is done when all was said.
  private static let saying = 0.7
  /// Far below the loudest sample: silence.
  private static let quiet: Float = 0.03
  /// The greatest sample of the other words, and samples of silence between two of them at most.
  private static let loud: Float = 0.5, pause: UInt64 = 2_000
  /// So often in a row espeak-ng may fail before it is asked no more.
  private static let patience = 3

  private let recipe: Recipe
  private let rooms: Int
  /// How often each family says the phrase.
  private let flites: Int
  private let espeaks: Int
  private let language: Language
  private let flite: (any PhraseVoice)?
  private let espeak: (any PhraseVoice)?
  private let enroller: PhraseEnroller
  private var plan: SpeakingPlan
  private var random: SeededRandom
  private var spoken = (flite: 0, espeak: 0)
  /// How often in a row espeak-ng has said nothing.
  private var failures = 0
  private var (done, all) = (0, 1)

  /// Voices of a language, one of them at least: flite's knows English, and where it is not given espeak-ng speaks for both.
  public init(
    _ bank: SpeechBank, _ model: VoiceModel, _ language: Language = .english, flite: (any PhraseVoice)?, espeak: (any PhraseVoice)?,
    _ recipe: Recipe = Recipe(), seed: UInt64 = 1
  ) {
    self.recipe = recipe
    self.language = language
    (flites, espeaks) = (flite == nil ? 0 : recipe.flite, espeak == nil ? 0 : recipe.espeak + (flite == nil ? recipe.flite : 0))
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

  /// Learns the phrase of a text, and writes its phrase file.
  /// - Parameter tell: hears which part of the work is done, and ends it by saying false
  public func learn(
    _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableRawBufferPointer, _ tell: (Double) -> Bool
  ) throws(Failure) -> Outcome {
    guard let phrase = PhraseText(text), let accented = PhraseText(text, keepsAccents: true) else { throw .silent }
    let spelling = Spelling(accented, language)
    let parts = spelling.parts
    (done, all) = (0, recipe.talk + flites + espeaks + parts.count * recipe.parts)
    try talk(without: spelling.text, tell)
    for index in 0..<max(flites, espeaks) {
      if index < flites { try say(spelling.text, .flite, tell) }
      if index < espeaks { try say(spelling.text, .espeak, tell) }
    }
    for part in parts {
      for index in 0..<recipe.parts {
        if let word = speak(part, inTurn(index)) { enroller.add(other: word) }
        try advance(tell)
      }
    }
    var isEnded = false
    let fitted = enroller.fit(phrase, into: target) { part in
      if !tell(Self.saying + (1 - Self.saying) * part) { isEnded = true }
      return !isEnded
    }
    if isEnded { throw .ended }
    guard let fitted else { throw .silent }
    return Outcome(fitted: fitted, flite: spoken.flite, espeak: spoken.espeak)
  }

  /// Says what is no part of the phrase.
  private func talk(without phrase: [UInt8], _ tell: (Double) -> Bool) throws(Failure) {
    var talk: [Float] = []
    for index in 0..<min(recipe.talk, OtherWords.all.count) {
      let word = OtherWords.all[index]
      if !OtherWords.isIn(phrase, word), let said = speak(Array(word.bytes), inTurn(index)) {
        var loudest: Float = 1e-3
        for sample in said { loudest = max(loudest, sample.magnitude) }
        for sample in said { talk.append(sample * Self.loud / loudest) }
        for _ in 0..<(random.next() % Self.pause) { talk.append(0) }
      }
      try advance(tell)
    }
    enroller.talk = talk
  }

  private var isEspeakThere: Bool { espeak != nil && failures < Self.patience }

  /// Who says the word of this number.
  private func inTurn(_ index: Int) -> Manner.Family { flite == nil || index % 2 == 1 && isEspeakThere ? .espeak : .flite }

  private func say(_ text: [UInt8], _ family: Manner.Family, _ tell: (Double) -> Bool) throws(Failure) {
    if let word = speak(text, family) {
      if family == .flite { spoken.flite += 1 } else { spoken.espeak += 1 }
      let isCheck = (spoken.flite + spoken.espeak) % Self.checked == 0
      for _ in 0..<rooms { enroller.add(word, as: isCheck ? .check : .phrase) }
    }
    try advance(tell)
  }

  /// One way more is done.
  private func advance(_ tell: (Double) -> Bool) throws(Failure) {
    done += 1
    if !tell(Self.saying * Double(done) / Double(max(1, all))) { throw .ended }
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
    let word = Room.bend(Self.trim(samples), by: manner.bend)
    return word.isEmpty ? nil : word
  }

  /// From the first to the last sample that is not far below the loudest.
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
