import Runtime

/// How characters stand on a line: data bits, parity and stop bits, written as "8N1".
public struct SerialFraming: Equatable, Sendable {
  public enum Parity: UInt8, Sendable { case none, odd, even }

  public var dataBits: UInt8 = 8
  public var parity = Parity.none
  public var stopBits: UInt8 = 1

  /// 8N1.
  public init() {}

  /// Reads "8N1", "8E1", "7O2" and the like; nil for anything else.
  public init?(_ text: Span<UInt8>) {
    guard text.count == 3, text[0] == UInt8(ascii: "7") || text[0] == UInt8(ascii: "8"),
      text[2] == UInt8(ascii: "1") || text[2] == UInt8(ascii: "2")
    else { return nil }
    dataBits = text[0] - 48
    stopBits = text[2] - 48
    switch text[1] {
    case UInt8(ascii: "N"): parity = .none
    case UInt8(ascii: "O"): parity = .odd
    case UInt8(ascii: "E"): parity = .even
    default: return nil
    }
  }

  /// Bits of a character on the line, with its start bit.
  public var bits: Int64 { 1 + Int64(dataBits) + (parity == .none ? 0 : 1) + Int64(stopBits) }
}

/// A line that is open or can be opened, for use on one worker at a time.
public protocol SerialLine: AnyObject {
  /// Opens the line if it is closed, leaves out what has arrived unasked, and writes everything.
  func send(_ bytes: UnsafeBufferPointer<UInt8>) throws(Errno)
  /// Waits so long for bytes. Returns how many were read; 0 when none came.
  func receive(into bytes: UnsafeMutableBufferPointer<UInt8>, milliseconds: Int64) throws(Errno) -> Int
  /// Closes the line, as after a failure: the next `send` opens it again.
  func close()
}
