import Runtime
import Testing

@testable import Enrolment

@Suite struct RoomTests {
  /// A tone of half a second, and a noise that is as loud.
  private static let tone = (0..<8_000).map { Float(Trigonometry.sine(Double($0) * 0.3)) * 0.5 }
  private static let noise = (0..<80_000).map { _ in Float.random(in: -0.8...0.8) }

  private func level(_ samples: ArraySlice<Int16>) -> Float {
    var sum: Float = 0
    for sample in samples { sum += Float(sample) * Float(sample) }
    return (sum / Float(max(1, samples.count))).squareRoot()
  }

  /// How loud it is before a word, beside the word itself.
  private func before(_ seed: UInt64, _ talk: [Float]) -> Float {
    var random = SeededRandom(seed: seed)
    let (samples, end) = Room.place(Self.tone, first: 0, among: talk, &random)
    let start = end - Self.tone.count
    return level(samples[..<(start - 4_000)]) / level(samples[start..<end])
  }

  @Test func `among talk many words have something before them`() {
    let loud = (1...60).count { before(UInt64($0), Self.noise) > 0.62 }
    #expect(8...35 ~= loud)
  }

  @Test func `without talk there is no more than noise before a word`() {
    for seed in 1...20 { #expect(before(UInt64(seed), []) < 0.62) }
  }

  @Test func `talk that is shorter than the recording is none`() {
    #expect(before(3, Array(Self.noise.prefix(1_000))) == before(3, []))
  }

  @Test func `a word that sways goes faster and slower by no more than the sway's depth`() {
    // Each sample is its own place.
    let word = (0..<8_000).map(Float.init)
    let sway = Sway(depth: 0.05, length: 2_000, phase: 1)
    let bent = Room.bend(word, by: 1, sway)
    let steps = zip(bent.dropLast(200), bent.dropFirst().dropLast(200)).map { $1 - $0 }.dropFirst(200)
    #expect(steps.allSatisfy { 0.94...1.06 ~= $0 } && steps.contains { $0 < 0.96 } && steps.contains { $0 > 1.04 })
    #expect(Room.bend(word, by: 1, .none) == Room.bend(word, by: 1))
    #expect(Room.bend(word, by: 1, Sway(depth: 0.075, length: 12_800, phase: 5)).allSatisfy { $0 >= 0 && $0 <= 7_999 })
  }
}
