/// The fields of a server's handshake response that matter for a WebSocket.
struct HandshakeFields {
  /// Those fields.
  private enum Field {
    case upgrade, connection, accept, extensions, subprotocol, retryAfter, date, location, length, coding

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
      } else if name.matchesLowercased("date") {
        self = .date
      } else if name.matchesLowercased("location") {
        self = .location
      } else if name.matchesLowercased("content-length") {
        self = .length
      } else if name.matchesLowercased("transfer-encoding") {
        self = .coding
      } else {
        return nil
      }
    }
  }

  /// What the fields of one response say.
  private struct Values {
    var status: UInt16 = 0
    var isOld = false
    var upgrades = false
    var connects = false
    var accepts = 0
    var isAccepted = false
    var hasExtension = false
    var hasProtocol = false
    var retryAfterSeconds: UInt32?
    var retryDate: Int64?
    var date: Int64?
    var length: UInt32?
    var isChunked = false
    var location = InlineArray<120, UInt8>(repeating: 0)
    var locationLength = 0
  }

  private var expected = InlineArray<28, UInt8>(repeating: 0)
  private var values = Values()

  init(digest: Span<UInt8>) {
    var characters = expected.mutableSpan
    characters.withUnsafeMutableBufferPointer { _ = Base64.standard.encode(digest, into: $0) }
  }

  /// The next response begins.
  mutating func restart() { values = Values() }

  /// Where a redirect leads to, as much of it as is kept; empty without one.
  var location: Span<UInt8> {
    @_lifetime(borrow self)
    get { values.location.span.extracting(..<values.locationLength) }
  }

  /// The body comes in chunks.
  var isChunked: Bool { values.isChunked }

  /// True when a body of which so many bytes were read is all there.
  func isBodyRead(_ count: Int) -> Bool {
    guard !values.isChunked, let length = values.length else { return false }
    return Int64(count) >= Int64(length)
  }

  /// Reads `HTTP/1.1 101 Switching Protocols` (RFC 9112 section 4). Front ends that refuse without reading much speak
  /// of HTTP/1.0.
  mutating func status(_ line: Span<UInt8>) throws(WebSocketHandshakeError) {
    guard line.count >= 12, line.extracting(..<7).matches("HTTP/1."), line[7].isDigit, line[8] == 0x20 else {
      throw .malformed
    }
    guard line.count == 12 || line[12] == UInt8(ascii: " ") else { throw .malformed }
    guard let code = line.extracting(9..<12).wholeNumber, code >= 100 else { throw .malformed }
    values.status = UInt16(code)
    values.isOld = line[7] == UInt8(ascii: "0")
  }

  /// Reads a field: a name, a colon and a value between optional white space (RFC 9112 section 5).
  mutating func field(_ line: Span<UInt8>) throws(WebSocketHandshakeError) {
    var colon = 0
    while colon < line.count, line[colon].isTokenCharacter { colon += 1 }
    guard colon > 0, colon < line.count, line[colon] == UInt8(ascii: ":") else { throw .malformed }
    guard let field = Field(line.extracting(..<colon)) else { return }
    set(field, line.extracting((colon + 1)...).withoutBlanks)
  }

  private mutating func set(_ field: Field, _ value: Span<UInt8>) {
    switch field {
    case .upgrade: values.upgrades = value.matchesLowercased("websocket")
    case .connection: values.connects = values.connects || value.hasToken("upgrade")
    case .accept:
      values.accepts += 1
      values.isAccepted = value.equals(expected.span)
    case .extensions: values.hasExtension = true
    case .subprotocol: values.hasProtocol = true
    case .retryAfter:
      values.retryAfterSeconds = value.wholeNumber
      values.retryDate = HTTPDate.unixMilliseconds(in: value)
    case .date: values.date = HTTPDate.unixMilliseconds(in: value)
    case .length: values.length = value.wholeNumber
    case .coding: values.isChunked = value.hasToken("chunked")
    case .location:
      values.locationLength = min(value.count, values.location.count)
      for index in 0..<values.locationLength { values.location[index] = value[index] }
    }
  }

  /// The outcome of the whole header (RFC 6455 section 4.1); pending when another response follows this one.
  func outcome() throws(WebSocketHandshakeError) -> WebSocketResponse.Outcome {
    guard values.status == 101 else {
      if values.status < 200 { return .pending }
      return .refused(status: values.status, retryAfterSeconds: retryAfterSeconds)
    }
    // The upgrade came with HTTP/1.1 (RFC 9110 section 7.8).
    guard !values.isOld else { throw .malformed }
    guard values.upgrades, values.connects else { throw .notUpgraded }
    guard values.isAccepted, values.accepts == 1 else { throw .wrongAccept }
    guard !values.hasExtension else { throw .unexpectedExtension }
    guard !values.hasProtocol else { throw .unexpectedProtocol }
    return .upgraded
  }

  /// Seconds, or a date, from which the server's own date is taken (RFC 9110 section 10.2.3).
  private var retryAfterSeconds: UInt32? {
    if let seconds = values.retryAfterSeconds { return seconds }
    guard let until = values.retryDate, let date = values.date else { return nil }
    return UInt32(clamping: (until - date + 999) / 1000)
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
  public var isTokenCharacter: Bool {
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
