import Codec
import Runtime

/// Asks one device on a line for its registers, one at a time. Blocks; on a worker.
public final class ModbusClient {
  /// How often a reading is asked for: noise on a long line spoils a frame now and then.
  private static let attempts = 2

  private let address: UInt8
  private let baud: UInt32
  private let timeout: Int64
  private let line: any SerialLine
  private let clock: any Clock
  private let request = FixedBuffer(capacity: Budget.modbusFrameBytes)
  private let response = FixedBuffer(capacity: Budget.modbusFrameBytes)

  /// A client of the device with this address, from 1 to 247 (MODBUS over serial line V1.02, section 2.2).
  @export(interface)
  public init(address: UInt8, baud: UInt32, timeout: Int64, line: any SerialLine, clock: any Clock) {
    self.address = address
    self.baud = baud
    self.timeout = timeout
    self.line = line
    self.clock = clock
  }

  /// Reads a register.
  public func read(_ register: ModbusRegister) -> Result<Double, ModbusError> {
    let length = ModbusFrame.read(
      register.area, of: address, from: register.address, count: register.type.words, into: request.bytes)
    var failure = ModbusFailure.silence
    for _ in 0..<Self.attempts {
      switch exchange(length) {
      case .success(let count):
        let data = UnsafeBufferPointer(rebasing: response.bytes[3..<(count - 2)])
        guard let value = register.decode(Span(_unsafeElements: data)) else { return .failure(ModbusError(.malformed)) }
        return .success(value)
      case .failure(let error):
        failure = error.failure
        // A device that has refused refuses again.
        if case .exception = failure { return .failure(error) }
        if case .failed = failure { return .failure(error) }
      }
    }
    return .failure(ModbusError(failure))
  }

  /// Writes a register, once: a repeated write may do a thing twice.
  public func write(_ register: ModbusRegister, _ value: Double) -> ModbusFailure? {
    guard let words = register.encode(value) else { return .outOfRange }
    let length = ModbusFrame.write(register.area, of: address, at: register.address, words, into: request.bytes)
    if case .failure(let error) = exchange(length) { return error.failure }
    return nil
  }

  /// Sends the request and returns the length of the answer.
  private func exchange(_ length: Int) -> Result<Int, ModbusError> {
    let frame = UnsafeBufferPointer(rebasing: request.bytes[..<length])
    do throws(Errno) {
      // Whatever was on the line before, of this or another exchange, has ended.
      Syscall.pause(milliseconds: Int32(ModbusFrame.silenceMilliseconds(baud: baud)))
      try line.send(frame)
      let count = try receive(deadline: clock.monotonic + timeout)
      guard count > 0 else { return .failure(ModbusError(.silence)) }
      let bytes = UnsafeBufferPointer(rebasing: response.bytes[..<count])
      if let failure = ModbusFrame.check(Span(_unsafeElements: bytes), to: Span(_unsafeElements: frame)) {
        return .failure(ModbusError(failure))
      }
      return .success(count)
    } catch {
      line.close()
      return .failure(ModbusError(.failed(error)))
    }
  }

  /// Reads until the frame is as long as its beginning says, or time is up.
  private func receive(deadline: Int64) throws(Errno) -> Int {
    var count = 0
    while count < response.bytes.count {
      let rest = deadline - clock.monotonic
      guard rest > 0 else { return count }
      let room = UnsafeMutableBufferPointer(rebasing: response.bytes[count...])
      count += min(try line.receive(into: room, milliseconds: rest), room.count)
      let bytes = UnsafeBufferPointer(rebasing: response.bytes[..<count])
      if let length = ModbusFrame.length(of: Span(_unsafeElements: bytes)), count >= length { return length }
    }
    return count
  }
}

/// A failure, for `Result`.
public struct ModbusError: Error, Equatable {
  public let failure: ModbusFailure

  /// A failure.
  public init(_ failure: ModbusFailure) { self.failure = failure }
}
