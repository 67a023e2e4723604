import Motion
import Runtime
import Testing

@testable import Board

/// A chip as it is soldered to a board.
struct ChipCase: CustomTestStringConvertible, Sendable {
  let name: String
  let address: UInt8
  /// Of the samples a second, for 50 and for 100 that are wanted.
  let rates: (Float, Float)
  var hasGyroscope = true
  /// Samples that fit.
  let records: Int
  /// One count, in g and in degrees a second.
  var counts: (Double, Double) = (1.0 / 4096, 1 / 32.8)
  let make: @Sendable () -> ChipModel

  var testDescription: String { name }

  static let all = [
    ChipCase(name: "MPU-6050", address: 0x68, rates: (50, 100), records: 85) { MPUModel(who: 0x68, fifoBytes: 1024) },
    ChipCase(name: "MPU-6500", address: 0x69, rates: (50, 100), records: 42) { MPUModel(who: 0x70, fifoBytes: 512) },
    ChipCase(name: "MPU-9250", address: 0x68, rates: (50, 100), records: 42) { MPUModel(who: 0x71, fifoBytes: 512) },
    ChipCase(name: "MPU-9255", address: 0x68, rates: (50, 100), records: 42) { MPUModel(who: 0x73, fifoBytes: 512) },
    ChipCase(name: "ICM-20948", address: 0x69, rates: (1125 / 23, 1125 / 11), records: 42) { ICM20948Model() },
    ChipCase(name: "ICM-42688-P", address: 0x68, rates: (50, 100), records: 128) { ICM42688Model() },
    ChipCase(name: "LSM6DS3", address: 0x6A, rates: (52, 104), records: 682, counts: (0.000244, 0.035)) {
      LSM6DS3Model(who: 0x69, fifoBytes: 8192)
    },
    ChipCase(name: "LSM6DS3TR-C", address: 0x6B, rates: (52, 104), records: 341, counts: (0.000244, 0.035)) {
      LSM6DS3Model(who: 0x6A, fifoBytes: 4096)
    },
    ChipCase(name: "LSM6DSO", address: 0x6A, rates: (52, 104), records: 256, counts: (0.000244, 0.035)) {
      LSM6DSOModel(who: 0x6C)
    },
    ChipCase(name: "LSM9DS1", address: 0x6A, rates: (59.5, 119), records: 32, counts: (0.000244, 0.07)) {
      LSM9DS1Model()
    },
    ChipCase(name: "BMI160", address: 0x69, rates: (50, 100), records: 85) { BMI160Model() },
    ChipCase(
      name: "ADXL345", address: 0x53, rates: (50, 100), hasGyroscope: false, records: 32, counts: (1.0 / 256, 1)
    ) { ADXL345Model() },
  ]
}

/// A chip, its bus, and what reads it.
final class ChipBench {
  let chip: ChipModel
  let bus: ModelBus
  let clock = SerialTestClock()
  let source: I2CMotionSource
  let batch = MotionBatch()
  private let its: ChipCase

  init(_ its: ChipCase, burst: Int = Budget.i2cBurstBytes, mounting: MountingMatrix = MountingMatrix()) {
    self.its = its
    chip = its.make()
    bus = ModelBus(its.address, chip)
    bus.burstBytes = burst
    source = I2CMotionSource(on: bus, mounting: mounting, clock: clock)
  }

  @discardableResult
  func open(rate: Float = 50) throws -> MotionFacts { try source.open(rate: rate) }

  func pass(_ milliseconds: Int64) {
    clock.monotonic += milliseconds
    bus.advance(milliseconds: Double(milliseconds))
  }

  /// What was drained: the samples, by their number in the chip's life.
  func drain() throws -> [MotionSample] {
    batch.clear()
    try source.drain(into: batch)
    return (0..<batch.count).map { batch[$0] }
  }

