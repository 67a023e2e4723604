import Canvas
import Runtime

extension FontShelf {
  /// Looks a character up in each face, then in the font files of the board, then a substitute of the same meaning.
  func search(_ character: UInt32, _ style: Style) -> KnownCharacter {
    var result = KnownCharacter(character: character, shown: character, face: Self.missing)
    let substitute = Self.substitute(character)
    if let face = ask(character, style) ?? askPacks(character) {
      result.face = face
    } else if let substitute, let face = ask(substitute, style) {
      result.face = face
      result.shown = substitute
    }
    if result.face != Self.missing { result.isEmboldened = style == .bold && !faces[Int(result.face)].isBold }
    return result
  }

  private func ask(_ character: UInt32, _ style: Style) -> UInt8? {
    // Faces of the same weight and width first, then all others in their order.
    for pass in 0..<2 {
      for index in 0..<ownCount {
        let isLike = faces[index].isBold == (style == .bold) && faces[index].isMonospaced == (style == .monospaced)
        if isLike == (pass == 0), faces[index].has(character) { return UInt8(index) }
      }
    }
    return nil
  }

  /// Format characters, which have no glyph: joiners, direction marks, variation selectors, soft
  /// hyphens, fillers (Default_Ignorable_Code_Point).
  static func isInvisible(_ character: UInt32) -> Bool {
    switch character {
    case 0xAD, 0x34F, 0x61C, 0x115F...0x1160, 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x202A...0x202E,
      0x2060...0x206F, 0x3164, 0xFE00...0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0...0xFFF8, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// A substitute of the same meaning that the built-in faces have; nil: there is none.
  private static func substitute(_ character: UInt32) -> UInt32? {
    switch character {
    case 0x2705, 0x1F5F8: 0x2714  // check marks
    case 0x274C, 0x274E, 0x1F5D9: 0x2716  // crosses
    case 0x2B50, 0x1F31F: 0x2605  // stars
    case 0x1F534, 0x1F535, 0x1F7E0...0x1F7E4, 0x26AB, 0x2B24: 0x25CF  // discs
    case 0x26AA, 0x2B55: 0x25CB  // rings
    case 0x1F7E5...0x1F7EB, 0x2B1B, 0x25FC: 0x25A0  // squares
    case 0x2B1C, 0x25FB: 0x25A1
    case 0x1F499...0x1F49C, 0x1F5A4, 0x1F9E1, 0x2764: 0x2665  // hearts
    case 0x26C5, 0x1F324, 0x1F325: 0x2601  // clouds, rain, sun and moon
    case 0x26C8, 0x1F326, 0x1F327: 0x2614
    case 0x1F31E: 0x2600
    case 0x1F319: 0x263D
    case 0x1F4E7...0x1F4E9: 0x2709  // letters, telephones, houses
    case 0x1F4DE, 0x1F57D: 0x260E
    case 0x1F3E0, 0x1F3E1: 0x2302
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
    case 0x1F600...0x1F64F, 0x1F910...0x1F93A, 0x1F970...0x1F97A: 0x263A  // faces
    default: nil
    }
  }
}
