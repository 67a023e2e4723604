import Runtime
import Testing

@testable import Sound

private final class Halver: Denoiser {
  var sizes: Set<Int> = []
  func clean(_ block: UnsafeMutableBufferPointer<Int16>) {
    sizes.insert(block.count)
    for index in 0..<block.count { block[index] /= 2 }
  }
}

@Suite struct IntakeTests {
  private func take(_ bytes: [UInt8], _ intake: SoundIntake, parts: Int) -> Ear {
    let ear = Ear()
    for start in stride(from: 0, to: bytes.count, by: parts) {
      bytes[start..<min(start + parts, bytes.count)].withUnsafeBytes { intake.take($0, ear) }
    }
    return ear
  }

  @Test(arguments: SampleFormatTests.linear.filter { $0.bits >= 16 })
  func `A tone is heard alike in every format`(format: SampleFormat) throws {
    let tone = sine(1000, count: 6400)
    let intake = intake()
    try intake.begin(facts(format))
    let ear = take(frames(tone.map { [$0] }, format), intake, parts: 640 * format.bytes)
    #expect(ear.blocks == 20)
    // The high-pass has settled after the first half.
    for index in 3200..<6400 { #expect(abs(Float(ear.samples[index]) / 32768 - tone[index]) < 0.02) }
  }

  @Test func `Channels are mixed, or one is taken`() throws {
    let tone = sine(1000, count: 1600)
    let bytes = frames(tone.map { [$0, -$0, 0] }, .s16)
    let mix = intake()
    try mix.begin(facts(channels: 3))
    #expect(take(bytes, mix, parts: 600).samples.allSatisfy { abs($0) <= 1 })
    let second = intake(channel: .one(1))
    try second.begin(facts(channels: 3))
    let ear = take(bytes, second, parts: 600)
    #expect(abs(Float(ear.samples[1572]) / 32768 + tone[1572]) < 0.03)
  }

  @Test func `A channel that the card has not is reported`() {
    #expect { try intake(channel: .one(2)).begin(facts(channels: 2)) } throws: {
      ($0 as? SoundError)?.isLike(.noChannel(0)) == true
    }
  }

  @Test(arguments: [(UInt32(3_999), 1), (384_001, 1), (16_000, 0), (16_000, 65)])
  func `What no card has is refused`(rate: UInt32, channels: Int) {
    #expect { try intake().begin(facts(rate: rate, channels: channels)) } throws: {
      ($0 as? SoundError)?.isLike(.noFormat) == true
    }
  }

  @Test func `48 kHz in two channels become 16 kHz in one, wherever the stream is cut`() throws {
    let tone = sine(500, rate: 48_000, count: 48_000)
    let bytes = frames(tone.map { [$0, $0] }, .s16)
    var heard: [[Int16]] = []
    for parts in [4, 4 * 1000, 4 * 5000] {
      let intake = intake()
      try intake.begin(facts(rate: 48_000, channels: 2))
      heard.append(take(bytes, intake, parts: parts).samples)
    }
    #expect(heard[0].count == 16_000)
    #expect(heard[1] == heard[0])
    #expect(heard[2] == heard[0])
  }

  @Test func `The lowest rate fills no buffer beyond its end`() throws {
    let intake = intake()
    try intake.begin(facts(rate: 4_000))
    let ear = take(frames(sine(100, rate: 4_000, count: 4_000).map { [$0] }, .s16), intake, parts: 8_000)
    #expect(ear.samples.count == 16_000)
  }

  @Test func `A constant part is taken out, and the meter has seen it`() throws {
    let intake = intake()
    try intake.begin(facts())
    let ear = take(
      frames(sine(1000, count: 32_000, amplitude: 0.1).map { [$0 + 0.4] }, .s16), intake, parts: 640)
    let late = ear.samples[16_000...].map { Int($0) }
    #expect(abs(late.reduce(0, +) / late.count) < 10)
    #expect(abs(intake.meter.offset - 0.4) < 0.001)
  }

  @Test func `Gain cuts at full scale and does not wrap`() throws {
    let intake = intake(gain: .fixed(20))
    try intake.begin(facts())
    let ear = take(frames(sine(1000, count: 3200).map { [$0] }, .s16), intake, parts: 640)
    #expect(ear.samples.max() == 32767)
    #expect(ear.samples.min() == -32768)
  }

  @Test func `A denoiser gets blocks of one size, as the last`() throws {
    let halver = Halver()
    let intake = intake(denoiser: halver)
    try intake.begin(facts())
    let ear = take(frames(sine(1000, count: 3200).map { [$0] }, .s16), intake, parts: 500)
    #expect(halver.sizes == [Budget.soundBlock])
    #expect(ear.samples.max()! < 8300)
  }
}
