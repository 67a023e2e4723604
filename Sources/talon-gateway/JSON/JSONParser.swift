/// Why a text is not JSON, and where.
struct JSONError: Error, Equatable, CustomStringConvertible {
  let reason: String
  let offset: Int

  var description: String { "\(reason) at byte \(offset)" }
}

extension JSON {
  /// Reads one JSON text (RFC 8259). Nothing but white space may follow it.
  init(parsing text: some StringProtocol) throws(JSONError) {
    self = try JSON(parsing: Array(text.utf8))
  }

  /// Reads one JSON text from UTF-8 bytes.
  init(parsing bytes: [UInt8]) throws(JSONError) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.parseText()
  }
}

/// A strict recursive reader. It shares nothing with Talon's own codec: each checks the other.
private struct JSONParser {
  /// Nesting beyond this is refused; real frames use fewer than ten levels.
  static let depthMax = 128

  let bytes: [UInt8]
  var offset = 0
  var depth = 0

  mutating func parseText() throws(JSONError) -> JSON {
    let value = try parseValue()
    skipWhitespace()
    guard offset == bytes.count else { throw failure("unexpected text after the value") }
    return value
  }

  private mutating func parseValue() throws(JSONError) -> JSON {
    skipWhitespace()
    guard let first = peek else { throw failure("unexpected end") }
    switch first {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONError) in try parser.parseObject() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONError) in try parser.parseArray() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: return try parseNumber()
    }
  }

  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONError) -> JSON
  ) throws(JSONError) -> JSON {
    guard depth < Self.depthMax else { throw failure("nested too deeply") }
    depth += 1
    offset += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func parseObject() throws(JSONError) -> JSON {
    var object = JSONObject()
    if skip(UInt8(ascii: "}")) { return .object(object) }
    repeat {
      skipWhitespace()
      guard peek == UInt8(ascii: "\"") else { throw failure("expected a member name") }
      let key = try parseString()
      guard skip(UInt8(ascii: ":")) else { throw failure("expected ':'") }
      object.append(key, try parseValue())
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw failure("expected ',' or '}'") }
    return .object(object)
  }

  private mutating func parseArray() throws(JSONError) -> JSON {
    var elements: [JSON] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      elements.append(try parseValue())
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw failure("expected ',' or ']'") }
    return .array(elements)
  }

  private mutating func parseWord(_ word: StaticString, _ value: JSON) throws(JSONError) -> JSON {
    let end = offset + word.utf8CodeUnitCount
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end <= bytes.count, bytes[offset..<end].elementsEqual(letters) else {
      throw failure("unknown word")
    }
    offset = end
    return value
  }

  private mutating func parseNumber() throws(JSONError) -> JSON {
    let start = offset
    if peek == UInt8(ascii: "-") { offset += 1 }
    let leading = offset
    guard skipDigits() > 0 else { throw failure("expected a value") }
    guard bytes[leading] != UInt8(ascii: "0") || offset == leading + 1 else {
      throw failure("number with a leading zero")
    }
    var isInteger = true
    if peek == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      guard skipDigits() > 0 else { throw failure("expected digits after the point") }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
      guard skipDigits() > 0 else { throw failure("expected an exponent") }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure("number out of range") }
    return .double(value)
  }

  /// Copies runs without escapes in one piece, because photos arrive as strings of megabytes.
  private mutating func parseString() throws(JSONError) -> String {
    offset += 1
    let first = try skipPlainRun()
    if bytes[offset] == UInt8(ascii: "\"") {
      offset += 1
      return try validated(bytes[first])
    }
    var text = Array(bytes[first])
    while bytes[offset] != UInt8(ascii: "\"") {
      try parseEscape(into: &text)
      text += bytes[try skipPlainRun()]
    }
    offset += 1
    return try validated(text[...])
  }

  /// Moves to the next quote or backslash.
  private mutating func skipPlainRun() throws(JSONError) -> Range<Int> {
    let start = offset
    let end = bytes.withUnsafeBufferPointer { buffer in
      var index = start
      while index < buffer.count {
        let byte = buffer[index]
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
        index += 1
      }
      return index
    }
    offset = end
    guard end < bytes.count else { throw failure("unterminated string") }
    guard bytes[end] >= 0x20 else { throw failure("control character in a string") }
    return start..<end
  }

  private func validated(_ text: ArraySlice<UInt8>) throws(JSONError) -> String {
    guard let string = String(validating: text, as: UTF8.self) else { throw failure("invalid UTF-8") }
    return string
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
    offset += 1
    guard let letter = peek else { throw failure("unterminated string") }
    offset += 1
    if letter == UInt8(ascii: "u") {
      text += Array(String(try parseScalar()).utf8)
      return
    }
    guard let byte = Self.escapes[letter] else { throw failure("unknown escape") }
    text.append(byte)
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
  ]

  /// One `\u` escape, or the two of a surrogate pair (RFC 8259, section 7).
  private mutating func parseScalar() throws(JSONError) -> Unicode.Scalar {
    let high = try parseHexQuad()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), peek == UInt8(ascii: "\\") else {
      throw failure("lone surrogate")
    }
    offset += 1
    guard peek == UInt8(ascii: "u") else { throw failure("lone surrogate") }
    offset += 1
    let low = try parseHexQuad()
    guard (0xDC00..<0xE000).contains(low),
      let scalar = Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
    else { throw failure("lone surrogate") }
    return scalar
  }

  private mutating func parseHexQuad() throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count else { throw failure("unterminated string") }
    var value: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("expected four hex digits")
      }
      value = value << 4 | UInt32(digit)
    }
    offset += 4
    return value
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipWhitespace()
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = peek, (0x30...0x39).contains(byte) { offset += 1 }
    return offset - start
  }

  private mutating func skipWhitespace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  private func failure(_ reason: String) -> JSONError { JSONError(reason: reason, offset: offset) }
}
