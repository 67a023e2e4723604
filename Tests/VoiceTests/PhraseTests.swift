import CVoiceModel
import Runtime
import Testing

@testable import Voice

@Suite struct PhraseTextTests {
  @Test(arguments: [
    ("Computer", "computer"), ("  Hey,   TALON! ", "hey talon"), ("Zo\u{eb}", "zoe"), ("Zoe\u{308}", "zoe"),
    ("\u{201c}Okay\u{201d}", "okay"),
    ("o'clock", "o'clock"), ("o\u{2019}clock", "o'clock"), ("R2-D2", "r2-d2"),
    ("\u{410}\u{43b}\u{438}\u{441}\u{430}", "\u{430}\u{43b}\u{438}\u{441}\u{430}"),
    ("hey\u{a0}you", "hey you"), ("\u{3a9}", "\u{3c9}"), ("\u{d8}rsted", "\u{f8}rsted"), ("- yes -", "yes"),
    ("\u{141}\u{d3}D\u{179}", "\u{142}od\u{17a}"), ("\u{130}\u{178}\u{147}", "iy\u{148}"),
    ("\u{5c0f}\u{7231}\u{540c}\u{5b66}", "\u{5c0f}\u{7231}\u{540c}\u{5b66}"),
  ])
  func `spellings of one phrase become one`(_ text: String, _ expected: String) {
    #expect(plain(text) == expected)
    #expect(plain(expected) == expected)
  }

  @Test func `as it is spoken it keeps the accents that are part of a letter`() throws {
    var scalars: [UInt32] = []
    let text = Array("Sch\u{d6}ne  Gr\u{fc}\u{df}e, Zoe\u{308} \u{1d538}!".utf8)
    let spoken = text.withUnsafeBufferPointer { text -> String? in
      guard let phrase = PhraseText(text, keepsAccents: true) else { return nil }
      phrase.forEachScalar { scalars.append($0) }
      return String(decoding: (0..<phrase.count).map { phrase[$0] }, as: UTF8.self)
    }
    #expect(spoken == "sch\u{f6}ne gr\u{fc}\u{df}e zoe \u{1d538}")
    #expect(scalars == spoken.map { $0.unicodeScalars.map(\.value) })
    #expect(
      "\u{e4}\u{ff}\u{df}\u{f7}a\u{15b}".unicodeScalars.map { PhraseText.withoutAccent($0.value) } == [
        0x61, 0x79, 0xDF, 0xF7, 0x61, 0x15B,
      ])
  }

  @Test func `what has no letter is no phrase`() {
    #expect(plain("") == nil)
    #expect(plain(" ... ") == nil)
    #expect(plain("\u{301}") == nil)
  }

  @Test func `a phrase has at most 64 units of UTF-16`() {
    #expect(plain(String(repeating: "a", count: 64))?.count == 64)
    #expect(plain(String(repeating: "a", count: 65)) == nil)
    #expect(plain(String(repeating: "\u{1d538}", count: 32)) != nil)
    #expect(plain(String(repeating: "\u{1d538}", count: 33)) == nil)
    #expect(plain(String(repeating: "\u{4e00}", count: 64))?.utf8.count == Budget.wakePhraseBytes)
  }

  @Test(
    arguments: [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80],
      [0xF4, 0x90, 0x80, 0x80],
    ] as [[UInt8]])
  func `what is not UTF-8 is no phrase`(_ bytes: [UInt8]) {
    let isPhrase = bytes.withUnsafeBufferPointer { buffer in
      if let phrase = PhraseText(buffer) { return phrase.count > 0 }
      return false
    }
    #expect(!isPhrase)
  }
}

@Suite struct PhraseFileTests {
  private func error(_ bytes: some Sequence<UInt8>) -> PhraseFileError? {
    let copy = Array(bytes)
    return copy.withUnsafeBytes { buffer in
      do throws(PhraseFileError) {
        _ = try PhraseFile(buffer)
        return nil
      } catch {
        return error
      }
    }
  }

  @Test func `what was written is read`() throws {
    // Of each vector the greatest is 127 steps.
    let weights = (0..<WakeDetector.weights).map {
      Float($0 % EmbeddingNetwork.width + 32) * Float($0 / EmbeddingNetwork.width + 1) / 8
    }
    let file = try PhraseFile(
      UnsafeRawBufferPointer(phraseFile("Hey Talon!", threshold: 1.5, bias: -3.25, weights: weights)))
    #expect(String(decoding: file.text, as: UTF8.self) == "hey talon")
    #expect(file.threshold == 1.5 && file.bias == -3.25)
    let copy = FloatTable(count: WakeDetector.weights)
    file.copyWeights(into: copy.floats)
    #expect(Array(UnsafeBufferPointer(start: copy.floats, count: copy.count)) == weights)
    #expect(file.size <= Budget.wakeFileBytes)
  }

