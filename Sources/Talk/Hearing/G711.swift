/// The µ-law code of telephones (ITU-T G.711): 8 bits for a sample of 14, at 8 kHz. Gateways take what they are to transcribe in
/// it (gateway reference 9.10).
public enum G711 {
  private static let bias = 132
  private static let most = 32_635

  /// The code of a sample.
  public static func encode(_ sample: Int16) -> UInt8 {
    let sign: UInt8 = sample < 0 ? 0x80 : 0
    let magnitude = min(abs(Int(sample)), most) + bias
    // The segment is the place of the highest bit above the lowest eight.
    var segment = 7
    while segment > 0, magnitude < 256 << (segment - 1) { segment -= 1 }
    let step = UInt8(truncatingIfNeeded: magnitude >> (segment + 3) & 15)
    return ~(sign | UInt8(segment) << 4 | step)
  }

  /// The sample of a code.
  public static func decode(_ code: UInt8) -> Int16 {
    let bits = ~code
    let segment = Int(bits >> 4 & 7)
    let magnitude = (Int(bits & 15) << 3 + bias) << segment - bias
    return Int16(bits & 0x80 == 0 ? magnitude : -magnitude)
  }
}
