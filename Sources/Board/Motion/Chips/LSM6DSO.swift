import Motion

/// STMicroelectronics LSM6DSO and LSM6DSOX (DS12140): each word of the FIFO has a tag with its kind.
final class LSM6DSO: MotionChip {
  private enum Register {
    static let fifoRates: UInt8 = 0x09  // FIFO_CTRL3
    static let fifoMode: UInt8 = 0x0A  // FIFO_CTRL4
    static let noI3C: UInt8 = 0x18  // CTRL9_XL
    static let fifoStatus: UInt8 = 0x3A  // FIFO_STATUS1 and 2
    static let fifo: UInt8 = 0x78  // FIFO_DATA_OUT_TAG; after FIFO_DATA_OUT_Z_H reading goes on there
  }

  private static let continuous: UInt8 = 0x06
  /// A word of the FIFO: a tag and three axes of two bytes (registers 78h to 7Eh).
  private static let wordBytes = 7

  // 3 KiB without the tags.
  let traits = LSM6.traits("LSM6DSO", fifo: Register.fifo, recordBytes: 2 * LSM6DSO.wordBytes, fifoRecords: 512 / 2)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = try LSM6.configure(chip, rate: rate)
    try chip.set(0xE2, in: Register.noI3C)
    try chip.set(rate.code << 4 | rate.code, in: Register.fifoRates)
    try chip.set(Self.continuous, in: Register.fifoMode)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.fifoMode)
    try chip.write(Self.continuous, to: Register.fifoMode)
    _ = try chip.read(Register.fifoStatus, count: 2)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let status = try chip.read(Register.fifoStatus, count: 2)
    if status[1] & 0x48 != 0 { return nil }  // overrun now, or since the last look
    return (Int(status[1] & 0x03) << 8 | Int(status[0])) / 2
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let mode = try chip.read(Register.fifoMode)
    return mode == Self.continuous ? .sound : .reset
  }

  /// Two words, one of each sensor, of one instant (TAG_SENSOR, TAG_CNT).
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    let next = record + Self.wordBytes
    guard record[0] & 0x06 == next[0] & 0x06 else { return nil }
    switch (record[0] >> 3, next[0] >> 3) {
    case (1, 2): return Self.raw(gyroscope: record, accelerometer: next)
    case (2, 1): return Self.raw(gyroscope: next, accelerometer: record)
    default: return nil
    }
  }

  private static func raw(gyroscope: UnsafePointer<UInt8>, accelerometer: UnsafePointer<UInt8>) -> RawMotion {
    RawMotion(acceleration: RawMotion.lowFirst(accelerometer + 1), rotation: RawMotion.lowFirst(gyroscope + 1))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try LSM6.sleep(chip) }
}
