/// What the LSM6 chips have in common.
class LSM6Model: ChipModel {
  let who: UInt8
  /// Thousandths of a g per count, by the code of the range.
  private let milliPerCount: [Double]

  init(who: UInt8, milliPerCount: [Double] = [0.061, 0.488, 0.122, 0.244]) {
    self.who = who
    self.milliPerCount = milliPerCount
    super.init()
  }

  override func powerUp() {
    super.powerUp()
    registers[0x0F] = who
    registers[0x12] = 0x04
  }

  func hertz(of code: UInt8) -> Double { [1: 12.5, 2: 26, 3: 52, 4: 104, 5: 208][code] ?? 0 }

  var accelerationBytes: (Int) -> [UInt8] {
    let milliPerCount = milliPerCount[Int(registers[0x10] >> 2 & 3)]
    return { Self.counts(ModelWorld.acceleration($0), perUnit: 1000 / milliPerCount, isHighFirst: false) }
  }

  var rotationBytes: (Int) -> [UInt8] {
    let milliPerCount = [8.75, 17.5, 35, 70][Int(registers[0x11] >> 2 & 3)]
    return { Self.counts(ModelWorld.rotation($0), perUnit: 1000 / milliPerCount, isHighFirst: false) }
  }

  override func write(_ value: UInt8, to register: UInt8) {
    if register == 0x12, value & 1 == 1 { return powerUp() }
    super.write(value, to: register)
  }
}

/// LSM6DS3 and LSM6DS3TR-C: a FIFO of 16-bit words, and a pattern that says which is next.
final class LSM6DS3Model: LSM6Model {
  private let fifoBytes: Int
  private var popped = 0
  private var isOverrun = false

  init(who: UInt8, fifoBytes: Int) {
    self.fifoBytes = fifoBytes
    super.init(who: who)
  }

  override var hertz: Double {
    let rates = (registers[0x10] >> 4, registers[0x11] >> 4, registers[0x0A] >> 3 & 15)
    guard registers[0x0A] & 7 == 6, registers[0x08] == 0x09, rates.0 == rates.1, rates.0 == rates.2 else { return 0 }
    return hertz(of: rates.0)
  }

  override func store(_ sample: Int) { push(rotationBytes(sample) + accelerationBytes(sample)) }

  func push(_ bytes: [UInt8]) {
    for byte in bytes {
      if fifo.count == fifoBytes {
        fifo.removeFirst()
        popped += 1
        isOverrun = true
      }
      fifo.append(byte)
    }
  }

  override func read(_ register: UInt8) -> UInt8 {
    let words = fifo.count / 2
    let isFull = fifo.count == fifoBytes
    switch register {
    case 0x3A: return UInt8(words & 255)
    case 0x3B:
      return UInt8(words >> 8 & 15) | (isOverrun ? 0x40 : 0) | (isFull ? 0x20 : 0) | (words == 0 ? 0x10 : 0)
    case 0x3C: return UInt8(popped / 2 % 6)
    case 0x3D: return 0
    case 0x3E, 0x3F:
      if !fifo.isEmpty { popped += 1 }
      isOverrun = false
      return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x3F ? 0x3E : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    super.write(value, to: register)
    if register == 0x0A, value & 7 == 0 { (fifo, popped, isOverrun) = ([], 0, false) }
  }
}

/// LSM6DSO: words with tags.
final class LSM6DSOModel: LSM6Model {
  private var isOverrun = false
  private var wasOverrun = false

  override func powerUp() {
    super.powerUp()
    registers[0x18] = 0xE0
  }

  override var hertz: Double {
    let rates = (registers[0x10] >> 4, registers[0x11] >> 4, registers[0x09] >> 4, registers[0x09] & 15)
    guard registers[0x0A] & 7 == 6, rates.0 == rates.1, rates.0 == rates.2, rates.0 == rates.3 else { return 0 }
    return hertz(of: rates.0)
  }

  override func store(_ sample: Int) {
    let count = UInt8(sample & 3) << 1
    // Either may come first.
    let words = [[1 << 3 | count] + rotationBytes(sample), [2 << 3 | count] + accelerationBytes(sample)]
    for word in sample % 3 == 0 ? words.reversed() : words { push(word) }
  }

  func push(_ word: [UInt8]) {
    if fifo.count == 512 * 7 {
      fifo.removeFirst(7)
      (isOverrun, wasOverrun) = (true, true)
    }
    fifo += word
  }

  override func read(_ register: UInt8) -> UInt8 {
    let words = fifo.count / 7
    switch register {
    case 0x3A: return UInt8(words & 255)
    case 0x3B:
      defer { wasOverrun = false }
      return UInt8(words >> 8 & 3) | (isOverrun ? 0x40 : 0) | (wasOverrun ? 0x08 : 0) | (words == 512 ? 0x20 : 0)
    case 0x78...0x7E:
      isOverrun = false
      return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x7E ? 0x78 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    super.write(value, to: register)
    if register == 0x0A, value & 7 == 0 { (fifo, isOverrun) = ([], false) }
  }
}

/// LSM9DS1: 32 slots, read through the data registers. Its axes are left-handed: x is against the world's.
final class LSM9DS1Model: ChipModel {
  private var isOverrun = false

