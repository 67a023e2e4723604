// Scanning eight bytes at a time. Each helper folds "does any byte of this word ...?" into the top bit of
// every byte; a false alarm only sends the caller to its byte-at-a-time path.

extension UInt64 {
  /// The same byte eight times.
  @inline(__always)
  init(repeating byte: UInt8) {
    self = UInt64(byte) &* 0x0101_0101_0101_0101
  }

  /// The top bit of each byte.
  @inline(__always)
  static var topBits: UInt64 { 0x8080_8080_8080_8080 }

  /// Top bits set in, at least, the lowest byte that is zero, and none when no byte is zero.
  @inline(__always)
  var zeroBytes: UInt64 { (self &- UInt64(repeating: 1)) & ~self & .topBits }

  /// Top bits set in, at least, the lowest byte that JSON does not copy as it stands in a string: a control
  /// character, a quote, a backslash, or anything outside ASCII.
  @inline(__always)
  var specialInJSONString: UInt64 {
    let control = (self &- UInt64(repeating: 0x20)) & ~self & .topBits
    let quote = (self ^ UInt64(repeating: 0x22)).zeroBytes
    let backslash = (self ^ UInt64(repeating: 0x5C)).zeroBytes
    return control | quote | backslash | (self & .topBits)
  }
}

extension Span where Element == UInt8 {
  /// The eight bytes at `index`, the first of them lowest, whatever the machine's byte order.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// Where the run of ASCII bytes that begins at `start` ends.
  @inline(__always)
  func asciiEnd(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let found = word(at: index) & .topBits
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index] < 0x80 { index &+= 1 }
    return index
  }

  /// Where the run of bytes that stand for themselves inside a JSON string ends (see `specialInJSONString`).
  @inline(__always)
  func plainJSONEnd(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= count {
      let found = word(at: index).specialInJSONString
      if found != 0 { return index &+ found.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < count, self[index].isPlainInJSONString { index &+= 1 }
    return index
  }
}

extension UInt8 {
  /// A printable ASCII character other than the quote and the backslash.
  @inline(__always)
  var isPlainInJSONString: Bool { self >= 0x20 && self < 0x80 && self != 0x22 && self != 0x5C }

  /// The value of a hexadecimal digit of either case, or nil.
  @inlinable
  @inline(__always)
  public var hexValue: UInt8? {
    switch self {
    case 0x30...0x39: self &- 0x30
    case 0x41...0x46: self &- 0x41 &+ 10
    case 0x61...0x66: self &- 0x61 &+ 10
    default: nil
    }
  }
}
