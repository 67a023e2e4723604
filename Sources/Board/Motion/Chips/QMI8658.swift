import Motion

/// QST QMI8658A and QMI8658C (QMI8658A Datasheet, 13-52-25). The names in comments are those of its register map.
///
/// Its FIFO takes no samples while it is read: at 100 kHz on the bus a drain can cost one.
final class QMI8658: MotionChip {
  /// REVISION_ID: 0x68 and 0x79 in datasheets, 0x7C in chips.
  static let revisionRegister: UInt8 = 0x01
  /// True for a revision of this chip, whose WHO_AM_I is too common a number to be enough.
  static func isRevision(_ number: UInt8) -> Bool { number & 0xE0 == 0x60 }

  private enum Register {
    static let control: UInt8 = 0x02  // CTRL1
    static let accelerometer: UInt8 = 0x03  // CTRL2
    static let gyroscope: UInt8 = 0x04  // CTRL3
    static let sensors: UInt8 = 0x08  // CTRL7
    static let handshake: UInt8 = 0x09  // CTRL8
    static let command: UInt8 = 0x0A  // CTRL9
    static let fifoMode: UInt8 = 0x14  // FIFO_CTRL; FIFO_SMPL_CNT and FIFO_STATUS follow
    static let fifoCount: UInt8 = 0x15  // FIFO_SMPL_CNT; FIFO_STATUS follows
    static let fifo: UInt8 = 0x17  // FIFO_DATA
    static let commandStatus: UInt8 = 0x2D  // STATUSINT; STATUS0 and STATUS1 follow
    static let reset: UInt8 = 0x60  // RESET
  }

  private enum Command {
    static let acknowledge: UInt8 = 0x00
    static let resetFIFO: UInt8 = 0x04
    static let requestFIFO: UInt8 = 0x05
  }

  /// aEN and gEN.
  private static let bothSensors: UInt8 = 0x03
  /// 128 samples, stream: the oldest go first. FIFO_RD_MODE is 0.
  private static let stream: UInt8 = 0x0E
  /// Of FIFO_STATUS: samples were lost.
  private static let overflow: UInt8 = 0x20
  /// How often a command is asked whether it is done, with a millisecond in between.
  private static let commandTries = 20
  /// With both sensors the accelerometer follows the gyroscope's clock (table of gODR).
  private static let rates: InlineArray<4, ChipRate> = [
    ChipRate(code: 8, hertz: 28.025), ChipRate(code: 7, hertz: 56.05), ChipRate(code: 6, hertz: 112.1),
    ChipRate(code: 5, hertz: 224.2),
  ]

  // +-8 g, and +-1024 degrees a second at 32 counts each (sensitivity scale factors).
  let traits = ChipTraits(
    name: "QMI8658", fifoRegister: Register.fifo, recordBytes: 12, fifoRecords: 128, countsPerG: 4096,
    countsPerDegree: 32, settleMilliseconds: 150)

  func configure(_ chip: ChipRegisters, rate: Float) throws(MotionError) -> Float {
    let rate = ChipRate.nearest(rate, of: Self.rates)
    try chip.write(0xB0, to: Register.reset)
    chip.bus.pause(milliseconds: 50)
    try chip.set(0x40, in: Register.control)  // registers count up, the lower byte first
    // A command that is done shows in STATUSINT. The first QMI8658C has no such bit.
    try chip.write(0x80, to: Register.handshake)
    try chip.set(0x20 | rate.code, in: Register.accelerometer)
    try chip.set(0x60 | rate.code, in: Register.gyroscope)
    try chip.set(Self.stream, in: Register.fifoMode)
    try chip.set(Self.bothSensors, in: Register.sensors)
    return rate.hertz
  }

  func restart(_ chip: ChipRegisters) throws(MotionError) {
    try run(Command.resetFIFO, chip)
    try chip.write(Self.stream, to: Register.fifoMode)
  }

  /// The protocol of CTRL9: a command, its completion, the acknowledgement.
  private func run(_ command: UInt8, _ chip: ChipRegisters) throws(MotionError) {
    try chip.write(command, to: Register.command)
    for _ in 0..<Self.commandTries {
      let status = try chip.read(Register.commandStatus, count: 3)
      // CmdDone: of STATUSINT, and in the first QMI8658C of STATUS1.
      if status[0] & 0x80 != 0 || status[2] & 0x01 != 0 {
        return try chip.write(Command.acknowledge, to: Register.command)
      }
      chip.bus.pause(milliseconds: 1)
    }
    throw .refused(register: Register.command)
  }

  /// Leaves the FIFO in its mode for reading, which `condition` ends.
  func waiting(_ chip: ChipRegisters) throws(MotionError) -> Int? {
    let before = try chip.read(Register.fifoMode, count: 3)
    // After a reset the FIFO is bypassed, and a command would not be answered.
    if before[0] & 0x0F != Self.stream || before[2] & Self.overflow != 0 { return nil }
    try run(Command.requestFIFO, chip)
    let count = try chip.read(Register.fifoCount, count: 2)
    let words = Int(count[1] & 0x03) << 8 | Int(count[0])
    return 2 * words / traits.recordBytes
  }

  func condition(_ chip: ChipRegisters) throws(MotionError) -> ChipCondition {
    let sensors = try chip.read(Register.sensors)
    guard sensors == Self.bothSensors else { return .reset }
    try chip.write(Self.stream, to: Register.fifoMode)
    return .sound
  }

  /// In the order of the data registers: the accelerometer first.
  func parse(_ record: UnsafePointer<UInt8>) -> RawMotion? {
    RawMotion(acceleration: RawMotion.lowFirst(record), rotation: RawMotion.lowFirst(record + 6))
  }

  func sleep(_ chip: ChipRegisters) throws(MotionError) { try chip.write(0x00, to: Register.sensors) }
}