  override func powerUp() {
    super.powerUp()
    registers[0x0F] = 0x68
    registers[0x22] = 0x04
    (registers[0x1E], registers[0x1F]) = (0x38, 0x38)
    isOverrun = false
  }

  override var hertz: Double {
    guard registers[0x23] & 2 != 0, registers[0x2E] >> 5 == 6 else { return 0 }
    return [1: 14.9, 2: 59.5, 3: 119, 4: 238][registers[0x10] >> 5] ?? 0
  }

  override func store(_ sample: Int) {
    let milliPerCount = [0.061, 0.732, 0.122, 0.244][Int(registers[0x20] >> 3 & 3)]
    let milliDegreesPerCount = [8.75, 17.5, 17.5, 70][Int(registers[0x10] >> 3 & 3)]
    var (rotation, acceleration) = (ModelWorld.rotation(sample), ModelWorld.acceleration(sample))
    (rotation[0], acceleration[0]) = (-rotation[0], -acceleration[0])
    if fifo.count == 32 * 12 {
      fifo.removeFirst(12)
      isOverrun = true
    }
    fifo += Self.counts(rotation, perUnit: 1000 / milliDegreesPerCount, isHighFirst: false)
    fifo += Self.counts(acceleration, perUnit: 1000 / milliPerCount, isHighFirst: false)
  }

  override func read(_ register: UInt8) -> UInt8 {
    switch register {
    case 0x2F: return UInt8(fifo.count / 12) | (isOverrun ? 0x40 : 0)
    case 0x18...0x1D, 0x28...0x2D: return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 {
    switch register {
    case 0x1D: 0x28
    case 0x2D: 0x18
    default: register + 1
    }
  }

  override func write(_ value: UInt8, to register: UInt8) {
    if register == 0x22, value & 1 == 1 { return powerUp() }
    super.write(value, to: register)
    if register == 0x2E, value >> 5 == 0 { (fifo, isOverrun) = ([], false) }
  }
}

/// LSM6DSV and LSM6DSV16X: words with tags; the rates and ranges are in other registers than an LSM6DSO's.
final class LSM6DSVModel: ChipModel {
  private var isOverrun = false
  private var wasOverrun = false

  override func powerUp() {
    super.powerUp()
    registers[0x0F] = 0x70
    registers[0x12] = 0x44
    (isOverrun, wasOverrun) = (false, false)
  }

  override var hertz: Double {
    // ODR_XL, ODR_G, BDR_XL, BDR_GY; the operating modes are 0: high performance.
    let rates = [registers[0x10], registers[0x11], registers[0x09] & 15, registers[0x09] >> 4]
    guard registers[0x0A] & 7 == 6, rates.allSatisfy({ $0 == rates[0] }) else { return 0 }
    return [2: 7.5, 3: 15, 4: 30, 5: 60, 6: 120, 7: 240][rates[0]] ?? 0
  }

  override func store(_ sample: Int) {
    let milliPerCount = [0.061, 0.122, 0.244, 0.488][Int(registers[0x17] & 3)]
    let milliDegreesPerCount = [4.375, 8.75, 17.5, 35, 70][Int(registers[0x15] & 7)]
    let tag = UInt8(sample & 3) << 1
    let rotation = Self.counts(ModelWorld.rotation(sample), perUnit: 1000 / milliDegreesPerCount, isHighFirst: false)
    let felt = Self.counts(ModelWorld.acceleration(sample), perUnit: 1000 / milliPerCount, isHighFirst: false)
    for word in [[1 << 3 | tag] + rotation, [2 << 3 | tag] + felt] {
      if fifo.count == 256 * 7 {
        fifo.removeFirst(7)
        (isOverrun, wasOverrun) = (true, true)
      }
      fifo += word
    }
  }

  override func read(_ register: UInt8) -> UInt8 {
    let words = fifo.count / 7
    switch register {
    case 0x1B: return UInt8(words & 255)
    case 0x1C:
      defer { wasOverrun = false }
      return UInt8(words >> 8 & 1) | (isOverrun ? 0x40 : 0) | (wasOverrun ? 0x08 : 0)
    case 0x78...0x7E:
      isOverrun = false
      return popByte()
    default: return super.read(register)
    }
  }

  override func next(after register: UInt8) -> UInt8 { register == 0x7E ? 0x78 : register + 1 }

  override func write(_ value: UInt8, to register: UInt8) {
    if register == 0x12, value & 1 == 1 { return powerUp() }
    super.write(value, to: register)
    if register == 0x0A, value & 7 == 0 { (fifo, isOverrun) = ([], false) }
  }
}
