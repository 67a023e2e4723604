import Motion
import Runtime

/// A bus to chips that are made of registers of one byte each: an I2C bus, or a model of chips in a test. Used by one worker
/// at a time; every call may block.
///
/// Its errors: `.vanished` when nothing acknowledges, `.stuckBus`, `.ownedByKernel`, `.noPermission`, `.absent` when there
/// is no such bus, `.io` for what else the kernel says.
protocol RegisterBus: AnyObject {
  /// The most that one read can fetch.
  var burstBytes: Int { get }

  /// Opens the bus. Harmless when it is open.
  func open() throws(MotionError)

  /// Speaks to the chip at this address (7 bits) from now on.
  func select(_ address: UInt8) throws(MotionError)

  /// Reads as many bytes as `bytes` has room for, `burstBytes` at most, beginning at a register. What is read from a
  /// FIFO is gone from there, and so is not tried a second time: `isRepeatable` is false.
  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError)

  /// Writes one register.
  func write(_ value: UInt8, to register: UInt8) throws(MotionError)

  /// Waits.
  func pause(milliseconds: Int32)

  /// Closes the bus. Harmless when it is closed.
  func close()
}

/// The registers of the chip that is selected.
struct ChipRegisters {
  let bus: any RegisterBus

  /// One register.
  func read(_ register: UInt8) throws(MotionError) -> UInt8 { try read(register, count: 1)[0] }

  /// The first `count` of registers that stand in a row, at most 8.
  func read(_ register: UInt8, count: Int) throws(MotionError) -> InlineArray<8, UInt8> {
    var bytes = InlineArray<8, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try span.withUnsafeMutableBufferPointer { buffer throws(MotionError) in
      try bus.read(register, into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]), isRepeatable: true)
    }
    return bytes
  }

  /// Writes a register that does something, or whose bits clear themselves.
  func write(_ value: UInt8, to register: UInt8) throws(MotionError) { try bus.write(value, to: register) }

  /// Writes a register and makes sure that it keeps the value.
  func set(_ value: UInt8, in register: UInt8) throws(MotionError) {
    try bus.write(value, to: register)
    let kept = try read(register)
    guard kept == value else { throw .refused(register: register) }
  }
}
