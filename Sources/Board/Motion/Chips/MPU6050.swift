import Motion

/// TDK InvenSense MPU-6050 and its relatives (register maps RM-MPU-6000A, RM-MPU-6500A, RM-MPU-9250A; data sheets of
/// ICM-20689, DS-000143, ICM-20602, DS-000176, and MPU6886): the same map except for the FIFO and one filter. The names
/// in comments are those of the maps.
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

  /// What a relative has that an MPU-6050 has not.
  enum Layout {
    case mpu6050
    /// The accelerometer has a filter of its own.
    case mpu6500
    /// As `mpu6500`, and ACCEL_CONFIG2 has the FIFO's size: up to 4 KiB.
    case icm20689
    /// As `mpu6500`, and each record of the FIFO has the temperature between accelerometer and gyroscope. One bit of
    /// FIFO_EN stands for the whole gyroscope.
    case icm20602
  }

  /// FIFO_SIZE of ACCEL_CONFIG2: 4096 bytes.
  private static let largestFIFO: (bits: UInt8, bytes: Int) = (0xC0, 4096)
  /// FIFO_OFLOW_EN, FIFO_OFLOW_INT.
  private static let overflow: UInt8 = 0x10

  private(set) var traits: ChipTraits
  private let layout: Layout
  /// FIFO_EN: the gyroscope and the accelerometer. They follow in the order of their data registers.
  private let bothSensors: UInt8

  init(name: StaticString, fifoBytes: Int, layout: Layout) {
    let recordBytes = layout == .icm20602 ? 14 : 12
    // +-8 g and +-1000 degrees a second (tables of AFS_SEL 2 and FS_SEL 2).
    traits = ChipTraits(
      name: name, fifoRegister: Register.fifo, recordBytes: recordBytes, fifoRecords: fifoBytes / recordBytes,
      countsPerG: 4096, countsPerDegree: 32.8)
    self.layout = layout
    bothSensors = layout == .icm20602 ? 0x18 : 0x78
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
    try configureAccelerometerFilter(chip, filter)
    try chip.set(rate.code, in: Register.divider)
    try chip.set(0x10, in: Register.gyroscope)
    try chip.set(0x10, in: Register.accelerometer)
    try chip.set(Self.overflow, in: Register.interrupts)
    try chip.set(bothSensors, in: Register.fifoSensors)
    return rate.hertz
  }

  private func configureAccelerometerFilter(_ chip: ChipRegisters, _ filter: UInt8) throws(MotionError) {
    switch layout {
    case .mpu6050: return
    case .mpu6500, .icm20602: try chip.set(filter, in: Register.accelerometerFilter)
    case .icm20689:
      // A relative without FIFO_SIZE keeps zeros there, and the size that its data sheet has.
      try chip.write(Self.largestFIFO.bits | filter, to: Register.accelerometerFilter)
      let kept = try chip.read(Register.accelerometerFilter)
      guard kept & ~Self.largestFIFO.bits == filter else { throw .refused(register: Register.accelerometerFilter) }
      if kept & Self.largestFIFO.bits == Self.largestFIFO.bits {
        traits.fifoRecords = Self.largestFIFO.bytes / traits.recordBytes
      }
    }
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
    if sensors != bothSensors { return .reset }
    let status = try chip.read(Register.status)
    return status & Self.overflow == 0 ? .sound : .overflowed
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(
      acceleration: RawMotion.highFirst(record), rotation: RawMotion.highFirst(record + traits.recordBytes - 6))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x40, to: Register.power) }
}
