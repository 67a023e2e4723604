import Codec

/// The words of a text as compared with wake phrases (node-commands 6.2): separated by spaces, without punctuation at
/// their ends, in lower case. Words are compared by a hash of their letters (FNV-1a), which continues over words, so
/// that "open claw" and "openclaw" are equal.
struct WordReader: ~Escapable {
  /// A word.
  struct Word {
    /// Its range without surrounding punctuation.
    var range = 0..<0
  }

  private let text: Span<UInt8>
  private var index = 0

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// The next word that is not only punctuation; nil at the end.
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

/// A hash of words without case, spaces and punctuation.
struct WordSum: Equatable {
  private var sum = FNV1a()
  /// Letters.
  private(set) var count = 0

  /// Adds a word.
  mutating func add(_ word: Span<UInt8>) {
    var letters = Letters(word)
    while let letter = letters.next() {
      if letter.isPunctuation || letter.isSpace { continue }
      sum.add(UInt64(letter.small))
      count += 1
    }
  }

  var hash: UInt64 { sum.value }

  /// The sum of a whole text.
  init(_ text: Span<UInt8>) { add(text) }
  init() {}
}
