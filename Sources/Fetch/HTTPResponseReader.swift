import Codec
import Runtime

/// Reads the response to one request as its bytes arrive (RFC 9112), into memory of fixed size. Content that is larger
/// than the memory comes in pieces, if the limit allows it.
///
/// Lines may end in LF alone. The content's length is from `Content-Length`, from chunks, or up to the end of the
/// connection. A compressed response is refused, because none was requested.
public struct HTTPResponseReader: ~Copyable {
  private enum Part { case status, field, body, rest, chunkSize, chunk, chunkEnd, trailer, done }

  private var part = Part.status
  private let line: UnsafeMutableBufferPointer<UInt8>
  private let body: UnsafeMutableBufferPointer<UInt8>
  /// Bytes of the current line. A line that is too long is truncated.
  private var lineCount = 0
  private var isLineCut = false
  /// Bytes of header, sizes and trailer so far.
  private var headerCount = 0
  /// Bytes of the content, or of the chunk, that are still to come.
  private var left = 0
  /// Bytes of the whole content, from `Content-Length`; nil when there is none.
  public private(set) var length: Int?
  /// Largest content in bytes.
  private let limit: Int
  /// Bytes of the content that have come, and were taken out of memory.
  private var emptied = 0
  private var isChunked = false

  /// The HTTP status.
  public private(set) var status: UInt16 = 0
  /// In lower case and without parameters; empty when there is none.
  public private(set) var type = InlineText<64>()
  /// The target of a redirect; else empty.
  public private(set) var location = InlineText<2048>()
  /// The server's clock, from `Date`, in milliseconds since 1970; nil without one.
  public private(set) var date: Int64?
  private var retryNumber: UInt32?
  private var retryDate: Int64?
  /// What `Retry-After` says: seconds, or a date, from which the server's own date is taken (RFC 9110 section 10.2.3).
  public var retryAfterSeconds: UInt32? {
    if let retryNumber { return retryNumber }
    guard let retryDate, let date else { return nil }
    return UInt32(clamping: (retryDate - date + 999) / 1000)
  }
  /// False when the connection ends with this answer (RFC 9112 section 9.3).
  public private(set) var keepsConnection = true
  /// The file's tag with its quotes (RFC 9110 section 8.8.3); empty when there is none, or a very long one.
  public private(set) var etag = InlineText<128>()
  /// The session that an MCP server gives, of visible characters; empty when there is none, or a very long one.
  public private(set) var session = InlineText<128>()
  /// Where a part of a file begins, from `Content-Range`; nil without one.
  public private(set) var rangeStart: Int?
  /// Bytes of the content in memory.
  public private(set) var count = 0

  /// A reader at the start of a response. `line` has `Budget.fetchLineBytes`; both outlive the reader. `limit`: the
  /// largest content in bytes, what fits `body` unless it is given.
  public init(
    line: UnsafeMutableBufferPointer<UInt8>, body: UnsafeMutableBufferPointer<UInt8>, limit: Int? = nil
  ) {
    self.line = line
    self.body = body
    self.limit = limit ?? body.count
  }

  /// All of the header was read: status, type and location are known.
  public var hasHeader: Bool {
    switch part {
    case .status, .field: false
    default: true
    }
  }

  /// All of the content was read.
  public var isDone: Bool { part == .done }

  /// True when the memory is full, and more content may come.
  public var isFull: Bool { count == body.count && count > 0 && part != .done }

  /// The content in memory was used: the next piece takes its place. The sizes of its chunks count anew with it, for a
  /// stream may have any number of them.
  public mutating func empty() {
    emptied += count
    (count, headerCount) = (0, 0)
  }

