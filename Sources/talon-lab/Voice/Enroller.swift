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

  /// Of how many utterances one is kept to see how many are heard, and in how many voices each near word is spoken.
  private static let checked = 7, nearVoices = 6
  /// Steps that an utterance may add of itself and of what is not it, and a near word.
  private static let phraseSteps = 12, otherSteps = 32, nearSteps = 32

  /// The phrase's file, and a line about it.
  func enrol(_ phrase: String) throws -> (file: Data, report: String) {
    var random = SeededRandom(seed: seed)
    let heard = utterances * rooms
    let enroller = PhraseEnroller(
      bank, model,
      PhraseEnroller.Recipe(
        phraseSteps: heard * Self.phraseSteps,
        otherSteps: heard * Self.otherSteps + (near + 2) * Self.nearVoices * Self.nearSteps,
        checkSteps: heard * Self.phraseSteps), seed: seed)
    for index in 0..<utterances {
      let word = try synthesizers.speak(phrase, voice: index, &random)
      for _ in 0..<rooms { enroller.add(word, as: index % Self.checked == 0 ? .check : .phrase) }
    }
    for word in try words.find(phrase, count: near) + NearWords.parts(of: phrase) {
      for _ in 0..<Self.nearVoices {
        enroller.add(other: try synthesizers.speak(word, voice: Int(random.next() % 150), &random))
      }
    }
    return try fit(phrase, enroller)
  }

  private func fit(_ phrase: String, _ enroller: PhraseEnroller) throws -> (file: Data, report: String) {
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
    let report = String(
      format: "%@: threshold %.2f; %.1f %% of %d windows of voices kept aside; best scores of the bank %@", phrase, outcome.threshold,
      100 * Double(outcome.heard) / Double(max(1, outcome.checked)), outcome.checked,
      outcome.loudest.map { String(format: "%.2f", $0) }.joined(separator: " "))
    return (Data(bytes[..<outcome.size]), report)
  }
}
