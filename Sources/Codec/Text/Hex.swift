/// Hexadecimal text (RFC 4648 section 8), two digits a byte.
public enum Hex {
  /// Writes `bytes` in lower case.
  /// - Returns: how many characters that makes; less room in `output` than that is a programmer's error.
  @discardableResult
  public static func encode(_ bytes: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    precondition(output.count >= 2 * bytes.count)
    for index in 0..<bytes.count {
      output[2 * index] = digit(bytes[index] >> 4)
      output[2 * index + 1] = digit(bytes[index] & 15)
    }
    return 2 * bytes.count
  }

  /// Reads digits of either case.
  /// - Returns: how many bytes they make, or nil when a character is no digit, when half a byte is left over,
  ///   or when there is too little room.
  public static func decode(_ text: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    guard text.count.isMultiple(of: 2), output.count >= text.count / 2 else { return nil }
    for index in 0..<text.count / 2 {
      guard let high = text[2 * index].hexValue, let low = text[2 * index + 1].hexValue else { return nil }
      output[index] = high << 4 | low
    }
    return text.count / 2
  }

  /// The digit for 0 to 15.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }
}

extension Span<UInt8> {
  /// The byte that the sign `%` at `index` and two hexadecimal digits behind it stand for (RFC 3986 section 2.1); nil
  /// where they are no digits, or are missing.
  public func percentDecoded(at index: Int) -> UInt8? {
    guard count - index > 2, let high = self[index + 1].hexValue, let low = self[index + 2].hexValue else { return nil }
    return high << 4 | low
  }
}
