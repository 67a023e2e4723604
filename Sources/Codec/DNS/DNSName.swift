/// A domain name in wire form: labels, each after its length (RFC 1035 section 3.1). Any byte may be in a label;
/// comparison ignores the case of ASCII letters (RFC 4343).
public struct DNSName: Equatable, Sendable {
  /// The longest label in bytes (RFC 1035 section 2.3.4).
  public static let labelMax = 63
  /// The longest name in bytes, lengths and the root's zero included (RFC 1035 section 2.3.4).
  public static let nameMax = 255

  /// Each jump of a name leads to a label of it, or to its end.
  private static let jumpMax = 128

  private var wire = InlineArray<255, UInt8>(repeating: 0)
  private var length = 1

  /// The root.
  public init() {}

  /// True for the root.
  public var isRoot: Bool { length == 1 }

  /// The wire form, uncompressed, with the root's zero.
  public var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get { wire.span.extracting(..<length) }
  }

  /// The first label; empty for the root.
  public var firstLabel: Span<UInt8> {
    @_lifetime(borrow self)
    get { wire.span.extracting(1..<1 + Int(wire[0])) }
  }

  /// Parses the text form, with or without the final dot. `\.` stands for a dot inside a label, `\DDD` for the byte
  /// with that decimal number (RFC 1035 section 5.1).
  public init(text: Span<UInt8>) throws(DNSError) {
    if text.count == 1, text[0] == UInt8(ascii: ".") { return }
    var label = InlineArray<63, UInt8>(repeating: 0)
    var count = 0
    var index = 0
    while index < text.count {
      let start = index
      if text[index] == UInt8(ascii: ".") {
        try append(label: label.span.extracting(..<count), at: start)
        (count, index) = (0, index + 1)
        continue
      }
      let byte = try Self.character(text, at: &index)
      guard count < Self.labelMax else { throw DNSError(kind: .labelTooLong, offset: start) }
      label[count] = byte
      count += 1
    }
    if count > 0 { try append(label: label.span.extracting(..<count), at: text.count) }
  }

  /// A literal, which must be a valid name.
  public init(_ literal: StaticString) {
    do throws(DNSError) {
      try self.init(text: literal.utf8Bytes)
    } catch {
      preconditionFailure("not a name")
    }
  }

  private static func character(_ text: Span<UInt8>, at index: inout Int) throws(DNSError) -> UInt8 {
    let start = index
    index += 1
    guard text[start] == UInt8(ascii: "\\") else { return text[start] }
    guard index < text.count else { throw DNSError(kind: .badEscape, offset: start) }
    guard text[index].isDigit else {
      index += 1
      return text[start + 1]
    }
    guard text.count - index >= 3, text[index + 1].isDigit, text[index + 2].isDigit else {
      throw DNSError(kind: .badEscape, offset: start)
    }
    let value = 100 * Int(text[index] & 15) + 10 * Int(text[index + 1] & 15) + Int(text[index + 2] & 15)
    guard value <= 255 else { throw DNSError(kind: .badEscape, offset: start) }
    index += 3
    return UInt8(value)
  }

  /// Reads a name of a message and moves `index` after it. A pointer must lead to before the labels that it ends, so
  /// every name ends, and none costs more than 255 bytes and 128 jumps (RFC 1035 section 4.1.4).
  public init(_ message: Span<UInt8>, at index: inout Int) throws(DNSError) {
    var place = index
    var runStart = index
    var end: Int?
    var jumps = 0
    while true {
      guard place >= 0, place < message.count else { throw DNSError(kind: .truncated, offset: place) }
      let head = Int(message[place])
      switch head & 0xC0 {
      case 0 where head == 0:
        index = end ?? place + 1
        return
      case 0:
        guard message.count - place > head else { throw DNSError(kind: .truncated, offset: place) }
        try append(label: message.extracting(place + 1..<place + 1 + head), at: place)
        place += 1 + head
      case 0xC0:
        guard place + 1 < message.count else { throw DNSError(kind: .truncated, offset: place) }
        let target = (head & 0x3F) << 8 | Int(message[place + 1])
        jumps += 1
        guard target < runStart, jumps <= Self.jumpMax else { throw DNSError(kind: .badPointer, offset: place) }
        if end == nil { end = place + 2 }
        (place, runStart) = (target, target)
      default: throw DNSError(kind: .reservedLabel, offset: place)
      }
    }
  }

  /// Appends a label on the side of the root.
  /// - Parameter offset: the offset for an error.
  public mutating func append(label: Span<UInt8>, at offset: Int = 0) throws(DNSError) {
    guard label.count > 0 else { throw DNSError(kind: .emptyLabel, offset: offset) }
    guard label.count <= Self.labelMax else { throw DNSError(kind: .labelTooLong, offset: offset) }
    guard length + 1 + label.count <= Self.nameMax else { throw DNSError(kind: .nameTooLong, offset: offset) }
    wire[length - 1] = UInt8(label.count)
    for index in 0..<label.count { wire[length + index] = label[index] }
    length += label.count + 1
    wire[length - 1] = 0
  }

  /// Adds another name at the end.
  public mutating func append(_ other: DNSName) throws(DNSError) {
    guard length + other.length - 1 <= Self.nameMax else { throw DNSError(kind: .nameTooLong, offset: 0) }
    for index in 0..<other.length { wire[length - 1 + index] = other.wire[index] }
    length += other.length - 1
  }

  /// True when `self` is `label.parent` for exactly one label.
  public func isDirectChild(of parent: DNSName) -> Bool {
    let skipped = 1 + Int(wire[0])
    guard skipped > 1, length - skipped == parent.length else { return false }
    return equals(from: skipped, parent)
  }

  /// True when the last labels are those of `suffix`.
  public func hasSuffix(_ suffix: DNSName) -> Bool {
    var start = 0
    while length - start > suffix.length { start += 1 + Int(wire[start]) }
    return length - start == suffix.length && equals(from: start, suffix)
  }

  private func equals(from start: Int, _ other: DNSName) -> Bool {
    for index in 0..<other.length
    where wire[start + index].asciiLowercased != other.wire[index].asciiLowercased { return false }
    return true
  }

  public static func == (left: DNSName, right: DNSName) -> Bool {
    left.length == right.length && left.equals(from: 0, right)
  }

  /// Writes the text form; bytes other than visible ASCII become `\DDD`.
  /// - Parameter isRooted: whether the final dot is written. The root is a dot either way.
  public func writeText(to writer: inout ByteWriter, isRooted: Bool) {
    if isRoot { return writer.byte(UInt8(ascii: ".")) }
    var index = 0
    while wire[index] > 0 {
      if index > 0 { writer.byte(UInt8(ascii: ".")) }
      let end = index + 1 + Int(wire[index])
      for place in index + 1..<end { Self.writeCharacter(wire[place], to: &writer) }
      index = end
    }
    if isRooted { writer.byte(UInt8(ascii: ".")) }
  }

  private static func writeCharacter(_ byte: UInt8, to writer: inout ByteWriter) {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "\\"):
      writer.byte(UInt8(ascii: "\\"))
      writer.byte(byte)
    case 0x21...0x7E: writer.byte(byte)
    default:
      writer.byte(UInt8(ascii: "\\"))
      writer.decimal(UInt64(byte), width: 3)
    }
  }
}
