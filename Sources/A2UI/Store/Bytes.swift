/// Borrowed text, mostly in an arena: valid until that changes.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer where Element == UInt8 {
  /// No text.
  static var empty: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

  /// FNV-1a of 64 bits. Not keyed: the tables that use it are small enough for collisions not to matter.
  var hash: UInt64 { hash(from: 0xCBF2_9CE4_8422_2325) }

  /// The same, continued from a previous hash.
  func hash(from start: UInt64) -> UInt64 {
    var value = start
    for byte in self { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return value
  }

  /// True when both hold the same bytes.
  func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }

  func equals(_ other: StaticString) -> Bool {
    equals(UnsafeBufferPointer(start: other.utf8Start, count: other.utf8CodeUnitCount))
  }

  func hasPrefix(_ other: StaticString) -> Bool {
    count >= other.utf8CodeUnitCount && prefix(other.utf8CodeUnitCount).equals(other)
  }

  func prefix(_ length: Int) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: baseAddress, count: length) }

  func dropping(_ length: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: baseAddress.map { $0 + length }, count: count - length)
  }

  func between(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return UnsafeBufferPointer(start: baseAddress.map { $0 + range.lowerBound }, count: range.count)
  }
}
