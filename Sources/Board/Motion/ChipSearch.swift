import Motion
import Runtime

/// The supported motion chips and their identification registers.
enum ChipKind {
  case mpu6050, mpu6500, mpu9250, mpu9255, icm20948, icm42688
  case lsm6ds3, lsm6ds3trc, lsm6dso, lsm9ds1, bmi160, adxl345

  /// A driver for a chip of this kind.
  func make() -> any MotionChip {
    switch self {
    case .mpu6050: MPU6050(name: "MPU-6050", fifoBytes: 1024, hasTwoFilters: false)
    case .mpu6500: MPU6050(name: "MPU-6500", fifoBytes: 512, hasTwoFilters: true)
    case .mpu9250: MPU6050(name: "MPU-9250", fifoBytes: 512, hasTwoFilters: true)
    case .mpu9255: MPU6050(name: "MPU-9255", fifoBytes: 512, hasTwoFilters: true)
    case .icm20948: ICM20948()
    case .icm42688: ICM42688()
    case .lsm6ds3: LSM6DS3(name: "LSM6DS3", fifoBytes: 8192)
    case .lsm6ds3trc: LSM6DS3(name: "LSM6DS3TR-C", fifoBytes: 4096)
    case .lsm6dso: LSM6DSO()
    case .lsm9ds1: LSM9DS1()
    case .bmi160: BMI160()
    case .adxl345: ADXL345()
    }
  }

  /// Addresses of the identification register: WHO_AM_I, CHIP_ID, DEVID.
  fileprivate enum Place {
    static let invenSense: UInt8 = 0x75
    static let st: UInt8 = 0x0F
    static let first: UInt8 = 0x00
  }

  /// The chip with this value in this register; nil for an unknown one.
  static func kind(number: UInt8, in register: UInt8) -> ChipKind? {
    switch (register, number) {
    case (Place.invenSense, 0x68): .mpu6050
    case (Place.invenSense, 0x70): .mpu6500
    case (Place.invenSense, 0x71): .mpu9250
    case (Place.invenSense, 0x73): .mpu9255
    case (Place.invenSense, 0x47): .icm42688
    case (Place.st, 0x69): .lsm6ds3
    case (Place.st, 0x6A): .lsm6ds3trc
    case (Place.st, 0x6C): .lsm6dso
    case (Place.st, 0x68): .lsm9ds1
    case (Place.first, 0xEA): .icm20948
    case (Place.first, 0xD1): .bmi160
    case (Place.first, 0xE5): .adxl345
    default: nil
    }
  }
}

/// Looks for a motion chip on a bus. Never writes to an unknown chip.
struct ChipSearch {
  let bus: any RegisterBus

  /// All addresses that the chips above can have.
  static let usualAddresses: InlineArray<6, UInt8> = [0x68, 0x69, 0x6A, 0x6B, 0x53, 0x1D]

  /// What was found at an address.
  enum Answer {
    case chip(ChipKind, number: UInt8)
    case unknown(number: UInt8)
    case noReply
    case ownedByKernel
  }

  /// Reads the identification of the chip at `address`. Leaves that address selected.
  func ask(_ address: UInt8) throws(MotionError) -> Answer {
    do throws(MotionError) {
      try bus.select(address)
      return try who(address)
    } catch {
      switch error {
      case .vanished, .io(.inputOutput): return .noReply
      case .ownedByKernel: return .ownedByKernel
      default: throw error
      }
    }
  }

  private func who(_ address: UInt8) throws(MotionError) -> Answer {
    let chip = ChipRegisters(bus: bus)
    var number: UInt8?
    for register in Self.places(address) {
      let found = try chip.read(register)
      if let kind = ChipKind.kind(number: found, in: register) { return .chip(kind, number: found) }
      if number == nil { number = found }
    }
    // An ICM-20948 may have another register bank selected by an interrupted run.
    let bank = try chip.read(ICM20948.bankRegister)
    if address & 0x7E == 0x68, bank != 0, bank & 0xCF == 0 {
      try chip.write(0, to: ICM20948.bankRegister)
      let found = try chip.read(ChipKind.Place.first)
      if let kind = ChipKind.kind(number: found, in: ChipKind.Place.first) { return .chip(kind, number: found) }
      try chip.write(bank, to: ICM20948.bankRegister)
    }
    return .unknown(number: number ?? 0)
  }

  /// The identification registers to try at an address: those of the chips that can have it, or all.
  private static func places(_ address: UInt8) -> [UInt8] {
    switch address {
    case 0x68, 0x69: [ChipKind.Place.invenSense, ChipKind.Place.first]
    case 0x6A, 0x6B: [ChipKind.Place.st]
    case 0x53, 0x1D: [ChipKind.Place.first]
    default: [ChipKind.Place.invenSense, ChipKind.Place.st, ChipKind.Place.first]
    }
  }

  /// The chip at `address`, or at the first usual address with a known one. Leaves it selected.
  func find(at address: UInt8?) throws(MotionError) -> any MotionChip {
    if let address { return try chip(try ask(address)) }
    // An unknown chip is a more useful error than no reply.
    var failure = MotionError.absent
    for index in 0..<Self.usualAddresses.count {
      let answer = try ask(Self.usualAddresses[index])
      do throws(MotionError) {
        return try chip(answer)
      } catch {
        if case .absent = failure { failure = error }
      }
    }
    throw failure
  }

  private func chip(_ answer: Answer) throws(MotionError) -> any MotionChip {
    switch answer {
    case .chip(let kind, _): return kind.make()
    case .unknown(let number): throw .unknownChip(number)
    case .ownedByKernel: throw .ownedByKernel
    case .noReply: throw .absent
    }
  }
}
