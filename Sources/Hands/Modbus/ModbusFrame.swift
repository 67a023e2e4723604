import Codec
import Runtime

/// Frames of Modbus RTU (MODBUS over serial line V1.02, section 2.5.1; application protocol V1.1b3, section 6):
/// address, function, data, checksum. Numbers are big-endian, the checksum little-endian.
public enum ModbusFrame {
  /// Address, function and checksum.
  static let overhead = 4
  /// A function's code with this bit is an exception (V1.1b3, section 7).
  static let exceptionBit: UInt8 = 0x80

  /// The checksum of a frame (V1.02, section 6.2.2): polynomial A001h, begun with FFFFh.
  public static func checksum(_ bytes: Span<UInt8>) -> UInt16 {
    var sum: UInt16 = 0xFFFF
    for index in 0..<bytes.count {
      sum ^= UInt16(bytes[index])
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return sum
  }

  /// Milliseconds of silence that separate frames (V1.02, section 2.5.1.1): 3.5 characters of 11 bits, and 1.75 ms
  /// above 19200 baud; rounded up.
  public static func silenceMilliseconds(baud: UInt32) -> Int64 {
    if baud > 19_200 || baud == 0 { return 2 }
    return (38_500 + Int64(baud) - 1) / Int64(baud)
  }

  /// Writes a request to read `count` values of an area from `first` on; returns its length.
  static func read(
    _ area: ModbusArea, of address: UInt8, from first: UInt16, count: UInt16,
    into frame: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var builder = Builder(frame, address, area.readFunction)
    builder.add(first)
    builder.add(count)
    return builder.finish()
  }

  /// Writes a request to set registers, or one coil; returns its length.
  static func write(
    _ area: ModbusArea, of address: UInt8, at first: UInt16, _ words: InlineList<2, UInt16>,
    into frame: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    if area == .coil || words.count == 1 {
      var builder = Builder(frame, address, area == .coil ? 5 : 6)
      builder.add(first)
      builder.add(words[0])
      return builder.finish()
    }
    var builder = Builder(frame, address, 16)
    builder.add(first)
    builder.add(UInt16(words.count))
    builder.add(byte: UInt8(2 * words.count))
    for index in 0..<words.count { builder.add(words[index]) }
    return builder.finish()
  }

  private struct Builder {
    let frame: UnsafeMutableBufferPointer<UInt8>
    var count = 0

    init(_ frame: UnsafeMutableBufferPointer<UInt8>, _ address: UInt8, _ function: UInt8) {
      self.frame = frame
      add(byte: address)
      add(byte: function)
    }

    mutating func add(byte: UInt8) {
      frame[count] = byte
      count += 1
    }

    mutating func add(_ word: UInt16) {
      add(byte: UInt8(word >> 8))
      add(byte: UInt8(word & 0xFF))
    }

    mutating func finish() -> Int {
      let sum = checksum(Span(_unsafeElements: UnsafeBufferPointer(rebasing: frame[..<count])))
      add(byte: UInt8(sum & 0xFF))
      add(byte: UInt8(sum >> 8))
      return count
    }
  }

  // MARK: Responses

  /// How long the response is that begins with these bytes; nil while that is not known. A function that this program
  /// does not use has no known length.
  static func length(of response: Span<UInt8>) -> Int? {
    guard response.count >= 2 else { return nil }
    let function = response[1]
    if function & exceptionBit != 0 { return overhead + 1 }
    switch function {
    case 1...4: return response.count >= 3 ? overhead + 1 + Int(response[2]) : nil
    case 5, 6, 15, 16: return overhead + 4
    default: return nil
    }
  }

  /// What is wrong with a whole response to `request`; nil when it is the answer.
  static func check(_ response: Span<UInt8>, to request: Span<UInt8>) -> ModbusFailure? {
    guard response.count >= overhead + 1, request.count >= overhead + 4 else { return .malformed }
    let end = response.count - 2
    let sum = UInt16(response[end]) | UInt16(response[end + 1]) << 8
    guard sum == checksum(response.extracting(0..<end)) else { return .badChecksum }
    guard response[0] == request[0] else { return .otherDevice }
    let function = request[1]
    if response[1] == function | exceptionBit { return .exception(response[2]) }
    guard response[1] == function, response.count == length(of: response) else { return .malformed }
    switch function {
    case 1, 2:
      let bits = Int(request[4]) << 8 | Int(request[5])
      return Int(response[2]) == (bits + 7) / 8 ? nil : .malformed
    case 3, 4:
      let words = Int(request[4]) << 8 | Int(request[5])
      return Int(response[2]) == 2 * words ? nil : .malformed
    default:
      // Written values come back: address, and value or count.
      for index in 2..<6 where response[index] != request[index] { return .malformed }
      return nil
    }
  }
}

/// Why a request over Modbus gave no value.
public enum ModbusFailure: Equatable, Sendable {
  case silence, badChecksum, otherDevice, malformed
  /// The device refuses; the code of section 7 of the application protocol.
  case exception(UInt8)
  case failed(Errno)
  /// No description in the configuration holds such a value.
  case outOfRange

  /// What is wrong, for the agent.
  public var text: StaticString {
    switch self {
    case .silence: "does not answer: look at its power, its address, the speed of the line and the two wires"
    case .badChecksum: "answers with bytes that do not match their checksum: noise, or another speed or parity"
    case .otherDevice: "is not who answered: two devices may have the same address"
    case .malformed: "answers with something else than what was asked for"
    case .exception(1): "does not know this function (exception 1): the register may be of another area"
    case .exception(2): "has no register at this address (exception 2)"
    case .exception(3): "does not take this value (exception 3)"
    case .exception(4): "has failed while it did this (exception 4)"
    case .exception(5): "needs long for this and has only accepted it (exception 5): read it again later"
    case .exception(6): "is busy (exception 6): try again in some seconds"
    case .exception(8): "found its memory damaged (exception 8)"
    case .exception(10): "is behind a gateway without a way to it (exception 10)"
    case .exception(11): "is behind a gateway that it does not answer (exception 11)"
    case .exception: "refuses with an exception that the standard does not know"
    case .failed(let reason): DeviceTrouble(reason, of: .serial).text
    case .outOfRange: "cannot hold this value"
    }
  }

  /// Writes it as a sentence: "the device does not answer: look at its power, ...", or "its line does not work: it is
  /// not there; plug it in, ...".
  public func write(to writer: inout ByteWriter) {
    guard case .failed(let reason) = self else {
      writer.text("the device ")
      return writer.text(text)
    }
    writer.text("its line does not work: ")
    DeviceTrouble(reason, of: .serial).write { writer.text($0) }
  }
}
