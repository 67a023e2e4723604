import Motion
import Runtime

/// A bus to chips with one-byte registers: an I2C bus, or a model of chips in a test. Used by one worker at a time;
/// every call may block.
///
/// Its errors: `.vanished` when nothing acknowledges, `.stuckBus`, `.ownedByKernel`, `.noPermission`, `.absent` when
/// there is no such bus, `.io` for other errors of the kernel.
protocol RegisterBus: AnyObject {
  /// Most bytes of one read.
  var burstBytes: Int { get }

  /// Opens the bus. Harmless when it is open.
  func open() throws(MotionError)

  /// Selects the chip at this address (7 bits).
  func select(_ address: UInt8) throws(MotionError)

  /// Fills `bytes`, at most `burstBytes`, beginning at a register. `isRepeatable` is false for a FIFO: reading removes
  /// its data, so a failed read is not repeated.
  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError)

  /// Writes one register.
  func write(_ value: UInt8, to register: UInt8) throws(MotionError)

  /// Sleeps.
  func pause(milliseconds: Int32)

  /// Closes the bus. Harmless when it is closed.
  func close()
}

/// The registers of the chip that is selected.
struct ChipRegisters {
  let bus: any RegisterBus

  /// One register.
  func read(_ register: UInt8) throws(MotionError) -> UInt8 { try read(register, count: 1)[0] }

  /// Reads `count` consecutive registers, at most 8.
  func read(_ register: UInt8, count: Int) throws(MotionError) -> InlineArray<8, UInt8> {
    var bytes = InlineArray<8, UInt8>(repeating: 0)
    var span = bytes.mutableSpan
    try span.withUnsafeMutableBufferPointer { buffer throws(MotionError) in
      try bus.read(register, into: UnsafeMutableBufferPointer(rebasing: buffer[..<count]), isRepeatable: true)
    }
    return bytes
  }

  /// Writes a command register, or one whose bits clear themselves.
  func write(_ value: UInt8, to register: UInt8) throws(MotionError) { try bus.write(value, to: register) }

  /// Writes a register and reads it back to verify the value.
  func set(_ value: UInt8, in register: UInt8) throws(MotionError) {
    try bus.write(value, to: register)
    let kept = try read(register)
    guard kept == value else { throw .refused(register: register) }
  }
}
