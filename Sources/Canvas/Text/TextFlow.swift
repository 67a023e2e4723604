import A2UI
import Runtime

/// A text on its way into lines: its words, measured, then arranged for a width, then drawn. One object is used for all texts,
/// one after the other.
public final class TextFlow {
  /// One line, once it is arranged. In pixels from the upper left corner of the text.
  struct Line {
    var firstWord: Int32
    var wordCount: Int32
    var x: Int32
    var width: Int32
    var top: Int32
    var baseline: Int32
    var height: Int32
  }

  let measurer: any TextMeasurer
  private let bytes = FixedBuffer(capacity: Budget.flowBytes)
  private var byteCount = 0
  private let words: UnsafeMutablePointer<TextWord>
  private(set) var wordCount = 0
  private let lines: UnsafeMutablePointer<Line>
  private(set) var lineCount = 0

  /// What there was no room for; nil: nothing was left out.
  private(set) var cut: Omission?
  private var gap = TextWord.Gap.none
  private var isOpen = false
  private var font = Font(size: 1)
  /// Line height in percent of the font's size; the reference's body text has 140.
  private static let leading: Int32 = 140
  /// Steps that the following words are moved to the right.
  var indent: UInt8 = 0
  /// The colour of the words that follow, and what colours there are; 0: that of the text.
  var ink: UInt8 = 0
  var inks = InlineList<16, Color>()

  /// An empty one, with the memory for the longest text.
  public init(measurer: any TextMeasurer) {
    self.measurer = measurer
    words = .allocate(capacity: Budget.flowWords)
    words.initialize(repeating: TextWord(start: 0, count: 0, style: [], gap: .none, indent: 0), count: Budget.flowWords)
    lines = .allocate(capacity: Budget.flowLines)
    lines.initialize(
      repeating: Line(firstWord: 0, wordCount: 0, x: 0, width: 0, top: 0, baseline: 0, height: 0), count: Budget.flowLines)
  }

  deinit {
    words.deallocate()
    lines.deallocate()
  }

  // MARK: Taking a text

  /// Takes a text with Markdown, or as it is. What is longer than the flow holds is cut.
  func take(_ text: Span<UInt8>, _ font: Font, isMarkdown: Bool) {
    start(font)
    if isMarkdown {
      var markdown = Markdown(text)
      markdown.read(into: self)
    } else {
      for index in 0..<text.count {
        switch text[index] {
        case 0x0A: begin(.line)
        case 0x20, 0x09, 0x0D: blank()
        default: add(text[index], [])
        }
      }
    }
    finish()
  }

  /// Begins a text that someone adds byte by byte.
  func start(_ font: Font) {
    (byteCount, wordCount, lineCount, cut) = (0, 0, 0, nil)
    (gap, isOpen, indent, ink) = (.none, false, 0, 0)
    self.font = font
  }

  /// All of the text is there.
  func finish() {
    for index in 0..<wordCount { words[index].advance = measure(words[index]) }
  }

  /// The next word begins a new line.
  func begin(_ gap: TextWord.Gap) {
    isOpen = false
    indent = 0
    if gap.rawValue > self.gap.rawValue { self.gap = gap }
  }

  /// The next word is a new one.
  func blank() {
    isOpen = false
    if gap == .none { gap = .blank }
  }

  /// What stands before an item of a list.
  func bullet(_ mark: StaticString) { bullet(UnsafeBufferPointer(start: mark.utf8Start, count: mark.utf8CodeUnitCount).span) }

  func bullet(_ mark: Span<UInt8>) {
    for index in 0..<mark.count { add(mark[index], []) }
    indent += 1
    blank()
  }

  /// One more byte of the word, or of a new one when the style is another.
  func add(_ byte: UInt8, _ style: TextStyle) {
    guard byteCount < Budget.flowBytes else { return cut = .textBytes }
    if !isOpen || words[wordCount - 1].style != style || words[wordCount - 1].ink != ink || breaksBefore(byte) {
      guard wordCount < Budget.flowWords else { return cut = .textWords }
      // The blank before it is kept, so that words of one style are drawn as one run.
      if gap == .blank {
        bytes.bytes[byteCount] = 0x20
        byteCount += 1
      }
      guard byteCount < Budget.flowBytes else { return cut = .textBytes }
      words[wordCount] = TextWord(start: Int32(byteCount), count: 0, style: style, gap: gap, indent: indent, ink: ink)
      wordCount += 1
      gap = .none
      isOpen = true
    }
    bytes.bytes[byteCount] = byte
    byteCount += 1
    words[wordCount - 1].count += 1
  }

