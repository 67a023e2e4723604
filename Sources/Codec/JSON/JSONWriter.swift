/// Writes JSON (RFC 8259) into a buffer of fixed size, inserts the commas, and keeps counting beyond the buffer's end:
/// a pass without a buffer measures a message before it is written. The output is valid as long as keys and values are
/// written in a valid order.
public struct JSONWriter: ~Copyable {
  private var output: ByteWriter
  private var needsComma = false

  /// A writer that only counts.
  public init() {
    output = ByteWriter()
  }

  /// A writer into `buffer`, from its start. The buffer must outlive the writer.
  public init(into buffer: UnsafeMutableBufferPointer<UInt8>) {
    output = ByteWriter(into: buffer)
  }

  /// A writer that goes on after what `output` has written.
  public init(continuing output: consuming ByteWriter) {
    self.output = output
  }

  /// What was written, to go on with something else than JSON.
  public consuming func finish() -> ByteWriter { output }

  /// How many bytes were written or would have been, had there been room.
  public var count: Int { output.count }

  /// True when everything found room.
  public var isComplete: Bool { output.isComplete }

  /// Begins an object: `{`.
  public mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Ends an object: `}`.
  public mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Begins an array: `[`.
  public mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Ends an array: `]`.
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's key; its value comes next.
  public mutating func key(_ key: StaticString) {
    string(key)
    output.byte(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member's key from data; its value comes next. What is not UTF-8 becomes U+FFFD.
  public mutating func key(_ key: Span<UInt8>) {
    quoted(key)
    output.byte(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A string value.
  public mutating func string(_ text: StaticString) {
    quoted(text.utf8Bytes)
  }

  /// A string value. What is not UTF-8 becomes U+FFFD.
  public mutating func string(_ text: Span<UInt8>) {
    quoted(text)
  }

  /// A string value.
  @export(interface)
  public mutating func string(_ text: String) {
    var text = text
    text.withUTF8 { quoted(Span(_unsafeElements: $0)) }
  }

  /// An integer.
  public mutating func int(_ value: Int64) {
    separate()
    output.decimal(value)
  }

  /// An integer.
  public mutating func uint(_ value: UInt64) {
    separate()
    output.decimal(value)
  }

  /// A number, with the fewest digits that read back as the same double. JSON knows no infinity and no NaN:
  /// those become `null`.
  public mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    separate()
    output.shortest(value)
  }

  /// A number rounded to so many digits after the decimal point, ties to even; infinity and NaN become `null`.
  public mutating func decimal(_ value: Double, fractionDigits: Int) {
    guard value.isFinite else { return null() }
    separate()
    output.fixed(value, fractionDigits: fractionDigits)
  }

  /// `true` or `false`
  public mutating func bool(_ value: Bool) {
    separate()
    output.text(value ? "true" : "false")
  }

  /// `null`
  public mutating func null() {
    separate()
    output.text("null")
  }

  /// A value that is JSON text already.
  public mutating func raw(_ json: Span<UInt8>) {
    separate()
    output.bytes(json)
  }

  /// Begins a string that comes in pieces; `endString` ends it.
  public mutating func beginString() {
    separate()
    output.byte(UInt8(ascii: "\""))
  }

  /// Adds to a string that comes in pieces.
  public mutating func stringPiece(_ text: Span<UInt8>) { output.escapedJSON(text) }

  /// Adds what is escaped already to a string that comes in pieces.
  public mutating func escapedPiece(_ text: Span<UInt8>) { output.bytes(text) }

  /// Ends a string that came in pieces.
  public mutating func endString() { output.byte(UInt8(ascii: "\"")) }

  /// Bytes as a base64 string, encoded in place.
  public mutating func base64(_ bytes: Span<UInt8>) {
    beginString()
    base64Piece(bytes)
    endString()
  }

  /// Adds the base64 of some bytes to a string that comes in pieces.
  public mutating func base64Piece(_ bytes: Span<UInt8>) {
    let length = Base64.standard.encodedLength(of: bytes.count)
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1024) { piece in
      var offset = 0
      while offset < length {
        let count = Base64.standard.encode(bytes, from: offset, into: piece)
        output.bytes(Span(_unsafeElements: UnsafeBufferPointer(rebasing: piece[..<count])))
        offset += count
      }
    }
  }

  private mutating func separate() {
    if needsComma { output.byte(UInt8(ascii: ",")) }
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    output.byte(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    output.byte(bracket)
    needsComma = true
  }

  private mutating func quoted(_ text: Span<UInt8>) {
    beginString()
    stringPiece(text)
    endString()
  }
}

extension ByteWriter {
  /// Writes the escaped contents of a JSON string, without the quotes (RFC 8259 section 7).
  mutating func escapedJSON(_ text: Span<UInt8>) {
    var index = 0
    while index < text.count {
      let end = text.plainJSONEnd(from: index)
      bytes(text.extracting(index..<end))
      index = end
      guard index < text.count else { return }
      if text[index] < 0x80 {
        escape(text[index])
        index += 1
      } else {
        index += sequence(text.extracting(index...))
      }
    }
  }

  /// Writes the character of several bytes that `text` begins with, or U+FFFD for as many bytes as could
  /// begin one (Unicode section 3.9, "Substitution of Maximal Subparts").
  private mutating func sequence(_ text: Span<UInt8>) -> Int {
    var validator = UTF8Validator()
    var length = 0
    while length < text.count, validator.accept(text[length]) {
      length += 1
      guard validator.isComplete else { continue }
      bytes(text.extracting(0..<length))
      return length
    }
    scalar(0xFFFD)
    return max(length, 1)
  }

  private mutating func escape(_ byte: UInt8) {
    self.byte(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.byte(byte)
    case 0x08: self.byte(UInt8(ascii: "b"))
    case 0x09: self.byte(UInt8(ascii: "t"))
    case 0x0A: self.byte(UInt8(ascii: "n"))
    case 0x0C: self.byte(UInt8(ascii: "f"))
    case 0x0D: self.byte(UInt8(ascii: "r"))
    default:
      text(byte < 0x10 ? "u000" : "u001")
      self.byte(Hex.digit(byte & 15))
    }
  }
}
