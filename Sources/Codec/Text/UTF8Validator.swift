/// Checks UTF-8 as it arrives, in pieces of any size (RFC 3629 section 4: no overlong form, no surrogate,
/// nothing above U+10FFFF).
public struct UTF8Validator: Sendable {
  /// How many continuation bytes the sequence that has begun still needs.
  private var remaining: UInt8 = 0
  /// What the next continuation byte may be; narrower than 80...BF only after E0, ED, F0 and F4.
  private var low: UInt8 = 0x80
  private var high: UInt8 = 0xBF

  /// A validator at the start of a text.
  public init() {}

  /// A whole text is UTF-8.
  public static func isValid(_ text: Span<UInt8>) -> Bool {
    var validator = UTF8Validator()
    return validator.accept(text) && validator.isComplete
  }

  /// True where a text may end: no sequence is half read.
  public var isComplete: Bool { remaining == 0 }

  /// Reads the next bytes of the text; false at the first byte that no UTF-8 text could have here.
  public mutating func accept(_ bytes: Span<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      if isComplete {
        index = bytes.asciiEnd(from: index)
        if index == bytes.count { break }
      }
      guard accept(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  /// Reads one byte; false when no UTF-8 text could have it here.
  @inline(__always)
  mutating func accept(_ byte: UInt8) -> Bool {
    if remaining > 0 {
      guard byte >= low, byte <= high else { return false }
      remaining -= 1
      low = 0x80
      high = 0xBF
      return true
    }
    return byte < 0x80 || begin(byte)
  }

  /// Reads the first byte of a sequence of two to four.
  private mutating func begin(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2...0xDF: remaining = 1
    case 0xE0...0xEF: remaining = 2
    case 0xF0...0xF4: remaining = 3
    default: return false
    }
    switch lead {
    case 0xE0: low = 0xA0
    case 0xED: high = 0x9F
    case 0xF0: low = 0x90
    case 0xF4: high = 0x8F
    default: break
    }
    return true
  }
}
