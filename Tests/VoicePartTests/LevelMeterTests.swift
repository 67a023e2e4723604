import Runtime
import Testing
@testable import VoicePart

@Suite("How loud a person is, as the orb shows it")
struct LevelMeterTests {
  private func level(_ amplitude: Int16, blocks: Int = 5) -> UInt8 {
    var meter = LevelMeter()
    let block = [Int16](repeating: amplitude, count: 320)
    for _ in 0..<blocks { block.withUnsafeBufferPointer { meter.take($0) } }
    return meter.level
  }

  @Test("steps of 10 dB, after a tenth of a second")
  func steps() {
    #expect([0, 327, 328, 1_036, 3_277, 10_362, 32_767].map { level($0) } == [0, 0, 1, 2, 3, 4, 4])
    #expect(level(.min) == 4)
    #expect(level(32_767, blocks: 4) == 0)
  }
}
