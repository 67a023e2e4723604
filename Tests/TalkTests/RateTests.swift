import Runtime
import Testing

@testable import Talk

@Suite("Other rates of sound")
struct RateTests {
  private func convert(_ samples: [Int16], _ converter: RateConverter) -> [Int16] {
    samples.withUnsafeBufferPointer { input in
      [Int16](unsafeUninitializedCapacity: converter.maximumOutput(of: input.count)) { buffer, count in
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
}
