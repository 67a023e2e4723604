import Enrolment
import Foundation
import Runtime
import Voice

/// Makes a vector of a phrase from synthetic voices.
struct Enroller {
  let bank: SpeechBank
  let model: VoiceModel
  let words: NearWords
  let utterances: Int
  let rooms: Int
  let near: Int
  let seed: UInt64
  let synthesizers: Synthesizers
  /// Better voices, of some phrases.
  let voices: RecordedWords?
  /// Words that stand before and after half of the phrases.
  let talk: [Float]

  /// Of how many utterances one is kept to see how many are heard, and in how many voices each near word is spoken.
  private static let checked = 7, nearVoices = 3
  /// Words of the talk, three minutes of it, and samples between two of them at most.
  private static let talkWords = 300, talkPause: UInt64 = 2_000
  /// Steps that an utterance may add of itself and of what is not it, and a near word.
  private static let phraseSteps = 12, otherSteps = 40, nearSteps = 32

  /// What came of a phrase.
  struct Result {
    var file: Data
    /// A line about it.
    var report: String
    /// Where voices kept aside are seldom heard, or its threshold is as high as any may be, nobody is served by it.
    var isPoor: Bool

    /// Part of the words of voices kept aside that must be heard.
    private static let leastHeard = 0.4

    /// What came of a fit.
    init(_ phrase: String, _ outcome: PhraseEnroller.Outcome, _ file: Data) {
      let part = Double(outcome.heard) / Double(max(1, outcome.checked))
      self.file = file
      report = String(
        format: "%@: threshold %.2f; %.1f %% of %d words of voices kept aside; best scores of the bank %@", phrase,
        outcome.threshold,
        100 * part, outcome.checked,
        outcome.loudest.map { String(format: "%.2f", $0) }.joined(separator: " "))
      isPoor = part < Self.leastHeard || outcome.threshold >= PhraseEnroller.thresholds.upperBound
    }
  }

  func enrol(_ phrase: String) throws -> Result {
    var random = SeededRandom(seed: seed)
    let said = try say(phrase, &random)
    let sentences = try voices?.sentences(with: phrase) ?? []
    let heard = (said.count + sentences.count) * rooms
    let parts = NearWords.parts(of: phrase)
    let partial = try parts.flatMap { try voices?.recordings(of: $0) ?? [] }
    let enroller = PhraseEnroller(
      bank, model,
      PhraseEnroller.Recipe(
        phraseSteps: heard * Self.phraseSteps,
        otherSteps: heard * Self.otherSteps + ((near + 2) * Self.nearVoices + partial.count) * Self.nearSteps,
        checkSteps: heard * Self.phraseSteps), seed: seed)
    enroller.talk = talk
    // How long the phrase is at the end of a sentence nobody knows; as long as alone, about.
    let length = said.map(\.count).sorted()[said.count / 2]
    for (index, word) in (said + sentences).enumerated() {
      let end = index < said.count ? nil : min(length, word.count)
      for _ in 0..<rooms { enroller.add(word, ofWhich: end, as: index % Self.checked == 0 ? .check : .phrase) }
    }
    for word in try words.find(phrase, count: near) + parts {
      for _ in 0..<Self.nearVoices {
        enroller.add(other: try synthesizers.speak(word, voice: Int(random.next() % 150), &random))
      }
    }
    for word in partial { enroller.add(other: word) }
    return try fit(phrase, enroller)
  }

  /// The phrase by the better voices that there are of it, and by the synthesizers: what only one family of voices has
  /// is no part of it.
  private func say(_ phrase: String, _ random: inout SeededRandom) throws -> [[Float]] {
    // A little slower or faster makes another throat.
    let said = try (voices?.recordings(of: phrase) ?? []).map {
      SoundFile.resample($0, from: random.number(0.92...1.1), to: 1)
    }
    return try said + (0..<utterances).map { try synthesizers.speak(phrase, voice: $0, &random) }
  }

  /// Some words by many voices, one after the other with little pauses.
  static func talk(of words: [String], _ synthesizers: Synthesizers, seed: UInt64) throws -> [Float] {
    var random = SeededRandom(seed: seed)
    var talk: [Float] = []
    for voice in 0..<talkWords where !words.isEmpty {
      let word = words[Int(random.next() % UInt64(words.count))]
      let said = try synthesizers.speak(word, voice: voice, &random)
      let loudest = max(1e-3, said.map(abs).max() ?? 0)
      talk += said.map { 0.5 * $0 / loudest }
      talk += [Float](repeating: 0, count: Int(random.next() % talkPause))
    }
    return talk
  }

  private func fit(_ phrase: String, _ enroller: PhraseEnroller) throws -> Result {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let outcome = try Array(phrase.utf8).withUnsafeBufferPointer { buffer -> PhraseEnroller.Outcome in
      guard let text = PhraseText(buffer) else {
        throw SoundFile.Failure(description: "\(phrase): no phrase of 1 to \(Budget.wakePhraseUnits) characters")
      }
      guard let outcome = enroller.fit(text, into: bytes) else {
        throw SoundFile.Failure(description: "\(phrase): the synthesizers say next to nothing")
      }
      return outcome
    }
    return Result(phrase, outcome, Data(bytes[..<outcome.size]))
  }
}
