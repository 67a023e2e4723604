import CI2C
import Motion
import Runtime

/// An I2C bus of the kernel's i2c-dev, `/dev/i2c-N`. Registers are read with one combined transaction; on SMBus-only
/// adapters with blocks of up to 32 bytes, or else byte by byte.
final class I2CBus: RegisterBus {
  private let path: Path
  private var file: Descriptor?
  private var address: UInt8 = 0
  /// The adapter's capabilities; known while the bus is open.
  private(set) var abilities = Abilities(rawValue: 0)

  /// Capabilities of an adapter.
  struct Abilities: OptionSet {
    let rawValue: Int32
    /// Combined transactions of any length.
    static let combined = Abilities(rawValue: TL_I2C_COMBINED)
    /// SMBus: one register at a time.
    static let bytes = Abilities(rawValue: TL_I2C_BYTES)
    /// SMBus: up to 32 registers at a time.
    static let blocks = Abilities(rawValue: TL_I2C_BLOCKS)
  }

  /// A closed bus. Throws when the path is too long.
  init(path: String) throws(Errno) { self.path = try Path(path) }

  var burstBytes: Int {
    if abilities.contains(.combined) { return Budget.i2cBurstBytes }
    return abilities.contains(.blocks) ? Int(TL_SMBUS_BLOCK) : 1
  }

  func open() throws(MotionError) {
    guard file == nil else { return }
    do throws(Errno) {
      let opened = try Syscall.open(path, .readWrite)
      file = opened
      abilities = Abilities(rawValue: Int32(truncatingIfNeeded: try result(tl_i2c_abilities(opened.number))))
    } catch {
      close()
      switch error {
      case .noSuchFile, .noSuchDevice, .noSuchDeviceOrAddress: throw .absent
      case .accessDenied, .notPermitted: throw .noPermission
      default: throw .io(error)
      }
    }
    guard abilities.contains(.combined) || abilities.contains(.bytes) else {
      close()
      throw .io(.notSupported)
    }
  }

  func close() {
    file?.close()
    file = nil
  }

  func select(_ address: UInt8) throws(MotionError) {
    let file = try opened()
    do throws(Errno) {
      try result(tl_i2c_select(file.number, address))
    } catch {
      throw error == .busy ? .ownedByKernel : .io(error)
    }
    self.address = address
  }

  func read(
    _ register: UInt8, into bytes: UnsafeMutableBufferPointer<UInt8>, isRepeatable: Bool
  ) throws(MotionError) {
    let file = try opened().number
    guard let start = bytes.baseAddress, bytes.count <= burstBytes || isRepeatable else { throw .io(.invalidArgument) }
    var done = 0
    while done < bytes.count {
      let part = UnsafeMutableBufferPointer(start: start + done, count: min(bytes.count - done, burstBytes))
      try transfer(isRepeatable) { fetch(file, register &+ UInt8(truncatingIfNeeded: done), part) }
      done += part.count
    }
  }

  /// One transaction; the result of `CLinux`: zero or more, or a negated errno.
  private func fetch(_ file: Int32, _ register: UInt8, _ bytes: UnsafeMutableBufferPointer<UInt8>) -> Int64 {
    if abilities.contains(.combined) {
      return tl_i2c_read(file, address, register, bytes.baseAddress, UInt16(bytes.count))
    }
    if bytes.count == 1, abilities.contains(.bytes) {
      let value = tl_smbus_read_byte(file, register)
      if value >= 0 { bytes[0] = UInt8(truncatingIfNeeded: value) }
      return value
    }
    let count = tl_smbus_read(file, register, bytes.baseAddress, UInt8(bytes.count))
    // A short read is a failure of the adapter.
    return count < 0 || count == Int64(bytes.count) ? count : -Int64(Errno.inputOutput.number)
  }

  func write(_ value: UInt8, to register: UInt8) throws(MotionError) {
    let file = try opened().number
    try transfer(true) {
      abilities.contains(.combined)
        ? tl_i2c_write(file, address, register, value) : tl_smbus_write(file, register, value)
    }
  }

  func pause(milliseconds: Int32) { Syscall.pause(milliseconds: milliseconds) }

  // MARK: Errors

  private func opened() throws(MotionError) -> Descriptor {
    guard let file else { throw .vanished }
    return file
  }

  /// Tries once more after a lost arbitration or a line that was held low. A second such failure means a stuck bus.
  private func transfer(_ isRepeatable: Bool, _ body: () -> Int64) throws(MotionError) {
    var hasWaited = false
    while true {
      let result = body()
      if result >= 0 { return }
      let reason = Errno(Int32(truncatingIfNeeded: -result))
      switch reason {
      case .noSuchDeviceOrAddress, .noSuchDevice, .remoteInputOutput: throw .vanished
      case .wouldBlock, .timedOut, .busy:
        if hasWaited { throw .stuckBus }
        if !isRepeatable { throw .io(reason) }
        hasWaited = true
      default: throw .io(reason)
      }
    }
  }

  /// Turns a C result (zero or more, or a negated errno) into a value or an error.
  @discardableResult
  private func result(_ result: Int64) throws(Errno) -> Int64 {
    if result < 0 { throw Errno(Int32(truncatingIfNeeded: -result)) }
    return result
  }
}
