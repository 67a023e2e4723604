/// Fast hashes of long texts, eight bytes at a time. Not for secrets, and not resistant to deliberate collisions.
public enum ByteHash {
  /// Two independent hashes: multiplied by the two constants of MurmurHash3's finalizer (fmix64), with the upper half
  /// shifted into the lower.
  public static func pair(_ text: Span<UInt8>) -> (UInt64, UInt64) {
    text.withUnsafeBytes { bytes in
      var (first, second) = (UInt64(bytes.count) ^ 0xCBF2_9CE4_8422_2325, UInt64(bytes.count) ^ 0x9E37_79B9_7F4A_7C15)
      var index = 0
      while index < bytes.count {
        var word: UInt64 = 0
        if index + 8 <= bytes.count {
          word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        } else {
          for place in index..<bytes.count { word = word << 8 | UInt64(bytes[place]) }
        }
        first = mix(first, word)
        second = (second ^ word) &* 0xC4CE_B9FE_1A85_EC53
        second ^= second >> 29
        index += 8
      }
      return (first, second)
    }
  }

  /// A hash with one more word in it.
  public static func mix(_ hash: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
    return mixed ^ mixed >> 32
  }
}
