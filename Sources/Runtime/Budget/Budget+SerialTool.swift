extension Budget {

  // MARK: Serial lines and Modbus

  /// Bytes of a request to a serial device, with its prefix and terminator: a command of an instrument is a line.
  public static let serialRequestBytes = 256
  /// Bytes of an answer that are kept; the rest of a longer one is left out, and that is said. A buffer for each line.
  public static let serialAnswerBytes = 1024
  /// Milliseconds to wait for an answer, the usual time and what may be configured: below the time of an invoke.
  public static let serialTimeoutMilliseconds: Int64 = 1_000
  public static let serialTimeoutRange: ClosedRange<Int64> = 20...20_000
  /// Milliseconds without a byte after which an answer without a terminator has ended.
  public static let serialQuietMilliseconds: Int64 = 50
  /// Bytes of a frame on the line (MODBUS over serial line V1.02, section 2.5.1.1).
  public static let modbusFrameBytes = 256
  /// Registers that one tool names. 96 bytes each, and a request on the line for each that is read.
  public static let modbusRegisters = 16
  /// Bytes of the name of a register.
  public static let modbusNameBytes = 32
  /// Items of a pattern of what may be sent. 40 bytes each.
  public static let patternItems = 32
}
