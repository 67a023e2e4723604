/// The hash FNV-1a of 64 bits (Fowler, Noll and Vo), of bytes or of words. Not for secrets, and not resistant to
/// deliberate collisions.
public struct FNV1a: Equatable, Sendable {
  /// The hash of all that was added.
  public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

  /// A hash of nothing.
  public init() {}

  /// Adds a byte or a word.
  public mutating func add(_ word: UInt64) { value = (value ^ word) &* 0x100_0000_01B3 }

  /// Adds bytes, one after the other.
  public mutating func add(_ bytes: Span<UInt8>) {
    for index in 0..<bytes.count { add(UInt64(bytes[index])) }
  }

  /// Adds bytes, one after the other.
  public mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) { add(bytes.span) }
}
