import Runtime
import Voice

/// A phrase in the form for a language's synthetic voices.
public struct Spelling {
  /// How well it can be learned.
  public enum Verdict: UInt8, Sendable {
    case good
    /// One syllable: too similar to other speech.
    case short
    /// Has letters that no voice of the language pronounces.
    case foreign
  }

  /// Letters of the language, digits, apostrophes and hyphens, in words separated by spaces; UTF-8.
  public let text: [UInt8]
  public let verdict: Verdict

  /// - Parameter phrase: with its accents, for languages that have such letters
  @export(interface)
  public init(_ phrase: borrowing PhraseText, _ language: Language) {
    var letters: [UInt32] = []
    var isForeign = false
    phrase.forEachScalar { scalar in
      let letter = language.has(scalar) ? scalar : PhraseText.withoutAccent(scalar)
      if letter >= 0x80, !language.has(letter) {
        isForeign = true
      } else if letter >= 0x80 || Self.isSpoken(letter) {
        letters.append(letter)
      } else if let last = letters.last, last != Self.space {
        letters.append(Self.space)
      }
    }
    if letters.last == Self.space { letters.removeLast() }
    var text: [UInt8] = []
    for letter in letters { Self.append(letter, to: &text) }
    self.text = text
    verdict =
      isForeign || !Self.hasLetter(letters) ? .foreign : Self.syllables(of: letters, language) < 2 ? .short : .good
  }

  /// Similar texts that are not the phrase: of several words all but the last and all but the first.
  public var parts: [[UInt8]] {
    guard let first = text.firstIndex(of: 0x20), let last = text.lastIndex(of: 0x20) else { return [] }
    return [Array(text[..<last]), Array(text[(first + 1)...])]
  }

  private static let space: UInt32 = 0x20

  private static func isSpoken(_ letter: UInt32) -> Bool {
    switch letter {
    case 0x27, 0x2D, 0x30...0x39, 0x61...0x7A: true
    default: false
    }
  }

  private static func hasLetter(_ letters: [UInt32]) -> Bool {
    for letter in letters where 0x30...0x39 ~= letter || letter >= 0x61 { return true }
    return false
  }

  private static func append(_ scalar: UInt32, to text: inout [UInt8]) {
    guard scalar >= 0x80 else { return text.append(UInt8(scalar)) }
    // The high bits of the first byte give the number of following bytes, of six bits each.
    let more: UInt32 = scalar < 0x800 ? 1 : scalar < 0x10000 ? 2 : 3
    text.append(UInt8(truncatingIfNeeded: ~(0x7F >> more) | scalar >> (6 * more)))
    for index in 1...more { text.append(UInt8(truncatingIfNeeded: 0x80 | scalar >> (6 * (more - index)) & 0x3F)) }
  }

  // MARK: Syllables

  /// Vowels without accents, or that differ from their base letter.
  private static let vowels: [UInt32] = "aeiouyæøāăąēĕėęěĩīĭįıōŏőœũūŭůűųŷаеёиоуыэюяіїєαεηιουωάέήίόύώϊϋΐΰ".unicodeScalars
    .map { $0.value }
  /// Letters from here on are of other scripts: each counts as a syllable.
  private static let firstUnknown: UInt32 = 0x530

  /// The approximate number of syllables. A word without a vowel is spelled out.
  static func syllables(of letters: [UInt32], _ language: Language) -> Int {
    var sum = 0
    for word in letters.split(separator: space) {
      var (groups, others, wasVowel) = (0, 0, false)
      for letter in word {
        let isVowel = isVowel(letter)
        if isVowel, !wasVowel { groups += 1 }
        if 0x30...0x39 ~= letter || letter >= firstUnknown { others += 1 }
        wasVowel = isVowel
      }
      if groups > 1, language == .english, hasSilentEnd(word) { groups -= 1 }
      sum += groups + others > 0 ? groups + others : word.count
    }
    return sum
  }

  /// The e at the end of "stone" is not heard, that of "table" is.
  private static func hasSilentEnd(_ word: ArraySlice<UInt32>) -> Bool {
    let before = word[word.index(word.endIndex, offsetBy: -2)]
    return word.last == 0x65 && !isVowel(before) && before != 0x6C
  }

  private static func isVowel(_ letter: UInt32) -> Bool { vowels.contains(PhraseText.withoutAccent(letter)) }
}
