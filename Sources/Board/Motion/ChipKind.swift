import Motion
import Runtime

/// A kind of motion chip: its name, the register and number that identify it, and its driver.
public struct ChipKind: Sendable {
  /// As its manufacturer writes it.
  public let name: StaticString
  /// WHO_AM_I, CHIP_ID or DEVID.
  let number: UInt8
  let family: ChipFamily

  private init(_ name: StaticString, _ number: UInt8, _ family: ChipFamily) {
    (self.name, self.number, self.family) = (name, number, family)
  }

  /// All kinds. Of several with the same number the first is found; the others are for `[motion] chip`.
  public static let all: [ChipKind] =
    invenSense + st + [
      ChipKind("ICM-20948", 0xEA, .icm20948),
      ChipKind("BMI160", 0xD1, .bmi160),
      ChipKind("ADXL345", 0xE5, .adxl345),
      ChipKind("QMI8658", 0x05, .qmi8658),
      // These need a program of 8 KiB that Bosch licenses: the kernel's driver loads it.
      ChipKind("BMI270", 0x24, .kernelOnly),
      ChipKind("BMI260", 0x27, .kernelOnly),
    ]

  /// Chips of TDK InvenSense with WHO_AM_I at 0x75.
  private static let invenSense: [ChipKind] = [
    ChipKind("MPU-6050", 0x68, .mpu6050(.mpu6050, fifoBytes: 1024)),
    ChipKind("MPU-6000", 0x68, .mpu6050(.mpu6050, fifoBytes: 1024)),
    ChipKind("MPU-9150", 0x68, .mpu6050(.mpu6050, fifoBytes: 1024)),
    ChipKind("MPU-6500", 0x70, .mpu6050(.mpu6500, fifoBytes: 512)),
    // Copies that are sold as MPU-6050 and MPU-9250, with the map of the MPU-6500.
    ChipKind("MPU-6500", 0x72, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("MPU-6500", 0x75, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("MPU-6515", 0x74, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("MPU-6880", 0x78, .mpu6050(.icm20689, fifoBytes: 512)),
    ChipKind("MPU-9250", 0x71, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("MPU-9255", 0x73, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("ICM-20608-G", 0xAF, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("ICM-20608-D", 0xAE, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("ICM-20609", 0xA6, .mpu6050(.icm20689, fifoBytes: 512)),
    ChipKind("ICM-20689", 0x98, .mpu6050(.icm20689, fifoBytes: 512)),
    ChipKind("IAM-20680", 0xA9, .mpu6050(.mpu6500, fifoBytes: 512)),
    ChipKind("IAM-20680HP", 0xF8, .mpu6050(.icm20689, fifoBytes: 512)),
    ChipKind("IAM-20680HT", 0xFA, .mpu6050(.icm20689, fifoBytes: 512)),
    ChipKind("ICM-20600", 0x11, .mpu6050(.icm20602, fifoBytes: 1008)),
    ChipKind("ICM-20602", 0x12, .mpu6050(.icm20602, fifoBytes: 1008)),
    ChipKind("MPU6886", 0x19, .mpu6050(.icm20602, fifoBytes: 1024)),
    ChipKind("ICM-42688-P", 0x47, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42688-V", 0xDB, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42600", 0x40, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42602", 0x41, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42605", 0x42, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42622", 0x46, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42631", 0x5C, .icm42688(ICM42688.Ranges())),
    ChipKind("IIM-42652", 0x6F, .icm42688(ICM42688.Ranges())),
    ChipKind("ICM-42686-P", 0x44, .icm42688(ICM42688.Ranges(accelerometer: 2, gyroscope: 2))),
    ChipKind("IIM-42653", 0x56, .icm42688(ICM42688.Ranges(accelerometer: 2, gyroscope: 2))),
    ChipKind("ICM-40609-D", 0x3B, .icm42688(ICM42688.Ranges(accelerometer: 2, gyroscope: 1))),
    ChipKind("ICM-42670-P", 0x67, .icm42670),
    ChipKind("ICM-42670-S", 0x69, .icm42670),
    ChipKind("ICM-42607-P", 0x60, .icm42670),
    ChipKind("ICM-42607-C", 0x61, .icm42670),
  ]

  /// Chips of STMicroelectronics with WHO_AM_I at 0x0F.
  private static let st: [ChipKind] = [
    ChipKind("LSM6DS3", 0x69, .lsm6ds3(fifoBytes: 8192)),
    ChipKind("LSM6DS33", 0x69, .lsm6ds3(fifoBytes: 8192)),
    ChipKind("LSM6DS3TR-C", 0x6A, .lsm6ds3(fifoBytes: 4096)),
    ChipKind("LSM6DSL", 0x6A, .lsm6ds3(fifoBytes: 4096)),
    ChipKind("LSM6DSM", 0x6A, .lsm6ds3(fifoBytes: 4096)),
    ChipKind("LSM6DSO", 0x6C, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("LSM6DSOX", 0x6C, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("LSM6DSO32", 0x6C, .lsm6dso(.lsm6dso(range: 2))),
    ChipKind("LSM6DST", 0x6D, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("LSM6DSR", 0x6B, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("LSM6DSRX", 0x6B, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("ISM330DHCX", 0x6B, .lsm6dso(.lsm6dso(range: 3))),
    ChipKind("LSM6DSV", 0x70, .lsm6dso(.lsm6dsv(range: 2))),
    ChipKind("LSM6DSV16X", 0x70, .lsm6dso(.lsm6dsv(range: 2))),
    ChipKind("LSM6DSV32X", 0x70, .lsm6dso(.lsm6dsv(range: 1))),
    ChipKind("LSM9DS1", 0x68, .lsm9ds1),
  ]

  /// The kind with this number in this register at this address; nil for an unknown one. After an address translator,
  /// at an address that no kind has, it can be any.
  static func kind(number: UInt8, in register: UInt8, at address: UInt8) -> ChipKind? {
    let isTranslated = !ChipSearch.isUsual(address)
    for kind in all where kind.number == number && kind.family.register == register {
      if isTranslated || kind.family.canHave(address) { return kind }
    }
    return nil
  }

  /// True when both have the same number, or the same name: some kinds have several numbers, and some share one.
  func isSame(as other: ChipKind) -> Bool {
    number == other.number && family.register == other.family.register || name.bytes.elementsEqual(other.name.bytes)
  }

  /// The kind with this name, of which case and hyphens do not count and the last letter P may be missing; nil for
  /// another name.
  public static func named(_ text: Span<UInt8>) -> ChipKind? {
    for kind in all where isSame(text, kind.name) { return kind }
    return nil
  }

  /// The name in lower case without hyphens, for the configuration.
  public var key: String {
    let bytes = name.bytes
    var letters: [UInt8] = []
    for byte in bytes where byte != UInt8(ascii: "-") { letters.append(Self.lower(byte)) }
    return String(decoding: letters, as: UTF8.self)
  }

  private static func isSame(_ text: Span<UInt8>, _ name: StaticString) -> Bool {
    let bytes = name.bytes
    var place = 0
    for index in 0..<text.count where text[index] != UInt8(ascii: "-") {
      while place < bytes.count, bytes[place] == UInt8(ascii: "-") { place += 1 }
      guard place < bytes.count, lower(bytes[place]) == lower(text[index]) else { return false }
      place += 1
    }
    return place == bytes.count
      || place == bytes.count - 2 && bytes[place] == UInt8(ascii: "-")
        && bytes[place + 1] == UInt8(ascii: "P")
  }

  private static func lower(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

  /// False for a chip that only the kernel's driver can set up.
  public var hasDriver: Bool { if case .kernelOnly = family { false } else { true } }

  /// A driver for a chip of this kind. Throws `.kernelOnly` where there is none.
  func make() throws(MotionError) -> any MotionChip {
    switch family {
    case .mpu6050(let layout, let bytes): MPU6050(name: name, fifoBytes: bytes, layout: layout)
    case .icm20948: ICM20948()
    case .icm42688(let ranges): ICM42688(name: name, ranges: ranges)
    case .icm42670: ICM42670(name: name)
    case .lsm6ds3(let bytes): LSM6DS3(name: name, fifoBytes: bytes)
    case .lsm6dso(let layout): LSM6DSO(name: name, layout: layout)
    case .lsm9ds1: LSM9DS1()
    case .bmi160: BMI160()
    case .qmi8658: QMI8658()
    case .adxl345: ADXL345()
    case .kernelOnly: throw .kernelOnly(name)
    }
  }
}

/// Kinds of chips that share a driver, and what differs between them.
enum ChipFamily: Sendable {
  case mpu6050(MPU6050.Layout, fifoBytes: Int)
  case icm20948
  case icm42688(ICM42688.Ranges)
  case icm42670
  case lsm6ds3(fifoBytes: Int)
  case lsm6dso(LSM6DSO.Layout)
  case lsm9ds1, bmi160, qmi8658, adxl345
  /// Bosch chips that the kernel's driver sets up.
  case kernelOnly

  /// The address of the identification register.
  var register: UInt8 {
    switch self {
    case .mpu6050, .icm42688, .icm42670: 0x75
    case .lsm6ds3, .lsm6dso, .lsm9ds1: 0x0F
    case .icm20948, .bmi160, .qmi8658, .adxl345, .kernelOnly: 0x00
    }
  }

  /// True when a pin of the chip can choose this address.
  func canHave(_ address: UInt8) -> Bool { address == addresses[0] || address == addresses[1] }

  /// True when both have the same driver.
  func hasSameDriver(as other: ChipFamily) -> Bool {
    switch (self, other) {
    case (.mpu6050, .mpu6050), (.icm20948, .icm20948), (.icm42688, .icm42688), (.icm42670, .icm42670),
      (.lsm6ds3, .lsm6ds3), (.lsm6dso, .lsm6dso), (.lsm9ds1, .lsm9ds1), (.bmi160, .bmi160), (.qmi8658, .qmi8658),
      (.adxl345, .adxl345):
      true
    default: false
    }
  }

  /// The two addresses that a pin of the chip chooses from.
  var addresses: InlineArray<2, UInt8> {
    switch self {
    case .mpu6050, .icm20948, .icm42688, .icm42670, .bmi160, .kernelOnly: [0x68, 0x69]
    case .lsm6ds3, .lsm6dso, .lsm9ds1: [0x6A, 0x6B]
    case .qmi8658: [0x6B, 0x6A]
    case .adxl345: [0x53, 0x1D]
    }
  }
}
