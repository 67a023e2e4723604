import Runtime
import Testing

@testable import Sound

@Suite struct LevelTests {
  private func heard(_ samples: [Float]) -> LevelMeter {
    var meter = LevelMeter()
    for start in stride(from: 0, to: samples.count - Budget.soundBlock + 1, by: Budget.soundBlock) {
      samples[start..<(start + Budget.soundBlock)].withUnsafeBufferPointer { meter.add($0) }
    }
    return meter
  }

  private let window = Budget.soundVerdictBlocks * Budget.soundBlock

  @Test func `A sine of half of full scale has its level and its peak`() {
    let meter = heard(sine(1000, count: 3200))
    #expect(abs(meter.level - 0.3535) < 0.001)
    #expect(abs(meter.peak - 0.5) < 0.001)
    #expect(abs(meter.offset) < 0.001)
  }

  @Test func `A constant part is no level`() {
    let meter = heard(sine(1000, count: 3200, amplitude: 0.1).map { $0 + 0.3 })
    #expect(abs(meter.level - 0.0707) < 0.001)
    #expect(abs(meter.offset - 0.3) < 0.001)
  }

  @Test func `Nothing is judged before its time`() {
    #expect(heard([Float](repeating: 0, count: window - Budget.soundBlock)).verdict == .unknown)
  }

  @Test func `Zeros alone are a microphone that is muted`() {
    #expect(heard([Float](repeating: 0, count: window)).verdict == .zeros)
  }

  @Test func `One value alone is a converter that hangs`() {
    #expect(heard((0..<window).map { 0.25 + Float($0 % 2) / 32768 }).verdict == .constant)
  }

  @Test func `A quiet room is good`() {
    #expect(heard((0..<window).map { Float($0 % 7 - 3) / 32768 }).verdict == .good)
  }

  @Test func `More than a sample of a hundred at full scale clips`() {
    let loud = sine(500, count: window, amplitude: 2).map { max(-1, min(1, $0)) }
    #expect(heard(loud).verdict == .clipping)
    var once = sine(500, count: window, amplitude: 0.4)
    once[100] = 1
    #expect(heard(once).verdict == .good)
  }

  @Test func `Frames that were lost begin the judgement anew`() {
    var meter = heard([Float](repeating: 0, count: window))
    meter.interrupt()
    #expect(meter.verdict == .unknown)
  }

  @Test func `The floor follows silence fast and speech slowly, and speech stands out`() {
    let quiet = sine(300, count: 16_000 * 10, amplitude: 0.01)
    var meter = heard(quiet)
    #expect(abs(meter.floor - 0.00707) < 0.001)
    #expect(!meter.isSpeech)
    sine(300, count: Budget.soundBlock, amplitude: 0.2).withUnsafeBufferPointer { meter.add($0) }
    #expect(meter.isSpeech)
    #expect(meter.floor < 0.01)
  }

  // MARK: Gain

  private func louder(_ gain: SoundGain, _ samples: [Float]) -> (factor: Float, last: [Float]) {
    var (meter, automatic, last) = (LevelMeter(), AutomaticGain(gain), [Float]())
    for start in stride(from: 0, to: samples.count - Budget.soundBlock + 1, by: Budget.soundBlock) {
      last = Array(samples[start..<(start + Budget.soundBlock)])
      last.withUnsafeBufferPointer { meter.add($0) }
      last.withUnsafeMutableBufferPointer { automatic.apply(to: $0, meter) }
    }
    return (automatic.factor, last)
  }

  @Test(arguments: [(6, Float(1.9953)), (-20, 0.1), (0, 1)])
  func `A fixed gain is so many decibels`(decibels: Int, factor: Float) {
    #expect(abs(louder(.fixed(decibels), sine(1000, count: 640)).factor - factor) < 0.001)
  }

  /// Half a second of speech, half a second of nothing, over and over.
  private func speech(_ amplitude: Float, seconds: Int) -> [Float] {
    sine(300, count: 16_000 * seconds, amplitude: amplitude).enumerated().map { $0 / 8_000 % 2 == 0 ? $1 : 0 }
  }

  @Test func `Quiet speech becomes as loud as is usual`() {
    let gain = louder(.automatic, speech(0.02, seconds: 30)).factor
    #expect(abs(gain * 0.02 * 0.7071 - 0.0708) < 0.005)
  }

  @Test func `Loud speech is left as it is, and nothing clips`() {
    let (factor, last) = louder(.automatic, sine(300, count: 16_000, amplitude: 0.9))
    #expect(factor == 1)
    #expect(last.allSatisfy { abs($0) <= 0.95 })
  }

  @Test func `Noise between words is not made louder`() {
    #expect(louder(.automatic, (0..<64_000).map { Float($0 % 5 - 2) / 4096 }).factor == 1)
  }
}
