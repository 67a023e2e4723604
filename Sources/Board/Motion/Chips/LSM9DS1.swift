import Motion

/// STMicroelectronics LSM9DS1, accelerometer and gyroscope (DocID025715), as on the Sense HAT.
final class LSM9DS1: MotionChip {
  private enum Register {
    static let gyroscope: UInt8 = 0x10  // CTRL_REG1_G
    static let data: UInt8 = 0x18  // OUT_X_G; after 0x1D reading goes on at 0x28, after 0x2D at 0x18 ("Multiple reads")
    static let accelerometer: UInt8 = 0x20  // CTRL_REG6_XL
    static let control: UInt8 = 0x22  // CTRL_REG8
    static let fifoSwitch: UInt8 = 0x23  // CTRL_REG9
    static let fifoMode: UInt8 = 0x2E  // FIFO_CTRL
    static let fifoStatus: UInt8 = 0x2F  // FIFO_SRC
  }

  private static let continuous: UInt8 = 0xC0
  /// Of both sensors, while the gyroscope runs (table of ODR_G).
  private static let rates: InlineArray<3, ChipRate> = [
    ChipRate(code: 1, hertz: 14.9), ChipRate(code: 2, hertz: 59.5), ChipRate(code: 3, hertz: 119),
  ]

  // +-8 g at 0.244 mg a count, +-2000 degrees a second (there is no 1000) at 70 thousandths a count (sensor
  // characteristics).
  let traits = ChipTraits(
    name: "LSM9DS1", fifoRegister: Register.data, recordBytes: 12, fifoRecords: 32, countsPerG: 1 / 0.000_244,
    countsPerDegree: 1 / 0.07)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    try chip.write(0x05, to: Register.control)  // SW_RESET
    chip.bus.pause(milliseconds: 20)
    try chip.set(0x44, in: Register.control)  // BDU, IF_ADD_INC
    try chip.set(rate.code << 5 | 0x18, in: Register.gyroscope)
    try chip.set(rate.code << 5 | 0x18, in: Register.accelerometer)
    try chip.set(0x02, in: Register.fifoSwitch)
    try chip.set(Self.continuous, in: Register.fifoMode)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.fifoMode)
    try chip.write(Self.continuous, to: Register.fifoMode)
  }

  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let status = try chip.read(Register.fifoStatus)
    return status & 0x40 == 0 ? Int(status & 0x3F) : nil
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let mode = try chip.read(Register.fifoMode)
    return mode == Self.continuous ? .sound : .reset
  }

  /// The chip's axes are left-handed (figure 1); negating x makes them right-handed.
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    var raw = RawMotion(acceleration: RawMotion.lowFirst(record + 6), rotation: RawMotion.lowFirst(record))
    raw.acceleration[0] = Self.negated(raw.acceleration[0])
    raw.rotation[0] = Self.negated(raw.rotation[0])
    return raw
  }

  private static func negated(_ number: Int16) -> Int16 { number == .min ? .max : -number }

  func sleep(_ chip: ChipRegisters) throws(MotionError) {
    try chip.write(0x00, to: Register.gyroscope)
    try chip.write(0x00, to: Register.accelerometer)
  }
}
