import Motion

/// STMicroelectronics LSM6DSO and LSM6DSOX (DS12140), LSM6DSR and LSM6DSRX (with the same registers), LSM6DSV and
/// LSM6DSV16X (DS13510; with registers and rates of their own): each word of the FIFO has a tag with its kind.
final class LSM6DSO: MotionChip {
  private enum Register {
    static let fifoRates: UInt8 = 0x09  // FIFO_CTRL3
    static let fifoMode: UInt8 = 0x0A  // FIFO_CTRL4
    static let noI3C: UInt8 = 0x18  // CTRL9_XL
    static let fifo: UInt8 = 0x78  // FIFO_DATA_OUT_TAG; after FIFO_DATA_OUT_Z_H reading goes on there
  }

  private static let continuous: UInt8 = 0x06
  /// A word of the FIFO: a tag and three axes of two bytes (registers 78h to 7Eh).
  private static let wordBytes = 7

  /// What differs between the chips.
  enum Layout {
    /// The ranges begin at +-2 g, or for the LSM6DSO32 at +-4 g: code of +-8 g (FS_XL).
    case lsm6dso(range: UInt8)
    case lsm6dsv(range: UInt8)
  }

  let traits: ChipTraits
  private let layout: Layout
  private let fifoStatus: UInt8  // FIFO_STATUS1 and 2
  /// The bits of DIFF_FIFO in FIFO_STATUS2.
  private let countHigh: UInt8

  init(name: StaticString, layout: Layout) {
    self.layout = layout
    switch layout {
    case .lsm6dso: (fifoStatus, countHigh) = (0x3A, 0x03)
    case .lsm6dsv: (fifoStatus, countHigh) = (0x1B, 0x01)
    }
    // 3 KiB, and half of that, without the tags.
    let words = if case .lsm6dso = layout { 512 } else { 256 }
    traits = LSM6.traits(name, fifo: Register.fifo, recordBytes: 2 * Self.wordBytes, fifoRecords: words / 2)
  }

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let chosen: ChipRate
    switch layout {
    case .lsm6dso(let range):
      chosen = try LSM6.configure(chip, rate: rate, range: range)
      try chip.set(0xE2, in: Register.noI3C)
    case .lsm6dsv(let range): chosen = try LSM6DSV.configure(chip, rate: rate, range: range)
    }
    try chip.set(chosen.code << 4 | chosen.code, in: Register.fifoRates)
    try chip.set(Self.continuous, in: Register.fifoMode)
    return chosen.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.fifoMode)
    try chip.write(Self.continuous, to: Register.fifoMode)
    _ = try chip.read(fifoStatus, count: 2)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let status = try chip.read(fifoStatus, count: 2)
    if status[1] & 0x48 != 0 { return nil }  // overrun now, or since the last look
    return (Int(status[1] & countHigh) << 8 | Int(status[0])) / 2
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

/// The sensors of the LSM6DSV and LSM6DSV16X. The names in comments are those of the register map.
private enum LSM6DSV {
  private enum Register {
    static let accelerometer: UInt8 = 0x10  // CTRL1
    static let gyroscope: UInt8 = 0x11  // CTRL2
    static let control: UInt8 = 0x12  // CTRL3
    static let gyroscopeRange: UInt8 = 0x15  // CTRL6
    static let accelerometerRange: UInt8 = 0x17  // CTRL8
  }

  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 4, hertz: 30), ChipRate(code: 5, hertz: 60), ChipRate(code: 6, hertz: 120),
    ChipRate(code: 7, hertz: 240),
  ]

  /// Resets the chip and starts its sensors in high-performance mode.
  static func configure(_ chip: ChipRegisters, rate: Float, range: UInt8) throws(MotionError) -> ChipRate {
    let rate = ChipRate.nearest(rate, of: rates)
    try chip.write(0x01, to: Register.control)  // SW_RESET
    chip.bus.pause(milliseconds: 30)
    try chip.set(0x44, in: Register.control)  // BDU, IF_INC
    try chip.set(0x03, in: Register.gyroscopeRange)  // +-1000 degrees a second
    try chip.set(range, in: Register.accelerometerRange)
    try chip.set(rate.code, in: Register.accelerometer)
    try chip.set(rate.code, in: Register.gyroscope)
    return rate
  }
}
