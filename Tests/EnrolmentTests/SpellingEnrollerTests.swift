import Runtime
import Testing
import Voice

@testable import Enrolment

/// Says everything as a buzz of its own pitch, or nothing.
private final class Buzz: PhraseVoice {
  var isMute = false
  /// How often it speaks before it is mute.
  var breath = Int.max
  private(set) var texts: [String] = []

  func speak(_ text: [UInt8], _ manner: Manner) -> [Float]? {
    texts.append(String(decoding: text, as: UTF8.self))
    guard !isMute, texts.count <= breath else { return nil }
    let silence = [Float](repeating: 0.0001, count: 800)
    let formants: [(Double, Double)] = [(300, 2200), (700, 1200), (500, 900)]
    return silence
      + word(
        formants, pitch: manner.family == .flite ? 100 * manner.pitch : 80 + manner.pitch, seed: UInt64(texts.count))
      + silence
  }
}

@Suite("A phrase learned from its spelling") struct SpellingEnrollerTests {
  private let flite = Buzz()
  private let espeak = Buzz()

  private let german = language("de", letters: "ü")
  private var talk = 0

  private var recipe: SpellingEnroller.Recipe {
    var recipe = SpellingEnroller.Recipe()
    recipe.talk = talk
    (recipe.flite, recipe.espeak, recipe.fliteAlone, recipe.parts) = (8, 8, 9, 4)
    (recipe.rooms, recipe.roomsAlone) = (1, 1)
    return recipe
  }

  /// What came of a phrase, and its file.
  private func learn(
    _ text: String, hasFlite: Bool = true, hasEspeak: Bool = true, seed: UInt64 = 1,
    tell: @escaping (Double) -> Bool = { _ in true }
  ) throws -> (result: Swift.Result<SpellingEnroller.Outcome, SpellingEnroller.Failure>, file: [UInt8]) {
    let enroller = SpellingEnroller(
      try #require(SpeechBank.builtIn), try #require(VoiceModel.builtIn), hasFlite ? .english : german,
      flite: hasFlite ? flite : nil,
      espeak: hasEspeak ? espeak : nil, recipe, seed: seed)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let result = Array(text.utf8).withUnsafeBufferPointer { text in
      Swift.Result { () throws(SpellingEnroller.Failure) in try enroller.learn(text, into: bytes, tell) }
    }
    guard case .success(let outcome) = result else { return (result, []) }
    return (result, Array(bytes[..<outcome.fitted.size]))
  }

  @Test("both families say it and its halves, some are kept aside, and progress only grows")
  func learns() throws {
    var parts: [Double] = []
    let (result, file) = try learn("Purple Dragon") {
      parts.append($0)
      return true
    }
    let outcome = try result.get()
    #expect((outcome.flite, outcome.espeak) == (8, 8))
    #expect(outcome.fitted.checked > 0)
    #expect(
      flite.texts.filter { $0 == "purple dragon" }.count == 8
        && espeak.texts.filter { $0 == "purple dragon" }.count == 8)
    #expect(Set(flite.texts + espeak.texts) == ["purple dragon", "purple", "dragon"])
    #expect(parts == parts.sorted() && parts.last == 1)
    let text = file.withUnsafeBytes { bytes in (try? PhraseFile(bytes)).map { String(decoding: $0.text, as: UTF8.self) }
    }
    #expect(text == "purple dragon")
  }

  @Test("before it other words are said, by both in turn, but none that is in it")
  mutating func besides() throws {
    talk = 12
    _ = try learn("yellow river").result.get()
    #expect(flite.texts.prefix(5) == ["water", "because", "window", "remember", "together"])
    #expect(!flite.texts.prefix(6).contains("yellow") && !espeak.texts.prefix(6).contains("yellow"))
    #expect(Set(flite.texts + espeak.texts).isSuperset(of: ["water", "morning", "nothing", "together"]))
  }

  @Test("the same seed makes the same file")
  func repeats() throws {
    let one = try learn("purple dragon", hasEspeak: false, seed: 4).file
    let again = SpellingEnrollerTests()
    #expect(try again.learn("purple dragon", hasEspeak: false, seed: 4).file == one)
  }

  @Test(
    "without espeak-ng flite's voice is enough, and says it more often; one that fails three times in a row is asked no more"
  )
  func alone() throws {
    let outcome = try learn("talon", hasEspeak: false).result.get()
    #expect((outcome.flite, outcome.espeak) == (9, 0))
    espeak.breath = 2
    let other = try learn("talon").result.get()
    #expect((other.flite, other.espeak) == (8, 2) && espeak.texts.count == 5)
  }

  @Test(
    "another language's voices are espeak-ng's alone, which say it as often as both, with its accents; its vector is of the phrase without them"
  )
  func otherLanguage() throws {
    let (result, file) = try learn("Guten Tag Grün", hasFlite: false)
    let outcome = try result.get()
    #expect((outcome.flite, outcome.espeak) == (0, 16) && outcome.fitted.checked > 0 && flite.texts.isEmpty)
    #expect(Set(espeak.texts.suffix(24)) == ["guten tag grün", "guten tag", "tag grün"])
    let text = file.withUnsafeBytes { bytes in (try? PhraseFile(bytes)).map { String(decoding: $0.text, as: UTF8.self) }
    }
    #expect(text == "guten tag grun")
    espeak.isMute = true
    #expect(throws: SpellingEnroller.Failure.silent) { _ = try self.learn("Guten Tag", hasFlite: false).result.get() }
  }

  @Test("silent voices make no phrase, and the progress callback may cancel")
  func fails() throws {
    (flite.isMute, espeak.isMute) = (true, true)
    #expect(throws: SpellingEnroller.Failure.silent) { _ = try self.learn("talon").result.get() }
    let before = flite.texts.count
    #expect(throws: SpellingEnroller.Failure.ended) { _ = try self.learn("talon") { $0 < 0.2 }.result.get() }
    #expect(flite.texts.count < before + 8)
  }
}
