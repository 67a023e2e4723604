import Codec
import Runtime

/// A random UUID as text (RFC 9562, version 4).
public enum UUIDText {
  public static func make(_ random: any RandomSource) -> InlineText<64> {
    var bits = InlineArray<16, UInt8>(repeating: 0)
    var span = bits.mutableSpan
    span.withUnsafeMutableBytes { random.fill($0) }
    bits[6] = bits[6] & 0x0F | 0x40
    bits[8] = bits[8] & 0x3F | 0x80
    var digits = InlineArray<32, UInt8>(repeating: 0)
    var output = digits.mutableSpan
    output.withUnsafeMutableBufferPointer { _ = Hex.encode(bits.span, into: $0) }
    var text = InlineText<64>()
    text.fill { buffer in
      var writer = ByteWriter(into: buffer)
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 { writer.text("-") }
        writer.byte(digits[index])
      }
      return writer.count
    }
    return text
  }
}
