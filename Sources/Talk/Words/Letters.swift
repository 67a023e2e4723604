/// Iterates over the characters of a text for comparing words: decoded, lower-cased, classified.
struct Letters: ~Escapable {
  private let text: Span<UInt8>
  /// The index of the next character.
  private(set) var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>, from index: Int = 0) {
    self.text = text
    self.index = index
  }

  /// The next character; nil at the end. Invalid UTF-8 is returned byte for byte, as characters that are not part of
  /// words.
  mutating func next() -> UInt32? {
    guard index < text.count else { return nil }
    let lead = text[index]
    let length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1
    guard length > 1, index + length <= text.count else {
      index += 1
      return lead < 0x80 ? UInt32(lead) : 0xFFFD
    }
    var scalar = UInt32(lead) & (0x7F >> UInt32(length))
    for place in 1..<length {
      guard text[index + place] & 0xC0 == 0x80 else {
        index += 1
        return 0xFFFD
      }
      scalar = scalar << 6 | UInt32(text[index + place] & 0x3F)
    }
    index += length
    return scalar
  }
}

extension UInt32 {
  /// The lower case of a Latin, Greek or Cyrillic capital (Unicode's simple case mappings of U+0000 to U+045F); others
  /// as they are.
  var small: UInt32 {
    switch self {
    case 0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE, 0x391...0x3A1, 0x3A3...0x3AB, 0x410...0x42F: self + 32
    case 0x400...0x40F: self + 80
    // Pairs: the capital is even up to U+0137 and from U+014A on, and odd between.
    case 0x100...0x12F, 0x132...0x137, 0x14A...0x177: self | 1
    case 0x139...0x148, 0x179...0x17E: self & 1 == 1 ? self + 1 : self
    case 0x178: 0xFF
    default: self
    }
  }

  var isSpace: Bool { self <= 0x20 || self == 0xA0 || 0x2000...0x200B ~= self || self == 0x3000 || self == 0x85 }

  /// Neither letter, digit nor space, in ASCII, Latin-1 and the blocks of punctuation.
  var isPunctuation: Bool {
    switch self {
    case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7F: true
    case 0xA1...0xA9, 0xAB...0xB1, 0xB4, 0xB6...0xB8, 0xBB, 0xBF: true
    case 0x2010...0x206F, 0x3001...0x301F, 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFFFD: true
    default: false
    }
  }
}
