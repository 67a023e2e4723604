import Motion

/// TDK InvenSense ICM-42688-P (DS-000347) and its relatives (ICM-42605, DS-000292; IIM-42652, DS-000440), bank 0. The
/// names in comments are those of the register map.
final class ICM42688: MotionChip {
  private enum Register {
    static let reset: UInt8 = 0x11  // DEVICE_CONFIG
    static let fifoMode: UInt8 = 0x16  // FIFO_CONFIG
    static let status: UInt8 = 0x2D  // INT_STATUS, cleared by reading; followed by FIFO_COUNTH and FIFO_COUNTL
    static let fifo: UInt8 = 0x30  // FIFO_DATA
    static let flush: UInt8 = 0x4B  // SIGNAL_PATH_RESET
    static let interface: UInt8 = 0x4C  // INTF_CONFIG0
    static let power: UInt8 = 0x4E  // PWR_MGMT0
    static let gyroscope: UInt8 = 0x4F  // GYRO_CONFIG0
    static let accelerometer: UInt8 = 0x50  // ACCEL_CONFIG0
    static let filter: UInt8 = 0x52  // GYRO_ACCEL_CONFIG0
    static let fifoSensors: UInt8 = 0x5F  // FIFO_CONFIG1
  }

  /// Accelerometer, gyroscope and temperature: packets of structure 3.
  private static let sensors: UInt8 = 0x07
  /// FIFO_FULL_INT.
  private static let full: UInt8 = 0x02
  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 10, hertz: 25), ChipRate(code: 9, hertz: 50), ChipRate(code: 8, hertz: 100),
    ChipRate(code: 7, hertz: 200),
  ]

  /// Codes of +-8 g and of +-1000 degrees a second (ACCEL_FS_SEL, GYRO_FS_SEL): the range of code 0 is halved so often.
  /// The chips with wider ranges begin at +-32 g and +-4000 degrees a second.
  struct Ranges {
    var accelerometer: UInt8 = 1
    var gyroscope: UInt8 = 1
  }

  let traits: ChipTraits
  private let ranges: Ranges

  init(name: StaticString, ranges: Ranges = Ranges()) {
    // 2 KiB; sensitivity scale factors of the specifications.
    traits = ChipTraits(
      name: name, fifoRegister: Register.fifo, recordBytes: 16, fifoRecords: 2048 / 16, countsPerG: 4096,
      countsPerDegree: 32.8)
    self.ranges = ranges
  }

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    try chip.write(0x01, to: Register.reset)
    chip.bus.pause(milliseconds: 10)
    try chip.set(0x30, in: Register.interface)  // counts in bytes, the higher byte first
    try chip.set(ranges.gyroscope << 5 | rate.code, in: Register.gyroscope)
    try chip.set(ranges.accelerometer << 5 | rate.code, in: Register.accelerometer)
    // 40 or 20 Hz of bandwidth: less than half of the rate.
    try chip.set(rate.hertz > 80 ? 0x44 : 0x66, in: Register.filter)
    try chip.set(Self.sensors, in: Register.fifoSensors)
    try chip.set(0x40, in: Register.fifoMode)  // stream: the oldest packets go first
    try chip.set(0x0F, in: Register.power)  // both sensors, low noise
    // PWR_MGMT0: nothing may be written for 200 us. The settling pause is longer.
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x02, to: Register.flush)
    _ = try chip.read(Register.status)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let bytes = try chip.read(Register.status, count: 3)
    if bytes[0] & Self.full != 0 { return nil }
    let count = (Int(bytes[1]) << 8 | Int(bytes[2])) / traits.recordBytes
    return count < traits.fifoRecords ? count : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let sensors = try chip.read(Register.fifoSensors)
    return sensors == Self.sensors ? .sound : .reset
  }

  /// Header, accelerometer, gyroscope, temperature, time (packet structure 3).
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? { Self.raw(record) }

  /// The numbers of a packet of structure 3; nil for another packet.
  static func raw(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    // Not empty, accelerometer, gyroscope, 16 bits each.
    guard record[0] & 0xF0 == 0x60 else { return nil }
    return RawMotion(acceleration: RawMotion.highFirst(record + 1), rotation: RawMotion.highFirst(record + 7))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x00, to: Register.power) }
}
