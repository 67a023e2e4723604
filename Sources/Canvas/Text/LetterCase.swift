import Graphics

/// Capitals and small letters of the scripts that the built-in keyboards know: Latin, Greek, Cyrillic, Armenian
/// (Unicode's simple mappings).
enum LetterCase {
  /// The small letter of a capital; anything else stays.
  static func small(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A1, 0x3A3...0x3AB, 0x410...0x42F: scalar + 0x20
    case 0x400...0x40F: scalar + 0x50
    case 0x531...0x556: scalar + 0x30
    case 0x386: 0x3AC
    case 0x388...0x38A: scalar + 37
    case 0x38C: 0x3CC
    case 0x38E, 0x38F: scalar + 63
    case 0x178: 0xFF
    case 0x139...0x148, 0x179...0x17E: scalar & 1 == 1 ? scalar + 1 : scalar
    case 0x100...0x12F, 0x132...0x137, 0x14A...0x177, 0x218...0x21B, 0x48A...0x4BF: scalar | 1
    default: scalar
    }
  }

  /// The capital of a small letter; anything else stays.
  static func capital(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x61...0x7A, 0xE0...0xF6, 0xF8...0xFE, 0x3B1...0x3C1, 0x3C3...0x3CB, 0x430...0x44F: scalar - 0x20
    case 0x450...0x45F: scalar - 0x50
    case 0x561...0x586: scalar - 0x30
    case 0x3AC: 0x386
    case 0x3AD...0x3AF: scalar - 37
    case 0x3CC: 0x38C
    case 0x3CD, 0x3CE: scalar - 63
    case 0xFF: 0x178
    case 0x131: 0x49
    case 0x13A...0x148, 0x17A...0x17E: scalar & 1 == 0 ? scalar - 1 : scalar
    case 0x101...0x12F, 0x133...0x137, 0x14B...0x177, 0x219...0x21B, 0x48B...0x4BF: scalar & ~1
    default: scalar
    }
  }

  /// Whether a text contains another, letters compared without regard to case.
  static func contains(_ text: Span<UInt8>, _ part: Span<UInt8>) -> Bool {
    var start = 0
    while true {
      if begins(text, start, part) { return true }
      guard start < text.count else { return false }
      start += Characters.length(text, start)
    }
  }

  private static func begins(_ text: Span<UInt8>, _ start: Int, _ part: Span<UInt8>) -> Bool {
    var (place, other) = (start, 0)
    while other < part.count {
      guard place < text.count else { return false }
      guard small(Characters.scalar(text, place)) == small(Characters.scalar(part, other)) else { return false }
      place += Characters.length(text, place)
      other += Characters.length(part, other)
    }
    return true
  }
}
