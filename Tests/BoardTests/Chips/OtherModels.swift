/// BMI160 with frames without headers.
final class BMI160Model: ChipModel {
  private var isAccelerometerOn = false
  private var isGyroscopeOn = false

  override func powerUp() {
    super.powerUp()
    registers[0x00] = 0xD1
    (registers[0x40], registers[0x41], registers[0x42], registers[0x43]) = (0x28, 0x03, 0x28, 0x00)
    (registers[0x46], registers[0x47]) = (0x80, 0x10)
    (isAccelerometerOn, isGyroscopeOn) = (false, false)
  }

  override var hertz: Double {
    guard isAccelerometerOn, isGyroscopeOn, registers[0x47] == 0xC0 else { return 0 }
    guard registers[0x40] & 15 == registers[0x42] & 15 else { return 0 }
    return [6: 25.0, 7: 50, 8: 100, 9: 200][registers[0x40] & 15] ?? 0
  }

  override func store(_ sample: Int) {
    let perG: Double = [3: 16384.0, 5: 8192, 8: 4096, 12: 2048][registers[0x41] & 15] ?? 0
    let perDegree = 16.4 * Double(1 << (registers[0x43] & 7))
    let frame =
      Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: false)
      + Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: false)
    if fifo.count + frame.count > 1024 { fifo.removeFirst(frame.count) }
    fifo += frame
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x1D: return registers[0x51] & 0x20 != 0 && fifo.count + 12 > 1024 ? 0x20 : 0
    case 0x22: return UInt8(fifo.count & 255)
    case 0x23: return UInt8(fifo.count >> 8)
    case 0x24: return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x24 ? 0x24 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    guard register == 0x7E else { return super.write(value, to: register) }
    switch value {
    case 0xB6: powerUp()
    case 0xB0: fifo = []
    case 0x10, 0x11: isAccelerometerOn = value == 0x11
    case 0x14, 0x15: isGyroscopeOn = value == 0x15
    default: break
    }
  }
}

/// ADXL345: 32 entries, each of which leaves the FIFO when a transaction that read it ends.
final class ADXL345Model: ChipModel {
  private var isOverrun = false

  override func powerUp() {
    super.powerUp()
    registers[0x00] = 0xE5
    registers[0x2C] = 0x0A
    isOverrun = false
  }

  override var hertz: Double {
    guard registers[0x2D] & 0x08 != 0 else { return 0 }
    return [8: 25.0, 9: 50, 10: 100, 11: 200][registers[0x2C] & 15] ?? 0
  }

  override func store(_ sample: Int) {
    let isFullResolution = registers[0x31] & 0x08 != 0
    let perG = isFullResolution ? 256 : 256 / Double(1 << (registers[0x31] & 3))
    let capacity = registers[0x38] >> 6 == 2 ? 32 : 1
    if fifo.count >= capacity * 6 {
      fifo.removeFirst(fifo.count - (capacity - 1) * 6)
      isOverrun = true
    }
    fifo += Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: false)
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x30: return isOverrun ? 0x01 : 0
    case 0x32...0x37:
      isOverrun = false
      return popByte()
    case 0x39: return UInt8(fifo.count / 6)
    default: return super.read(register)
    }
  }

  override func write(_ value: UInt8, to register: UInt8) {
    super.write(value, to: register)
    if register == 0x38, value >> 6 == 0 { fifo = [] }
  }
}

/// QMI8658: a FIFO that is read after a command and fills again when the mode for reading ends.
final class QMI8658Model: ChipModel {
  private var isOverrun = false

  override func powerUp() {
    super.powerUp()
    (registers[0x00], registers[0x01]) = (0x05, 0x7C)
    registers[0x02] = 0x20  // the higher byte first
    isOverrun = false
  }

  private var isReading: Bool { registers[0x14] & 0x80 != 0 }
  private var capacity: Int { 16 << Int(registers[0x14] >> 2 & 3) }

  override var hertz: Double {
    let rate = registers[0x04] & 15
    guard registers[0x08] & 3 == 3, registers[0x14] & 3 == 2, registers[0x03] & 15 == rate, rate <= 8 else { return 0 }
    return 7174.4 / Double(1 << Int(rate))
  }

  override func store(_ sample: Int) {
    if isReading { return }
    let perG = 16384 / Double(1 << Int(registers[0x03] >> 4 & 7))
    let perDegree = 2048 / Double(1 << Int(registers[0x04] >> 4 & 7))
    let isHighFirst = registers[0x02] & 0x20 != 0
    if fifo.count >= 12 * capacity {
      fifo.removeFirst(12)
      isOverrun = true
    }
    fifo += Self.counts(ModelWorld.acceleration(sample), perUnit: perG, isHighFirst: isHighFirst)
    fifo += Self.counts(ModelWorld.rotation(sample), perUnit: perDegree, isHighFirst: isHighFirst)
  }

  override func read(_ register: UInt8) -> UInt8 {
    let words = fifo.count / 2
    switch register {
    case 0x15: return UInt8(words & 255)
    case 0x16: return UInt8(words >> 8 & 3) | (isOverrun ? 0x20 : 0) | (fifo.isEmpty ? 0 : 0x10)
    case 0x17: return isReading ? popByte() : 0
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 {
    register == 0x17 || registers[0x02] & 0x40 == 0 ? register : register + 1
  }

  override func write(_ value: UInt8, to register: UInt8) {
    switch (register, value) {
    case (0x60, 0xB0): return powerUp()
    case (0x0A, 0x04): (fifo, isOverrun) = ([], false)
    case (0x0A, 0x05): registers[0x14] |= 0x80
    case (0x0A, 0x00): registers[0x2D] &= 0x7F
    default: super.write(value, to: register)
    }
    guard register == 0x0A, value != 0x00 else { return }
    // The end of a command shows in STATUSINT where CTRL8 says so, and until it is acknowledged.
    if registers[0x09] & 0x80 != 0 { registers[0x2D] |= 0x80 }
  }
}
