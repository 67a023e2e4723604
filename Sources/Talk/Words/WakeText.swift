/// Removes the wake phrase from a transcript (node-commands 6).
///
/// Only letters are compared, without case, punctuation and spaces, because recognizers write "Open Claw,".
public enum WakeText {
  /// A recognized word. Times in milliseconds.
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

  /// Least pause in milliseconds between the phrase and the next word (node-commands 6.2).
  public static let gap: Int64 = 450

  /// The range of the command in a text without times (node-commands 6.3): after the first occurrence of the phrase,
  /// without the punctuation between. Nil without the phrase; empty when nothing follows it.
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

  /// The command of a transcript that began with a wake phrase: after the detected phrase, else after another phrase
  /// that is in it; else all of it, because recognizers spell names in unexpected ways.
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

  /// The index of the command's first word among words with times (node-commands 6.2): after the last occurrence of the
  /// phrase that is followed by a pause of `gap` and a word. Nil: there is none.
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
      // Segments without a word are skipped.
      while index < segments.count, WordSum(text.extracting(segments[index].range)).count == 0 { index += 1 }
      guard sum == wanted, WordSum(text.extracting(segments[start].range)).count > 0, index < segments.count else {
        continue
      }
      if segments[index].start - segments[index - 1].end >= gap { found = index }
    }
    return found
  }

  /// Without spaces and punctuation at the beginning, and spaces at the end; final punctuation stays.
  static func trimmed(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, text[end - 1] <= 0x20 { end -= 1 }
    var letters = Letters(text, from: range.lowerBound)
    var start = range.lowerBound
    while start < end, let letter = letters.next(), letter.isSpace || letter.isPunctuation {
      start = min(letters.index, end)
    }
    return start..<end
  }

  /// The end of the words `wanted`, if they begin at `start`.
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
