import CFriBidi
import CHarfBuzz
import Graphics
import Runtime

/// The characters of a line and their levels, and the words that it is made of.
final class TextLine {
  /// What is shaped at once: characters of one level, blanks or others.
  struct Word: BitwiseCopyable {
    var start: Int16
    var end: Int16
    var level: UInt8

    var isBackwards: Bool { level & 1 == 1 }
    var count: Int { Int(end - start) }
  }

  let characters: UnsafeMutablePointer<UInt32>
  /// The offset of each character in the text.
  let offsets: UnsafeMutablePointer<Int>
  private(set) var count = 0
  let words: UnsafeMutablePointer<Word>
  private(set) var wordCount = 0
  private let levels: UnsafeMutablePointer<UInt8>
  private var highest: UInt8 = 0

  init() {
    characters = .allocate(capacity: Budget.lineGlyphs)
    offsets = .allocate(capacity: Budget.lineGlyphs)
    levels = .allocate(capacity: Budget.lineGlyphs)
    words = .allocate(capacity: Budget.lineGlyphs)
  }

  deinit {
    characters.deallocate()
    offsets.deallocate()
    levels.deallocate()
    words.deallocate()
  }

  /// Reads as many characters as fit, and divides them into words, in the order of the text; returns where the rest
  /// begins.
  func read(_ text: Span<UInt8>, from start: Int) -> Int {
    count = 0
    highest = 0
    var place = start
    var isSimple = true
    while place < text.count, count < Budget.lineGlyphs {
      offsets[count] = place
      let character = Self.shown(Self.decode(text, &place))
      characters[count] = character
      if Self.mayRunBackwards(character) { isSimple = false }
      count += 1
    }
    if !isSimple { highest = UInt8(clamping: max(tl_bidi(characters, Int32(count), levels), 0)) }
    if highest == 0 { levels.update(repeating: 0, count: count) }
    divide()
    return place
  }

  private func divide() {
    wordCount = 0
    var start = 0
    while start < count {
      let end = wordEnd(from: start)
      words[wordCount] = Word(start: Int16(start), end: Int16(end), level: levels[start])
      wordCount += 1
      start = end
    }
  }

  private func wordEnd(from start: Int) -> Int {
    let isBlank = characters[start] == 0x20
    var end = start + 1
    while end < count, levels[end] == levels[start], (characters[end] == 0x20) == isBlank {
      // What is longer is divided before a character that stands for itself.
      let length = end - start
      if length >= Budget.wordCharacters { break }
      if length >= Budget.wordCharacters / 2, characters[end - 1] != 0x200D, !FontShelf.isInvisible(characters[end]),
        tl_is_mark(characters[end]) == 0
      {
        break
      }
      end += 1
    }
    return end
  }

  /// Puts the words into the order in which they are seen from left to right (rule L2 of UAX #9).
  func orderVisually() {
    var level = highest
    while level > 0 {
      var first = 0
      while first < wordCount {
        var last = first
        while last < wordCount, words[last].level >= level { last += 1 }
        var (left, right) = (first, last - 1)
        while left < right {
          let word = words[left]
          words[left] = words[right]
          words[right] = word
          left += 1
          right -= 1
        }
        first = max(last, first + 1)
      }
      level -= 1
    }
  }

  /// That of the first letter that has one; nil: none has.
  static func direction(of text: Span<UInt8>) -> TextDirection? {
    var place = 0
    while place < text.count {
      switch tl_direction(decode(text, &place)) {
      case 1: return .leftToRight
      case 2: return .rightToLeft
      default: continue
      }
    }
    return nil
  }

  /// An embedding, override or isolate character (Unicode Standard Annex #9, 2.1 to 2.4) is shown as U+FFFD and has no
  /// effect: with it, the text on the screen could read differently from the text that was sent and approved. Letters
  /// have their direction without it; the zero-width marks (U+200E, U+200F) only affect punctuation, and are honored.
  /// Tabs and line ends inside a line become blanks.
  private static func shown(_ character: UInt32) -> UInt32 {
    switch character {
    case 0..<0x20: 0x20
    case 0x202A...0x202E, 0x2066...0x2069: 0xFFFD
    default: character
    }
  }

  /// Right-to-left scripts, their presentation forms, and direction marks.
  private static func mayRunBackwards(_ character: UInt32) -> Bool {
    switch character {
    case 0x590...0x8FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  /// Decodes the character at `place` and advances it. A byte that begins no character is U+FFFD (Unicode 15, 3.9).
  private static func decode(_ text: Span<UInt8>, _ place: inout Int) -> UInt32 {
    let first = text[place]
    place += 1
    if first < 0x80 { return UInt32(first) }
    let length = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
    guard first >= 0xC2, first <= 0xF4, place + length <= text.count else { return 0xFFFD }
    var value = UInt32(first) & (length == 3 ? 0x07 : length == 2 ? 0x0F : 0x1F)
    for index in 0..<length {
      let byte = text[place + index]
      guard byte & 0xC0 == 0x80 else { return 0xFFFD }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    let least: UInt32 = length == 3 ? 0x10000 : length == 2 ? 0x800 : 0x80
    guard value >= least, value <= 0x10FFFF, value < 0xD800 || value > 0xDFFF else { return 0xFFFD }
    place += length
    return value
  }
}
