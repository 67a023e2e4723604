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
  /// The register of the accelerometer's range.
  let range: UInt8
  /// Writes of a drain.
  var writes = 0
  let make: @Sendable () -> ChipModel

  var testDescription: String { name }

  static let all = first + relatives

  private static let first = [
    mpu("MPU-6050", 0x68, 1024), mpu("MPU-6500", 0x70, 512), mpu("MPU-9250", 0x71, 512), mpu("MPU-9255", 0x73, 512),
    ChipCase(name: "ICM-20948", address: 0x69, rates: (1125 / 23, 1125 / 11), records: 42, range: 0x14) {
      ICM20948Model()
    },
    icm42688("ICM-42688-P", 0x47),
    ChipCase(name: "LSM6DS3", address: 0x6A, rates: (52, 104), records: 682, counts: (0.000244, 0.035), range: 0x10) {
      LSM6DS3Model(who: 0x69, fifoBytes: 8192)
    },
    ChipCase(
      name: "LSM6DS3TR-C", address: 0x6B, rates: (52, 104), records: 341, counts: (0.000244, 0.035), range: 0x10
    ) { LSM6DS3Model(who: 0x6A, fifoBytes: 4096) },
    lsm6dso("LSM6DSO", 0x6C),
    ChipCase(name: "LSM9DS1", address: 0x6A, rates: (59.5, 119), records: 32, counts: (0.000244, 0.07), range: 0x20) {
      LSM9DS1Model()
    },
    ChipCase(name: "BMI160", address: 0x69, rates: (50, 100), records: 85, range: 0x41) { BMI160Model() },
    ChipCase(
      name: "ADXL345", address: 0x53, rates: (50, 100), hasGyroscope: false, records: 32, counts: (1.0 / 256, 1),
      range: 0x31
    ) { ADXL345Model() },
  ]

  /// Chips that answer with another number than the first ones, and newer ones.
  private static let relatives = [
    mpu("MPU-6500", 0x72, 512), mpu("MPU-6500", 0x75, 512), mpu("MPU-6515", 0x74, 512),
    mpu("MPU-6880", 0x78, 4096, .fifoSize), mpu("ICM-20608-G", 0xAF, 512), mpu("ICM-20608-D", 0xAE, 512),
    mpu("ICM-20609", 0xA6, 4096, .fifoSize), mpu("ICM-20689", 0x98, 4096, .fifoSize), mpu("IAM-20680", 0xA9, 512),
    mpu("IAM-20680HP", 0xF8, 4096, .fifoSize), mpu("IAM-20680HT", 0xFA, 4096, .fifoSize),
    mpu("ICM-20600", 0x11, 1008, .temperature), mpu("ICM-20602", 0x12, 1008, .temperature),
    mpu("MPU6886", 0x19, 1024, .temperature),
    icm42688("ICM-42688-V", 0xDB), icm42688("ICM-42600", 0x40), icm42688("ICM-42602", 0x41),
    icm42688("ICM-42605", 0x42), icm42688("ICM-42622", 0x46), icm42688("ICM-42631", 0x5C), icm42688("IIM-42652", 0x6F),
    icm42688("ICM-42686-P", 0x44, perG: 1024, perDegree: 8.2), icm42688("IIM-42653", 0x56, perG: 1024, perDegree: 8.2),
    icm42688("ICM-40609-D", 0x3B, perG: 1024),
    icm42670("ICM-42670-P", 0x67), icm42670("ICM-42670-S", 0x69), icm42670("ICM-42607-P", 0x60),
    icm42670("ICM-42607-C", 0x61),
    lsm6dso("LSM6DSR", 0x6B), lsm6dso("LSM6DST", 0x6D),
    ChipCase(name: "LSM6DSV", address: 0x6A, rates: (60, 120), records: 128, counts: (0.000244, 0.035), range: 0x17) {
      LSM6DSVModel()
    },
    ChipCase(
      name: "QMI8658", address: 0x6B, rates: (56.05, 112.1), records: 128, counts: (1.0 / 4096, 1 / 32.0), range: 0x03,
      writes: 3
    ) { QMI8658Model() },
  ]

  private static func mpu(
    _ name: String, _ who: UInt8, _ bytes: Int, _ variant: MPUModel.Variant = .plain
  ) -> ChipCase {
    let records = bytes / (variant == .temperature ? 14 : 12)
    return ChipCase(name: name, address: 0x68, rates: (50, 100), records: records, range: 0x1C) {
      MPUModel(who: who, fifoBytes: bytes, variant: variant)
    }
  }

  private static func icm42688(
    _ name: String, _ who: UInt8, perG: Double = 2048, perDegree: Double = 16.4
  ) -> ChipCase {
    ChipCase(name: name, address: 0x68, rates: (50, 100), records: 128, range: 0x50) {
      ICM42688Model(who: who, perG: perG, perDegree: perDegree)
    }
  }

  private static func icm42670(_ name: String, _ who: UInt8) -> ChipCase {
    ChipCase(name: name, address: 0x69, rates: (50, 100), records: 64, range: 0x21) { ICM42670Model(who: who) }
  }

  private static func lsm6dso(_ name: String, _ who: UInt8) -> ChipCase {
    ChipCase(name: name, address: 0x6A, rates: (52, 104), records: 256, counts: (0.000244, 0.035), range: 0x10) {
      LSM6DSOModel(who: who)
    }
  }
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
    #expect(bench.bus.writes == writes + its.writes)
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
    let bench = ChipBench(its)
    bench.chip.deafRegisters = [its.range]
    #expect(failureOf { _ = try bench.source.open(rate: 50) } == "refused(register: \(its.range))")
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