  /// Takes the next bytes, and returns how many: all, unless the memory is full. Bytes after the end of the response
  /// are ignored.
  @discardableResult
  @export(interface)
  public mutating func take(_ bytes: Span<UInt8>) throws(HTTPError) -> Int {
    var index = 0
    while index < bytes.count, part != .done {
      switch part {
      case .body, .chunk, .rest:
        let taken = try content(bytes.extracting(index..<bytes.count))
        if taken == 0 { return index }
        index += taken
      default:
        try character(bytes[index])
        index += 1
      }
    }
    return bytes.count
  }

  /// No more bytes come.
  public mutating func end() throws(HTTPError) {
    if part == .rest { part = .done }
    if part != .done { throw .cut }
  }

  // MARK: Content

  private mutating func content(_ bytes: Span<UInt8>) throws(HTTPError) -> Int {
    let coming = part == .rest ? bytes.count : min(bytes.count, left)
    guard coming <= limit - emptied - count else { throw .tooLarge }
    let wanted = min(coming, body.count - count)
    if wanted == 0 { return 0 }
    bytes.withUnsafeBufferPointer { (body.baseAddress! + count).update(from: $0.baseAddress!, count: wanted) }
    count += wanted
    guard part != .rest else { return wanted }
    left -= wanted
    if left == 0 { part = part == .chunk ? .chunkEnd : .done }
    return wanted
  }

  // MARK: Lines

  private mutating func character(_ byte: UInt8) throws(HTTPError) {
    headerCount += 1
    guard headerCount <= Budget.fetchHeaderBytes else { throw .malformed }
    if byte == UInt8(ascii: "\n") {
      if lineCount > 0, !isLineCut, line[lineCount - 1] == UInt8(ascii: "\r") { lineCount -= 1 }
      try self.line(UnsafeBufferPointer(line).extracting(0..<lineCount).span)
      (lineCount, isLineCut) = (0, false)
      return
    }
    guard lineCount < min(line.count, Budget.fetchLineBytes) else { return isLineCut = true }
    line[lineCount] = byte
    lineCount += 1
  }

  private mutating func line(_ text: Span<UInt8>) throws(HTTPError) {
    // A carriage return or a zero in the middle could be read differently by another parser.
    for index in 0..<text.count where text[index] == 0x0D || text[index] == 0 { throw .malformed }
    switch part {
    case .status: try readStatus(text)
    case .field:
      if text.isEmpty { return try endHeader() }
      try field(text)
    case .chunkSize: try chunkSize(text)
    case .chunkEnd:
      guard text.isEmpty else { throw .malformed }
      part = .chunkSize
    case .trailer: if text.isEmpty { part = .done }
    default: return
    }
  }

  /// `HTTP/1.1 200 OK`.
  private mutating func readStatus(_ text: Span<UInt8>) throws(HTTPError) {
    guard text.count >= 12, text.hasPrefix(lowercased: "http/1."), text[7] == 48 || text[7] == 49, text[8] == 0x20
    else {
      throw .malformed
    }
    guard text.count == 12 || text[12] == 0x20 else { throw .malformed }
    var value: UInt16 = 0
    for index in 9..<12 {
      guard text[index] >= 48, text[index] <= 57 else { throw .malformed }
      value = value * 10 + UInt16(text[index] - 48)
    }
    guard value >= 100, value < 600, value != 101 else { throw .malformed }
    status = value
    keepsConnection = text[7] == 49
    part = .field
  }

