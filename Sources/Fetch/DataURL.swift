import Codec
import Runtime

/// A `data:` URL (RFC 2397): content inside the URL, in base64 or as `%xx`.
public enum DataURL {
  public enum Fault: Error, Sendable {
    /// No comma after the type, or the content is neither base64 nor `%xx`.
    case malformed
    case tooLarge
  }

  /// True for a `data:` URL.
  public static func isData(_ text: Span<UInt8>) -> Bool { text.hasPrefix(lowercased: "data:") }

  /// Where the content begins, and whether it is base64; nil when there is none.
  private static func head(_ text: Span<UInt8>) -> (start: Int, isBase64: Bool)? {
    guard isData(text) else { return nil }
    var comma = 5
    while comma < text.count, text[comma] != UInt8(ascii: ",") { comma += 1 }
    guard comma < text.count else { return nil }
    let isBase64 = comma >= 12 && text.extracting((comma - 7)..<comma).hasPrefix(lowercased: ";base64")
    return (comma + 1, isBase64)
  }

  /// The type, in lower case and without parameters; empty when none is named.
  public static func type(of text: Span<UInt8>) -> InlineText<64> {
    var type = InlineText<64>()
    guard isData(text) else { return type }
    var end = 5
    while end < text.count, text[end] != UInt8(ascii: ","), text[end] != UInt8(ascii: ";") { end += 1 }
    type.fill { buffer in
      guard end - 5 <= buffer.count else { return nil }
      for index in 5..<end { buffer[index - 5] = text[index].asciiLowercased }
      return end - 5
    }
    return type
  }

  /// Writes the content into `output`: its bytes. White space in base64 is ignored; the URL alphabet is accepted too,
  /// and padding may be missing.
  public static func decode(
    _ text: Span<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>
  ) throws(Fault) -> Int {
    guard let (start, isBase64) = head(text) else { throw .malformed }
    var (count, index) = (0, start)
    var (bits, held): (UInt32, UInt32) = (0, 0)
    var isPadded = false
    while index < text.count {
      var byte = text[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard let decoded = text.percentDecoded(at: index - 1) else { throw .malformed }
        byte = decoded
        index += 2
      }
      if !isBase64 {
        guard count < output.count else { throw .tooLarge }
        output[count] = byte
        count += 1
        continue
      }
      if byte <= 0x20 { continue }
      if byte == UInt8(ascii: "=") {
        isPadded = true
        continue
      }
      guard !isPadded, let value = value(of: byte) else { throw .malformed }
      bits = bits << 6 | value
      held += 6
      guard held >= 8 else { continue }
      held -= 8
      guard count < output.count else { throw .tooLarge }
      output[count] = UInt8(truncatingIfNeeded: bits >> held)
      count += 1
    }
    // A group of a single character is less than a byte.
    if held == 6 { throw .malformed }
    return count
  }

  private static func value(of character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
