import Runtime
import Testing

@testable import Talk

@Suite("Other rates and codes of sound")
struct CodeTests {
  private func convert(_ samples: [Int16], _ converter: RateConverter) -> [Int16] {
    samples.withUnsafeBufferPointer { input in
      [Int16](unsafeUninitializedCapacity: converter.mostOutput(of: input.count)) { buffer, count in
        count = converter.convert(input, into: buffer)
      }
    }
  }

  @Test("a voice's tone keeps its pitch and level at every rate", arguments: [8_000, 16_000, 24_000, 44_100])
  func tone(rate: Int) {
    let converter = RateConverter(from: 16_000, to: rate)
    let output = convert(Sound.tone(1_000, hertz: 1_000), converter)
    #expect(abs(output.count - rate) <= 1)
    let inner = Array(output[(rate / 10)..<(rate * 9 / 10)])
    #expect(abs(Sound.level(inner) - 8_000 / 2.0.squareRoot()) < 60)
    var crossings = 0
    for index in 1..<inner.count where (inner[index - 1] < 0) != (inner[index] < 0) { crossings += 1 }
    #expect(abs(crossings - 1_600) <= 2)
  }

  @Test("what the lower rate cannot say does not come back as something else")
  func alias() {
    let output = convert(Sound.tone(1_000, hertz: 5_500), RateConverter(from: 16_000, to: 8_000))
    #expect(Sound.level(Array(output.dropFirst(200))) < 12)
  }

  @Test("cut anywhere, the same comes out")
  func cuts() {
    let sound = Sound.noise(500, amplitude: 9_000)
    let whole = convert(sound, RateConverter(from: 16_000, to: 24_000))
    let converter = RateConverter(from: 16_000, to: 24_000)
    var dice = Dice(5)
    #expect(sound.cut(&dice, most: 40).flatMap { convert($0, converter) } == whole)
    converter.reset()
    #expect(convert(sound, converter) == whole)
  }

  @Test("the loudest sound stays in range")
  func full() {
    let square = (0..<1_600).map { Int16($0 / 20 % 2 == 0 ? 32_767 : -32_768) }
    #expect(convert(square, RateConverter(from: 16_000, to: 24_000)).count == 2_400)
  }

  @Test("µ-law: the ends and the middle of the scale (G.711, table 2)")
  func ends() {
    #expect(G711.encode(0) == 0xFF)
    #expect(G711.encode(32_767) == 0x80)
    #expect(G711.encode(-32_768) == 0x00)
    #expect(G711.decode(0x80) == 32_124)
    #expect(G711.decode(0x00) == -32_124)
    #expect(G711.decode(0xFF) == 0)
    // Decision values 8159 and 4063 of 14 bits bound the highest segment.
    #expect(G711.encode(4_063 * 4) == 0x8F)
    #expect(G711.encode(4_062 * 4) == 0x90)
  }

  @Test("µ-law: every code says a sample that has this code")
  func codes() {
    for code in 0...255 as ClosedRange<UInt8> where code != 0x7F { #expect(G711.encode(G711.decode(code)) == code) }
  }

  @Test("µ-law: no sample is further from its code than half a step of its segment")
  func steps() {
    for value in stride(from: -32_635, through: 32_635, by: 7) {
      let error = abs(Int(G711.decode(G711.encode(Int16(value)))) - value)
      #expect(error <= max(4, (abs(value) + 132) / 32))
    }
  }
}
