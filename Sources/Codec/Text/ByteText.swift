// What parsers of text ask of bytes, which are ASCII where it matters.

extension Span where Element == UInt8 {
  /// True when the bytes are those of `text`.
  public func matches(_ text: StaticString) -> Bool { count == text.utf8CodeUnitCount && hasPrefix(text) }

  /// True when the bytes are those of the other.
  public func isSame(as other: Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }

  /// In the order of their bytes.
  public func isLess(than other: Span<UInt8>) -> Bool {
    for index in 0..<Swift.min(count, other.count) where self[index] != other[index] {
      return self[index] < other[index]
    }
    return count < other.count
  }

  /// True when they begin with `text`.
  public func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// True when they begin with `text`, which is in lower case, in any case.
  public func hasPrefix(lowercased text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[index].asciiLowercased != text.utf8Start[index] { return false }
    return true
  }

  /// True when they end with `text`.
  public func hasSuffix(_ text: StaticString) -> Bool {
    let start = count - text.utf8CodeUnitCount
    return start >= 0 && extracting(start..<count).hasPrefix(text)
  }

  /// Without white space, control characters and zero bytes at either end: text from the kernel ends in a line feed or
  /// a zero byte.
  public var trimmed: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var (start, end) = (0, count)
      while start < end, self[start] <= 0x20 { start += 1 }
      while end > start, self[end - 1] <= 0x20 { end -= 1 }
      return extracting(start..<end)
    }
  }
}

extension UInt8 {
  /// An ASCII digit.
  @inline(__always)
  public var isDigit: Bool { self &- 0x30 < 10 }

  /// The lower case of an ASCII letter; any other byte is itself.
  @inline(__always)
  public var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}
