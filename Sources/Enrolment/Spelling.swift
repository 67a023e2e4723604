import Runtime
import Voice

/// A phrase as synthetic voices are given it, which know English.
public struct Spelling {
  /// What can be expected of it.
  public enum Verdict: UInt8, Sendable {
    case good
    /// One syllable: much else sounds like it.
    case short
    /// Has letters that no English voice pronounces: it is not spoken.
    case foreign
  }

  /// Latin letters, digits, apostrophes and hyphens, in words with a space between them; UTF-8.
  public let text: [UInt8]
  public let verdict: Verdict

  /// Letters up to here are Latin ones, with or without accents.
  private static let lastLatin: UInt32 = 0x17F

  public init(_ phrase: borrowing PhraseText) {
    var text: [UInt8] = []
    var isForeign = false
    var place = 0
    while place < phrase.count {
      let first = phrase[place]
      let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
      if length == 1 {
        if Self.isSpoken(first) { text.append(first) } else if text.last != 0x20, !text.isEmpty { text.append(0x20) }
      } else if length == 2, Self.isLatin(UInt32(first & 0x1F) << 6 | UInt32(phrase[place + 1] & 0x3F)) {
        text.append(first)
        text.append(phrase[place + 1])
      } else {
        isForeign = true
      }
      place += length
    }
    if text.last == 0x20 { text.removeLast() }
    self.text = text
    verdict = isForeign || !Self.hasLetter(text) ? .foreign : Self.syllables(of: text) < 2 ? .short : .good
  }

  /// What is nearest to it and not it: of several words all but the last and all but the first.
  public var parts: [[UInt8]] {
    guard let first = text.firstIndex(of: 0x20), let last = text.lastIndex(of: 0x20) else { return [] }
    return [Array(text[..<last]), Array(text[(first + 1)...])]
  }

  private static func isLatin(_ scalar: UInt32) -> Bool { 0xC0...lastLatin ~= scalar && scalar != 0xD7 && scalar != 0xF7 }

  private static func isSpoken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x27, 0x2D, 0x30...0x39, 0x61...0x7A: true
    default: false
    }
  }

  private static func hasLetter(_ text: [UInt8]) -> Bool {
    for byte in text where 0x30...0x39 ~= byte || 0x61...0x7A ~= byte || byte >= 0xC0 { return true }
    return false
  }

  /// About how many syllables English makes of it. A word without a vowel is spelled out.
  static func syllables(of text: [UInt8]) -> Int {
    var sum = 0
    for word in text.split(separator: 0x20) {
      var (groups, digits, wasVowel) = (0, 0, false)
      for byte in word {
        let isVowel = isVowel(byte)
        if isVowel, !wasVowel { groups += 1 }
        if 0x30...0x39 ~= byte { digits += 1 }
        wasVowel = isVowel
      }
      // The e at the end of "stone" is not heard.
      if groups > 1, word.last == UInt8(ascii: "e"), !isVowel(word[word.index(word.endIndex, offsetBy: -2)]), !endsInLE(word) { groups -= 1 }
      sum += groups + digits > 0 ? groups + digits : word.count
    }
    return sum
  }

  private static func endsInLE(_ word: ArraySlice<UInt8>) -> Bool { word[word.index(word.endIndex, offsetBy: -2)] == UInt8(ascii: "l") }

  private static func isVowel(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a"), UInt8(ascii: "e"), UInt8(ascii: "i"), UInt8(ascii: "o"), UInt8(ascii: "u"), UInt8(ascii: "y"), 0xC0...0xFF: true
    default: false
    }
  }
}
