/// CRC-32 as in IEEE 802.3 and zlib: polynomial 0xEDB88320 (reflected), initial value and final
/// exclusive-or 0xFFFFFFFF. Finds torn and rotten files; it is no defence against an author of forgeries.
public struct Checksum {
  private var state: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// Takes more bytes in. Bit by bit: records are small and rare, a table would cost more than it saves.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = (state >> 1) ^ (state & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// The checksum of everything so far.
  public var value: UInt32 { ~state }
}