  @Test func `weights are rounded to a part in 127 of the greatest of their vector`() throws {
    let weights: [Float] = (0..<WakeDetector.weights).map { (index: Int) -> Float in
      let part = Float(index * 7919 % 1000)
      return part / 100 - 5
    }
    let file = try PhraseFile(UnsafeRawBufferPointer(phraseFile("computer", weights: weights)))
    let copy = FloatTable(count: WakeDetector.weights)
    file.copyWeights(into: copy.floats)
    let step: Float = 0.5001 * 5 / 127
    for index in weights.indices { #expect((copy.floats[index] - weights[index]).magnitude <= step) }
  }

  @Test func `a file of the first version is of one that this Talon does not know`() {
    var bytes = Array(phraseFile("computer"))
    bytes[8] = 1
    bytes += [UInt8](repeating: 0, count: 2600)
    #expect(error(bytes) == .unsupportedVersion)
  }

  @Test func `the longest text fits`() throws {
    let text = String(repeating: "\u{4e00}", count: 64)
    #expect(try PhraseFile(UnsafeRawBufferPointer(phraseFile(text))).text.count == Budget.wakePhraseBytes)
  }

  @Test func `a flipped bit is found wherever it is`() {
    let bytes = Array(phraseFile("computer"))
    for place in stride(from: 0, to: bytes.count, by: 13) {
      var torn = bytes
      torn[place] ^= 1 << UInt8(place % 8)
      #expect(error(torn) != nil)
    }
  }

  @Test func `a file that is cut off anywhere says so`() {
    let bytes = Array(phraseFile("computer"))
    for count in [0, 7, 8, 100, bytes.count - 1] { #expect(error(bytes[..<count]) == .truncated) }
  }

  @Test func `each kind of wrong has its own words`() {
    #expect(error("a text that is no phrase file".utf8) == .wrongFormat)
    var bytes = Array(phraseFile("computer"))
    bytes[8] = 9
    #expect(error(bytes) == .unsupportedVersion)
    bytes = Array(phraseFile("computer"))
    bytes[bytes.count - 1] ^= 255
    #expect(error(bytes) == .damaged)
    #expect(error(Array(phraseFile("computer", threshold: .nan))) == .invalid)
    #expect(error(Array(phraseFile("computer", bias: .infinity))) == .invalid)
    let endless = [Float](repeating: .infinity, count: WakeDetector.weights)
    #expect(error(Array(phraseFile("computer", weights: endless))) == .invalid)
  }

  @Test func `a bank finds its phrases, and not behind a hole`() throws {
    let bytes =
      Array(phraseFile("alpha")) + Array(phraseFile("beta gamma", threshold: 2)) + [1, 2, 3]
      + Array(phraseFile("delta"))
    bytes.withUnsafeBytes { buffer in
      let bank = PhraseBank(buffer)
      #expect(normalised("Beta, Gamma") { bank.find($0)?.threshold } == .some(.some(2)))
      #expect(normalised("delta") { bank.find($0) == nil } == true)
      var count = 0
      bank.forEach { _ in
        count += 1
        return true
      }
      #expect(count == 2)
    }
  }

  @Test(arguments: ["openclaw", "claude", "computer"])
  func `the gateway's first phrases are built in`(_ text: String) {
    #expect(normalised(text) { PhraseBank.builtIn.find($0) != nil } == true)
  }

  @Test func `every phrase that is built in is sound and there once`() {
    var names: [String] = []
    PhraseBank.builtIn.forEach { file in
      names.append(String(decoding: file.text, as: UTF8.self))
      return true
    }
    #expect(!names.isEmpty)
    #expect(Set(names).count == names.count)
    for name in names { #expect(normalised(name) { PhraseBank.builtIn.find($0) != nil } == true) }
  }

  @Test func `the built-in phrases reach to the end of their file`() {
    var count: Int64 = 0
    _ = tl_voice_phrases(&count)
    var sum = 0
    PhraseBank.builtIn.forEach { file in
      sum += file.size
      return true
    }
    #expect(sum == Int(count))
  }
}
