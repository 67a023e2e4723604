/// The companding laws of telephony (ITU-T G.711): a 16-bit sample as a byte.
public enum G711 {
  /// Added before the logarithm, and the largest value that does not overflow with it (ITU-T G.711, µ-law).
  private static let bias: Int32 = 132
  private static let most: Int32 = 32_635

  /// The code of a sample in the mu-law.
  @inline(__always)
  public static func muLaw(encoding sample: Int16) -> UInt8 {
    let magnitude = min(abs(Int32(sample)), most) + bias
    let segment = 24 - Int32(magnitude.leadingZeroBitCount)
    let byte = UInt8(segment << 4 | magnitude >> (segment + 3) & 15)
    return ~(sample < 0 ? byte | 0x80 : byte)
  }

  /// The sample of a code of the mu-law.
  @inline(__always)
  public static func muLaw(_ code: UInt8) -> Int16 {
    let bits = Int32(~code)
    let magnitude = ((bits & 15) << 3 + bias) << (bits >> 4 & 7) - bias
    return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
  }

  /// The code of a sample in the A-law.
  @inline(__always)
  public static func aLaw(encoding sample: Int16) -> UInt8 {
    let magnitude = Int32(sample < 0 ? -(sample + 1) : sample)
    let segment = magnitude < 256 ? 0 : 24 - Int32(magnitude.leadingZeroBitCount)
    let byte = UInt8(segment << 4 | magnitude >> (segment == 0 ? 4 : segment + 3) & 15)
    return (sample < 0 ? byte : byte | 0x80) ^ 0x55
  }

  /// The sample of a code of the A-law.
  @inline(__always)
  public static func aLaw(_ code: UInt8) -> Int16 {
    let bits = Int32(code ^ 0x55)
    let segment = (bits & 0x70) >> 4
    var magnitude = (bits & 15) << 4 + 8
    if segment > 0 { magnitude = (magnitude + 0x100) << (segment - 1) }
    return Int16(bits & 0x80 != 0 ? magnitude : -magnitude)
  }
}