  /// True when these are the world's samples up to `last`, each to half a count.
  func isWorld(_ samples: [MotionSample], upTo last: Int) -> Bool {
    for (index, sample) in samples.enumerated() {
      let number = last - samples.count + 1 + index
      let (acceleration, rotation) = (ModelWorld.acceleration(number), ModelWorld.rotation(number))
      let felt = [sample.acceleration.x, sample.acceleration.y, sample.acceleration.z]
      let turned = [sample.rotation.x, sample.rotation.y, sample.rotation.z]
      for axis in 0..<3 {
        if abs(Double(felt[axis]) - acceleration[axis]) > 0.51 * its.counts.0 { return false }
        let expected = its.hasGyroscope ? rotation[axis] * .pi / 180 : 0
        if abs(Double(turned[axis]) - expected) > 0.51 * its.counts.1 * .pi / 180 { return false }
      }
    }
    return true
  }
}

/// What a call fails with, in Swift's own words.
func failureOf(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing"
  } catch {
    return String(describing: error)
  }
}

@Suite("Every motion chip")
struct MotionChipTests {
  @Test("is told apart, takes the nearest rate, and says what it is", arguments: ChipCase.all)
  func facts(its: ChipCase) throws {
    let bench = ChipBench(its)
    for (wanted, rate) in [(Float(50), its.rates.0), (100, its.rates.1)] {
      let facts = try bench.open(rate: wanted)
      #expect(facts.name == InlineText(cutting: its.name))
      #expect(abs(facts.rate - rate) < 0.1)
      #expect(abs(bench.chip.hertz - Double(rate)) < 0.1, "the chip takes \(bench.chip.hertz)")
      #expect(facts.hasGyroscope == its.hasGyroscope)
      #expect(facts.memory == Int64(Float(its.records) * 1000 / rate))
    }
  }

  @Test("gives each sample once, in its units, drain after drain", arguments: ChipCase.all)
  func samples(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    _ = try bench.drain()
    var total = 0
    let before = bench.chip.taken
    for _ in 0..<20 {
      bench.pass(310)
      let samples = try bench.drain()
      #expect(!bench.batch.hasGap)
      #expect(bench.batch.end == bench.clock.monotonic * 1000)
      #expect(bench.isWorld(samples, upTo: bench.chip.taken))
      total += samples.count
    }
    #expect(total == bench.chip.taken - before)
    #expect(abs(Double(total) - 6.2 * bench.chip.hertz) < 2)
    #expect(try bench.drain().isEmpty)
    #expect(!bench.batch.hasGap)
  }

  @Test("through SMBus's blocks of 32 bytes the same", arguments: ChipCase.all)
  func blocks(its: ChipCase) throws {
    let bench = ChipBench(its, burst: 32)
    try bench.open()
    _ = try bench.drain()
    bench.pass(400)
    let samples = try bench.drain()
    #expect(samples.count > 15)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
    #expect(bench.bus.longestRead <= 32)
  }

  @Test("is refused on a bus whose reads are shorter than a record", arguments: ChipCase.all)
  func pieces(its: ChipCase) {
    let bench = ChipBench(its, burst: 1)
    #expect(failureOf { _ = try bench.source.open(rate: 50) } == "io(Runtime.Errno(number: 95))")
    #expect(!bench.bus.isOpen)
  }

  @Test("takes few transactions, none longer than the budget", arguments: ChipCase.all)
  func transactions(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open(rate: 100)
    _ = try bench.drain()
    bench.pass(250)
    let (reads, writes) = (bench.bus.reads, bench.bus.writes)
    let count = try bench.drain().count
    // An ADXL345 gives one record at a time.
    #expect(bench.bus.reads - reads <= (its.hasGyroscope ? 5 : 4 + count))
    #expect(bench.bus.writes == writes)
    #expect(bench.bus.longestRead <= Budget.i2cBurstBytes)
  }

  @Test("that overflows makes a gap, and is in step again", arguments: ChipCase.all)
  func overflow(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    bench.pass(Int64(Float(its.records + 3) * 1000 / its.rates.0) + 40)
    #expect(try bench.drain().isEmpty)
    #expect(bench.batch.hasGap)
    bench.pass(200)
    let samples = try bench.drain()
    #expect(samples.count >= 9)
    #expect(!bench.batch.hasGap)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
  }

