/// Why a WebSocket connection must be closed, and the code to close it with (RFC 6455 section 7.4.1).
public struct WebSocketError: Error, Equatable, Sendable {
  /// What was wrong.
  public enum Kind: UInt8, Sendable {
    /// A reserved bit is set, and no extension was agreed on (section 5.2).
    case reservedBit
    /// An opcode that RFC 6455 reserves (section 5.2).
    case reservedOpcode
    /// A frame from the server is masked (section 5.1).
    case masked
    /// A length that could have been written shorter, or is beyond 2^63 (section 5.2).
    case invalidLength
    /// A control frame that is fragmented or longer than 125 bytes (section 5.5).
    case invalidControl
    /// A continuation without a message, or a new message inside another (section 5.4).
    case invalidFragment
    /// A close frame of one byte, or with a code that must not be sent (section 7.4).
    case invalidClose
    /// A text, or the reason of a close, that is not UTF-8 (section 8.1).
    case invalidUTF8
  }

  /// What was wrong.
  public let kind: Kind

  /// The code to send in our close frame: 1007 for text that is not UTF-8, otherwise 1002.
  public var closeCode: UInt16 {
    kind == .invalidUTF8 ? WebSocketCloseCode.invalidPayload : WebSocketCloseCode.protocolError
  }
}

/// Close codes by name, and which of them may be on the wire (RFC 6455 section 7.4).
public enum WebSocketCloseCode {
  /// Normal closure.
  public static let normal: UInt16 = 1000
  /// An endpoint shuts down.
  public static let goingAway: UInt16 = 1001
  /// The peer broke the protocol.
  public static let protocolError: UInt16 = 1002
  /// A text that is not UTF-8.
  public static let invalidPayload: UInt16 = 1007
  /// A message that violates policy.
  public static let policyViolation: UInt16 = 1008
  /// A message that is too large.
  public static let messageTooBig: UInt16 = 1009

  /// True for a code that may be in a close frame: those registered for it, and 3000 to 4999. Never sent are 1004,
  /// 1005, 1006 and 1015 (section 7.4.1) and unregistered ones.
  public static func isValid(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