  private mutating func field(_ text: Span<UInt8>) throws(HTTPError) {
    var colon = 0
    while colon < text.count, text[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon > 0, colon < text.count, text[0] > 0x20, text[colon - 1] > 0x20 else { throw .malformed }
    let name = text.extracting(0..<colon)
    let value = text.extracting((colon + 1)..<text.count).trimmed
    if name.isField("content-length") {
      guard let number = value.decimal, !isLineCut, length == nil || length == number else { throw .malformed }
      length = number
    } else if name.isField("transfer-encoding") {
      guard value.isField("chunked"), !isChunked else { throw .encoding }
      isChunked = true
    } else if name.isField("content-encoding") {
      guard value.isEmpty || value.isField("identity") else { throw .encoding }
    } else if name.isField("content-type") {
      take(type: value)
    } else if name.isField("etag") {
      if !isLineCut { etag.set(value) }
    } else if name.isField("mcp-session-id") {
      if !isLineCut, value.isVisible { session.set(value) }
    } else if name.isField("content-range") {
      rangeStart = value.rangeStart
    } else if name.isField("retry-after") {
      retryNumber = value.decimal.flatMap { UInt32(exactly: $0) }
      retryDate = HTTPDate.unixMilliseconds(in: value)
    } else if name.isField("date") {
      date = HTTPDate.unixMilliseconds(in: value)
    } else if name.isField("connection") {
      if !value.isField("keep-alive") { keepsConnection = false }
    } else if name.isField("location"), location.isEmpty {
      guard !isLineCut, location.set(value) else { throw .malformed }
    }
  }

  private mutating func take(type value: Span<UInt8>) {
    var end = 0
    while end < value.count, value[end] != UInt8(ascii: ";"), value[end] > 0x20 { end += 1 }
    type.fill { buffer in
      guard end <= buffer.count else { return nil }
      for index in 0..<end { buffer[index] = value[index].asciiLowercased }
      return end
    }
  }

  private mutating func endHeader() throws(HTTPError) {
    if status < 200 {
      (part, length, isChunked, rangeStart) = (.status, nil, false, nil)
      etag.clear()
      session.clear()
      type.clear()
      return location.clear()
    }
    if status == 204 || status == 304 { return part = .done }
    if isChunked { return part = .chunkSize }
    guard let length else {
      keepsConnection = false
      return part = .rest
    }
    guard length <= limit else { throw .tooLarge }
    left = length
    part = length == 0 ? .done : .body
  }

  /// The size of a chunk in hexadecimal; extensions after it are ignored (section 7.1.1).
  private mutating func chunkSize(_ text: Span<UInt8>) throws(HTTPError) {
    var (value, digits) = (0, 0)
    while digits < text.count, let digit = text[digits].hexValue {
      guard digits < 7 else { throw .tooLarge }
      value = value * 16 + Int(digit)
      digits += 1
    }
    guard digits > 0 else { throw .malformed }
    if digits < text.count, text[digits] != UInt8(ascii: ";"), text[digits] > 0x20 { throw .malformed }
    guard value <= limit - emptied - count else { throw .tooLarge }
    left = value
    part = value == 0 ? .trailer : .chunk
  }
}

/// Why a response was refused.
public enum HTTPError: Error, Equatable, Sendable {
  /// Not HTTP, contradictory, or with a header larger than `Budget.fetchHeaderBytes`.
  case malformed
  /// Encoded in a way that was not requested.
  case encoding
  /// More content than there is room for.
  case tooLarge
  /// The connection ended before the end of the response.
  case cut
}

extension Span where Element == UInt8 {
  /// True when it is `name`, which is in lower case, in any case.
  fileprivate func isField(_ name: StaticString) -> Bool {
    count == name.utf8CodeUnitCount && hasPrefix(lowercased: name)
  }

  /// True when nothing of it could change what a later request says.
  fileprivate var isVisible: Bool {
    for index in 0..<count where self[index] < 0x21 || self[index] > 0x7E { return false }
    return true
  }

  /// The first number of `bytes 100-199/200` (RFC 9110 section 14.4).
  fileprivate var rangeStart: Int? {
    guard hasPrefix(lowercased: "bytes ") else { return nil }
    var end = 6
    while end < count, self[end] != UInt8(ascii: "-") { end += 1 }
    return extracting(6..<end).decimal
  }

  /// The value of one to nine digits and nothing else.
  fileprivate var decimal: Int? {
    guard (1...9).contains(count) else { return nil }
    var value = 0
    for index in 0..<count {
      guard self[index] >= 48, self[index] <= 57 else { return nil }
      value = value * 10 + Int(self[index] - 48)
    }
    return value
  }
}
