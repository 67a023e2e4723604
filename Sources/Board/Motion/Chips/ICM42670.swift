import Motion

/// TDK InvenSense ICM-42670-P (DS-000451), ICM-42670-S and ICM-42607: the FIFO's packets are an ICM-42688-P's, the
/// registers are others. The names in comments are those of the register map.
final class ICM42670: MotionChip {
  private enum Register {
    static let reset: UInt8 = 0x02  // SIGNAL_PATH_RESET
    static let power: UInt8 = 0x1F  // PWR_MGMT0
    static let gyroscope: UInt8 = 0x20  // GYRO_CONFIG0
    static let accelerometer: UInt8 = 0x21  // ACCEL_CONFIG0
    static let gyroscopeFilter: UInt8 = 0x23  // GYRO_CONFIG1
    static let accelerometerFilter: UInt8 = 0x24  // ACCEL_CONFIG1
    static let fifoMode: UInt8 = 0x28  // FIFO_CONFIG1
    static let interface: UInt8 = 0x35  // INTF_CONFIG0
    static let status: UInt8 = 0x3A  // INT_STATUS, cleared by reading; FIFO_COUNTH and FIFO_COUNTL follow at 0x3D
    static let fifo: UInt8 = 0x3F  // FIFO_DATA
    // The way to the registers of MREG1.
    static let bank: UInt8 = 0x79  // BLK_SEL_W
    static let bankAddress: UInt8 = 0x7A  // MADDR_W
    static let bankValue: UInt8 = 0x7B  // M_W
  }

  /// FIFO_CONFIG5, in MREG1.
  private static let fifoSensors: UInt8 = 0x01
  /// FIFO_FULL_INT.
  private static let full: UInt8 = 0x02
  /// FIFO_CONFIG1: the oldest packets go first; after a reset the FIFO is bypassed.
  private static let stream: UInt8 = 0x00
  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 11, hertz: 25), ChipRate(code: 10, hertz: 50), ChipRate(code: 9, hertz: 100),
    ChipRate(code: 8, hertz: 200),
  ]

  let traits: ChipTraits

  init(name: StaticString) {
    // 1 KiB beside what the motion functions use; +-8 g and +-1000 degrees a second (sensitivity scale factors).
    traits = ChipTraits(
      name: name, fifoRegister: Register.fifo, recordBytes: 16, fifoRecords: 1024 / 16, countsPerG: 4096,
      countsPerDegree: 32.8)
  }

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    // 34 or 16 Hz of bandwidth: less than half of the rate.
    let filter: UInt8 = rate.hertz > 80 ? 5 : 7
    try chip.write(0x10, to: Register.reset)  // SOFT_RESET_DEVICE_CONFIG
    chip.bus.pause(milliseconds: 10)
    try chip.set(0x30, in: Register.interface)  // counts in bytes, the higher byte first
    try chip.set(0x20 | rate.code, in: Register.gyroscope)
    try chip.set(0x20 | rate.code, in: Register.accelerometer)
    try setFilter(filter, in: Register.gyroscopeFilter, chip)
    try setFilter(filter, in: Register.accelerometerFilter, chip)
    try chip.set(0x0F, in: Register.power)  // both sensors, low noise
    // PWR_MGMT0: nothing may be written for 200 us; then the clock that MREG1 needs runs.
    chip.bus.pause(milliseconds: 10)
    try chip.write(0x00, to: Register.bank)
    try chip.write(Self.fifoSensors, to: Register.bankAddress)
    try chip.write(0x23, to: Register.bankValue)  // accelerometer and gyroscope, 16 bits: packets of structure 3
    chip.bus.pause(milliseconds: 1)
    try chip.set(Self.stream, in: Register.fifoMode)
    return rate.hertz
  }

  /// Sets GYRO_UI_FILT_BW or ACCEL_UI_FILT_BW, and leaves the other bits as they are.
  private func setFilter(_ code: UInt8, in register: UInt8, _ chip: ChipRegisters) throws(MotionError) {
    let before = try chip.read(register)
    try chip.set(before & 0xF8 | code, in: register)
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x04, to: Register.reset)  // FIFO_FLUSH
    _ = try chip.read(Register.status)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let bytes = try chip.read(Register.status, count: 5)
    if bytes[0] & Self.full != 0 { return nil }
    let count = (Int(bytes[3]) << 8 | Int(bytes[4])) / traits.recordBytes
    return count < traits.fifoRecords ? count : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let mode = try chip.read(Register.fifoMode)
    return mode == Self.stream ? .sound : .reset
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? { ICM42688.raw(record) }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x00, to: Register.power) }
}
