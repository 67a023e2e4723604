import Motion
import Runtime

/// What stands on an I2C bus where motion chips can be, for people at a console.
public final class MotionSurvey {
  /// Who answers at an address.
  public enum Answer: Sendable {
    /// A chip that is known, and the number that it gives (WHO_AM_I).
    case chip(name: StaticString, number: UInt8)
    /// Something else, and what it gives where chips give their numbers.
    case unknown(number: UInt8)
    case nobody
    case ownedByKernel
  }

  private let bus: I2CBus

  /// A survey of a bus such as /dev/i2c-1. Throws when the path is too long.
  public init(bus: String) throws(Errno) { self.bus = try I2CBus(path: bus) }

  /// Opens the bus, which stays open until `close`.
  public func open() throws(MotionError) { try bus.open() }

  /// Closes the bus.
  public func close() { bus.close() }

  /// True when registers are read in one combined transaction; else by SMBus's commands.
  public var hasCombined: Bool { bus.abilities.contains(.combined) }

  /// The most bytes that one read fetches.
  public var burstBytes: Int { bus.burstBytes }

  /// Asks whoever is at `address`. What is not known is not written to.
  public func ask(_ address: UInt8) throws(MotionError) -> Answer {
    switch try ChipSearch(bus: bus).ask(address) {
    case .chip(let kind, let number): .chip(name: kind.make().traits.name, number: number)
    case .unknown(let number): .unknown(number: number)
    case .nobody: .nobody
    case .ownedByKernel: .ownedByKernel
    }
  }

  /// Calls `body` with each address that a known chip can have.
  public static func forEachAddress<Failure>(_ body: (UInt8) throws(Failure) -> Void) throws(Failure) {
    for index in 0..<ChipSearch.usualAddresses.count { try body(ChipSearch.usualAddresses[index]) }
  }
}
