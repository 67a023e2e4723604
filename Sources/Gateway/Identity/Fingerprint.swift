import Codec
import Runtime

/// SHA-256 over the DER of a leaf certificate: what a pin is compared with (gateway reference 6.1).
public struct Fingerprint: Equatable, Sendable {
  /// The digest.
  public let digest: InlineArray<32, UInt8>

  /// A fingerprint from its digest.
  public init(digest: InlineArray<32, UInt8>) { self.digest = digest }

  /// Parses the forms that people paste: an optional `sha256` or `sha-256` prefix, then 64 hexadecimal digits with any
  /// separators among them. Nil for anything else.
  public init?(text: Span<UInt8>) {
    var digest = InlineArray<32, UInt8>(repeating: 0)
    var digits = 0
    for index in Self.prefixLength(of: text)..<text.count {
      guard let value = text[index].hexValue else { continue }
      guard digits < 64 else { return nil }
      digest[digits / 2] = digest[digits / 2] << 4 | value
      digits += 1
    }
    guard digits == 64 else { return nil }
    self.digest = digest
  }

  private static func prefixLength(of text: Span<UInt8>) -> Int {
    var start = 0
    while start < text.count, text[start] <= UInt8(ascii: " ") { start += 1 }
    if hasPrefix(text, at: start, "sha-256") { return start + 7 }
    if hasPrefix(text, at: start, "sha256") { return start + 6 }
    return start
  }

  private static func hasPrefix(_ text: Span<UInt8>, at start: Int, _ prefix: StaticString) -> Bool {
    guard text.count - start >= prefix.utf8CodeUnitCount else { return false }
    for (offset, byte) in prefix.bytes.enumerated() where text[start + offset] | 0x20 != byte | 0x20 {
      return false
    }
    return true
  }

  /// The 64 lower-case digits.
  public var hex: InlineArray<64, UInt8> {
    var text = InlineArray<64, UInt8>(repeating: 0)
    var span = text.mutableSpan
    span.withUnsafeMutableBufferPointer { _ = Hex.encode(digest.span, into: $0) }
    return text
  }

  public static func == (left: Fingerprint, right: Fingerprint) -> Bool {
    var difference: UInt8 = 0
    for index in 0..<32 { difference |= left.digest[index] ^ right.digest[index] }
    return difference == 0
  }
}
