/// CRC-32 as in IEEE 802.3 and zlib: polynomial 0xEDB88320 (reflected), initial value and final exclusive-or
/// 0xFFFFFFFF. Detects torn and corrupt files; it does not protect against deliberate changes.
public struct Checksum {
  private var state: UInt32 = 0xFFFF_FFFF

  public init() {}

  /// Adds bytes. Bit by bit: records are small and rare, so a table would cost more than it saves.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes {
      state ^= UInt32(byte)
      for _ in 0..<8 { state = (state >> 1) ^ (state & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
  }

  /// The checksum of everything so far.
  public var value: UInt32 { ~state }
}
