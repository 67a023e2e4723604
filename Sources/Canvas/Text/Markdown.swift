import Codec
import Runtime

/// Reads text with the small part of Markdown that components take: emphasis, code, headings, lists, line breaks, and
/// links as underlined words, of which those to `openclaw:` can be pressed. Everything else, HTML too, is text. Words
/// come out in order; there are no errors.
struct Markdown: ~Escapable {
  private let text: Span<UInt8>
  private var index = 0
  private var style: TextStyle = []
  private var isFenced = false
  /// Where the next mark of each kind stands that closes something in the line; its end: nowhere. A line is searched
  /// for a kind only from where the search for it ended, so that it takes linear time whatever marks it is made of.
  private var closers = InlineArray<7, Int>(repeating: -1)

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) { self.text = text }

  /// Hands everything to the flow, or as much as it holds.
  mutating func read(into flow: TextFlow) {
    var blankLines = 0
    var isFirst = true
    while index < text.count, flow.cut == nil {
      let end = lineEnd(from: index)
      if isBlank(index..<end) {
        blankLines += 1
      } else {
        flow.begin(isFirst ? .none : blankLines > 0 ? .paragraph : .line)
        line(to: end, flow)
        isFirst = false
        blankLines = 0
      }
      index = end + 1
    }
  }

  private func lineEnd(from start: Int) -> Int {
    var end = start
    while end < text.count, text[end] != 0x0A { end += 1 }
    return end
  }

  private func isBlank(_ range: Range<Int>) -> Bool {
    for place in range where text[place] != 0x20 && text[place] != 0x0D && text[place] != 0x09 { return false }
    return true
  }

  private mutating func line(to end: Int, _ flow: TextFlow) {
    if starts(with: "```", at: index) {
      isFenced.toggle()
      return
    }
    if isFenced {
      style = .code
      return verbatim(index..<end, flow)
    }
    style = []
    let indent = skipBlanks(to: end) / 2
    flow.indent = UInt8(min(indent, 6))
    if heading(to: end, flow) { return }
    if item(to: end, flow) { return }
    inline(to: end, flow)
  }

  /// Leading blanks, a tab as four.
  private mutating func skipBlanks(to end: Int) -> Int {
    var columns = 0
    while index < end, text[index] == 0x20 || text[index] == 0x09 {
      columns += text[index] == 0x20 ? 1 : 4
      index += 1
    }
    return columns
  }

  private mutating func heading(to end: Int, _ flow: TextFlow) -> Bool {
    var place = index
    while place < end, text[place] == UInt8(ascii: "#") { place += 1 }
    guard place > index, place - index <= 6, place < end, text[place] == 0x20 else { return false }
    index = place + 1
    style = [.bold, .heading]
    inline(to: end, flow)
    style = []
    return true
  }

  /// "- ", "* ", "+ " and "12. ".
  private mutating func item(to end: Int, _ flow: TextFlow) -> Bool {
    guard index + 1 < end else { return false }
    switch text[index] {
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
      guard text[index + 1] == 0x20 else { return false }
      index += 2
      flow.bullet("\u{2022}")
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      var place = index
      while place < end, place - index < 9, text[place] >= 0x30, text[place] <= 0x39 { place += 1 }
      guard place + 1 < end, text[place] == UInt8(ascii: "."), text[place + 1] == 0x20 else { return false }
      flow.bullet(text.extracting(index..<place + 1))
      index = place + 2
    default: return false
    }
    inline(to: end, flow)
    return true
  }

  private func verbatim(_ range: Range<Int>, _ flow: TextFlow) {
    for place in range where text[place] != 0x0D {
      // A blank of code is kept: one that no line is broken at (U+00A0).
      if text[place] == 0x20 || text[place] == 0x09 {
        flow.add(0xC2, style)
        flow.add(0xA0, style)
      } else {
        flow.add(text[place], style)
      }
    }
  }

  // MARK: Within a line

  private mutating func inline(to end: Int, _ flow: TextFlow) {
    let outer = style
    closers = InlineArray(repeating: -1)
    while index < end, flow.cut == nil {
      let byte = text[index]
      switch byte {
      case 0x20, 0x09, 0x0D:
        flow.blank()
        index += 1
      case UInt8(ascii: "\\") where index + 1 < end && text[index + 1].isMark:
        flow.add(text[index + 1], style)
        index += 2
      case UInt8(ascii: "`"): code(to: end, flow)
      case UInt8(ascii: "*"), UInt8(ascii: "_"): emphasis(byte, to: end, outer, flow)
      case UInt8(ascii: "["): link(to: end, flow)
      default:
        flow.add(byte, style)
        index += 1
      }
    }
    style = outer
  }

  private mutating func code(to end: Int, _ flow: TextFlow) {
    guard let close = next(.code, from: index + 1, to: end), close > index + 1 else {
      flow.add(text[index], style)
      return index += 1
    }
    for place in index + 1..<close {
      text[place] == 0x20 ? flow.blank() : flow.add(text[place], style.union(.code))
    }
    index = close + 1
  }

  private mutating func emphasis(_ mark: UInt8, to end: Int, _ outer: TextStyle, _ flow: TextFlow) {
    let isDouble = index + 1 < end && text[index + 1] == mark
    let length = isDouble ? 2 : 1
    let kind: TextStyle = isDouble ? .bold : .italic
    let isOpen = style.contains(kind) && !outer.contains(kind)
    // An underscore within a word is a letter; a mark that nothing closes, or with blanks around it, is text.
    let before = index > 0 ? text[index - 1] : 0x20
    let after = index + length < end ? text[index + length] : 0x20
    let isInWord = mark == UInt8(ascii: "_") && before.isWordByte && after.isWordByte
    if isOpen, !before.isBlankByte, !isInWord {
      style.remove(kind)
      return index += length
    }
    let closer: Closer =
      mark == UInt8(ascii: "*") ? (isDouble ? .twoStars : .star) : (isDouble ? .twoUnderscores : .underscore)
    if !isOpen, !after.isBlankByte, !isInWord, next(closer, from: index + length + 1, to: end) != nil {
      style.insert(kind)
      return index += length
    }
    for _ in 0..<length { flow.add(mark, style) }
    index += length
  }

  private mutating func link(to end: Int, _ flow: TextFlow) {
    guard let close = next(.bracket, from: index + 1, to: end), close + 1 < end,
      text[close + 1] == UInt8(ascii: "("), let last = next(.parenthesis, from: close + 2, to: end)
    else {
      flow.add(text[index], style)
      return index += 1
    }
    if text.extracting(close + 2..<last).hasPrefix(lowercased: "openclaw:") { flow.beginLink(close + 2..<last) }
    for place in index + 1..<close {
      text[place] == 0x20 ? flow.blank() : flow.add(text[place], style.union(.underlined))
    }
    flow.endLink()
    index = last + 1
  }

  // MARK: Closing marks

  private enum Closer: Int {
    case code, bracket, parenthesis, star, twoStars, underscore, twoUnderscores
  }

  /// The next mark that closes, from a place that is never before that of an earlier call for the same line and kind.
  private mutating func next(_ closer: Closer, from start: Int, to end: Int) -> Int? {
    var place = closers[closer.rawValue]
    if place < start {
      place = start
      while place < end, !isCloser(closer, at: place, end) { place += 1 }
      closers[closer.rawValue] = place
    }
    return place < end ? place : nil
  }

  private func isCloser(_ closer: Closer, at place: Int, _ end: Int) -> Bool {
    let byte = text[place]
    switch closer {
    case .code: return byte == UInt8(ascii: "`")
    case .bracket: return byte == UInt8(ascii: "]")
    case .parenthesis: return byte == UInt8(ascii: ")")
    case .star, .underscore:
      return byte == (closer == .star ? UInt8(ascii: "*") : UInt8(ascii: "_")) && !text[place - 1].isBlankByte
    case .twoStars, .twoUnderscores:
      let mark = closer == .twoStars ? UInt8(ascii: "*") : UInt8(ascii: "_")
      return byte == mark && place + 1 < end && text[place + 1] == mark && !text[place - 1].isBlankByte
    }
  }

  private func starts(with word: StaticString, at start: Int) -> Bool {
    guard start + word.bytes.count <= text.count else { return false }
    for place in 0..<word.bytes.count where text[start + place] != word.bytes[place] { return false }
    return true
  }
}

extension UInt8 {
  fileprivate var isBlankByte: Bool { self == 0x20 || self == 0x09 || self == 0x0D || self == 0x0A }

  /// A letter, a digit, or a part of a character beyond ASCII.
  fileprivate var isWordByte: Bool {
    self >= 0x80 || self >= 0x30 && self <= 0x39 || self | 0x20 >= 0x61 && self | 0x20 <= 0x7A
  }

  /// What a backslash takes the meaning from.
  fileprivate var isMark: Bool {
    switch self {
    case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: "#"),
      UInt8(ascii: "\\"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }
}
