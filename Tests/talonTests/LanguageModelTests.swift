import Enrolment
import Runtime
import Testing
import Voice

@testable import talon

/// A folder that is the model of a language.
@Suite struct LanguageModelTests {
  private static let german = "language = de\nname = German\nvoices = de, mb-de1\nletters = äÖ üß\n"
  private let folder = TemporaryFolder()

  private func model(learns: Bool = true) -> (model: LanguageModel?, complaint: String?) {
    do throws(Failure) {
      return (try LanguageModel.configured(folder.path, learns: learns), nil)
    } catch {
      return (nil, error.text)
    }
  }

  private func complaint(_ text: String) -> String? {
    _ = folder.put("model.conf", text)
    return model().complaint.map { $0.replacing(folder.path, with: "M") }
  }

  private func phraseFile(_ text: String) -> [UInt8] {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let weights = [Float](repeating: 0, count: WakeDetector.weights)
    let size = Array(text.utf8).withUnsafeBufferPointer {
      PhraseFile.write(PhraseText($0)!, threshold: 0, bias: 1, weights: weights, into: bytes)!
    }
    return Array(bytes[..<size])
  }

  @Test("without one phrases are English")
  func builtIn() throws {
    let model = try LanguageModel.configured("")
    #expect(model.language == .english && model.phrases == nil && model.speech.count > 0)
  }

  @Test("a text file is enough: voices, letters in any case, and the built-in speech")
  func smallest() throws {
    _ = folder.put("model.conf", Self.german)
    let model = try LanguageModel.configured(folder.path)
    #expect(model.language.tag == "de" && model.language.name == "German" && model.language.voices == ["de", "mb-de1"])
    #expect(model.language.letters.map(\.lowerBound) == "äöüß".unicodeScalars.map(\.value))
    #expect(model.phrases == nil && model.speech.count == SpeechBank.builtIn?.count)
    _ = folder.put("model.conf", "language = nl\nvoices = nl\n")
    #expect(
      try LanguageModel.configured(folder.path).language == Language(tag: "nl", name: "nl", voices: ["nl"], letters: [])
    )
  }

  @Test(
    "its own speech and its own phrases are taken where they are there; who learns nothing keeps none of the speech")
  func whole() throws {
    _ = folder.put("model.conf", Self.german)
    _ = folder.put("phrases.bin", phraseFile("guten morgen") + phraseFile("hallo"))
    _ = folder.put("speech.bin", Self.bank())
    let model = try LanguageModel.configured(folder.path)
    #expect(model.speech.count == 0)
    var phrases: [String] = []
    try #require(model.phrases).forEach { file in
      phrases.append(String(decoding: file.text, as: UTF8.self))
      return true
    }
    #expect(phrases == ["guten morgen", "hallo"])
    #expect(try LanguageModel.configured(folder.path, learns: false).speech.count == SpeechBank.builtIn?.count)
  }

  @Test("what is missing, damaged, too large or of another version is told by its name and place")
  func broken() throws {
    #expect(model().complaint == "\(folder.path)/model.conf: no such file")
    _ = folder.put("model.conf", Self.german)
    var phrases = phraseFile("guten morgen") + phraseFile("hallo")
    phrases[phrases.count - 30] ^= 1
    _ = folder.put("phrases.bin", phrases)
    #expect(model().complaint == "\(folder.path)/phrases.bin: phrase 2 is damaged: its checksum is wrong")
    _ = folder.put("phrases.bin", [UInt8](repeating: 0, count: Budget.wakeBankBytes + 1))
    #expect(model().complaint?.hasPrefix("\(folder.path)/phrases.bin: file too large") == true)
    _ = folder.put("phrases.bin", [])
    var bank = Self.bank()
    _ = folder.put("speech.bin", bank)
    #expect(model().complaint == nil)
    bank[8] = 9
    _ = folder.put("speech.bin", bank)
    #expect(model(learns: false).complaint == "\(folder.path)/speech.bin is of a version that this Talon does not know")
    _ = folder.put("speech.bin", Array(Self.bank().dropLast(9)))
    #expect(model().complaint == "\(folder.path)/speech.bin is cut off")
    _ = folder.put("speech.bin", [UInt8](repeating: 0, count: Budget.speechBankBytes + 1))
    #expect(model().complaint?.hasPrefix("\(folder.path)/speech.bin: file too large") == true)
  }

  /// A bank without a recording.
  private static func bank() -> [UInt8] {
    var bytes =
      Array("TALONBNK".utf8) + [UInt8(SpeechBank.version), 0, 0, 0]
      + [UInt8](repeating: 0, count: 12 + 4 * SpeechBank.floats)
    var checksum = Checksum()
    bytes.withUnsafeBytes { checksum.update($0) }
    for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: checksum.value >> (8 * index))) }
    return bytes
  }

  @Test(
    "what a line of it says wrongly is told by its number",
    arguments: [
      ("voices = de", "M/model.conf: language: is missing"), ("language = de", "M/model.conf: voices: is missing"),
      ("language de", "M/model.conf:1: expected key = value"), ("# de\nlang = de", "M/model.conf:2: lang: unknown key"),
      ("language = de\nlanguage = de", "M/model.conf:2: language: appears twice"),
      ("language =", "M/model.conf:1: language: has no value; remove the line"),
      ("language = d e", "M/model.conf:1: language: must be a language's tag, such as de or pt-BR"),
      ("name = a|b", "M/model.conf:1: name: must not contain control characters or |"),
      ("voices = -w", "M/model.conf:1: voices: -w is no name of a voice: espeak-ng --voices tells them"),
      ("voices = ../de", "M/model.conf:1: voices: ../de is no name of a voice: espeak-ng --voices tells them"),
      ("voices = ,", "M/model.conf:1: voices: must name a voice"),
      (
        "voices =" + String(repeating: " v", count: Budget.languageVoices + 1),
        "M/model.conf:1: voices: must name at most \(Budget.languageVoices) voices"
      ),
      (
        "letters = ä,ö", "M/model.conf:1: letters: must be letters beyond a to z, each of them one character: , is none"
      ),
      (
        "letters = a\u{308}",
        "M/model.conf:1: letters: must be letters beyond a to z, each of them one character: a is none"
      ),
      (
        "letters = " + String(repeating: "ä", count: Budget.languageLetters + 1),
        "M/model.conf:1: letters: must be at most \(Budget.languageLetters) letters"
      ),
      (String(repeating: "#", count: Budget.languageFileBytes + 1), "M/model.conf: file too large"),
    ])
  func lines(text: String, says: String) { #expect(complaint(text) == says) }
}
