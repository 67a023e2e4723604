import Codec

/// Where hashes stand in a table of chains. Who chooses the names cannot tell which of them come into one chain, for
/// the key is where the kernel has put the table's memory, which differs from start to start. Nothing but the time of a
/// search depends on it.
struct TableKey {
  private let seed: UInt64

  init(_ address: UInt) { seed = UInt64(truncatingIfNeeded: address >> 12) &* 0x9E37_79B9_7F4A_7C15 }

  /// The number of the chain, below `count`.
  func chain(_ hash: UInt64, of count: Int) -> Int {
    // Twice, so that the highest bits of the hash reach the lowest.
    Int(truncatingIfNeeded: ByteHash.mix(ByteHash.mix(hash, seed), seed) % UInt64(truncatingIfNeeded: count))
  }
}

/// Borrowed text, mostly in an arena: valid until that changes.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UnsafeBufferPointer where Element == UInt8 {
  /// No text.
  static var empty: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: nil, count: 0) }

  /// Not keyed: what finds something by it is a search tree, or a table with a `TableKey`.
  var hash: UInt64 { hash(from: FNV1a()) }

  /// The same, continued from a previous hash.
  func hash(from start: FNV1a) -> UInt64 {
    var hash = start
    hash.add(self)
    return hash.value
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
