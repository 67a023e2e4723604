import Codec
import Runtime

/// What an unknown chip's identification registers hold: so that a person can look it up.
public struct ChipNumbers: Sendable {
  /// The chip's address on the bus (7 bits).
  public let address: UInt8
  private var registers = InlineArray<3, UInt8>(repeating: 0)
  private var values = InlineArray<3, UInt8>(repeating: 0)
  /// Registers that were read: at most 3.
  public private(set) var count = 0

  /// No register of the chip at `address` yet.
  public init(address: UInt8) { self.address = address }

  /// Adds a register that was read. A fourth is ignored: there are three kinds of identification registers.
  public mutating func add(_ value: UInt8, in register: UInt8) {
    guard count < registers.count else { return }
    (registers[count], values[count]) = (register, value)
    count += 1
  }

  /// Writes the address and the registers: `0x68: 0x75 = 0x99, 0x00 = 0x12, 0x0f = 0x00`.
  public func write(to writer: inout ByteWriter) {
    writer.hex(address)
    writer.text(": ")
    writeRegisters(to: &writer)
  }

  /// Writes the registers alone.
  public func writeRegisters(to writer: inout ByteWriter) {
    for index in 0..<count {
      if index > 0 { writer.text(", ") }
      writer.hex(registers[index])
      writer.text(" = ")
      writer.hex(values[index])
    }
  }
}

extension ByteWriter {
  /// Writes a byte as `0x1f`.
  mutating func hex(_ number: UInt8) {
    let digits: StaticString = "0123456789abcdef"
    text("0x")
    byte(digits.utf8Start[Int(number >> 4)])
    byte(digits.utf8Start[Int(number & 15)])
  }
}
