import Codec
import Motion
import Runtime
import Testing

@testable import Board

@Suite("The search for a motion chip")
struct ChipSearchTests {
  private let bus = ModelBus()
  private let clock = SerialTestClock()

  private func name(at address: UInt8? = nil, as kind: ChipKind? = nil) throws -> InlineText<64> {
    try I2CMotionSource(on: bus, address: address, kind: kind, clock: clock).open(rate: 50).name
  }

  private func failure(at address: UInt8? = nil, as kind: ChipKind? = nil) -> String {
    failureOf { _ = try I2CMotionSource(on: bus, address: address, kind: kind, clock: clock).open(rate: 50) }
  }

  /// What a person reads of a failure.
  private func message(at address: UInt8? = nil, as kind: ChipKind? = nil) -> String {
    do throws(MotionError) {
      _ = try I2CMotionSource(on: bus, address: address, kind: kind, clock: clock).open(rate: 50)
      return "nothing"
    } catch {
      var bytes = [UInt8](repeating: 0, count: 256)
      let count = bytes.withUnsafeMutableBufferPointer { buffer in
        var writer = ByteWriter(into: buffer)
        writer.text(error.wire.text)
        error.writeDetail(to: &writer)
        return writer.count
      }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  private static let next = "; set [motion] chip to a chip with the same registers, or driver = iio"

  private func found(_ name: String) -> ChipKind? {
    let letters = Array(name.utf8)
    return ChipKind.named(letters.span)
  }

  private func kind(_ name: String) throws -> ChipKind { try #require(found(name)) }

  @Test("finds a chip at any address that it can have")
  func addresses() throws {
    for its in ChipCase.all {
      for address in [its.address, its.address == 0x53 ? 0x1D : its.address ^ 1] {
        bus.chips = [address: its.make()]
        #expect(try name() == InlineText(cutting: its.name))
        #expect(try name(at: address) == InlineText(cutting: its.name))
      }
      // After a translator it may be anywhere.
      bus.chips = [0x40: its.make()]
      #expect(failure() == "absent")
      #expect(try name(at: 0x40) == InlineText(cutting: its.name))
    }
  }

  @Test("no reply is \"absent\"; of an unknown chip every identification register is told, and what to do")
  func unknown() {
    #expect(failure() == "absent")
    #expect(failure(at: 0x68) == "absent")
    for (address, numbers) in [
      (UInt8(0x68), "0x68: 0x75 = 0x99, 0x00 = 0x12, 0x0f = 0x01"),
      (0x69, "0x69: 0x75 = 0x99, 0x00 = 0x12, 0x0f = 0x01"),
      (0x6A, "0x6a: 0x0f = 0x01, 0x00 = 0x12, 0x75 = 0x99"), (0x1D, "0x1d: 0x00 = 0x12, 0x0f = 0x01, 0x75 = 0x99"),
      (0x20, "0x20: 0x75 = 0x99, 0x0f = 0x01, 0x00 = 0x12"),
    ] {
      let chip = ChipModel()
      (chip.registers[0x75], chip.registers[0x00], chip.registers[0x0F]) = (0x99, 0x12, 0x01)
      bus.chips = [address: chip]
      #expect(message(at: address) == "an unknown chip answers at \(numbers)\(Self.next)")
      if address != 0x20 { #expect(message() == "an unknown chip answers at \(numbers)\(Self.next)") }
    }
    #expect(failure() == "absent")
  }

  @Test("every number of the table is its chip's at each of its addresses, and no other address's")
  func table() throws {
    for kind in ChipKind.all {
      let addresses = kind.family.addresses
      for index in 0..<2 {
        let chip = ChipModel()
        chip.registers[Int(kind.family.register)] = kind.number
        if kind.key == "qmi8658" { chip.registers[0x01] = 0x79 }
        bus.chips = [addresses[index]: chip]
        try bus.open()
        guard case .chip(let found) = try ChipSearch(bus: bus).ask(addresses[index]) else {
          Issue.record("\(kind.name) is not found at \(addresses[index])")
          continue
        }
        // Several names may share a number: the first of them is found.
        #expect(found.number == kind.number)
        #expect(found.family.register == kind.family.register)
        #expect(chip.registers[Int(kind.family.register)] == kind.number)
      }
    }
  }

  @Test("a number is no chip's at an address that its kind cannot have")
  func otherAddresses() throws {
    try bus.open()
    for kind in ChipKind.all {
      for index in 0..<ChipSearch.usualAddresses.count {
        let address = ChipSearch.usualAddresses[index]
        let chip = ChipModel()
        chip.registers[Int(kind.family.register)] = kind.number
        chip.registers[0x01] = 0x7C
        bus.chips = [address: chip]
        guard case .chip(let found) = try ChipSearch(bus: bus).ask(address) else {
          #expect(!kind.family.canHave(address), "\(kind.name)")
          continue
        }
        #expect(found.family.canHave(address), "\(kind.name)")
      }
    }
  }

  @Test("a QMI8658 is known by its revision as well")
  func revision() throws {
    for (revision, isKnown) in [(0x68, true), (0x79, true), (0x7C, true), (0x00, false), (0x05, false), (0xFF, false)] {
      let chip = QMI8658Model()
      chip.registers[0x01] = UInt8(revision)
      bus.chips = [0x6B: chip]
      #expect(failure() == (isKnown ? "nothing" : failure(at: 0x6B)))
      #expect(message().hasPrefix("an unknown chip answers at 0x6b: ") == !isKnown)
    }
  }

  @Test("a device whose registers are all alike is no chip, and nothing is written to it")
  func uniform() {
    for kind in ChipKind.all {
      for address in [kind.family.addresses[0], kind.family.addresses[1], 0x40] {
        let chip = ChipModel()
        chip.registers = [UInt8](repeating: kind.number, count: 256)
        bus.chips = [address: chip]
        #expect(message(at: address).hasPrefix("an unknown chip answers at "), "\(kind.name)")
      }
    }
    // These would be banks of an ICM-20948.
    for number: UInt8 in [0x10, 0x20, 0x30] {
      let chip = ChipModel()
      chip.registers = [UInt8](repeating: number, count: 256)
      bus.chips = [0x68: chip]
      #expect(message().hasPrefix("an unknown chip answers at "))
    }
    #expect(bus.writes == 0)
  }

  @Test("a chip that only the kernel can set up is named, and nothing is written to it")
  func kernelOnly() {
    for (number, name) in [(UInt8(0x24), "BMI270"), (0x27, "BMI260")] {
      let chip = ChipModel()
      chip.registers[0x00] = number
      bus.chips = [0x68: chip]
      #expect(message() == "Talon cannot set up the \(name): load the kernel's driver, and set driver = iio")
      #expect(message(at: 0x68) == message())
    }
    #expect(bus.writes == 0)
  }

  @Test("a chip of another number is used as what the configuration says it is", arguments: ChipCase.all)
  func assumed(its: ChipCase) throws {
    let kind = try kind(its.name)
    let chip = ForeignModel(its.make(), register: kind.family.register)
    bus.chips = [its.address: chip]
    #expect(failure(at: its.address) != "nothing")
    #expect(try name(at: its.address, as: kind) == InlineText(cutting: its.name))
    #expect(try name(as: kind) == InlineText(cutting: its.name))
    bus.chips = [0x40: chip]
    #expect(failure(as: kind) == "absent")
    #expect(failure(at: 0x41, as: kind) == "absent")
    #expect(try name(at: 0x40, as: kind) == InlineText(cutting: its.name))
  }

  @Test("a chip that the configuration names is not looked for in a clock, nor in what the kernel has")
  func assumedBesideOthers() throws {
    let kind = try kind("mpu6500")
    let clock = ClockModel(seconds: 0x30)
    bus.chips = [0x68: clock]
    #expect(failure(as: kind) == "absent")
    bus.chips[0x69] = MPUModel(who: 0x99, fifoBytes: 512)
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    #expect(clock.isUntouched)
    bus.owned = [0x69]
    #expect(failure(as: kind) == "ownedByKernel")
    bus.owned = []
    // The one with the number is preferred to the first.
    let other = ChipModel()
    bus.chips = [0x68: other, 0x69: MPUModel(who: 0x70, fifoBytes: 512)]
    let before = other.registers
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    #expect(other.registers == before)
    #expect(try message(as: self.kind("bmi270")).hasPrefix("Talon cannot set up the BMI270"))
  }

  @Test("of two chips that may be the configured one none is used until the address is set")
  func ambiguous() throws {
    let kind = try kind("mpu6500")
    for other: UInt8 in [0x99, 0x71] {
      bus.chips = [0x68: MPUModel(who: 0x99, fifoBytes: 512), 0x69: MPUModel(who: other, fifoBytes: 512)]
      #expect(message(as: kind) == "more than one chip answers that may be the MPU-6500: set [motion] address")
      #expect(bus.writes == 0)
    }
    #expect(try name(at: 0x69, as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    // A device of zeros is no candidate.
    bus.chips = [0x68: ChipModel()]
    #expect(message(as: kind).hasPrefix("an unknown chip answers at 0x68: "))
    bus.chips[0x69] = MPUModel(who: 0x99, fifoBytes: 512)
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    // Another number of the configured kind.
    let copy = MPUModel(who: 0x99, fifoBytes: 512)
    let before = copy.registers
    bus.chips = [0x68: copy, 0x69: MPUModel(who: 0x75, fifoBytes: 512)]
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    #expect(copy.registers == before)
  }

  @Test("a known chip of another driver is not used as the configured one, unless at its address")
  func otherKind() throws {
    let kind = try kind("mpu6500")
    bus.chips = [0x69: BMI160Model()]
    #expect(
      message(as: kind)
        == "the configured motion chip does not answer, but this one does: BMI160; set [motion] chip = auto, or set "
        + "address too")
    #expect(bus.writes == 0)
    bus.chips[0x68] = MPUModel(who: 0x99, fifoBytes: 512)
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
    // A relative with the same driver may be a copy.
    bus.chips = [0x68: MPUModel(who: 0x71, fifoBytes: 512)]
    #expect(try name(as: kind) == InlineText(cutting: "MPU-6500" as StaticString))
  }

  @Test("a PCF8523 is a clock, in 24 and in 12 hours, and with a battery that was empty")
  func pcf8523() throws {
    for time: [UInt8] in [
      [0x30, 0x59, 0x23, 0x31, 0x06, 0x12, 0x99], [0x00, 0x00, 0x32, 0x07, 0x00, 0x01, 0x26],
      [0x80, 0x00, 0x00, 0x01, 0x06, 0x01, 0x00],
    ] {
      let clock = ClockModel(pcf8523: time)
      bus.chips = [0x68: clock]
      #expect(message().hasPrefix("an unknown chip answers at 0x68: "))
      #expect(try failure(as: kind("mpu6050")) == "absent")
      bus.chips[0x69] = MPUModel(who: 0x99, fifoBytes: 1024)
      #expect(try name(as: kind("mpu6050")) == InlineText(cutting: "MPU-6050" as StaticString))
      #expect(clock.isUntouched)
    }
  }

  @Test("a name may have capitals and hyphens or none; others are no chip's")
  func names() throws {
    for kind in ChipKind.all {
      let name = String(describing: kind.name)
      for written in [name, kind.key, name.lowercased()] { #expect(try self.kind(written).key == kind.key) }
    }
    #expect(try kind("icm42688").key == "icm42688p")
    #expect(try kind("icm-42670").key == "icm42670p")
    for wrong in ["", "-", "mpu", "mpu60500", "mpu6050p", "icm4268", "lsm6dsov", "auto"] {
      #expect(found(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a clock is no motion chip at any second, and nothing is written to it")
  func seconds() {
    for second in 0..<60 {
      let clock = ClockModel(seconds: UInt8(second / 10 << 4 | second % 10))
      bus.chips = [0x68: clock]
      #expect(message().hasPrefix("an unknown chip answers at 0x68: "))
      #expect(clock.isUntouched)
    }
  }

  @Test("goes past a clock at a motion chip's address, and does not write to it")
  func clockChip() throws {
    // A DS3231 has 19 registers; after them it begins anew.
    let other = ChipModel()
    for register in 0..<256 { other.registers[register] = [0x45, 0x59, 0x23][register % 19 % 3] }
    let before = other.registers
    bus.chips = [0x68: other, 0x6B: LSM6DSOModel(who: 0x6C)]
    #expect(try name() == InlineText(cutting: "LSM6DSO" as StaticString))
    #expect(other.registers == before)
  }

  @Test("goes past what a driver of the kernel has, and says so when there is nothing else")
  func owned() throws {
    bus.chips = [0x68: MPUModel(who: 0x68, fifoBytes: 1024)]
    bus.owned = [0x68]
    #expect(failure() == "ownedByKernel")
    #expect(failure(at: 0x68) == "ownedByKernel")
    bus.chips[0x53] = ADXL345Model()
    #expect(try name() == InlineText(cutting: "ADXL345" as StaticString))
  }

  @Test("finds an ICM-20948 that was left in another bank; what only looks like one is left as it was")
  func bank() throws {
    let chip = ICM20948Model()
    chip.bank = 2
    bus.chips = [0x68: chip]
    #expect(try name() == InlineText(cutting: "ICM-20948" as StaticString))
    let other = ChipModel()
    other.registers[0x7F] = 0x20
    bus.chips = [0x68: other]
    #expect(message() == "an unknown chip answers at 0x68: 0x75 = 0x00, 0x00 = 0x00, 0x0f = 0x00\(Self.next)")
    #expect(other.registers[0x7F] == 0x20)
  }

  @Test("a chip that shares its number with another is told by its address and register")
  func shared() throws {
    // 0x68 is an MPU-6050's, and an LSM9DS1's.
    bus.chips = [0x6B: LSM9DS1Model()]
    #expect(try name() == InlineText(cutting: "LSM9DS1" as StaticString))
    bus.chips = [0x69: MPUModel(who: 0x68, fifoBytes: 1024)]
    #expect(try name() == InlineText(cutting: "MPU-6050" as StaticString))
  }
}

/// A clock: DS1307 at 12:30 of 7 November, with a motion chip's number in its memory.
private final class ClockModel: ChipModel {
  private(set) var isUntouched = true

  init(seconds: UInt8) {
    super.init()
    for (register, value) in [seconds, 0x30, 0x12, 0x06, 0x07, 0x11, 0x26].enumerated() { registers[register] = value }
    registers[0x75] = 0x68
  }

  /// PCF8523 with its time from seconds to years, and the same number.
  init(pcf8523 time: [UInt8]) {
    super.init()
    for (index, value) in time.enumerated() { registers[3 + index] = value }
    registers[0x75] = 0x68
  }

  override func write(_ value: UInt8, to register: UInt8) { isUntouched = false }
}

/// A chip that has another number than its kind, and works as its kind does.
private final class ForeignModel: ChipModel {
  private let chip: ChipModel
  private let place: UInt8

  init(_ chip: ChipModel, register: UInt8) {
    self.chip = chip
    place = register
    super.init()
  }

  override var hertz: Double { chip.hertz }
  override func advance(milliseconds: Double) { chip.advance(milliseconds: milliseconds) }
  override func read(_ register: UInt8) -> UInt8 { register == place && isAsked ? 0x99 : chip.read(register) }
  override func next(after register: UInt8) -> UInt8 { chip.next(after: register) }
  override func write(_ value: UInt8, to register: UInt8) { chip.write(value, to: register) }

  /// An ICM-20948 has other registers at this place in its other banks.
  private var isAsked: Bool { chip.read(0x7F) == 0 }
}
