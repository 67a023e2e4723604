import Motion
import Runtime
import Testing

@testable import Board

/// Where FIFOs hold pieces of records, or lose their place.
@Suite("A FIFO of bytes or words")
struct FIFOStepTests {
  /// Chips whose FIFO can hold a part of a record, and how a part gets in there.
  private static let partial: [(ChipCase, @Sendable (ChipModel, [UInt8]) -> Void)] = [
    (ChipCase.all[0], { ($0 as! MPUModel).push($1) }),
    (ChipCase.all[1], { ($0 as! MPUModel).push($1) }),
    (ChipCase.all[4], { ($0 as! ICM20948Model).push($1) }),
    (ChipCase.all[6], { ($0 as! LSM6DS3Model).push($1) }),
    (ChipCase.all[8], { ($0 as! LSM6DSOModel).push($1) }),
  ]

  @Test("gives whole records only; the rest of one comes with the next drain", arguments: 0..<5)
  func part(index: Int) throws {
    let (its, push) = Self.partial[index]
    let bench = ChipBench(its)
    try bench.open()
    bench.pass(200)
    let whole = bench.chip.fifo
    let length = its.name == "LSM6DSO" ? 14 : 12
    #expect(whole.count >= 9 * length)
    // The last record was half written when the FIFO is read.
    let half = its.name == "LSM6DSO" ? 7 : 6
    bench.chip.fifo = Array(whole.dropLast(half))
    let first = try bench.drain()
    #expect(first.count == whole.count / length - 1)
    #expect(bench.chip.fifo.count == length - half)
    push(bench.chip, Array(whole.suffix(half)))
    let second = try bench.drain()
    #expect(second.count == 1)
    #expect(bench.isWorld(first + second, upTo: bench.chip.taken))
    #expect(!bench.batch.hasGap)
  }

  @Test("that lost a word is brought in step again", arguments: [6, 8])
  func outOfStep(index: Int) throws {
    let bench = ChipBench(ChipCase.all[index])
    try bench.open()
    bench.pass(200)
    // Somebody else read one.
    for _ in 0..<(index == 6 ? 2 : 7) { _ = bench.chip.read(index == 6 ? 0x3E : 0x79) }
    #expect(try bench.drain().isEmpty)
    #expect(bench.batch.hasGap)
    bench.pass(200)
    let samples = try bench.drain()
    #expect(samples.count >= 9)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
  }

  @Test(
    "an LSM6DSO's words are one sample when they are of one instant, one of each sensor",
    arguments: [
      // Tags: the sensor (1 gyroscope, 2 accelerometer, 3 temperature), the instant, parity.
      ((1, 0), (2, 0), true), ((2, 3), (1, 3), true), ((1, 0), (2, 1), false), ((2, 2), (1, 3), false),
      ((1, 1), (1, 1), false), ((2, 1), (2, 1), false), ((1, 1), (3, 1), false), ((0, 0), (0, 0), false),
    ] as [((UInt8, UInt8), (UInt8, UInt8), Bool)])
  func tags(first: (UInt8, UInt8), second: (UInt8, UInt8), isSample: Bool) {
    var record = [UInt8](repeating: 5, count: 14)
    record[0] = first.0 << 3 | first.1 << 1 | 1
    record[7] = second.0 << 3 | second.1 << 1
    #expect((LSM6DSO(name: "LSM6DSO", layout: .lsm6dso(range: 3)).parse(record) != nil) == isSample)
  }

  @Test("an ICM-42688-P whose packet has no header of one is brought in step again, with what came before")
  func header() throws {
    let bench = ChipBench(ChipCase.all[5])
    try bench.open()
    bench.pass(200)
    let taken = bench.chip.taken
    let count = bench.chip.fifo.count / 16
    bench.chip.fifo[5 * 16] = 0x80
    let samples = try bench.drain()
    #expect(samples.count == 5)
    #expect(bench.isWorld(samples, upTo: taken - count + 5))
    #expect(bench.batch.hasGap)
    bench.pass(200)
    #expect(try !bench.drain().isEmpty)
    #expect(!bench.batch.hasGap)
  }

  @Test("an overflow while it is read is not missed")
  func race() throws {
    let bench = ChipBench(ChipCase.all[0])
    try bench.open()
    bench.pass(300)
    bench.chip.registers[58] |= 0x10
    #expect(try bench.drain().isEmpty)
    #expect(bench.batch.hasGap)
  }

  @Test("the largest is read at once, as far as the budget goes")
  func largest() throws {
    let its = ChipCase.all[6]
    let bench = ChipBench(its)
    try bench.open()
    let room = Budget.motionFIFOBytes / 12
    #expect(room == its.records)
    bench.pass(Int64(Float(room - 1) * 1000 / its.rates.0))
    let waiting = bench.chip.fifo.count / 12
    #expect(waiting >= room - 3)
    let samples = try bench.drain()
    #expect(samples.count == waiting)
    #expect(bench.isWorld(samples, upTo: bench.chip.taken))
    // A count beyond what there is room for is cut.
    let bus = ModelBus(its.address, BoastfulModel(who: 0x69))
    let clock = SerialTestClock()
    let source = I2CMotionSource(on: bus, clock: clock)
    _ = try source.open(rate: 50)
    bench.batch.clear()
    try source.drain(into: bench.batch)
    #expect(bench.batch.count == min(room, Budget.motionBatchSamples))
  }
}

/// Tells of more than it can hold.
private final class BoastfulModel: LSM6Model {
  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x3A: 0xFF
    case 0x3B: 0x0F
    case 0x3C, 0x3D: 0
    default: super.read(register)
    }
  }
}
