/// MPU-6050, or one of its successors with the same registers.
class MPUModel: ChipModel {
  /// What ICM-20689 and ICM-20602 do otherwise.
  enum Variant { case plain, fifoSize, temperature }

  private let who: UInt8
  private let fifoBytes: Int
  private let variant: Variant

  init(who: UInt8, fifoBytes: Int, variant: Variant = .plain) {
    self.who = who
    self.fifoBytes = fifoBytes
    self.variant = variant
    super.init()
  }

  /// Register 29 bits 7:6 of an ICM-20689: 512 bytes, 1, 2 or 4 KiB.
  private var capacity: Int { variant == .fifoSize ? 512 << Int(registers[29] >> 6) : fifoBytes }

  override func powerUp() {
    super.powerUp()
    registers[117] = who
    registers[107] = 0x40  // asleep
  }

  override var hertz: Double {
    guard registers[107] & 0x40 == 0, registers[106] & 0x40 != 0, registers[35] != 0 else { return 0 }
    let filter = registers[26] & 7
    return (filter == 0 || filter == 7 ? 8000 : 1000) / (1 + Double(registers[25]))
  }

  override func store(_ sample: Int) {
    if variant == .temperature { return storeWithTemperature(sample) }
    if registers[35] & 0x08 != 0 {
      let perG = [16384.0, 8192, 4096, 2048][Int(registers[28] >> 3 & 3)]
      push(Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: true))
    }
    let perDegree = [131, 65.5, 32.8, 16.4][Int(registers[27] >> 3 & 3)]
    let rotation = Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: true)
    for axis in 0..<3 where registers[35] & 0x40 >> UInt8(axis) != 0 { push(Array(rotation[2 * axis..<2 * axis + 2])) }
  }

  /// FIFO_EN of an ICM-20602: bit 4 the gyroscope, bit 3 the accelerometer, and with either the temperature.
  private func storeWithTemperature(_ sample: Int) {
    let (accelerometer, gyroscope) = (registers[35] & 0x08 != 0, registers[35] & 0x10 != 0)
    let perG = [16384.0, 8192, 4096, 2048][Int(registers[28] >> 3 & 3)]
    let perDegree = [131, 65.5, 32.8, 16.4][Int(registers[27] >> 3 & 3)]
    var record: [UInt8] = []
    if accelerometer { record += Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: true) }
    record += [0x0B, UInt8(sample & 255)]
    if gyroscope { record += Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: true) }
    push(record)
  }

  /// Byte by byte: what is full loses its oldest bytes.
  func push(_ bytes: [UInt8]) {
    for byte in bytes {
      if fifo.count == capacity {
        fifo.removeFirst()
        if registers[56] & 0x10 != 0 { registers[58] |= 0x10 }
      }
      fifo.append(byte)
    }
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 58:
      defer { registers[58] = 0 }
      return registers[58]
    case 114: return UInt8(fifo.count >> 8)
    case 115: return UInt8(fifo.count & 255)
    case 116: return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 116 ? 116 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    if register == 107, value & 0x80 != 0 { return powerUp() }
    if [58, 114, 115, 117].contains(register) { return }
    // Reserved bits read as 0.
    let kept: UInt8 =
      switch (variant, register) {
      case (.temperature, 35): 0x18
      case (.temperature, 29): 0x3F
      case (.plain, 29): 0x0F
      default: 0xFF
      }
    super.write(value & kept, to: register)
    if register == 106 {
      if value & 0x04 != 0, value & 0x40 == 0 { fifo = [] }
      registers[106] &= ~0x07
    }
  }
}

/// ICM-20948: four banks of 128 registers.
final class ICM20948Model: ChipModel {
  private var banks = [[UInt8]](repeating: [UInt8](repeating: 0, count: 127), count: 4)
  var bank = 0

  override func powerUp() {
    super.powerUp()
    banks = [[UInt8]](repeating: [UInt8](repeating: 0, count: 127), count: 4)
    banks[0][0] = 0xEA
    banks[0][6] = 0x41
    (banks[2][1], banks[2][0x14]) = (0x01, 0x01)
    bank = 0
  }

  override var hertz: Double {
    let zero = banks[0], two = banks[2]
    guard zero[6] & 0x40 == 0, zero[3] & 0x40 != 0, zero[0x67] != 0, zero[0x68] == 0 else { return 0 }
    let dividers = (Int(two[0]), Int(two[0x10] & 15) << 8 | Int(two[0x11]))
    // Sensors of different rates would fill the FIFO unevenly; both need their filters for the divider to count.
    guard dividers.0 == dividers.1, two[1] & 1 == 1, two[0x14] & 1 == 1 else { return 0 }
    return 1125 / (1 + Double(dividers.0))
  }

  override func store(_ sample: Int) {
    if banks[0][0x67] & 0x10 != 0 {
      let perG = [16384.0, 8192, 4096, 2048][Int(banks[2][0x14] >> 1 & 3)]
      push(Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: true))
    }
    guard banks[0][0x67] & 0x0E == 0x0E else { return }
    let perDegree = [131, 65.5, 32.8, 16.4][Int(banks[2][1] >> 1 & 3)]
    push(Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: true))
  }

  func push(_ bytes: [UInt8]) {
    for byte in bytes {
      if fifo.count == 512 {
        fifo.removeFirst()
        banks[0][0x1B] |= 1
      }
      fifo.append(byte)
    }
  }

  override func read(_ register: UInt8) -> UInt8 {
    if register == 0x7F { return UInt8(bank << 4) }
    switch (bank, register) {
    case (0, 0x1B):
      defer { banks[0][0x1B] = 0 }
      return banks[0][0x1B]
    case (0, 0x70): return UInt8(fifo.count >> 8)
    case (0, 0x71): return UInt8(fifo.count & 255)
    case (0, 0x72): return popByte()
    default: return banks[bank][Int(register)]
    }
  }

  override func next(after register: UInt8) -> UInt8 { bank == 0 && register == 0x72 ? 0x72 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    if deafRegisters.contains(register) { return }
    if register == 0x7F {
      bank = Int(value >> 4 & 3)
      return
    }
    if bank == 0, register == 6, value & 0x80 != 0 { return powerUp() }
    banks[bank][Int(register)] = value
    if bank == 0, register == 0x68, value & 1 == 1 { fifo = [] }
  }
}

