import Runtime

/// Extracts the spoken sentences of a reply while it arrives. Replies are Markdown: markup, addresses, code blocks,
/// tags and emoji are not spoken; the text of links and the cells of tables are.
public final class SpokenText {
  private enum Skip {
    case nothing
    /// A block of code, until its fence; the rest of a fence's line.
    case block, fenceLine
    /// A link's address in parentheses; a tag; an address in the text.
    case address, tag, link
  }

  private let sentence = FixedBuffer(capacity: Budget.sentenceBytes)
  private var count = 0
  /// The first characters of a line, which decide its kind.
  private var prefix = InlineArray<12, UInt8>(repeating: 0)
  private var prefixCount = 0
  private var isPrefix = true
  private var skip = Skip.nothing
  private var isInBlock = false
  private var isHeading = false
  /// The bytes of an incomplete character.
  private var character = InlineArray<4, UInt8>(repeating: 0)
  private var characterCount = 0
  private var previous: UInt8 = 0
  /// A sentence ends if white space comes now.
  private var mayEnd = false
  /// The line has no words so far.
  private var isBlankLine = true
  /// After a backslash: the next character is literal.
  private var isLiteral = false
  /// A `<` that may begin a tag; a `]` that may be followed by an address.
  private var isTagOpen = false
  private var isLinkClosed = false

  /// The start of a text.
  @export(interface)
  public init() {}

  /// Resets for the next text.
  public func reset() {
    (count, prefixCount, characterCount) = (0, 0, 0)
    (isPrefix, isInBlock, isHeading, mayEnd, isBlankLine) = (true, false, false, false, true)
    (isLiteral, isTagOpen, isLinkClosed) = (false, false, false)
    (skip, previous) = (.nothing, 0)
  }

  /// Takes more of the text, in pieces of any size; `say` gets each sentence that ends in it.
  public func add(_ text: Span<UInt8>, _ say: (Span<UInt8>) -> Void) {
    for index in 0..<text.count { take(text[index], say) }
  }

  /// The text has ended: passes the rest to `say`.
  public func finish(_ say: (Span<UInt8>) -> Void) {
    if isPrefix { resolvePrefix(say) }
    flush(say)
    reset()
  }

  // MARK: Lines

