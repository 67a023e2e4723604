import Runtime

/// A text of a person as a query of the index of words (https://www.sqlite.org/fts5.html, section 3): each word in
/// quotation marks, so that nothing in it means anything, and never more than `Budget.memoryQueryWords`.
///
/// A run of characters of a script without spaces is divided into pairs, for it may be a sentence; the index finds such
/// a pair in the middle of another sentence.
public struct MemoryQuery {
  public enum Matching: Equatable, Sendable {
    /// A question: an entry that has one of the words matches, those with more and rarer words better. The last word
    /// may be the beginning of one, for it may not have been written to its end.
    case any
    /// A choice: an entry has all of the words, and a run without spaces as it is.
    case all
  }

  /// Where the query is written.
  private let output: UnsafeMutableBufferPointer<UInt8>
  private let matching: Matching
  private var count = 0
  /// Words in the query.
  public private(set) var words = 0
  /// There were more words, or longer ones, than are looked for.
  public private(set) var isCut = false
  /// The last word may be continued: it is not of a script without spaces.
  private var isOpen = false

  /// The query of a text, in `output`, which has room for `Budget.memoryQueryBytes`.
  public init(
    _ text: UnsafeBufferPointer<UInt8>, matching: Matching, into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    self.output = output
    self.matching = matching
    var place = 0
    while place < text.count {
      let (scalar, length) = MemoryScalars.next(text, place)
      if MemoryScalars.isSeparator(scalar) {
        place += length
      } else if words == Budget.memoryQueryWords {
        isCut = true
        break
      } else if MemoryScalars.isIdeographic(scalar) {
        place = addRun(text, place)
      } else {
        place = addWord(text, place)
      }
    }
    if matching == .any, isOpen, count < output.count { write(UInt8(ascii: "*")) }
  }

  /// The query; empty when the text has no word.
  public var text: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(output)[..<count]) }

  private mutating func write(_ byte: UInt8) {
    guard count < output.count else { return }
    output[count] = byte
    count += 1
  }

  private mutating func write(_ text: StaticString) { for byte in text.bytes { write(byte) } }

  /// Writes bytes of the text as a word. There are no quotation marks in them: those are between words.
  private mutating func add(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    // Room for ` OR `, two quotation marks and the star.
    guard words < Budget.memoryQueryWords, count + range.count + 7 <= output.count else { return isCut = true }
    if words > 0 { write(matching == .any ? " OR " : " ") }
    write(UInt8(ascii: "\""))
    for index in range { write(text[index]) }
    write(UInt8(ascii: "\""))
    words += 1
  }

  /// Adds the word that begins at `place`; where it ends. Of a long word the beginning is looked for.
  private mutating func addWord(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var (place, end) = (start, start)
    while place < text.count {
      let (scalar, length) = MemoryScalars.next(text, place)
      if MemoryScalars.isSeparator(scalar) || MemoryScalars.isIdeographic(scalar) { break }
      place += length
      if place - start <= Budget.memoryWordBytes { end = place }
    }
    add(text, start..<end)
    isOpen = true
    guard end < place else { return place }
    isCut = true
    write(UInt8(ascii: "*"))
    isOpen = false
    return place
  }

  /// Adds the run of characters without spaces that begins at `place`; where it ends.
  private mutating func addRun(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    isOpen = false
    var (place, previous, characters) = (start, start, 0)
    while place < text.count {
      let (scalar, length) = MemoryScalars.next(text, place)
      if !MemoryScalars.isIdeographic(scalar) { break }
      characters += 1
      if matching == .any, characters > 1 { add(text, previous..<(place + length)) }
      previous = place
      place += length
    }
    if matching == .any {
      if characters == 1 { add(text, start..<place) }
      return place
    }
    guard place - start <= Budget.memoryWordBytes else {
      isCut = true
      return place
    }
    add(text, start..<place)
    return place
  }
}
