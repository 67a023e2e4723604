import Motion

/// TDK InvenSense MPU-6050, MPU-6500, MPU-9250 and MPU-9255 (register maps RM-MPU-6000A, RM-MPU-6500A, RM-MPU-9250A):
/// the same map except for the FIFO size and one filter. The names in comments are those of the maps.
final class MPU6050: MotionChip {
  private enum Register {
    static let divider: UInt8 = 0x19  // SMPLRT_DIV
    static let filter: UInt8 = 0x1A  // CONFIG
    static let gyroscope: UInt8 = 0x1B  // GYRO_CONFIG
    static let accelerometer: UInt8 = 0x1C  // ACCEL_CONFIG
    static let accelerometerFilter: UInt8 = 0x1D  // ACCEL_CONFIG2
    static let fifoSensors: UInt8 = 0x23  // FIFO_EN
    static let interrupts: UInt8 = 0x38  // INT_ENABLE
    static let status: UInt8 = 0x3A  // INT_STATUS; cleared by reading
    static let control: UInt8 = 0x6A  // USER_CTRL
    static let power: UInt8 = 0x6B  // PWR_MGMT_1
    static let standby: UInt8 = 0x6C  // PWR_MGMT_2
    static let fifoCount: UInt8 = 0x72  // FIFO_COUNTH, FIFO_COUNTL
    static let fifo: UInt8 = 0x74  // FIFO_R_W
  }

  /// X, Y and Z of the gyroscope, and the accelerometer. They follow in the order of their data registers.
  private static let bothSensors: UInt8 = 0x78
  /// FIFO_OFLOW_EN, FIFO_OFLOW_INT.
  private static let overflow: UInt8 = 0x10

  let traits: ChipTraits
  /// Since the MPU-6500 the accelerometer has its own filter.
  private let hasTwoFilters: Bool

  init(name: StaticString, fifoBytes: Int, hasTwoFilters: Bool) {
    // +-8 g and +-1000 degrees a second (tables of AFS_SEL 2 and FS_SEL 2).
    traits = ChipTraits(
      name: name, fifoRegister: Register.fifo, recordBytes: 12, fifoRecords: fifoBytes / 12, countsPerG: 4096,
      countsPerDegree: 32.8)
    self.hasTwoFilters = hasTwoFilters
  }

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.divider(rate, base: 1000)
    // 42 Hz or 20 Hz of bandwidth: less than half of the rate (table of DLPF_CFG).
    let filter: UInt8 = rate.hertz > 80 ? 3 : 4
    try chip.write(0x80, to: Register.power)  // DEVICE_RESET
    chip.bus.pause(milliseconds: 100)
    try chip.set(0x01, in: Register.power)  // awake, clock of the gyroscope
    chip.bus.pause(milliseconds: 20)
    try chip.set(0x00, in: Register.standby)
    try chip.set(filter, in: Register.filter)
    if hasTwoFilters { try chip.set(filter, in: Register.accelerometerFilter) }
    try chip.set(rate.code, in: Register.divider)
    try chip.set(0x10, in: Register.gyroscope)
    try chip.set(0x10, in: Register.accelerometer)
    try chip.set(Self.overflow, in: Register.interrupts)
    try chip.set(Self.bothSensors, in: Register.fifoSensors)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x04, to: Register.control)  // FIFO_RESET, which takes effect while FIFO_EN is 0
    try chip.write(0x40, to: Register.control)  // FIFO_EN
    _ = try chip.read(Register.status)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let bytes = try chip.read(Register.fifoCount, count: 2)
    let count = Int(bytes[0]) << 8 | Int(bytes[1])
    // A full FIFO has lost bytes in the middle of records.
    return count / traits.recordBytes <= traits.fifoRecords - 1 ? count / traits.recordBytes : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let sensors = try chip.read(Register.fifoSensors)
    if sensors != Self.bothSensors { return .reset }
    let status = try chip.read(Register.status)
    return status & Self.overflow == 0 ? .sound : .overflowed
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(acceleration: RawMotion.highFirst(record), rotation: RawMotion.highFirst(record + 6))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x40, to: Register.power) }
}
