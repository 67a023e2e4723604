// Values of strings, numbers and booleans.

extension JSONView {
  /// The boolean, or nil when this is none.
  public var bool: Bool? { kind == .bool ? text[0] == UInt8(ascii: "t") : nil }

  /// The number when it is an integer that fits 64 bits, however it is written: `1000`, `1000.0` and `1e3` are the
  /// same. One beyond 2^53, which not every reader of JSON keeps (RFC 8259 section 6), counts as 2^53: sums of such
  /// numbers, and products with a thousand, fit 64 bits.
  public var int64: Int64? {
    guard kind == .number, let value = DecimalText(text).int64 else { return nil }
    return min(max(value, -Self.wholeMost), Self.wholeMost)
  }

  /// The number when it is whole, not negative and fits 64 bits; at most 2^53, as for `int64`.
  public var uint64: UInt64? {
    guard kind == .number, let value = DecimalText(text).uint64 else { return nil }
    return min(value, Self.wholeMost.magnitude)
  }

  private static var wholeMost: Int64 { 1 << 53 }

  /// The double nearest to the number (IEEE 754, ties to even), or nil when this is no number or too large
  /// for a double.
  public var double: Double? { kind == .number ? DecimalText(text).double(in: text) : nil }

  /// The instant that the string names, in milliseconds since 1 January 1970, or nil when this is no string or names
  /// none (`ISO8601.unixMilliseconds`).
  public var unixMilliseconds: Int64? {
    // The longest instant, with a fraction of 32 digits, has 58 bytes.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      guard let count = copyString(into: buffer) else { return nil }
      return ISO8601.unixMilliseconds(in: Span(_unsafeElements: UnsafeBufferPointer(buffer)[..<count]))
    }
  }

  /// How many bytes of UTF-8 the string has, unescaped, or nil when this is no string.
  public var stringLength: Int? {
    guard kind == .string else { return nil }
    var writer = ByteWriter()
    write(into: &writer)
    return writer.count
  }

  /// Copies the string, unescaped.
  /// - Returns: how many bytes it has, or nil when this is no string or `buffer` has too little room for it.
  public func copyString(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard kind == .string else { return nil }
    var writer = ByteWriter(into: buffer)
    write(into: &writer)
    return writer.isComplete ? writer.count : nil
  }

  /// Copies the string, unescaped, or as much of it as `buffer` has room for, to a character's edge.
  /// - Returns: how many bytes were copied, or nil when this is no string.
  public func copyBeginning(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard kind == .string else { return nil }
    var writer = ByteWriter(into: buffer)
    write(into: &writer)
    guard !writer.isComplete else { return writer.count }
    // The last character may be cut; one that is whole is left out as well.
    var end = buffer.count
    while end > 0, buffer[end - 1] & 0xC0 == 0x80 { end -= 1 }
    return max(end - 1, 0)
  }

  /// True when this is a string that says exactly `expected`.
  public func equals(_ expected: StaticString) -> Bool {
    equals(expected.utf8Bytes)
  }

  /// True when this is a string that says exactly `expected`, which is UTF-8.
  public func equals(_ expected: Span<UInt8>) -> Bool {
    guard kind == .string else { return false }
    var pieces = JSONStringPieces(text)
    var matched = 0
    while let piece = pieces.next() {
      switch piece {
      case .run(let run):
        guard expected.continues(at: matched, with: text.extracting(run)) else { return false }
        matched += run.count
      case .scalar(let scalar):
        let utf8 = UTF8Scalar(scalar)
        guard expected.continues(at: matched, with: utf8.bytes) else { return false }
        matched += utf8.bytes.count
      }
    }
    return matched == expected.count
  }

  private func write(into writer: inout ByteWriter) {
    var pieces = JSONStringPieces(text)
    while let piece = pieces.next() {
      switch piece {
      case .run(let run): writer.bytes(text.extracting(run))
      case .scalar(let scalar): writer.scalar(scalar)
      }
    }
  }
}

extension Span where Element == UInt8 {
  fileprivate func continues(at start: Int, with other: Span<UInt8>) -> Bool {
    guard start + other.count <= count else { return false }
    for index in 0..<other.count where self[start + index] != other[index] { return false }
    return true
  }
}

// Where things end in a text that has been checked. None of these reads beyond it.
extension Span where Element == UInt8 {
  /// Where the next key, value or closing bracket begins: after white space, commas and colons.
  @inline(__always)
  func jsonTokenStart(from start: Int) -> Int {
    var index = Swift.min(start, count)
    while index < count, self[index].isJSONSeparator { index &+= 1 }
    return index
  }

  /// Where the string that begins at `start` ends, after its quote.
  func jsonStringEnd(from start: Int) -> Int {
    var index = start + 1
    while index < count {
      index = stringRunEnd(from: index)
      guard index < count, self[index] == UInt8(ascii: "\\") else { return Swift.min(index + 1, count) }
      index += 2
    }
    return count
  }

  /// Where the value that begins at `start` ends.
  func jsonValueEnd(from start: Int) -> Int {
    var index = start
    var depth = 0
    while index < count {
      switch self[index] {
      case UInt8(ascii: "\""): index = jsonStringEnd(from: index)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { return index }
        depth -= 1
        index += 1
      case let byte where byte.isJSONSeparator:
        index += 1
        continue
      default: index = jsonScalarEnd(from: index)
      }
      if depth == 0 { return index }
    }
    return count
  }

  /// Where a number, a boolean or `null` ends.
  private func jsonScalarEnd(from start: Int) -> Int {
    var index = start
    while index < count, !self[index].isJSONSeparator, !self[index].isJSONBracket { index &+= 1 }
    return index
  }
}

extension UInt8 {
  @inline(__always)
  fileprivate var isJSONSeparator: Bool {
    isJSONSpace || self == UInt8(ascii: ",") || self == UInt8(ascii: ":")
  }

  @inline(__always)
  fileprivate var isJSONBracket: Bool { self | 0x20 == UInt8(ascii: "}") || self | 0x20 == UInt8(ascii: "{") }
}
