import Runtime

/// Bytes for a line, as a configuration writes them: `\r`, `\n`, `\t`, `\0`, `\\` and `\x1b` stand for bytes that no
/// line of text can hold, and `none` for nothing.
public enum EscapedText {
  /// The bytes; nil when an escape is none of these, or there are more than `limit`.
  public static func bytes(_ text: String, limit: Int) -> [UInt8]? {
    if text == "none" { return [] }
    let source = Array(text.utf8)
    var bytes: [UInt8] = []
    var index = 0
    while index < source.count {
      var byte = source[index]
      index += 1
      if byte == UInt8(ascii: "\\") {
        guard index < source.count else { return nil }
        let letter = source[index]
        index += 1
        switch letter {
        case UInt8(ascii: "r"): byte = 0x0D
        case UInt8(ascii: "n"): byte = 0x0A
        case UInt8(ascii: "t"): byte = 0x09
        case UInt8(ascii: "0"): byte = 0
        case UInt8(ascii: "\\"): byte = letter
        case UInt8(ascii: "x"):
          guard index + 1 < source.count, let high = digit(source[index]), let low = digit(source[index + 1]) else {
            return nil
          }
          byte = high << 4 | low
          index += 2
        default: return nil
        }
      }
      guard bytes.count < limit else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