/// ICM-42688-P or a relative, bank 0.
final class ICM42688Model: ChipModel {
  private let who: UInt8
  /// Counts per unit at range code 0: +-16 g and +-2000 degrees a second; half as many where ranges are twice as wide.
  private let perG: Double
  private let perDegree: Double

  init(who: UInt8 = 0x47, perG: Double = 2048, perDegree: Double = 16.4) {
    self.who = who
    self.perG = perG
    self.perDegree = perDegree
    super.init()
  }

  override func powerUp() {
    super.powerUp()
    registers[0x75] = who
    registers[0x4C] = 0x30
    (registers[0x4F], registers[0x50]) = (0x06, 0x06)
    registers[0x52] = 0x11
    registers[0x2D] = 0x10  // the reset is done
  }

  override var hertz: Double {
    guard registers[0x4E] & 0x0F == 0x0F, registers[0x16] >> 6 == 1, registers[0x5F] & 3 == 3 else { return 0 }
    guard registers[0x4F] & 15 == registers[0x50] & 15 else { return 0 }
    return [6: 1000.0, 7: 200, 8: 100, 9: 50, 10: 25][registers[0x4F] & 15] ?? 0
  }

  override func store(_ sample: Int) {
    // Each code halves the range.
    let perDegree = perDegree * Double(1 << (registers[0x4F] >> 5))
    let perG = perG * Double(1 << (registers[0x50] >> 5))
    let isHighFirst = registers[0x4C] & 0x10 != 0
    var packet: [UInt8] = [0x68]
    packet += Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: isHighFirst)
    packet += Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: isHighFirst)
    packet += [25, UInt8(sample >> 8 & 255), UInt8(sample & 255)]
    if fifo.count + packet.count > 2048 {
      fifo.removeFirst(packet.count)
      registers[0x2D] |= 0x02
    }
    fifo += packet
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x2D:
      defer { registers[0x2D] = 0 }
      return registers[0x2D]
    case 0x2E: return UInt8(fifo.count >> 8)
    case 0x2F: return UInt8(fifo.count & 255)
    case 0x30: return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x30 ? 0x30 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    if register == 0x11, value & 1 == 1 { return powerUp() }
    if register == 0x4B {
      if value & 0x02 != 0 { fifo = [] }
      return
    }
    super.write(value, to: register)
  }
}

/// ICM-42670-P, ICM-42670-S, ICM-42607: bank 0, and of MREG1 what the FIFO takes.
final class ICM42670Model: ChipModel {
  private let who: UInt8
  private var mreg1 = [UInt8](repeating: 0, count: 256)

  init(who: UInt8 = 0x67) {
    self.who = who
    super.init()
  }

  override func powerUp() {
    super.powerUp()
    registers[0x75] = who
    (registers[0x20], registers[0x21], registers[0x23], registers[0x24]) = (0x06, 0x06, 0x31, 0x41)
    registers[0x28] = 0x01  // bypass
    registers[0x35] = 0x30
    registers[0x3A] = 0x10  // the reset is done
    mreg1 = [UInt8](repeating: 0, count: 256)
    mreg1[1] = 0x20
  }

  private var isRunning: Bool { registers[0x1F] & 0x0F == 0x0F }

  override var hertz: Double {
    guard isRunning, registers[0x28] & 1 == 0, mreg1[1] & 3 == 3 else { return 0 }
    guard registers[0x20] & 15 == registers[0x21] & 15 else { return 0 }
    return [8: 200.0, 9: 100, 10: 50, 11: 25][registers[0x20] & 15] ?? 0
  }

  override func store(_ sample: Int) {
    let perDegree = 16.4 * Double(1 << (registers[0x20] >> 5 & 3))
    let perG = 2048 * Double(1 << (registers[0x21] >> 5 & 3))
    let isHighFirst = registers[0x35] & 0x10 != 0
    var packet: [UInt8] = [0x68]
    packet += Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: isHighFirst)
    packet += Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: isHighFirst)
    packet += [25, UInt8(sample >> 8 & 255), UInt8(sample & 255)]
    if fifo.count + packet.count > 1024 {
      fifo.removeFirst(packet.count)
      registers[0x3A] |= 0x02
    }
    fifo += packet
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x3A:
      defer { registers[0x3A] = 0 }
      return registers[0x3A]
    case 0x3D: return UInt8(fifo.count >> 8)
    case 0x3E: return UInt8(fifo.count & 255)
    case 0x3F: return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x3F ? 0x3F : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    switch register {
    case 0x02:
      if value & 0x10 != 0 { return powerUp() }
      if value & 0x04 != 0 { fifo = [] }
    case 0x7B:
      // The clock of MREG1 runs with the sensors.
      if isRunning, registers[0x79] == 0 { mreg1[Int(registers[0x7A])] = value }
    default: super.write(value, to: register)
    }
  }
}
