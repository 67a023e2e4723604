/// What a frame is for (RFC 6455 section 5.2).
public enum WebSocketOpcode: UInt8, Sendable {
  /// More of the message that has begun.
  case continuation = 0
  /// UTF-8 text.
  case text = 1
  /// Bytes of any kind.
  case binary = 2
  /// The last frame of its sender.
  case close = 8
  /// Asks for a pong with the same payload.
  case ping = 9
  /// Answers a ping.
  case pong = 10

  var isControl: Bool { rawValue >= 8 }
}

/// What the decoder found next.
public enum WebSocketItem: Sendable {
  /// The input is used up.
  case needMore
  /// A piece of a message.
  case data(WebSocketChunk)
  /// A ping, to be answered by a pong with the same payload.
  case ping(WebSocketControl)
  /// A pong, asked for or not.
  case pong(WebSocketControl)
  /// The peer sends nothing more. What follows in the input is ignored.
  case close(WebSocketClose)
}

/// A piece of a message; where fragments begin and end does not show.
public struct WebSocketChunk: Equatable, Sendable {
  /// True for `text`, false for `binary`.
  public let isText: Bool
  /// True for the message's first piece.
  public let isStart: Bool
  /// True for its last piece.
  public let isFinal: Bool
  /// Where the piece stands in the input; may be empty at the end of a message.
  public let range: Range<Int>
}

/// The payload of a ping or pong.
public struct WebSocketControl: Sendable {
  /// The most bytes that a control frame carries (RFC 6455 section 5.5).
  public static let lengthMax = 125

  private var storage = InlineArray<125, UInt8>(repeating: 0)
  private var count: UInt8 = 0

  /// Up to 125 bytes.
  public var payload: Span<UInt8> {
    @_lifetime(borrow self)
    get { storage.span.extracting(..<Int(count)) }
  }

  mutating func append(_ byte: UInt8) {
    storage[Int(count)] = byte
    count += 1
  }
}

/// The payload of a close frame (RFC 6455 section 5.5.1).
public struct WebSocketClose: Sendable {
  private let control: WebSocketControl

  init(_ control: WebSocketControl) throws(WebSocketError) {
    self.control = control
    let payload = control.payload
    guard !payload.isEmpty else { return }
    guard let code, WebSocketCloseCode.isValid(code) else { throw WebSocketError(kind: .invalidClose) }
    var utf8 = UTF8Validator()
    guard utf8.accept(reason), utf8.isComplete else { throw WebSocketError(kind: .invalidUTF8) }
  }

  /// Why the peer closes, or nil when it does not say.
  public var code: UInt16? {
    let payload = control.payload
    return payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
  }

  /// The same in words, valid UTF-8, up to 123 bytes, for the log.
  public var reason: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let payload = control.payload
      return payload.extracting(Swift.min(2, payload.count)...)
    }
  }
}
