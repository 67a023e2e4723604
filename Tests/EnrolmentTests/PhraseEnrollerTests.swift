import Runtime
import Testing
import Voice

@testable import Enrolment

@Suite struct PhraseEnrollerTests {
  private static let hello: [(Double, Double)] = [(300, 2200), (700, 1200), (500, 900), (350, 2300)]
  private static let other: [(Double, Double)] = [(600, 1000), (350, 2000), (650, 1700), (300, 800)]

  private func enroller() throws -> PhraseEnroller {
    PhraseEnroller(try #require(SpeechBank.builtIn), try #require(VoiceModel.builtIn))
  }

  /// One whose bank is a minute of nothing in particular, for what does not depend on speech.
  private func smallEnroller(_ recipe: PhraseEnroller.Recipe = .board, seed: UInt64 = 1) throws -> PhraseEnroller {
    let bytes = bankBytes(
      [(400, "one"), (400, "two")],
      // Each component is a number of the embedding, a tenth of it.
      floats: { index in
        let place = index - 96
        return 0..<(40 * 96) ~= place && place % 96 == place / 96 ? 0.1 : 0
      }, step: { Int8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 7) / 3 })
    return PhraseEnroller(
      try SpeechBank(UnsafeRawBufferPointer(bytes)), try #require(VoiceModel.builtIn), recipe, seed: seed)
  }

  /// The best score of a word in a room that nobody enrolled it in.
  private func score(_ word: [Float], _ file: PhraseFile) throws -> Float {
    let listener = WakeListener(try #require(VoiceModel.builtIn))
    _ = listener.detector.add(file)
    var random = SeededRandom(seed: 77)
    let (samples, _) = Room.place(word, first: word.count / 2, &random)
    var best = -Float.infinity
    samples.withUnsafeBufferPointer { buffer in
      for start in stride(from: 0, to: buffer.count, by: 160) {
        listener.hear(UnsafeBufferPointer(rebasing: buffer[start..<min(start + 160, buffer.count)]))
        best = max(best, listener.detector.score(of: 0))
      }
    }
    return best
  }

  @Test("three recordings make a phrase that is heard, and another word is not") func learns() throws {
    let enroller = try enroller()
    for (take, pitch) in [110.0, 120, 130].enumerated() {
      enroller.add(copiesOf: word(Self.hello, pitch: pitch, seed: UInt64(take)), 8)
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let outcome = try #require(phrase("Hey Talon") { enroller.fit($0, into: bytes) } ?? nil)
    let file = try PhraseFile(UnsafeRawBufferPointer(bytes))
    #expect(outcome.size == file.size)
    #expect(String(decoding: file.text, as: UTF8.self) == "hey talon")
    let (said, unsaid) = (
      try score(word(Self.hello, pitch: 125, seed: 9), file), try score(word(Self.other, pitch: 125, seed: 9), file)
    )
    #expect(said > file.threshold)
    #expect(unsaid < file.threshold)
    #expect(try #require(outcome.loudest.first) < file.threshold + 1)
  }

  @Test("of a sentence the phrase at its end is learned, and not what stands before it") func sentence() throws {
    let enroller = try enroller()
    for (take, pitch) in [110.0, 120, 130, 140, 150, 160].enumerated() {
      let said = word(Self.hello, pitch: pitch, seed: UInt64(take))
      let sentence = word(Self.other, pitch: pitch, seed: UInt64(take + 10)) + said
      for _ in 0..<4 { enroller.add(sentence, ofWhich: said.count, as: .phrase) }
    }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    _ = try #require(phrase("hey talon") { enroller.fit($0, into: bytes) } ?? nil)
    let file = try PhraseFile(UnsafeRawBufferPointer(bytes))
    let (before, said) = (word(Self.other, pitch: 125, seed: 19), word(Self.hello, pitch: 125, seed: 9))
    let (end, beginning) = (try score(before + said, file), try score(before, file))
    #expect(end > file.threshold)
    #expect(beginning < file.threshold)
  }

  @Test("without detections there is no phrase, and the progress callback may cancel") func ended() throws {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let silent = try smallEnroller()
    silent.add([], as: .phrase)
    let nothing = phrase("hello") { silent.fit($0, into: bytes) == nil }
    #expect(nothing == true)
    let stopped = try smallEnroller()
    stopped.add(word(Self.hello), as: .phrase)
    let outcome = phrase("hello") { stopped.fit($0, into: bytes, { _ in false }) == nil }
    #expect(outcome == true)
  }

  @Test("a recording of something else is told from the others") func oddOne() throws {
    let enroller = try enroller()
    let (a, b) = (word(Self.hello, pitch: 115, seed: 1), word(Self.hello, pitch: 125, seed: 2))
    let odd = word(Self.other, pitch: 120, seed: 3)
    #expect(enroller.oddOne(of: [a, b, word(Self.hello, pitch: 120, seed: 4)]) == nil)
    #expect(enroller.oddOne(of: [a, odd, b]) == 1)
    #expect(enroller.distance(a, a) < 0.01)
  }

  @Test("the same seed makes the same phrase") func repeats() throws {
    var files: [[UInt8]] = []
    for _ in 0..<2 {
      let enroller = try smallEnroller(seed: 5)
      enroller.add(copiesOf: word(Self.hello), 3)
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
      defer { bytes.deallocate() }
      let outcome = try #require(phrase("hello") { enroller.fit($0, into: bytes) } ?? nil)
      files.append(Array(bytes[..<outcome.size]))
    }
    #expect(files[0] == files[1])
  }

  @Test("more words than there is room for are left out") func bounded() throws {
    let enroller = try smallEnroller(.init(phraseSteps: 24, otherSteps: 40, checkSteps: 0))
    for _ in 0..<6 { enroller.add(word(Self.hello), as: .phrase) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let made = phrase("hello") { enroller.fit($0, into: bytes) != nil }
    #expect(made == true)
    let runs = StepRuns(capacity: 20)
    let steps = ArraySlice([Float](repeating: 1, count: 11 * StepRuns.components))
    let added = (runs.add(steps), runs.add(steps), runs.add(steps.prefix(8 * StepRuns.components)))
    #expect(added == (true, false, false))
    #expect(runs.windows == 3)
  }

  @Test("the threshold stands above what one recording of the bank in forty-five reaches, within its bounds")
  func threshold() {
    // The greatest first: the third of 90 is the one.
    var best = [Float](repeating: -3, count: 90)
    (best[0], best[1], best[2]) = (9, 5, 0.5)
    #expect(PhraseEnroller.threshold(above: best, 0.25) == 0.75)
    best[2] = 5
    #expect(PhraseEnroller.threshold(above: best, 0.25) == PhraseEnroller.thresholds.upperBound)
    best[2] = -3
    #expect(PhraseEnroller.threshold(above: best, 0.25) == PhraseEnroller.thresholds.lowerBound)
    // Where nothing is known of other speech, it is as high as any.
    #expect(PhraseEnroller.threshold(above: [], 0.25) == PhraseEnroller.thresholds.upperBound)
  }
}
