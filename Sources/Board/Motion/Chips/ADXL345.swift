import Motion

/// Analog Devices ADXL345 (data sheet): an accelerometer without gyroscope. Sections "Register Map" and "FIFO".
final class ADXL345: MotionChip {
  private enum Register {
    static let rate: UInt8 = 0x2C
    static let power: UInt8 = 0x2D
    static let interrupts: UInt8 = 0x2E
    static let status: UInt8 = 0x30
    static let format: UInt8 = 0x31
    static let data: UInt8 = 0x32
    static let fifoMode: UInt8 = 0x38
    static let fifoStatus: UInt8 = 0x39
  }

  private static let measuring: UInt8 = 0x08
  private static let stream: UInt8 = 0x80
  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 8, hertz: 25), ChipRate(code: 9, hertz: 50), ChipRate(code: 10, hertz: 100),
    ChipRate(code: 11, hertz: 200),
  ]

  // 256 counts per g in full resolution, at every range. One transaction reads exactly one FIFO entry.
  let traits = ChipTraits(
    name: "ADXL345", hasGyroscope: false, fifoRegister: Register.data, recordBytes: 6, fifoRecords: 32,
    recordsPerBurst: 1, countsPerG: 256, settleMilliseconds: 50)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    try chip.set(0x00, in: Register.power)  // standby; there is no reset
    try chip.set(rate.code, in: Register.rate)
    try chip.set(0x0A, in: Register.format)  // full resolution, +-8 g
    try chip.set(0x00, in: Register.interrupts)
    try chip.set(Self.stream, in: Register.fifoMode)
    try chip.set(Self.measuring, in: Register.power)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.fifoMode)
    _ = try chip.read(Register.data, count: 6)  // which forgets an overrun
    try chip.write(Self.stream, to: Register.fifoMode)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let status = try chip.read(Register.status)
    if status & 0x01 != 0 { return nil }  // overrun
    let fifo = try chip.read(Register.fifoStatus)
    return Int(fifo & 0x3F)
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let power = try chip.read(Register.power)
    return power == Self.measuring ? .sound : .reset
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? { RawMotion(acceleration: RawMotion.lowFirst(record)) }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x00, to: Register.power) }
}
