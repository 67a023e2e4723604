import CFreeType
import CFriBidi
import Canvas
import Runtime

extension FontShelf {
  /// Looks a character up in each face, then a substitute of the same meaning, and at last takes a middle dot.
  func search(_ character: UInt32, _ style: Style) -> KnownCharacter {
    if Self.isInvisible(character) { return KnownCharacter(character: character) }
    // Tabs and line ends inside a line become spaces.
    let wanted = character < 0x20 ? 0x20 : character
    var found = ask(wanted, style)
    if found == nil { found = ask(Self.substitute(wanted), style) }
    if found == nil { found = ask(0xB7, style) }
    var result = found ?? KnownCharacter()
    result.character = character
    return result
  }

  private func ask(_ character: UInt32, _ style: Style) -> KnownCharacter? {
    // Faces of the same weight and width first, then all others in their order.
    for pass in 0..<2 {
      for index in 0..<faces.count {
        let isLike = faces[index].isBold == (style == .bold) && faces[index].isMonospaced == (style == .monospaced)
        guard isLike == (pass == 0), let glyph = glyph(character, in: index) else { continue }
        return KnownCharacter(
          character: character, face: UInt8(index), isEmboldened: style == .bold && !faces[index].isBold,
          glyph: glyph, advance: tl_face_advance(faces[index].handle, glyph))
      }
    }
    return nil
  }

  private func glyph(_ character: UInt32, in face: Int) -> UInt32? {
    let glyph = tl_face_glyph(faces[face].handle, character)
    return glyph == 0 ? nil : glyph
  }

  /// Format characters, which have no glyph: joiners, direction marks, variation selectors, soft hyphens.
  private static func isInvisible(_ character: UInt32) -> Bool {
    switch character {
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xFEFF, 0xE0000...0xE0FFF: true
    default: false
    }
  }

  /// A substitute of the same meaning that the built-in faces have.
  private static func substitute(_ character: UInt32) -> UInt32 {
    switch character {
    case 0x2705, 0x1F5F8: 0x2714  // check marks
    case 0x274C, 0x274E, 0x1F5D9: 0x2716  // crosses
    case 0x2B50, 0x1F31F: 0x2605  // stars
    case 0x1F534, 0x1F535, 0x1F7E0...0x1F7E4, 0x26AB, 0x2B24: 0x25CF  // discs
    case 0x26AA, 0x2B55: 0x25CB  // rings
    case 0x1F7E5...0x1F7EB, 0x2B1B, 0x25FC: 0x25A0  // squares
    case 0x2B1C, 0x25FB: 0x25A1
    case 0x1F499...0x1F49C, 0x1F5A4, 0x1F9E1, 0x2764: 0x2665  // hearts
    case 0x2753: 0x3F  // question and exclamation marks
    case 0x2757: 0x21
    case 0x2795: 0x2B  // plus and minus
    case 0x2796: 0x2212
    case 0x27A1, 0x2B95: 0x2192  // arrows
    case 0x2B05: 0x2190
    case 0x2B06: 0x2191
    case 0x2B07: 0x2193
    case 0x3000: 0x20
    case 0xFF01...0xFF5E: character - 0xFEE0  // full width ASCII
    case 0x1F30D...0x1F30F: 0x25CF
    case 0x1F600...0x1F64F, 0x1F910...0x1F93A, 0x1F970...0x1F97A: 0x263A  // faces
    default: 0xB7
    }
  }
}

/// The characters of a line in visual order.
final class TextLine {
  let characters: UnsafeMutablePointer<UInt32>
  /// The offset of each character in the text; meaningless for a line in visual order.
  let offsets: UnsafeMutablePointer<Int>
  private(set) var count = 0
  private let ordered: UnsafeMutablePointer<UInt32>

  init() {
    characters = .allocate(capacity: Budget.lineGlyphs)
    offsets = .allocate(capacity: Budget.lineGlyphs)
    ordered = .allocate(capacity: Budget.lineGlyphs)
  }

  deinit {
    characters.deallocate()
    offsets.deallocate()
    ordered.deallocate()
  }

  /// Reads as many characters as fit, in the joined forms of their script; returns where the rest begins.
  func read(_ text: Span<UInt8>, from start: Int, isVisual: Bool) -> Int {
    count = 0
    var place = start
    var isSimple = true
    while place < text.count, count < Budget.lineGlyphs {
      offsets[count] = place
      let character = Self.shown(Self.decode(text, &place))
      characters[count] = character
      if Self.mayRunBackwards(character) { isSimple = false }
      count += 1
    }
    guard !isSimple else { return place }
    if tl_bidi(characters, Int32(count), ordered, isVisual ? 1 : 0) == Int32(count) {
      characters.update(from: ordered, count: count)
    }
    return place
  }

  /// An embedding, override or isolate character (Unicode Standard Annex #9, 2.1 to 2.4) is shown as U+FFFD and has no
  /// effect: with it, the text on the screen could read differently from the text that was sent and approved. Letters
  /// have their direction without it; the zero-width marks (U+200E, U+200F) only affect punctuation, and are honored.
  private static func shown(_ character: UInt32) -> UInt32 {
    switch character {
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
