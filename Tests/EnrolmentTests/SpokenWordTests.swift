import Enrolment
import Testing

@Suite struct SpokenWordTests {
  /// A room of this level, and a tone of another from the second sample on to the third.
  private func recording(_ count: Int, room: Float, voice: Float, _ first: Int, _ end: Int) -> [Float] {
    var random = SeededRandom(seed: 3)
    return (0..<count).map { index in
      let noise = room * random.normal()
      guard first..<end ~= index else { return noise }
      return noise + voice * (index / 40 % 2 == 0 ? 1 : -1) * (0.5 + 0.5 * Float(index % 1600) / 1600)
    }
  }

  @Test("a word is found between silences") func found() {
    let word = SpokenWord.find(in: recording(48_000, room: 0.001, voice: 0.2, 16_000, 28_800))
    #expect(word.verdict == .good)
    #expect(15_000...16_000 ~= word.range.lowerBound)
    #expect(28_800...29_800 ~= word.range.upperBound)
  }

  @Test("what cannot be learned from is told by its reason") func refused() {
    #expect(SpokenWord.find(in: []).verdict == .silent)
    #expect(SpokenWord.find(in: .init(repeating: 0, count: 48_000)).verdict == .silent)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.0005, voice: 0, 0, 0)).verdict == .silent)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.0002, voice: 0.003, 16_000, 28_800)).verdict == .quiet)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.05, voice: 0.1, 16_000, 28_800)).verdict == .noisy)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.001, voice: 0.2, 16_000, 17_600)).verdict == .short)
    #expect(SpokenWord.find(in: recording(64_000, room: 0.001, voice: 0.2, 8_000, 48_000)).verdict == .long)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.001, voice: 0.2, 32_000, 48_000)).verdict == .cut)
    #expect(SpokenWord.find(in: recording(48_000, room: 0.001, voice: 2, 16_000, 28_800)).verdict == .loud)
  }

  @Test("a click before a word is not the word") func click() {
    var samples = recording(48_000, room: 0.001, voice: 0.2, 24_000, 36_000)
    for index in 1_000..<1_100 { samples[index] = 0.9 }
    let word = SpokenWord.find(in: samples)
    #expect(word.verdict == .good)
    #expect(word.range.lowerBound > 20_000)
  }
}