  private func take(_ byte: UInt8, _ say: (Span<UInt8>) -> Void) {
    if byte == UInt8(ascii: "\r") { return }
    if byte == UInt8(ascii: "\n") { return endLine(say) }
    if isPrefix {
      if prefixCount < prefix.count, Self.isMark(byte) {
        prefix[prefixCount] = byte
        prefixCount += 1
        return
      }
      if isRule, Self.isRule(byte) { return }
      resolvePrefix(say)
    }
    if skip == .block || skip == .fenceLine { return }
    inline(byte, say)
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "*"),
      UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "="), UInt8(ascii: "~"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: ":"),
      UInt8(ascii: "."), UInt8(ascii: ")"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  /// True when the line is a horizontal rule or a table's separator.
  private var isRule: Bool {
    for index in 0..<prefixCount where !Self.isRule(prefix[index]) { return false }
    return true
  }

  private static func isRule(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: "|") || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "*") || byte == UInt8(ascii: " ")
  }

  private func endLine(_ say: (Span<UInt8>) -> Void) {
    if isPrefix, hasWordInPrefix { resolvePrefix(say) }
    let isRule = isPrefix && prefixCount > 0
    if isFence { toggleBlock(say) }
    if isHeading || (isBlankLine && !isInBlock) || isRule { flush(say) } else if skip != .block { space(say) }
    (isPrefix, prefixCount, isHeading, isBlankLine) = (true, 0, false, true)
    (isTagOpen, isLinkClosed, isLiteral, previous) = (false, false, false, UInt8(ascii: " "))
    skip = isInBlock ? .block : .nothing
  }

  /// Three backticks or tildes at the start of a line.
  private var isFence: Bool {
    guard isPrefix else { return false }
    var run = 0
    for index in 0..<prefixCount {
      if prefix[index] == UInt8(ascii: "`") || prefix[index] == UInt8(ascii: "~") {
        run += 1
      } else if run > 0 || prefix[index] != UInt8(ascii: " ") {
        break
      }
    }
    return run >= 3
  }

  private var hasWordInPrefix: Bool {
    for index in 0..<prefixCount where prefix[index] >= UInt8(ascii: "0") && prefix[index] <= UInt8(ascii: "9") {
      return !isInBlock
    }
    return false
  }

  private func toggleBlock(_ say: (Span<UInt8>) -> Void) {
    isInBlock.toggle()
    if isInBlock { flush(say) }
  }

  /// Interprets the start of a line: a fence, a heading, a list item, a table row; else it is text.
  private func resolvePrefix(_ say: (Span<UInt8>) -> Void) {
    if isFence {
      isPrefix = false
      toggleBlock(say)
      return skip = isInBlock ? .block : .fenceLine
    }
    isPrefix = false
    if isInBlock { return skip = .block }
    var index = 0
    while index < prefixCount, prefix[index] == UInt8(ascii: " ") || prefix[index] == UInt8(ascii: ">") { index += 1 }
    if index < prefixCount, prefix[index] == UInt8(ascii: "#") {
      flush(say)
      isHeading = true
      while index < prefixCount, prefix[index] == UInt8(ascii: "#") { index += 1 }
    } else if isItem(at: index) {
      flush(say)
      index += 1
    } else if let end = numberedItem(at: index) {
      flush(say)
      while index < end - 1 {
        inline(prefix[index], say)
        index += 1
      }
      inline(UInt8(ascii: ","), say)
      index = end
    }
    while index < prefixCount {
      inline(prefix[index], say)
      index += 1
    }
  }

  private func isItem(at index: Int) -> Bool {
    guard index + 1 < prefixCount, prefix[index + 1] == UInt8(ascii: " ") else { return false }
    return prefix[index] == UInt8(ascii: "-") || prefix[index] == UInt8(ascii: "*")
      || prefix[index] == UInt8(ascii: "+")
  }

  /// Digits, a period or parenthesis, and a space: the index of the space.
  private func numberedItem(at start: Int) -> Int? {
    var index = start
    while index < prefixCount, prefix[index] >= UInt8(ascii: "0"), prefix[index] <= UInt8(ascii: "9") { index += 1 }
    guard index > start, index + 1 < prefixCount, prefix[index + 1] == UInt8(ascii: " ") else { return nil }
    return prefix[index] == UInt8(ascii: ".") || prefix[index] == UInt8(ascii: ")") ? index + 1 : nil
  }

  // MARK: Text

  private func inline(_ byte: UInt8, _ say: (Span<UInt8>) -> Void) {
    if byte > 0x20 { isBlankLine = false }
    switch skip {
    case .address:
      if byte == UInt8(ascii: ")") { skip = .nothing }
      return
    case .tag:
      if byte == UInt8(ascii: ">") { skip = .nothing }
      return
    case .link:
      if byte > 0x20 { return }
      skip = .nothing
    case .nothing, .block, .fenceLine: break
    }
    if byte >= 0x80 { return part(of: byte, say) }
    characterCount = 0
    if isLiteral {
      isLiteral = false
      return emit(byte, say)
    }
    if isLinkClosed {
      isLinkClosed = false
      if byte == UInt8(ascii: "(") { return skip = .address }
    }
    if isTagOpen {
      isTagOpen = false
      if byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") || byte == UInt8(ascii: "/") {
        return skip = .tag
      }
      emit(UInt8(ascii: "<"), say)
    }
    mark(byte, say)
  }

  private func mark(_ byte: UInt8, _ say: (Span<UInt8>) -> Void) {
    switch byte {
    case UInt8(ascii: "\\"): isLiteral = true
    case UInt8(ascii: "*"), UInt8(ascii: "`"), UInt8(ascii: "~"): break
    case UInt8(ascii: "_"): if previous > 0x20 { space(say) }
    case UInt8(ascii: "["):
      // An exclamation mark before it means an image.
      if previous == UInt8(ascii: "!"), mayEnd { (count, mayEnd) = (count - 1, false) }
    case UInt8(ascii: "]"): isLinkClosed = true
    case UInt8(ascii: "<"): isTagOpen = true
    case UInt8(ascii: "|"):
      if count > 0, sentence.bytes[count - 1] == UInt8(ascii: " ") { count -= 1 }
      if count > 0, sentence.bytes[count - 1] != UInt8(ascii: ",") { emit(UInt8(ascii: ","), say) }
      space(say)
    case 0...0x20: space(say)
    default: emit(byte, say)
    }
    previous = byte
  }

  /// A character of several bytes; emoji are skipped.
  private func part(of byte: UInt8, _ say: (Span<UInt8>) -> Void) {
    if byte & 0xC0 == 0xC0 || characterCount == 4 { characterCount = 0 }
    character[characterCount] = byte
    characterCount += 1
    let length = character[0] >= 0xF0 ? 4 : character[0] >= 0xE0 ? 3 : 2
    guard characterCount == length else { return }
    characterCount = 0
    isLinkClosed = false
    var letters = Letters(character.span.extracting(0..<length))
    let scalar = letters.next() ?? 0xFFFD
    if Self.isPicture(scalar) { return }
    if scalar == 0xA0 { return space(say) }
    room(for: length, say)
    for index in 0..<length { put(character[index]) }
    previous = character[0]
    // 。！？ end sentences without a space after them; … with one.
    if scalar == 0x3002 || scalar == 0xFF01 || scalar == 0xFF1F { return flush(say) }
    mayEnd = scalar == 0x2026 || mayEnd && Self.isClosing(scalar)
  }

  private static func isPicture(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2190...0x21FF, 0x2300...0x2BFF, 0xFE00...0xFE0F, 0x1F000...0x1FAFF, 0xE0000...0xE007F, 0x200D, 0x20E3,
      0xFFFD, 0xFEFF:
      true
    default: false
    }
  }

  private static func isClosing(_ scalar: UInt32) -> Bool { scalar == 0x201D || scalar == 0x2019 || scalar == 0xBB }

  private func emit(_ byte: UInt8, _ say: (Span<UInt8>) -> Void) {
    room(for: 1, say)
    let isTerminator = byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
    let isClosing = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: ")")
    if isTerminator {
      mayEnd = byte != UInt8(ascii: ".") || !endsWithAbbreviation
    } else if !isClosing {
      mayEnd = false
    }
    put(byte)
    previous = byte
    if byte == UInt8(ascii: "/"), ends(with: "http://") || ends(with: "https://") { cutLink() }
  }

  private func cutLink() {
    while count > 0, sentence.bytes[count - 1] > 0x20, sentence.bytes[count - 1] != UInt8(ascii: "(") { count -= 1 }
    skip = .link
  }

  private func space(_ say: (Span<UInt8>) -> Void) {
    previous = UInt8(ascii: " ")
    if mayEnd { return flush(say) }
    guard count > 0, sentence.bytes[count - 1] != UInt8(ascii: " ") else { return }
    room(for: 1, say)
    put(UInt8(ascii: " "))
  }

  private func put(_ byte: UInt8) {
    sentence.bytes[count] = byte
    count += 1
  }

  // MARK: Sentences

  private func ends(with text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard count >= length else { return false }
    for index in 0..<length where sentence.bytes[count - length + index] | 0x20 != text.utf8Start[index] | 0x20 {
      return false
    }
    return true
  }

  /// The period is part of an abbreviation: after a single letter, or a common short form.
  private var endsWithAbbreviation: Bool {
    var start = count
    while start > 0, sentence.bytes[start - 1] > 0x20, sentence.bytes[start - 1] != UInt8(ascii: ".") { start -= 1 }
    let length = count - start
    if length == 1 {
      return sentence.bytes[start] | 0x20 >= UInt8(ascii: "a") && sentence.bytes[start] != UInt8(ascii: "I")
    }
    for index in 0..<Self.shortForms.count {
      let word = Self.shortForms[index]
      if word.utf8CodeUnitCount == length, ends(with: word) { return true }
    }
    return false
  }

  private static let shortForms: InlineArray<16, StaticString> = [
    "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "approx", "ca", "bzw", "usw", "nr", "no", "sr", "jr",
  ]

  /// Makes room for a character: a sentence that is too long ends after its last comma, or between words.
  private func room(for bytes: Int, _ say: (Span<UInt8>) -> Void) {
    guard count + bytes > sentence.bytes.count else { return }
    var end = count
    while end > count / 2, sentence.bytes[end - 1] != UInt8(ascii: " ") { end -= 1 }
    if end <= count / 2 {
      // A single very long word is cut between characters.
      end = count
      while end > 1, sentence.bytes[end - 1] & 0xC0 == 0x80 { end -= 1 }
      if sentence.bytes[end - 1] >= 0x80 { end -= 1 }
      if end < count - 4 { end = count }
    }
    emitSentence(0..<end, say)
    let rest = count - end
    if rest > 0 { sentence.bytes.baseAddress!.update(from: sentence.bytes.baseAddress! + end, count: rest) }
    count = rest
  }

  private func flush(_ say: (Span<UInt8>) -> Void) {
    let length = count
    (count, mayEnd) = (0, false)
    emitSentence(0..<length, say)
  }

  /// Passes on a sentence that has a word.
  private func emitSentence(_ range: Range<Int>, _ say: (Span<UInt8>) -> Void) {
    var end = range.upperBound
    while end > 0, sentence.bytes[end - 1] <= 0x20 || sentence.bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
    let text = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(sentence.bytes)[..<end])
    if WordSum(Span(_unsafeElements: text)).count > 0 { say(Span(_unsafeElements: text)) }
  }
}
