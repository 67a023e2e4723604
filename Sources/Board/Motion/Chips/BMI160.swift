import Motion

/// Bosch BMI160 (BST-BMI160-DS000). The names in comments are those of its register map.
final class BMI160: MotionChip {
  private enum Register {
    static let status: UInt8 = 0x1D  // INT_STATUS[1]; FIFO_LENGTH follows at 0x22
    static let fifo: UInt8 = 0x24  // FIFO_DATA
    static let accelerometer: UInt8 = 0x40  // ACC_CONF
    static let accelerometerRange: UInt8 = 0x41  // ACC_RANGE
    static let gyroscope: UInt8 = 0x42  // GYR_CONF
    static let gyroscopeRange: UInt8 = 0x43  // GYR_RANGE
    static let fifoSensors: UInt8 = 0x47  // FIFO_CONFIG[1]
    static let interrupts: UInt8 = 0x51  // INT_EN[1]
    static let command: UInt8 = 0x7E  // CMD
  }

  private enum Command {
    static let suspendAccelerometer: UInt8 = 0x10
    static let startAccelerometer: UInt8 = 0x11
    static let suspendGyroscope: UInt8 = 0x14
    static let startGyroscope: UInt8 = 0x15
    static let flush: UInt8 = 0xB0
    static let reset: UInt8 = 0xB6
  }

  /// Both, without headers: frames of one length.
  private static let bothSensors: UInt8 = 0xC0
  /// int_ffull_en, ffull_int.
  private static let full: UInt8 = 0x20
  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 6, hertz: 25), ChipRate(code: 7, hertz: 50), ChipRate(code: 8, hertz: 100),
    ChipRate(code: 9, hertz: 200),
  ]

  // 1 KiB; +-8 g and +-1000 degrees a second (output signal of accelerometer and gyroscope).
  let traits = ChipTraits(
    name: "BMI160", fifoRegister: Register.fifo, recordBytes: 12, fifoRecords: 1024 / 12, countsPerG: 4096,
    countsPerDegree: 32.8)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    try chip.write(Command.reset, to: Register.command)
    chip.bus.pause(milliseconds: 100)
    // A suspended chip takes one write in 450 us, so it is woken first.
    try chip.write(Command.startAccelerometer, to: Register.command)
    chip.bus.pause(milliseconds: 10)
    try chip.write(Command.startGyroscope, to: Register.command)
    chip.bus.pause(milliseconds: 100)
    try chip.set(0x20 | rate.code, in: Register.accelerometer)  // normal filter
    try chip.set(0x08, in: Register.accelerometerRange)
    try chip.set(0x20 | rate.code, in: Register.gyroscope)
    try chip.set(0x01, in: Register.gyroscopeRange)
    try chip.set(Self.full, in: Register.interrupts)
    try chip.set(Self.bothSensors, in: Register.fifoSensors)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) { try chip.write(Command.flush, to: Register.command) }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let bytes = try chip.read(Register.status, count: 7)
    let count = (Int(bytes[6] & 0x07) << 8 | Int(bytes[5])) / traits.recordBytes
    return bytes[0] & Self.full == 0 && count < traits.fifoRecords ? count : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let sensors = try chip.read(Register.fifoSensors)
    return sensors == Self.bothSensors ? .sound : .reset
  }

  /// In the order of the data registers: the gyroscope first.
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(acceleration: RawMotion.lowFirst(record + 6), rotation: RawMotion.lowFirst(record))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(Command.suspendGyroscope, to: Register.command)
    chip.bus.pause(milliseconds: 1)
    try chip.write(Command.suspendAccelerometer, to: Register.command)
  }
}
