import Motion
import Runtime
import Testing

@testable import Board

@Suite("The search for a motion chip")
struct ChipSearchTests {
  private let bus = ModelBus()
  private let clock = SerialTestClock()

  private func name(at address: UInt8? = nil) throws -> InlineText<64> {
    try I2CMotionSource(on: bus, address: address, clock: clock).open(rate: 50).name
  }

  private func failure(at address: UInt8? = nil) -> String {
    failureOf { _ = try I2CMotionSource(on: bus, address: address, clock: clock).open(rate: 50) }
  }

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

  @Test("no reply is \"absent\"; an unknown chip is named by its number")
  func unknown() {
    #expect(failure() == "absent")
    #expect(failure(at: 0x68) == "absent")
    for address in [UInt8(0x68), 0x6A, 0x53, 0x20] {
      let chip = ChipModel()
      chip.registers[address == 0x6A ? 0x0F : address == 0x53 ? 0x00 : 0x75] = 0x99
      bus.chips = [address: chip]
      #expect(failure(at: address) == "unknownChip(153)")
      #expect(failure() == (address == 0x20 ? "absent" : "unknownChip(153)"))
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
    #expect(failure() == "unknownChip(0)")
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
