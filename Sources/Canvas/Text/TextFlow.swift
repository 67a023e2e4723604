import A2UI
import Graphics
import Runtime

/// Lays text out: splits it into words, measures them, breaks them into lines for a width, and draws them. One object
/// is used for all texts, one after the other.
public final class TextFlow {
  /// One line, once it is arranged. In pixels from the upper corner of the text on the side where lines begin.
  struct Line {
    var firstWord: Int32
    var wordCount: Int32
    var direction: TextDirection
    var x: Int32
    var width: Int32
    var top: Int32
    var baseline: Int32
    var height: Int32
  }

  let measurer: any TextMeasurer
  let bytes = FixedBuffer(capacity: Budget.flowBytes)
  private var byteCount = 0
  let words: UnsafeMutableBufferPointer<TextWord>
  var wordCount = 0
  /// Words from the first whose widths are known.
  var measured = 0
  let lines: UnsafeMutableBufferPointer<Line>
  var lineCount = 0
  /// How far the text is arranged.
  var progress = Progress()

  /// What was left out for lack of room; nil: nothing.
  var cut: Omission?
  /// What `read` took.
  private(set) var name: TextName?
  private var gap = TextWord.Gap.none
  private var isOpen = false
  private var breaker = LineBreaker()
  private var scalar = ScalarReader()
  var font = Font(size: 1)
  /// Steps that the following words are moved to the right.
  var indent: UInt8 = 0
  /// The color of the words that follow, and what colors there are; 0: that of the text.
  var ink: UInt8 = 0
  var inks = InlineList<16, Color>()
  /// The link of the words that follow, and where in the text that was taken the targets of links stand; 0: none.
  private(set) var link: UInt8 = 0
  private(set) var links = InlineList<16, Range<Int>>()

  /// An empty one, with the memory for the longest text.
  @export(interface)
  public init(measurer: any TextMeasurer) {
    self.measurer = measurer
    // Plain values, each written before it is read: pages that no text has reached cost nothing.
    words = .allocate(capacity: Budget.flowWords)
    lines = .allocate(capacity: Budget.flowLines)
  }

  deinit {
    words.deallocate()
    lines.deallocate()
  }

  // MARK: Taking a text

  /// Takes a text with Markdown, or as it is. What is longer than the flow holds is cut.
  func take(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) {
    read(text, font, isMarkdown: isMarkdown)
    finish()
  }

  /// Takes a long text whose words are not measured yet, and which stays until another one is taken.
  func read(_ text: Span<UInt8>, _ name: TextName) {
    read(text, name.font, isMarkdown: name.isMarkdown)
    self.name = name
  }

  /// Takes a text whose words are not measured yet.
  func read(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) {
    start(font)
    if isMarkdown {
      var markdown = Markdown(text)
      markdown.read(into: self)
    } else {
      for index in 0..<text.count where cut == nil {
        switch text[index] {
        case 0x0A: begin(.line)
        case 0x20, 0x09, 0x0D: blank()
        default: add(text[index], [])
        }
      }
    }
  }

  /// Begins a text that someone adds byte by byte.
  func start(_ font: Font) {
    (byteCount, wordCount, measured, lineCount, cut) = (0, 0, 0, 0, nil)
    (gap, isOpen, indent, ink, link) = (.none, false, 0, 0, 0)
    links.removeAll()
    (progress, name) = (Progress(), nil)
    (breaker, scalar) = (LineBreaker(), ScalarReader())
    self.font = font
  }

  /// All of the text is there: measures its words.
  func finish() { measure(atMost: .max) }

  /// The widths of all words are known.
  var isMeasured: Bool { measured == wordCount }

  /// Measures the words that follow, of so many bytes together or one more.
  /// - Returns: how many bytes they have.
  @discardableResult
  func measure(atMost budget: Int) -> Int {
    var bytes = 0
    while measured < wordCount, bytes < budget {
      words[measured].advance = measure(words[measured])
      bytes += Int(words[measured].count)
      measured += 1
    }
    return bytes
  }

  /// The next word begins a new line.
  func begin(_ gap: TextWord.Gap) {
    isOpen = false
    breaker = LineBreaker()
    indent = 0
    if gap.rawValue > self.gap.rawValue { self.gap = gap }
  }

  /// The next word is a new one.
  func blank() {
    isOpen = false
    if gap == .none {
      gap = .blank
      _ = breaker.breaks(before: 0x20)
    }
  }

