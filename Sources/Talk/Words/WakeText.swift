/// Takes the wake phrase out of what was understood (node-commands 6).
///
/// A phrase is its letters: case, punctuation and the spaces between its words do not count, for recognisers write "Open Claw,".
public enum WakeText {
  /// A word that a recogniser found. Times in milliseconds.
  public struct Segment: Equatable, Sendable {
    /// Its bytes in the text.
    public var range: Range<Int>
    public var start: Int64
    public var end: Int64

    /// A segment; see the properties.
    public init(range: Range<Int>, start: Int64, end: Int64) {
      self.range = range
      self.start = start
      self.end = end
    }
  }

  /// Milliseconds between the phrase and the next word, below which it was not said to wake (node-commands 6.2).
  public static let gap: Int64 = 450

  /// Where the command stands in a text without times (node-commands 6.3): behind the phrase where it stands first, without
  /// the punctuation between. Nil when there is no phrase in it; empty when nothing is behind it.
  public static func command(in text: Span<UInt8>, after phrase: Span<UInt8>) -> Range<Int>? {
    let wanted = WordSum(phrase)
    guard wanted.count > 0 else { return nil }
    var reader = WordReader(text)
    while let first = reader.next() {
      guard let end = end(of: wanted, in: text, from: first.range.lowerBound) else { continue }
      return trimmed(text, end..<text.count)
    }
    return nil
  }

  /// The command of a transcript that began with a wake phrase: behind the phrase that was heard, else behind the first of the
  /// others that stands in it; else all of it, for recognisers write a name as they like, and then it is part of the command
  /// that nobody could tell from it.
  public static func command(
    in text: Span<UInt8>, heard phrase: Span<UInt8>, others count: Int,
    _ other: (Int, (Span<UInt8>) -> Void) -> Void
  ) -> Range<Int> {
    if let found = command(in: text, after: phrase) { return found }
    var best: Range<Int>?
    text.withUnsafeBufferPointer { bytes in
      for index in 0..<count {
        other(index) { phrase in
          guard let found = command(in: Span(_unsafeElements: bytes), after: phrase) else { return }
          if best == nil || found.lowerBound < best!.lowerBound { best = found }
        }
      }
    }
    return best ?? trimmed(text, 0..<text.count)
  }

  /// Where the command begins among words with times (node-commands 6.2): the phrase that stands last, with a word behind it
  /// after a pause of `gap`, counts. Nil: there is none. The index of the first word behind it.
  public static func firstWord(
    of text: Span<UInt8>, _ segments: UnsafeBufferPointer<Segment>, after phrase: Span<UInt8>
  ) -> Int? {
    let wanted = WordSum(phrase)
    guard wanted.count > 0 else { return nil }
    var found: Int?
    for start in segments.indices {
      var sum = WordSum()
      var index = start
      while index < segments.count, sum.count < wanted.count {
        sum.add(text.extracting(segments[index].range))
        index += 1
      }
      // What is no word has no times that count.
      while index < segments.count, WordSum(text.extracting(segments[index].range)).count == 0 { index += 1 }
      guard sum == wanted, WordSum(text.extracting(segments[start].range)).count > 0, index < segments.count else { continue }
      if segments[index].start - segments[index - 1].end >= gap { found = index }
    }
    return found
  }

  /// Without the spaces and punctuation at its beginning, and the spaces at its end: what ends a sentence belongs to it.
  static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, text[end - 1] <= 0x20 { end -= 1 }
    var letters = Letters(text, from: range.lowerBound)
    var start = range.lowerBound
    while start < end, let letter = letters.next(), letter.isSpace || letter.isPunctuation { start = min(letters.index, end) }
    return start..<end
  }

  /// Where words that say `wanted` end, if they stand from `start` on.
  private static func end(of wanted: WordSum, in text: Span<UInt8>, from start: Int) -> Int? {
    var sum = WordSum()
    var reader = WordReader(text.extracting(start...))
    while sum.count < wanted.count, let word = reader.next() {
      let range = (start + word.range.lowerBound)..<(start + word.range.upperBound)
      sum.add(text.extracting(range))
      if sum == wanted { return range.upperBound }
    }
    return nil
  }
}
