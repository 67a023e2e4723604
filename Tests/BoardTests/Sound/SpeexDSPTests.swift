import Foundation
import Runtime
import Sound
import Testing

@testable import Board

@Suite struct SpeexDSPTests {
  private func resampled(_ hertz: Double, from: UInt32, to: UInt32, parts: Int = 441) -> [Float] {
    let resampler = SpeexResampler()
    #expect(resampler.set(from: from, to: to))
    let input = (0..<Int(from)).map { Float(sin(2 * .pi * hertz * Double($0) / Double(from))) }
    var (output, room) = ([Float](), [Float](repeating: 0, count: 8192))
    for start in stride(from: 0, to: input.count, by: parts) {
      let part = Array(input[start..<min(start + parts, input.count)])
      let (taken, given) = part.withUnsafeBufferPointer { source in
        room.withUnsafeMutableBufferPointer { resampler.run(source, into: $0) }
      }
      #expect(taken == part.count)
      output += room[..<given]
    }
    return output
  }

  private func level(_ samples: some Collection<Float>) -> Float {
    (samples.reduce(0) { $0 + $1 * $1 } / Float(samples.count)).squareRoot()
  }

  @Test(arguments: [UInt32(8_000), 11_025, 22_050, 32_000, 44_100, 48_000, 96_000, 192_000, 16_000])
  func `A tone keeps its level and its place at every rate`(rate: UInt32) {
    let output = resampled(1000, from: rate, to: 16_000)
    #expect(abs(output.count - 16_000) < 100)
    let middle = output[4000..<12_000]
    #expect(abs(level(middle) - 0.7071) < 0.02)
    var crossings = 0
    for index in 4001..<12_000 where output[index - 1] < 0 && output[index] >= 0 { crossings += 1 }
    #expect(abs(crossings - 500) <= 1)
  }

  @Test func `What is above half of the rate is not heard as something else`() {
    #expect(level(resampled(12_000, from: 48_000, to: 16_000)[4000..<12_000]) < 0.01)
  }

  @Test func `Rates of nothing are refused`() {
    #expect(!SpeexResampler().set(from: 0, to: 16_000))
  }

  @Test func `Noise that does not change becomes quieter, and what comes up in it does not`() throws {
    let denoiser = try SpeexDenoiser()
    var seed: UInt32 = 1
    func noise() -> Float {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return (Float(seed >> 8) / 8_388_608 - 1) * 800
    }
    func run(_ seconds: Int, _ tone: Float) -> (before: Float, after: Float) {
      var (before, after): (Float, Float) = (0, 0)
      for block in 0..<(seconds * 50) {
        var samples = (0..<Budget.soundBlock).map { index in
          Int16(
            noise() + tone * Float(sin(2 * .pi * 700 * Double(block * Budget.soundBlock + index) / 16_000)))
        }
        before = level(samples.map(Float.init))
        samples.withUnsafeMutableBufferPointer { denoiser.clean($0) }
        after = level(samples.map(Float.init))
      }
      return (before, after)
    }
    let silence = run(4, 0)
    #expect(silence.after < silence.before / 3)
    let voice = run(1, 8000)
    #expect(voice.after > voice.before * 0.6)
  }

  @Test func `Formats are found by their names, and each has a number of its own`() {
    #expect(ALSAFormat.named("S24_3LE") == SampleFormat(.signed, bits: 24, bytes: 3))
    #expect(ALSAFormat.named("S16_LE") == .s16)
    #expect(ALSAFormat.named("S17_LE") == nil)
    #expect(Set(ALSAFormat.all.map(\.number)).count == ALSAFormat.all.count)
    // S16_LE and S32_LE: what needs no conversion first.
    #expect(ALSAFormat.choose(1 << 10 | 1 << 2, wanted: nil)?.format == .s16)
    #expect(ALSAFormat.choose(1 << 32, wanted: nil)?.number == 32)
    #expect(ALSAFormat.choose(1 << 18, wanted: nil) == nil)
    #expect(ALSAFormat.choose(1 << 2, wanted: ALSAFormat.named("S32_LE")) == nil)
  }
}
