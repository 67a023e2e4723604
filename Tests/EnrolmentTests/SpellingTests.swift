import Runtime
import Testing
import Voice

@testable import Enrolment

@Suite("Phrases as voices are given them") struct SpellingTests {
  private func spelling(_ text: String, _ language: Language = .english) throws -> Spelling {
    try #require(phrase(text, keepsAccents: true) { Spelling($0, language) })
  }

  private func text(_ text: String) throws -> String { String(decoding: try spelling(text).text, as: UTF8.self) }

  @Test("what is no letter is a pause, and nothing of it is a word to a program or to a synthesizer")
  func plain() throws {
    #expect(try text("Hey, Talon!") == "hey talon")
    #expect(try text("--help") == "help")
    #expect(try text("a [[h@l'oU]] <b>x</b> $(rm) `ls` c:\\d") == "a h l'ou b x b rm ls c d")
    #expect(try text("it's co-op 42") == "it's co-op 42")
    #expect(try text("Straße") == "straße")
    #expect(try text("Café Łódź") == "cafe łodź")
  }

  @Test(
    "one syllable is told, and what no English voice pronounces is not spoken",
    arguments: [
      ("purple dragon", Spelling.Verdict.good), ("hey stone", .good), ("table", .good), ("go", .short),
      ("stone", .short), ("9", .short),
      ("xkcd", .good), ("computer 5", .good), ("привет", .foreign), ("你好", .foreign), ("hey 你好", .foreign),
      ("straße 7", .good),
    ])
  func verdicts(text: String, verdict: Spelling.Verdict) throws { #expect(try spelling(text).verdict == verdict) }

  @Test(
    "another language has its own letters, those with an accent that it has not are spoken without it, and others not at all",
    arguments: [
      ("Schöne Grüße", "schöne grüße", Spelling.Verdict.good), ("Café Ölkanne 7", "cafe ölkanne 7", .good),
      ("Tür", "tür", .short),
      ("Straße", "straße", .good), ("ganze", "ganze", .good), ("žába", "aba", .foreign), ("привет", "", .foreign),
    ])
  func german(text: String, spoken: String, verdict: Spelling.Verdict) throws {
    let spelling = try spelling(text, language("de", letters: "äöüß"))
    #expect(String(decoding: spelling.text, as: UTF8.self) == spoken && spelling.verdict == verdict)
  }

  @Test("scripts of which Talon knows no syllables are spoken, too, where the language has their letters")
  func scripts() throws {
    let russian = language("ru", letters: "абвгдеёжзийклмнопрстуфхцчшщъыьэюя")
    #expect(try spelling("Привет, мир!", russian).verdict == .good && spelling("дом", russian).verdict == .short)
    #expect(String(decoding: try spelling("Привет, мир!", russian).text, as: UTF8.self) == "привет мир")
    let korean = language("ko", letters: "안녕𝔸")
    #expect(try spelling("안녕", korean).verdict == .good && spelling("안", korean).verdict == .short)
    #expect(String(decoding: try spelling("안𝔸", korean).text, as: UTF8.self) == "안𝔸")
  }

  @Test("of several words all but the last and all but the first are near it")
  func parts() throws {
    #expect(
      try spelling("hey good board").parts.map { String(decoding: $0, as: UTF8.self) } == ["hey good", "good board"])
    #expect(try spelling("talon").parts.isEmpty)
  }
}

@Suite("In which ways a phrase is said") struct SpeakingPlanTests {
  private func ways(_ seed: UInt64, _ language: Language = .english) -> [Manner] {
    var plan = SpeakingPlan(language, seed: seed)
    return (0..<60).map { plan.next($0 % 2 == 0 ? .flite : .espeak) }
  }

  @Test("the same seed makes the same ways, another one others")
  func repeats() {
    #expect(ways(3) == ways(3))
    #expect(ways(3) != ways(4))
  }

  @Test("they stay within what sounds like a person, and use every variant that espeak-ng has")
  func ranges() {
    let ways = ways(1)
    for way in ways {
      let ranges = way.family == .flite ? SpeakingPlan.flite : SpeakingPlan.espeak
      #expect(ranges.pace.contains(way.pace) && ranges.pitch.contains(way.pitch) && ranges.bend.contains(way.bend))
      #expect(
        SpeakingPlan.swayDepth.contains(way.sway.depth) && SpeakingPlan.swayLength.contains(way.sway.length))
      #expect((way.family == .espeak) == way.voice.hasPrefix("en"))
    }
    let german = self.ways(1, language("de", ["de", "mb-de1"], letters: "")).filter { $0.family == .espeak }
    #expect(Set(german.map { $0.voice.split(separator: "+")[0] }) == ["de", "mb-de1"])
    let variants = Set(ways.filter { $0.family == .espeak }.map { $0.voice.split(separator: "+").dropFirst().joined() })
    #expect(variants.count == SpeakingPlan.variants.count)
  }
}
