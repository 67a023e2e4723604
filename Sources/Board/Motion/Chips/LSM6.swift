import Motion

/// What STMicroelectronics' LSM6DS3, LSM6DS3TR-C, LSM6DSO and LSM6DSR have in common: the sensors themselves. Their
/// FIFOs differ.
enum LSM6 {
  private enum Register {
    static let accelerometer: UInt8 = 0x10  // CTRL1_XL
    static let gyroscope: UInt8 = 0x11  // CTRL2_G
    static let control: UInt8 = 0x12  // CTRL3_C
  }

  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 2, hertz: 26), ChipRate(code: 3, hertz: 52), ChipRate(code: 4, hertz: 104),
    ChipRate(code: 5, hertz: 208),
  ]

  /// +-8 g at 0.244 mg a count, and +-1000 degrees a second at 35 thousandths a count (mechanical characteristics,
  /// LA_So and G_So).
  static func traits(_ name: StaticString, fifo: UInt8, recordBytes: Int, fifoRecords: Int) -> ChipTraits {
    ChipTraits(
      name: name, fifoRegister: fifo, recordBytes: recordBytes, fifoRecords: fifoRecords, countsPerG: 1 / 0.000_244,
      countsPerDegree: 1 / 0.035)
  }

  /// Resets the chip and starts its sensors. `range` is the code of +-8 g (FS_XL): 3, but 2 in an LSM6DSO32.
  static func configure(_ chip: ChipRegisters, rate: Float, range: UInt8 = 3) throws(MotionError) -> ChipRate {
    let rate = ChipRate.nearest(rate, of: rates)
    try chip.write(0x01, to: Register.control)  // SW_RESET
    chip.bus.pause(milliseconds: 20)
    try chip.set(0x44, in: Register.control)  // BDU, IF_INC
    try chip.set(rate.code << 4 | range << 2, in: Register.accelerometer)
    try chip.set(rate.code << 4 | 0x08, in: Register.gyroscope)
    return rate
  }

  /// Stops both sensors.
  static func sleep(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.gyroscope)
    try chip.write(0x00, to: Register.accelerometer)
  }
}

/// STMicroelectronics LSM6DS3 (DocID026899; also LSM6DS33, DocID027423, whose FIFO is the same) and LSM6DS3TR-C
/// (DocID030071; also LSM6DSL and LSM6DSM): a FIFO of untagged words; the pattern index gives the next word's kind.
final class LSM6DS3: MotionChip {
  private enum Register {
    static let fifoSensors: UInt8 = 0x08  // FIFO_CTRL3
    static let fifoMode: UInt8 = 0x0A  // FIFO_CTRL5
    static let fifoStatus: UInt8 = 0x3A  // FIFO_STATUS1 to 4
    static let fifo: UInt8 = 0x3E  // FIFO_DATA_OUT_L; a burst read alternates between it and FIFO_DATA_OUT_H
  }

  let traits: ChipTraits
  /// What FIFO_CTRL5 was set to.
  private var mode: UInt8 = 0

  init(name: StaticString, fifoBytes: Int) {
    traits = LSM6.traits(name, fifo: Register.fifo, recordBytes: 12, fifoRecords: fifoBytes / 12)
  }

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = try LSM6.configure(chip, rate: rate)
    mode = rate.code << 3 | 6  // the sensors' own rate, continuous
    try chip.set(0x09, in: Register.fifoSensors)  // each sample of both
    try chip.set(mode, in: Register.fifoMode)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.fifoMode)
    try chip.write(mode, to: Register.fifoMode)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let status = try chip.read(Register.fifoStatus, count: 4)
    if status[1] & 0x60 != 0 { return nil }  // overrun, full
    let words = Int(status[1] & 0x0F) << 8 | Int(status[0])
    let pattern = Int(status[3] & 0x03) << 8 | Int(status[2])
    return pattern % 6 == 0 ? words / 6 : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let now = try chip.read(Register.fifoMode)
    return now == mode ? .sound : .reset
  }

  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(acceleration: RawMotion.lowFirst(record + 6), rotation: RawMotion.lowFirst(record))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try LSM6.sleep(chip) }
}
