/// A set of ASCII characters, written as `[a-z0-9 _-]`.
public struct ASCIISet: Equatable, Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  /// An empty set.
  public init() {}

  public var isEmpty: Bool { low == 0 && high == 0 }

  /// True when the byte is one of these characters.
  public func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low >> UInt64(byte) & 1 == 1 : byte < 128 && high >> UInt64(byte - 64) & 1 == 1
  }

  /// Adds a character; bytes above ASCII are none.
  public mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
  }

  /// Reads what stands between `[` and `]`, from `index` behind the first bracket; leaves `index` after the last one.
  /// A backslash takes the next character as it is. Nil when the set has no end, no character, or something else than
  /// printable ASCII.
  public init?(_ text: Span<UInt8>, at index: inout Int) {
    var previous: UInt8?
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "]") {
        if isEmpty { return nil }
        return
      }
      let isRange =
        byte == UInt8(ascii: "-") && previous != nil && index < text.count && text[index] != UInt8(ascii: "]")
      if isRange {
        byte = text[index]
        index += 1
      }
      if byte == UInt8(ascii: "\\") {
        guard index < text.count else { return nil }
        byte = text[index]
        index += 1
      }
      guard byte >= 0x20, byte < 0x7F else { return nil }
      if isRange, let first = previous {
        guard first <= byte else { return nil }
        for member in first...byte { insert(member) }
        previous = nil
      } else {
        insert(byte)
        previous = byte
      }
    }
    return nil
  }
}
