/// What becomes of a character on its way from a page to a language model.
///
/// A model reads every character of a text, a person only what is drawn. What is not drawn can carry orders that nobody
/// sees, so it is dropped: controls, marks without width, marks of direction, tags, variation selectors, private use.
enum CleanScalar {
  case plain, blank, line, dropped

  /// The kind of a Unicode scalar value.
  init(_ scalar: UInt32) {
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

/// The characters of windows-1252, which is what web pages mean by latin1 as well (WHATWG Encoding, section 4.2).
enum Windows1252 {
  private static let high: InlineArray<32, UInt16> = [
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E,
    0x178,
  ]

  /// The scalar of a byte.
  static func scalar(_ byte: UInt8) -> UInt32 {
    (0x80...0x9F).contains(byte) ? UInt32(high[Int(byte - 0x80)]) : UInt32(byte)
  }
}
