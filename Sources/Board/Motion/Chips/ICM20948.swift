import Motion

/// TDK InvenSense ICM-20948 (DS-000189): registers in four banks. The names in comments are those of its register map.
final class ICM20948: MotionChip {
  static let bankRegister: UInt8 = 0x7F  // REG_BANK_SEL, in every bank

  private enum Register {
    // Bank 0.
    static let control: UInt8 = 0x03  // USER_CTRL
    static let power: UInt8 = 0x06  // PWR_MGMT_1
    static let standby: UInt8 = 0x07  // PWR_MGMT_2
    static let overflowInterrupt: UInt8 = 0x12  // INT_ENABLE_2
    static let overflow: UInt8 = 0x1B  // INT_STATUS_2; cleared by reading
    static let fifoSensors: UInt8 = 0x67  // FIFO_EN_2
    static let fifoReset: UInt8 = 0x68  // FIFO_RST
    static let fifoCount: UInt8 = 0x70  // FIFO_COUNTH, FIFO_COUNTL
    static let fifo: UInt8 = 0x72  // FIFO_R_W
    // Bank 2.
    static let gyroscopeDivider: UInt8 = 0x00  // GYRO_SMPLRT_DIV
    static let gyroscope: UInt8 = 0x01  // GYRO_CONFIG_1
    static let align: UInt8 = 0x09  // ODR_ALIGN_EN
    static let accelerometerDividerHigh: UInt8 = 0x10  // ACCEL_SMPLRT_DIV_1
    static let accelerometerDividerLow: UInt8 = 0x11  // ACCEL_SMPLRT_DIV_2
    static let accelerometer: UInt8 = 0x14  // ACCEL_CONFIG
  }

  private static let bank2: UInt8 = 0x20
  /// X, Y and Z of the gyroscope, and the accelerometer.
  private static let bothSensors: UInt8 = 0x1E

  // 512 bytes; +-8 g and +-1000 degrees a second (sensitivity scale factors of its specifications).
  let traits = ChipTraits(
    name: "ICM-20948", fifoRegister: Register.fifo, recordBytes: 12, fifoRecords: 512 / 12, countsPerG: 4096,
    countsPerDegree: 32.8)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.divider(rate, base: 1125)
    // DLPFCFG 3 or 4: about 50 Hz or 24 Hz of bandwidth. FS_SEL 2, FCHOICE 1.
    let range: UInt8 = rate.hertz > 80 ? 3 << 3 | 2 << 1 | 1 : 4 << 3 | 2 << 1 | 1
    try chip.write(0x00, to: Self.bankRegister)
    try chip.write(0x80, to: Register.power)  // DEVICE_RESET
    chip.bus.pause(milliseconds: 100)
    try chip.set(0x01, in: Register.power)  // awake, best clock
    chip.bus.pause(milliseconds: 20)
    try chip.set(0x00, in: Register.standby)
    try chip.set(0x1F, in: Register.overflowInterrupt)
    try chip.write(Self.bank2, to: Self.bankRegister)
    try chip.set(rate.code, in: Register.gyroscopeDivider)
    try chip.set(range, in: Register.gyroscope)
    try chip.set(0x01, in: Register.align)
    try chip.set(0x00, in: Register.accelerometerDividerHigh)
    try chip.set(rate.code, in: Register.accelerometerDividerLow)
    try chip.set(range, in: Register.accelerometer)
    try chip.write(0x00, to: Self.bankRegister)
    try chip.set(0x40, in: Register.control)  // FIFO_EN
    try chip.set(Self.bothSensors, in: Register.fifoSensors)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x1F, to: Register.fifoReset)
    try chip.write(0x00, to: Register.fifoReset)
    _ = try chip.read(Register.overflow)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let bytes = try chip.read(Register.fifoCount, count: 2)
    let count = (Int(bytes[0] & 0x1F) << 8 | Int(bytes[1])) / traits.recordBytes
    return count <= traits.fifoRecords - 1 ? count : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let sensors = try chip.read(Register.fifoSensors)
    if sensors != Self.bothSensors { return .reset }
    let overflow = try chip.read(Register.overflow)
    return overflow & 0x1F == 0 ? .sound : .overflowed
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(acceleration: RawMotion.highFirst(record), rotation: RawMotion.highFirst(record + 6))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x41, to: Register.power) }
}
