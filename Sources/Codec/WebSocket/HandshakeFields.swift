/// The fields of a server's handshake response that matter for a WebSocket.
struct HandshakeFields {
  /// Those fields.
  private enum Field {
    case upgrade, connection, accept, extensions, subprotocol, retryAfter

    init?(_ name: Span<UInt8>) {
      if name.matchesLowercased("upgrade") {
        self = .upgrade
      } else if name.matchesLowercased("connection") {
        self = .connection
      } else if name.matchesLowercased("sec-websocket-accept") {
        self = .accept
      } else if name.matchesLowercased("sec-websocket-extensions") {
        self = .extensions
      } else if name.matchesLowercased("sec-websocket-protocol") {
        self = .subprotocol
      } else if name.matchesLowercased("retry-after") {
        self = .retryAfter
      } else {
        return nil
      }
    }
  }

  private var expected = InlineArray<28, UInt8>(repeating: 0)
  private var status: UInt16 = 0
  private var upgrades = false
  private var connects = false
  private var accepts = 0
  private var isAccepted = false
  private var hasExtension = false
  private var hasProtocol = false
  private var retryAfterSeconds: UInt32?

  init(digest: Span<UInt8>) {
    var characters = expected.mutableSpan
    characters.withUnsafeMutableBufferPointer { _ = Base64.standard.encode(digest, into: $0) }
  }

  /// Reads `HTTP/1.1 101 Switching Protocols` (RFC 9112 section 4).
  mutating func status(_ line: Span<UInt8>) throws(WebSocketHandshakeError) {
    guard line.count >= 12, line.extracting(..<9).matches("HTTP/1.1 ") else { throw .malformed }
    guard line.count == 12 || line[12] == UInt8(ascii: " ") else { throw .malformed }
    guard let code = line.extracting(9..<12).wholeNumber, code >= 100 else { throw .malformed }
    status = UInt16(code)
  }

  /// Reads a field: a name, a colon and a value between optional white space (RFC 9112 section 5).
  mutating func field(_ line: Span<UInt8>) throws(WebSocketHandshakeError) {
    var colon = 0
    while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { throw .malformed }
    guard let field = Field(line.extracting(..<colon)) else { return }
    note(field, line.extracting((colon + 1)...).withoutBlanks)
  }

  private mutating func note(_ field: Field, _ value: Span<UInt8>) {
    switch field {
    case .upgrade: upgrades = value.matchesLowercased("websocket")
    case .connection: connects = connects || value.hasToken("upgrade")
    case .accept:
      accepts += 1
      isAccepted = value.equals(expected.span)
    case .extensions: hasExtension = true
    case .subprotocol: hasProtocol = true
    case .retryAfter: retryAfterSeconds = value.wholeNumber
    }
  }

  /// The outcome of the whole header (RFC 6455 section 4.1).
  func outcome() throws(WebSocketHandshakeError) -> WebSocketResponse.Outcome {
    guard status == 101 else { return .refused(status: status, retryAfterSeconds: retryAfterSeconds) }
    guard upgrades, connects else { throw .notUpgraded }
    guard isAccepted, accepts == 1 else { throw .wrongAccept }
    guard !hasExtension else { throw .unexpectedExtension }
    guard !hasProtocol else { throw .unexpectedProtocol }
    return .upgraded
  }
}

extension Span where Element == UInt8 {
  /// True when the bytes are those of `text`, which is in lower case, in any case.
  fileprivate func matchesLowercased(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(lowercased: text)
  }

  fileprivate func equals(_ other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }

  /// Without the spaces and tabs around it.
  fileprivate var withoutBlanks: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = 0
      var end = count
      while start < end, self[start].isBlank { start += 1 }
      while end > start, self[end - 1].isBlank { end -= 1 }
      return extracting(start..<end)
    }
  }

  /// True when a list of tokens between commas has this one, which is in lower case, in any case.
  fileprivate func hasToken(_ token: StaticString) -> Bool {
    var start = 0
    for index in 0...count where index == count || self[index] == UInt8(ascii: ",") {
      if extracting(start..<index).trimmed.matchesLowercased(token) { return true }
      start = index + 1
    }
    return false
  }

  /// The value of one to nine digits and nothing else.
  fileprivate var wholeNumber: UInt32? {
    guard (1...9).contains(count) else { return nil }
    var value: UInt32 = 0
    for index in 0..<count {
      guard self[index].isDigit else { return nil }
      value = value * 10 + UInt32(self[index] & 15)
    }
    return value
  }
}

extension UInt8 {
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

  /// A character that a field's name may have (RFC 9110 section 5.6.2).
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"): true
    case UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
    case UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
