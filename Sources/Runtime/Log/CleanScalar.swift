/// What becomes of a character of others on its way to a person or a language model.
///
/// A model reads every character of a text, a person only what is drawn. What is not drawn can carry orders that nobody
/// sees, or make a text read differently, so it is dropped: controls, marks without width, marks of direction, tags,
/// variation selectors, private use.
public enum CleanScalar: Sendable {
  case plain, blank, line, dropped

  /// The kind of a Unicode scalar value.
  public init(_ scalar: UInt32) {
    if scalar > 0x20, scalar < 0x7F {
      self = .plain
    } else if scalar < 0xA0 {
      self = Self.control(scalar)
    } else if scalar < 0x2000 {
      self = Self.low(scalar)
    } else if scalar < 0x2070 {
      self = Self.punctuation(scalar)
    } else {
      self = Self.high(scalar)
    }
  }

  /// Below U+00A0, and no visible ASCII.
  private static func control(_ scalar: UInt32) -> CleanScalar {
    switch scalar {
    case 0x20, 0x09, 0x0C: .blank
    case 0x0A, 0x0D, 0x0B, 0x85: .line
    default: .dropped
    }
  }

  private static func low(_ scalar: UInt32) -> CleanScalar {
    switch scalar {
    case 0xA0, 0x1680: .blank
    // Soft hyphen, grapheme joiner, Arabic letter mark, Hangul fillers, Khmer inherent vowels, Mongolian selectors.
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F: .dropped
    default: .plain
    }
  }

  /// The block General Punctuation.
  private static func punctuation(_ scalar: UInt32) -> CleanScalar {
    switch scalar {
    case 0x2000...0x200A, 0x202F, 0x205F: .blank
    case 0x2028, 0x2029: .line
    // Zero-width and direction marks; embeddings; invisible operators, isolates, deprecated format characters.
    case 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F: .dropped
    default: .plain
    }
  }

  private static func high(_ scalar: UInt32) -> CleanScalar {
    switch scalar {
    case 0x2800, 0x3000: .blank
    // Hangul fillers, surrogates and private use, variation selectors, byte order mark, annotations.
    case 0x3164, 0xFFA0, 0xD800...0xF8FF, 0xFE00...0xFE0F, 0xFEFF, 0xFFF0...0xFFFB: .dropped
    case 0xFDD0...0xFDEF, 0x1BCA0...0x1BCAF, 0x1D173...0x1D17A: .dropped
    // Tags, further selectors, and the planes for private use.
    case 0xE0000...: .dropped
    default: scalar & 0xFFFE == 0xFFFE ? .dropped : .plain
    }
  }
}