  @Test("that does not acknowledge in the middle of a burst makes a gap, and is in step again", arguments: ChipCase.all)
  func interrupted(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    for bytes in [1, 7, 40] {
      bench.pass(300)
      bench.bus.failureAfterBytes = (bytes, .vanished)
      #expect(try bench.drain().isEmpty)
      #expect(bench.batch.hasGap)
      bench.pass(200)
      let samples = try bench.drain()
      #expect(samples.count >= 9)
      #expect(!bench.batch.hasGap)
      #expect(bench.isWorld(samples, upTo: bench.chip.taken))
    }
  }

  @Test("that vanishes is an error; it can be opened when it is back", arguments: ChipCase.all)
  func vanishes(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    bench.pass(100)
    bench.bus.chips = [:]
    #expect(failureOf { try bench.source.drain(into: bench.batch) } == "vanished")
    #expect(!bench.bus.isOpen)
    #expect(failureOf { _ = try bench.source.open(rate: 50) } == "absent")
    bench.bus.chips = [its.address: bench.chip]
    bench.chip.powerUp()
    try bench.open()
    bench.pass(200)
    let samples = try bench.drain()
    #expect(samples.count >= 9)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
  }

  @Test("whose power fails for a moment is set up again", arguments: ChipCase.all)
  func resets(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    bench.pass(100)
    bench.chip.powerUp()
    #expect(try bench.drain().isEmpty)
    #expect(bench.batch.hasGap)
    bench.pass(200)
    let samples = try bench.drain()
    #expect(samples.count >= 9)
    #expect(!bench.batch.hasGap)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
  }

  @Test("that answers and samples no more is lost after a while", arguments: ChipCase.all)
  func silent(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    bench.pass(100)
    #expect(try !bench.drain().isEmpty)
    bench.chip.isFrozen = true
    bench.pass(Budget.motionSilenceMilliseconds - 1)
    #expect(try bench.drain().isEmpty)
    bench.pass(1)
    #expect(failureOf { try bench.source.drain(into: bench.batch) } == "vanished")
  }

  @Test("that does not keep what was written is refused, and named", arguments: ChipCase.all)
  func deaf(its: ChipCase) throws {
    let range: [String: UInt8] = [
      "MPU-6050": 0x1C, "MPU-6500": 0x1C, "MPU-9250": 0x1C, "MPU-9255": 0x1C, "ICM-20948": 0x14, "ICM-42688-P": 0x50,
      "LSM6DS3": 0x10, "LSM6DS3TR-C": 0x10, "LSM6DSO": 0x10, "LSM9DS1": 0x20, "BMI160": 0x41, "ADXL345": 0x31,
    ]
    let bench = ChipBench(its)
    let register = range[its.name]!
    bench.chip.deafRegisters = [register]
    #expect(failureOf { _ = try bench.source.open(rate: 50) } == "refused(register: \(register))")
    #expect(!bench.bus.isOpen)
  }

  @Test("after a stuck bus is an error, at the start and later", arguments: ChipCase.all)
  func stuck(its: ChipCase) throws {
    let bench = ChipBench(its)
    bench.bus.failure = .stuckBus
    #expect(failureOf { _ = try bench.source.open(rate: 50) } == "stuckBus")
    bench.bus.failure = nil
    try bench.open()
    bench.bus.failure = .stuckBus
    #expect(failureOf { try bench.source.drain(into: bench.batch) } == "stuckBus")
    #expect(failureOf { try bench.source.drain(into: bench.batch) } == "vanished", "it is closed")
  }

  @Test("is put to sleep when it is closed", arguments: ChipCase.all)
  func sleeps(its: ChipCase) throws {
    let bench = ChipBench(its)
    try bench.open()
    #expect(bench.chip.hertz > 0)
    bench.source.close()
    #expect(bench.chip.hertz == 0)
    #expect(!bench.bus.isOpen)
    bench.source.close()
  }

  @Test("is turned as it is mounted", arguments: ChipCase.all)
  func mounted(its: ChipCase) throws {
    let bench = ChipBench(its, mounting: try MountingMatrix(text: "-y x z".utf8.span))
    try bench.open()
    bench.pass(100)
    let sample = try #require(try bench.drain().last)
    #expect(abs(sample.acceleration.x - 0.5) < 0.01)
    #expect(abs(sample.acceleration.y - 0.25) < 0.01)
    #expect(abs(sample.rotation.x - (its.hasGyroscope ? 20 : 0) * .pi / 180) < 0.01)
  }
}
