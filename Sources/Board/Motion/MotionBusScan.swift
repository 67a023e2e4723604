import Motion
import Runtime

/// Lists what replies on an I2C bus at the addresses of motion chips, for `talon imu`.
public final class MotionBusScan {
  /// What was found at an address.
  public enum Answer: Sendable {
    /// A known chip, and its identification (WHO_AM_I).
    case chip(name: StaticString, number: UInt8)
    /// An unknown chip, and its identification registers.
    case unknown(ChipNumbers)
    case noReply
    case ownedByKernel
  }

  private let bus: I2CBus

  /// A survey of a bus such as /dev/i2c-1. Throws when the path is too long.
  @export(interface)
  public init(bus: String) throws(Errno) { self.bus = try I2CBus(path: bus) }

  /// Opens the bus, which stays open until `close`.
  public func open() throws(MotionError) { try bus.open() }

  /// Closes the bus.
  public func close() { bus.close() }

  /// True when registers are read in one combined transaction; else by SMBus's commands.
  public var hasCombined: Bool { bus.abilities.contains(.combined) }

  /// The most bytes that one read fetches.
  public var burstBytes: Int { bus.burstBytes }

  /// Identifies the chip at `address`. Never writes to an unknown chip.
  public func ask(_ address: UInt8) throws(MotionError) -> Answer {
    switch try ChipSearch(bus: bus).ask(address) {
    case .chip(let kind): .chip(name: kind.name, number: kind.number)
    case .unknown(let numbers): .unknown(numbers)
    case .noReply: .noReply
    case .ownedByKernel: .ownedByKernel
    }
  }

  /// Calls `body` with each address that a known chip can have.
  public static func forEachAddress<Failure>(_ body: (UInt8) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<ChipSearch.usualAddresses.count { try body(ChipSearch.usualAddresses[index]) }
  }
}
