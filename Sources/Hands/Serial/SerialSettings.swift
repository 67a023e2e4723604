import Runtime

/// `kind = serial`.
public struct SerialSettings: Sendable {
  public enum Language: Sendable { case text, modbus }

  /// The line's path; empty: not configured.
  public var device = ""
  public var baud: UInt32 = 9600
  public var framing = SerialFraming()
  public var language = Language.text
  /// Milliseconds for an answer.
  public var timeout = Budget.serialTimeoutMilliseconds

  // Text
  /// What is sent, when the agent has nothing to say about it.
  public var request: [UInt8] = []
  /// What the agent may send, and the pattern as the owner has written it; nil: `request` is what is sent.
  public var allowed: TextPattern?
  public var allowedText = ""
  public var prefix: [UInt8] = []
  public var terminator: [UInt8] = [0x0A]
  /// The end of answers.
  public var answerEnd: [UInt8] = [0x0A]

  // Modbus
  /// The device's address, from 1 to 247; 0: not configured.
  public var address: UInt8 = 0
  public var registers: [ModbusRegister] = []

  /// A line with the defaults.
  public init() {}

  /// Two sections may share a line, when both mean the same one.
  public func isSameLine(as other: SerialSettings) -> Bool { baud == other.baud && framing == other.framing }
}