  /// A line may be broken before each character of scripts that have no blanks: U+3000...U+9FFF and Hangul, whose first bytes
  /// are E3...ED. (Rules for punctuation, UAX #14, are left out.)
  private func breaksBefore(_ byte: UInt8) -> Bool { byte >= 0xE3 && byte <= 0xED }

  func text(of word: TextWord) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(bytes.bytes).extracting(Int(word.start)..<Int(word.start + word.count))
  }

  // MARK: Measuring

  private func measure(_ word: TextWord) -> Int32 { measurer.advance(of: text(of: word).span, in: font(word.style)) }

  private func font(_ style: TextStyle) -> Font {
    var font = font
    if style.contains(.bold) { font.weight = .bold }
    if style.contains(.italic) { font.isItalic = true }
    if style.contains(.code) { font.isMonospaced = true }
    if style.contains(.heading) { font.size = Int16(Int32(font.size) * 5 / 4) }
    return font
  }

  private func blankAdvance(_ style: TextStyle) -> Int32 {
    let blank: InlineArray<1, UInt8> = [0x20]
    return measurer.advance(of: blank.span, in: font(style))
  }

  private var indentStep: Int32 { Int32(font.size) * 5 / 4 }

  /// The width of the longest word, and of the longest line when none is broken. Pixels.
  func widths() -> (min: Int32, max: Int32) {
    var (longestWord, longestLine, word, line): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    for index in 0..<wordCount {
      let item = words[index]
      let start = Int32(item.indent) * indentStep * 64
      switch item.gap {
      case .none: word += item.advance
      case .blank: word = start + item.advance
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

  // MARK: Arranging

  /// Breaks the text into lines of at most `width` pixels, of which there are at most `mostLines`; what remains is cut off.
  /// Gives the height of them all.
  @discardableResult
  func arrange(width: Int32, mostLines: Int = Budget.flowLines) -> Int32 {
    lineCount = 0
    var top: Int32 = 0
    var index = 0
    while index < wordCount, lineCount < min(mostLines, Budget.flowLines) {
      if words[index].gap == .paragraph { top += Int32(font.size) / 2 }
      let line = takeLine(from: index, top: top, width: width * 64)
      lines[lineCount] = line
      lineCount += 1
      top += line.height
      index += Int(line.wordCount)
    }
    if index < wordCount, mostLines >= Budget.flowLines { cut = .textLines }
    return top
  }

  /// As many words as fit; one that is wider than a line is split.
  private func takeLine(from first: Int, top: Int32, width: Int32) -> Line {
    let isContinued = first > 0 && words[first].gap.rawValue <= TextWord.Gap.blank.rawValue
    let isBullet = !isContinued && first + 1 < wordCount && words[first + 1].indent > words[first].indent
    let start = Int32(words[first].indent) * indentStep * 64
    let room = max(width - start, 64)
    if words[first].advance > room { split(first, room) }
    var line = Line(firstWord: Int32(first), wordCount: 0, x: start / 64, width: 0, top: top, baseline: 0, height: 0)
    var (reach, committed, index): (Int32, Int, Int) = (0, first, first)
    var (ascent, descent): (Int32, Int32) = (0, 0)
    while index < wordCount {
      let word = words[index]
      if index > first, word.gap.rawValue >= TextWord.Gap.line.rawValue { break }
      if index > first, word.gap != .none { committed = index }
      var step = word.advance
      if index > first, word.gap == .blank { step += blankAdvance(word.style) }
      if index == first + 1, isBullet { step = max(reach + step, indentStep * 64 + word.advance) - reach }
      if index > first, reach + step > room {
        // A word made of several styles goes to the next line as a whole, unless the line is of it alone.
        if committed > first { index = committed }
        break
      }
      reach += step
      let metrics = measurer.metrics(of: font(word.style))
      (ascent, descent) = (max(ascent, metrics.ascent), max(descent, metrics.descent))
      index += 1
    }
    line.wordCount = Int32(max(index - first, 1))
    line.width = (reach + 63) / 64
    let size = words[first].style.contains(.heading) ? Int32(font.size) * 5 / 4 : Int32(font.size)
    line.height = max(size * Self.leading / 100, ascent + descent)
    line.baseline = top + (line.height - ascent - descent) / 2 + ascent
    return line
  }

  /// Cuts a word in two at what fits; a character at least stays.
  private func split(_ index: Int, _ room: Int32) {
    guard wordCount < Budget.flowWords else { return cut = .textWords }
    var (first, second) = (words[index], words[index])
    let whole = text(of: first)
    var count = measurer.fit(whole.span, in: font(first.style), width: room)
    if count == 0 {
      count = 1
      while count < whole.count, whole[count] & 0xC0 == 0x80 { count += 1 }
    }
    guard count < whole.count else { return }
    first.count = Int32(count)
    first.advance = measure(first)
    second.start += Int32(count)
    second.count -= Int32(count)
    second.gap = .none
    second.advance = measure(second)
    var place = wordCount
    while place > index + 1 {
      words[place] = words[place - 1]
      place -= 1
    }
    words[index] = first
    words[index + 1] = second
    wordCount += 1
  }

  func line(_ index: Int) -> Line { lines[index] }

  // MARK: Drawing

  /// Where lines that are shorter than the text stand.
  enum Alignment { case start, center, end }

  /// Draws the lines, each as few runs as it has styles. `origin` is the upper left corner, `width` what was arranged for;
  /// `visible`: what of the screen can be seen, where there may be lines beyond it.
  func draw(
    into list: DisplayList, at origin: Point, width: Int32, _ color: Color, alignment: Alignment = .start,
    visible: Rect? = nil
  ) {
    for index in 0..<lineCount {
      var line = lines[index]
      if let visible {
        // Letters may reach beyond their line.
        let top = origin.y + line.top
        if top + 2 * line.height < visible.y { continue }
        if top - line.height > visible.maxY { return }
      }
      let room = width - line.x - line.width
      switch alignment {
      case .start: break
      case .center: line.x += max(room / 2, 0)
      case .end: line.x += max(room, 0)
      }
      draw(line, into: list, at: origin, color)
    }
  }

  private func draw(_ line: Line, into list: DisplayList, at origin: Point, _ color: Color) {
    let end = Int(line.firstWord + line.wordCount)
    var index = Int(line.firstWord)
    var reach: Int32 = 0
    while index < end {
      let first = words[index]
      if index > line.firstWord, first.gap == .blank { reach += blankAdvance(first.style) }
      let isBullet = index == line.firstWord && index + 1 < end && words[index + 1].indent > first.indent
      var last = index
      while !isBullet, last + 1 < end, words[last + 1].style == first.style, words[last + 1].ink == first.ink { last += 1 }
      let run = UnsafeBufferPointer(bytes.bytes).extracting(Int(first.start)..<Int(words[last].start + words[last].count))
      let advance = measurer.advance(of: run.span, in: font(first.style))
      let start = Point(origin.x + line.x + (reach + 32) / 64, origin.y + line.baseline)
      draw(run.span, first.style, into: list, at: start, advance: (advance + 63) / 64, self.color(first.ink) ?? color)
      reach += advance
      if isBullet { reach = max(reach, indentStep * 64 - blankAdvance(words[last + 1].style)) }
      index = last + 1
    }
  }

  private func color(_ ink: UInt8) -> Color? { ink > 0 && Int(ink) <= inks.count ? inks[Int(ink) - 1] : nil }

  private func draw(
    _ run: Span<UInt8>, _ style: TextStyle, into list: DisplayList, at start: Point, advance: Int32, _ color: Color
  ) {
    let font = font(style)
    list.add(.text(list.add(run), font, start: start, advance: advance, color))
    guard style.contains(.underlined) else { return }
    let thickness = max(font.size / 14, 1)
    let y = start.y + Int32(thickness) + 1
    list.add(.line(Point(start.x, y), Point(start.x + advance, y), width: thickness, color))
  }
}
