import Codec
import Runtime

/// A phrase in normal form, for comparing: words in lower case without punctuation and accents, separated by one space.
///
/// As node-commands 6.2 says: words are split at whitespace, stripped of whitespace and punctuation at their ends, and
/// lower-cased. In addition, Latin letters lose their accents, precomposed or combining, so that both spellings of
/// "Zoë" are equal. Voices get the phrase with its precomposed accents.
public struct PhraseText: ~Copyable {
  private var bytes = InlineArray<192, UInt8>(repeating: 0)
  /// Bytes of UTF-8.
  public private(set) var count = 0
  /// Units of UTF-16.
  private var units = 0
  /// Bytes and units up to the last character that is not punctuation, the end of the word so far.
  private var solid = 0
  private var solidUnits = 0

  /// The phrase in `text`, UTF-8; nil when that is not UTF-8, has more than 64 units of UTF-16 or no letter or digit.
  /// - Parameter keepsAccents: for speaking, not for comparing
  public init?(_ text: UnsafeBufferPointer<UInt8>, keepsAccents: Bool = false) {
    var place = 0
    var isStart = true
    while place < text.count {
      guard let scalar = Self.scalar(text, &place) else { return nil }
      if Self.isSpace(scalar) {
        endWord(&isStart)
        continue
      }
      if 0x300...0x36F ~= scalar { continue }
      let plain = keepsAccents ? Self.small(scalar) : Self.withoutAccent(Self.small(scalar))
      let isMark = Self.isMark(plain)
      if isMark && isStart { continue }
      if isStart, count > 0 { guard append(0x20) else { return nil } }
      isStart = false
      guard append(plain) else { return nil }
      if !isMark { (solid, solidUnits) = (count, units) }
    }
    endWord(&isStart)
    guard count > 0 else { return nil }
  }

  /// Byte `index`.
  public subscript(_ index: Int) -> UInt8 { bytes[index] }

  /// Calls `body` with each character, as a code point.
  public func forEachScalar(_ body: (UInt32) -> Void) {
    var place = 0
    while place < count {
      let first = bytes[place]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      var scalar = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
      for index in 1..<length { scalar = scalar << 6 | UInt32(bytes[place + index] & 0x3F) }
      body(scalar)
      place += length
    }
  }

  /// True for the same phrase.
  public func equals(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard other.count == count else { return false }
    for index in 0..<count where bytes[index] != other[index] { return false }
    return true
  }

  private mutating func endWord(_ isStart: inout Bool) {
    (count, units) = (solid, solidUnits)
    isStart = true
  }

  private mutating func append(_ scalar: UInt32) -> Bool {
    let more = scalar >= 0x10000 ? 2 : 1
    guard units + more <= Budget.wakePhraseUnits else { return false }
    units += more
    switch scalar {
    case ..<0x80: put(scalar)
    case ..<0x800:
      put(0xC0 | scalar >> 6)
      put(0x80 | scalar & 0x3F)
    case ..<0x10000:
      put(0xE0 | scalar >> 12)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    default:
      put(0xF0 | scalar >> 18)
      put(0x80 | scalar >> 12 & 0x3F)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    }
    return true
  }

  private mutating func put(_ byte: UInt32) {
    bytes[count] = UInt8(truncatingIfNeeded: byte)
    count += 1
  }
}

extension PhraseText {
  /// The character at a place; nil for invalid UTF-8.
  private static func scalar(_ text: UnsafeBufferPointer<UInt8>, _ place: inout Int) -> UInt32? {
    let first = text[place]
    let length =
      first < 0x80 ? 1 : first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0
    guard length > 0, place + length <= text.count else { return nil }
    guard length > 1 else {
      place += 1
      return UInt32(first)
    }
    var scalar = UInt32(first) & (0x7F >> UInt32(length))
    for index in 1..<length {
      guard text[place + index] & 0xC0 == 0x80 else { return nil }
      scalar = scalar << 6 | UInt32(text[place + index] & 0x3F)
    }
    place += length
    let least: UInt32 = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000
    return scalar < least || 0xD800...0xDFFF ~= scalar || scalar > 0x10FFFF ? nil : scalar
  }

  private static func isSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09...0x0D, 0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
      0xFEFF:
      true
    default: false
    }
  }

  /// Punctuation and symbols of ASCII, Latin 1, and the general and CJK punctuation blocks.
  private static func isMark(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x84, 0x86...0xA9, 0xAB...0xB4, 0xB6...0xB9, 0xBB...0xBF,
      0xD7, 0xF7,
      0x2010...0x205E, 0x3001...0x3003, 0x3008...0x3011, 0xFF01...0xFF0F, 0xFF1A...0xFF20:
      true
    default: false
    }
  }

  /// Base letters of U+00E0 to U+00FF; 0 for those without one.
  private static let latin: StaticString = "aaaaaa\0ceeeeiiii\0nooooo\0\0uuuuy\0\0"

  /// A lower-case letter of Latin 1 without its accent; anything else unchanged.
  public static func withoutAccent(_ scalar: UInt32) -> UInt32 {
    guard 0xE0...0xFF ~= scalar, scalar != 0xF7 else { return scalar }
    if scalar == 0xFF { return 0x79 }
    let letter = latin.utf8Start[Int(scalar) & 0x1F]
    return letter == 0 ? scalar : UInt32(letter)
  }

  /// The lower case of an ASCII, Latin, Greek or Cyrillic capital; all apostrophes become one.
  public static func small(_ scalar: UInt32) -> UInt32 {
    switch scalar {
    case 0x41...0x5A, 0x391...0x3A9, 0x410...0x42F: scalar + 0x20
    case 0xC0...0xDE: scalar == 0xD7 ? scalar : scalar + 0x20
    // Latin Extended A has pairs with an even capital, except in two ranges, and the Turkish i.
    case 0x130: 0x69
    case 0x100...0x137, 0x14A...0x177: scalar | 1
    case 0x139...0x148, 0x179...0x17E: scalar + (scalar & 1)
    case 0x178: 0xFF
    case 0x400...0x40F: scalar + 0x50
    case 0x2018, 0x2019: 0x27
    default: scalar
    }
  }
}
