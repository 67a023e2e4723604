import Codec
import Runtime

/// A font as CSS's `font` property says it, as far as a 2D context needs it.
public struct CSSFont {
  var size = 10.0
  var isBold = false
  var isItalic = false
  var isMonospaced = false
  /// The list of families as it was written, with single blanks.
  var family = InlineText<96>(cutting: "sans-serif")

  /// Nil for what is no font: `[style] [variant] [weight] [stretch] size[/line-height] family`. `em` is what `em` and
  /// `%` mean.
  init?(_ text: Span<UInt8>, em: Double = 10) {
    self.init()
    var reader = TextReader(text)
    reader.skipBlanks()
    while true {
      if let number = reader.number() {
        guard TextReader.isBlank(reader.next) else {
          guard let scale = Self.unit(&reader, em) else { return nil }
          size = number * scale
          guard size >= 0, size.isFinite, families(&reader) else { return nil }
          return
        }
        // A number alone is a weight.
        guard number >= 1, number <= 1000 else { return nil }
        isBold = number >= 600
      } else {
        let word = reader.word()
        if let named = Self.namedSize(reader, word) {
          size = named
          guard families(&reader) else { return nil }
          return
        }
        guard !word.isEmpty, takeWord(reader, word), TextReader.isBlank(reader.next) else { return nil }
      }
      reader.skipBlanks()
    }
  }

  init() {}

  private mutating func takeWord(_ reader: borrowing TextReader, _ word: Range<Int>) -> Bool {
    if reader.isWord(word, "italic") || reader.isWord(word, "oblique") {
      isItalic = true
    } else if reader.isWord(word, "bold") || reader.isWord(word, "bolder") {
      isBold = true
    } else if reader.isWord(word, "lighter") {
      isBold = false
    } else {
      return reader.isWord(word, "normal") || reader.isWord(word, "small-caps") || reader.isWord(word, "condensed")
        || reader.isWord(word, "semi-condensed") || reader.isWord(word, "expanded")
        || reader.isWord(word, "semi-expanded") || reader.isWord(word, "extra-condensed")
        || reader.isWord(word, "ultra-condensed") || reader.isWord(word, "extra-expanded")
        || reader.isWord(word, "ultra-expanded")
    }
    return true
  }

  /// CSS Fonts level 4, section 2.5.
  private static func namedSize(_ reader: borrowing TextReader, _ word: Range<Int>) -> Double? {
    if reader.isWord(word, "xx-small") { return 9 }
    if reader.isWord(word, "x-small") { return 10 }
    if reader.isWord(word, "small") { return 13 }
    if reader.isWord(word, "medium") { return 16 }
    if reader.isWord(word, "large") { return 18 }
    if reader.isWord(word, "x-large") { return 24 }
    if reader.isWord(word, "xx-large") { return 32 }
    return nil
  }

  /// Pixels of a unit that follows a number; nil for none that is known.
  public static func unit(_ reader: inout TextReader, _ em: Double) -> Double? {
    if reader.take(UInt8(ascii: "%")) { return em / 100 }
    let word = reader.word()
    if reader.isWord(word, "px") { return 1 }
    if reader.isWord(word, "pt") { return 4.0 / 3 }
    if reader.isWord(word, "em") { return em }
    if reader.isWord(word, "rem") { return 16 }
    if reader.isWord(word, "pc") { return 16 }
    if reader.isWord(word, "in") { return 96 }
    if reader.isWord(word, "cm") { return 96 / 2.54 }
    if reader.isWord(word, "mm") { return 96 / 25.4 }
    if reader.isWord(word, "q") { return 96 / 101.6 }
    if reader.isWord(word, "ex") || reader.isWord(word, "ch") { return em / 2 }
    return nil
  }

  /// Line height, which a 2D context ignores, and the families.
  private mutating func families(_ reader: inout TextReader) -> Bool {
    reader.skipBlanks()
    if reader.take(UInt8(ascii: "/")) {
      reader.skipBlanks()
      if reader.number() != nil {
        _ = Self.unit(&reader, 1)
      } else if reader.word().isEmpty {
        return false
      }
      guard TextReader.isBlank(reader.next) else { return false }
    }
    reader.skipBlanks()
    return setFamily(reader.text.extracting(reader.place...))
  }

  /// Takes a list of families; false for an empty one.
  mutating func setFamily(_ text: Span<UInt8>) -> Bool {
    var end = text.count
    while end > 0, TextReader.isBlank(text[end - 1]) { end -= 1 }
    guard end > 0, text[0] != UInt8(ascii: ",") else { return false }
    family = InlineText(cutting: text.extracting(0..<end))
    isMonospaced = Self.names(text, "mono") || Self.names(text, "courier") || Self.names(text, "consolas")
    return true
  }

  /// Is the word, which is in lower case, anywhere in the list?
  private static func names(_ text: Span<UInt8>, _ word: StaticString) -> Bool {
    var reader = TextReader(text)
    while !reader.isAtEnd {
      if reader.take(word) { return true }
      reader.place += 1
    }
    return false
  }

  /// As a 2D context gives fonts back: only what is not as usual.
  func write(to writer: inout ByteWriter) {
    if isItalic { writer.text("italic ") }
    if isBold { writer.text("bold ") }
    writer.fraction(Int64(clamping: (min(size, 1e9) * 1000).rounded()))
    writer.text("px ")
    writer.bytes(family.span)
  }

  /// The font that glyphs are laid out in, whose units are then scaled: `outlineSize` pixels to the em.
  var outlineFont: Font {
    Font(
      size: Self.outlineSize, weight: isBold ? .bold : .regular, isItalic: isItalic, isMonospaced: isMonospaced)
  }

  /// Large enough that hinting and rounding of outlines are lost when they are scaled down.
  static let outlineSize: Int16 = 512
}
