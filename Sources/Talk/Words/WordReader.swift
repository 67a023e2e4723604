/// The words of a text as wake phrases are compared (node-commands 6.2): parted by spaces, without punctuation at their ends,
/// small. A word is told by its bytes and by what it says: a checksum of its letters (FNV-1a), which can be continued by the
/// next word's, so that "open claw" and "openclaw" are the same.
struct WordReader: ~Escapable {
  /// A word.
  struct Word {
    /// Its bytes without the punctuation around it.
    var range = 0..<0
  }

  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// The next word that is not punctuation alone; nil at the end.
  mutating func next() -> Word? {
    var letters = Letters(text, from: index)
    var word = Word()
    var hasLetter = false
    var start = letters.index
    while let letter = letters.next() {
      if letter.isSpace {
        if hasLetter { break }
      } else if !letter.isPunctuation {
        word.range = (hasLetter ? word.range.lowerBound : start)..<letters.index
        hasLetter = true
      }
      start = letters.index
    }
    index = letters.index
    return hasLetter ? word : nil
  }
}

/// What words say, whatever their case and the spaces and punctuation between them.
struct WordSum: Equatable {
  private(set) var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  /// Letters.
  private(set) var count = 0

  /// Goes on with a word.
  mutating func add(_ word: Span<UInt8>) {
    var letters = Letters(word)
    while let letter = letters.next() {
      if letter.isPunctuation || letter.isSpace { continue }
      hash = (hash ^ UInt64(letter.small)) &* 0x100_0000_01B3
      count += 1
    }
  }

  /// The sum of a whole text.
  init(_ text: Span<UInt8>) { add(text) }
  init() {}
}
