import Motion
import Runtime

/// Looks for a motion chip on a bus. Never writes to an unknown chip, unless the configuration names its driver.
struct ChipSearch {
  let bus: any RegisterBus

  /// All addresses that chips with a driver can have.
  static let usualAddresses: InlineArray<6, UInt8> = [0x68, 0x69, 0x6A, 0x6B, 0x53, 0x1D]

  static func isUsual(_ address: UInt8) -> Bool {
    for index in 0..<usualAddresses.count where usualAddresses[index] == address { return true }
    return false
  }

  /// All identification registers.
  private static let identification: InlineArray<3, UInt8> = [0x75, 0x0F, 0x00]

  /// What was found at an address.
  enum Answer {
    case chip(ChipKind)
    case unknown(ChipNumbers)
    case noReply
    case ownedByKernel
  }

  /// The identification registers of an address: the first `own` are those of chips that can have the address; the
  /// others are read to tell what an unknown chip is.
  private struct Places {
    var registers: InlineArray<3, UInt8>
    var own: Int

    init(_ address: UInt8) {
      switch address {
      case 0x68, 0x69: (registers, own) = ([0x75, 0x00, 0x0F], 2)
      case 0x6A, 0x6B: (registers, own) = ([0x0F, 0x00, 0x75], 2)
      case 0x53, 0x1D: (registers, own) = ([0x00, 0x0F, 0x75], 1)
      // After an address translator any chip may be there.
      default: (registers, own) = (ChipSearch.identification, 3)
      }
    }
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
    let places = Places(address)
    var numbers = ChipNumbers(address: address)
    let isClock = try isClock(address, chip)
    for index in 0..<places.own {
      let register = places.registers[index]
      let found = try chip.read(register)
      if !isClock, let kind = ChipKind.kind(number: found, in: register, at: address), try confirms(kind, chip) {
        return .chip(kind)
      }
      numbers.add(found, in: register)
    }
    if !isClock, let kind = try kindInOtherBank(address, chip) { return .chip(kind) }
    for index in places.own..<places.registers.count {
      let register = places.registers[index]
      // A chip may not acknowledge a register that it has not.
      guard let found = try readIfAny(register, chip) else { continue }
      numbers.add(found, in: register)
    }
    return .unknown(numbers)
  }

  /// False when something else only has the number of this kind.
  private func confirms(_ kind: ChipKind, _ chip: ChipRegisters) throws(MotionError) -> Bool {
    if case .qmi8658 = kind.family {
      guard let revision = try readIfAny(QMI8658.revisionRegister, chip), QMI8658.isRevision(revision) else {
        return false
      }
    }
    return try !isEverywhere(kind.number, chip)
  }

  /// True for a bus that floats, and for a device without such registers: they give the same byte for all of them.
  private func isEverywhere(_ number: UInt8, _ chip: ChipRegisters) throws(MotionError) -> Bool {
    for index in 0..<Self.identification.count {
      if try readIfAny(Self.identification[index], chip) != number { return false }
    }
    return true
  }

  private func readIfAny(_ register: UInt8, _ chip: ChipRegisters) throws(MotionError) -> UInt8? {
    do throws(MotionError) {
      return try chip.read(register)
    } catch {
      switch error {
      case .vanished, .io(.inputOutput): return nil
      default: throw error
      }
    }
  }

  /// An ICM-20948 may have another register bank selected by an interrupted run.
  private func kindInOtherBank(_ address: UInt8, _ chip: ChipRegisters) throws(MotionError) -> ChipKind? {
    let bank = try chip.read(ICM20948.bankRegister)
    guard address & 0x7E == 0x68, bank != 0, bank & 0xCF == 0, try !isEverywhere(bank, chip) else { return nil }
    try chip.write(0, to: ICM20948.bankRegister)
    let found = try chip.read(0x00)
    if let kind = ChipKind.kind(number: found, in: 0x00, at: address), case .icm20948 = kind.family { return kind }
    try chip.write(bank, to: ICM20948.bankRegister)
    return nil
  }

  /// True when the registers are the time of a clock, which has the address of many motion chips: its seconds or its
  /// memory can look like the number of one.
  private func isClock(_ address: UInt8, _ chip: ChipRegisters) throws(MotionError) -> Bool {
    guard address == ClockField.address else { return false }
    if try holds(ClockField.ds3231, chip) { return true }
    return try holds(ClockField.pcf8523, chip)
  }

  private func holds<let count: Int>(
    _ time: InlineArray<count, ClockField>, _ chip: ChipRegisters
  ) throws(MotionError) -> Bool {
    for index in 0..<count {
      guard let byte = try readIfAny(time[index].register, chip), time[index].isValid(byte) else { return false }
    }
    return true
  }

  /// The chip at `address`, or at the first usual address with a known one. Leaves it selected. With `kind` that one's
  /// driver is used, whatever number the chip has.
  func find(at address: UInt8?, as kind: ChipKind? = nil) throws(MotionError) -> any MotionChip {
    if let kind { return try find(kind, at: address) }
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
    case .chip(let kind): return try kind.make()
    case .unknown(let numbers): throw .unknownChip(numbers)
    case .ownedByKernel: throw .ownedByKernel
    case .noReply: throw .absent
    }
  }

  /// A chip that has to be of this kind. Without an address: the one with its number, or the only one at its addresses
  /// that may be a copy. Known chips of other kinds are none, nor are clocks and devices that give one byte for all.
  private func find(_ kind: ChipKind, at address: UInt8?) throws(MotionError) -> any MotionChip {
    let chip = try kind.make()
    if let address {
      switch try ask(address) {
      case .chip, .unknown: return chip
      case .ownedByKernel: throw .ownedByKernel
      case .noReply: throw .absent
      }
    }
    var copies = InlineList<2, UInt8>()
    var failure: MotionError?
    let addresses = kind.family.addresses
    for index in 0..<addresses.count {
      switch try ask(addresses[index]) {
      case .chip(let found):
        if found.isSame(as: kind) { return chip }
        if found.family.hasSameDriver(as: kind.family) {
          copies.append(addresses[index])
        } else {
          failure = failure ?? .otherChip(found.name)
        }
      case .unknown(let numbers):
        let registers = ChipRegisters(bus: bus)
        if try isClock(addresses[index], registers) { continue }
        if let number = try readIfAny(Self.identification[0], registers), try isEverywhere(number, registers) {
          failure = failure ?? .unknownChip(numbers)
        } else {
          copies.append(addresses[index])
        }
      case .ownedByKernel: failure = failure ?? .ownedByKernel
      case .noReply: break
      }
    }
    guard copies.count > 0 else { throw failure ?? .absent }
    guard copies.count == 1 else { throw .ambiguous(kind.name) }
    try bus.select(copies[0])
    return chip
  }
}