  /// The words that follow belong to a link whose target stands there; of more than 16 links to none.
  func beginLink(_ target: Range<Int>) { link = links.append(target) ? UInt8(links.count) : 0 }

  func endLink() { link = 0 }

  /// What stands before an item of a list.
  func bullet(_ mark: StaticString) {
    bullet(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount).span)
  }

  func bullet(_ mark: Span<UInt8>) {
    for index in 0..<mark.count { add(mark[index], []) }
    indent += 1
    blank()
  }

  /// One more byte of the word, or of a new one when the style is another.
  func add(_ byte: UInt8, _ style: TextStyle) {
    guard byteCount < Budget.flowBytes else { return cut = .textBytes }
    if !isOpen || words[wordCount - 1].style != style || words[wordCount - 1].ink != ink
      || words[wordCount - 1].link != link
    {
      guard wordCount < Budget.flowWords else { return cut = .textWords }
      // The blank before it is kept, so that words of one style are drawn as one run.
      if gap == .blank {
        bytes.bytes[byteCount] = 0x20
        byteCount += 1
      }
      guard byteCount < Budget.flowBytes else { return cut = .textBytes }
      words[wordCount] = TextWord(
        start: Int32(byteCount), count: 0, style: style, gap: gap, indent: indent, ink: ink, link: link)
      wordCount += 1
      gap = .none
      isOpen = true
    }
    bytes.bytes[byteCount] = byte
    byteCount += 1
    words[wordCount - 1].count += 1
    if scalar.take(byte) { endScalar() }
  }

  // MARK: Line breaking

  /// A scalar is whole: only now is it known whether a line may end before it.
  private func endScalar() {
    // A soft hyphen is not shown, so no line ends at one.
    guard scalar.value != 0xAD else { return }
    let mayBreak = breaker.breaks(before: scalar.value)
    let word = words[wordCount - 1]
    if word.count > scalar.length {
      if mayBreak { divide(word) }
    } else if word.gap == .none {
      if mayBreak { words[wordCount - 1].gap = .possible }
    } else if word.gap == .blank, !mayBreak {
      join(word)
    }
  }

  /// The scalar begins a word of its own; where there are too many words, that one is divided where a line is full.
  private func divide(_ word: TextWord) {
    guard wordCount < Budget.flowWords else { return }
    var second = word
    words[wordCount - 1].count -= scalar.length
    second.start = Int32(byteCount) - scalar.length
    second.count = scalar.length
    second.gap = .possible
    words[wordCount] = second
    wordCount += 1
  }

  /// No line ends at the blank before a word (after an opening bracket): it is one with the word before.
  private func join(_ word: TextWord) {
    guard wordCount > 1 else { return }
    let before = words[wordCount - 2]
    guard before.style == word.style, before.ink == word.ink, before.link == word.link, before.indent == word.indent,
      before.start + before.count + 1 == word.start
    else { return }
    words[wordCount - 2].count += 1 + word.count
    wordCount -= 1
  }

  func text(of word: TextWord) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(bytes.bytes).extracting(Int(word.start)..<Int(word.start + word.count))
  }

  // MARK: Measuring

  func measure(_ word: TextWord) -> Int32 { measurer.advance(of: text(of: word).span, in: font(word.style)) }

  func font(_ style: TextStyle) -> Font {
    var font = font
    if style.contains(.bold) { font.weight = .bold }
    if style.contains(.italic) { font.isItalic = true }
    if style.contains(.code) { font.isMonospaced = true }
    if style.contains(.heading) { font.size = Int16(Int32(font.size) * 5 / 4) }
    return font
  }

  func blankAdvance(_ style: TextStyle) -> Int32 {
    let blank: InlineArray<1, UInt8> = [0x20]
    return measurer.advance(of: blank.span, in: font(style))
  }

  var indentStep: Int32 { Int32(font.size) * 5 / 4 }

  /// The width of the longest word, and of the longest line when none is broken. Pixels.
  func widths() -> (min: Int32, max: Int32) {
    var (longestWord, longestLine, word, line): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    for index in 0..<wordCount {
      let item = words[index]
      let start = Int32(item.indent) * indentStep * 64
      switch item.gap {
      case .none: word += item.advance
      case .possible, .blank: word = start + item.advance
      case .line, .paragraph:
        word = start + item.advance
        line = start
      }
      line += item.advance + (item.gap == .blank ? blankAdvance(item.style) : 0)
      longestWord = max(longestWord, word)
      longestLine = max(longestLine, line)
    }
    return ((longestWord + 63) / 64, (longestLine + 63) / 64)
  }
}
