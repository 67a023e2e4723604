import Board
import Canvas
import Graphics
import Runtime
import TestSupport
import Testing

@Suite("Faces and text")
struct FontShelfTests {
  private let shelf: FontShelf
  private let line = GlyphLine()

  init() throws { shelf = try FontShelf() }

  private func advance(_ text: String, _ font: Font) -> Int32 { shelf.advance(of: text.utf8.span, in: font) }

  private func glyphs(_ text: String, _ font: Font = Font(size: 16)) -> [PlacedGlyph] {
    shelf.layOut(text.utf8.span, in: font, into: line)
    return (0..<line.count).map { line[$0] }
  }

  /// Around what a text paints, from its start and baseline.
  private func painted(_ text: String, _ font: Font) throws -> Rect {
    let list = DisplayList()
    let painter = SoftwarePainter(glyphs: try FontShelf())
    let buffer = try PixelBuffer(Size(600, 120))
    let width = advance(text, font) / 64 + 1
    list.add(.text(list.add(text.utf8.span), font, start: Point(100, 60), advance: width, .white))
    painter.paint(list, Damage(Rect(0, 0, 600, 120)), into: buffer)
    var result = Rect.empty
    for y in 0..<Int32(120) {
      for x in 0..<Int32(600) where buffer.pixels[Int(y * 600 + x)] & 0xFF > 40 {
        result = result.union(Rect(x, y, 1, 1))
      }
    }
    return result.offset(-100, -60)
  }

  @Test("the measure agrees with what is painted", arguments: [Int16(11), 14, 20, 40])
  func measures(size: Int16) throws {
    for font in [Font(size: size), Font(size: size, weight: .bold), Font(size: size, isMonospaced: true)] {
      let text = "Hamburg 123"
      let (rect, metrics) = (try painted(text, font), shelf.metrics(of: font))
      let width = advance(text, font) / 64
      #expect(abs(rect.maxX - width) <= Int32(size) / 5 + 1)
      #expect(rect.x >= -1 && rect.x <= Int32(size) / 5 + 1)
      #expect(rect.y >= -metrics.ascent)
      #expect(rect.maxY <= metrics.descent)
      #expect(metrics.height >= Int32(size) && metrics.height <= 2 * Int32(size))
    }
  }

  @Test("bold is wider, and every monospaced character is as wide as the others")
  func styles() {
    #expect(advance("Hamburg", Font(size: 16, weight: .bold)) > advance("Hamburg", Font(size: 16)))
    let code = Font(size: 16, isMonospaced: true)
    #expect(advance("iiii", code) == advance("WWWW", code))
  }

  @Test("what fits is a whole number of characters and no wider than the width")
  func fits() {
    let font = Font(size: 16)
    let text = "Größe und Länge"
    for width in stride(from: Int32(0), to: 9_000, by: 97) {
      let count = shelf.fit(text.utf8.span, in: font, width: width)
      let part = Array(text.utf8.prefix(count))
      #expect(String(validating: part, as: UTF8.self) != nil)
      #expect(shelf.advance(of: part.span, in: font) <= width)
    }
    #expect(shelf.fit(text.utf8.span, in: font, width: .max) == text.utf8.count)
    #expect(shelf.fit(text.utf8.span, in: font, width: 0) == 0)
  }

  @Test("a text longer than what is ordered at once is measured to its end")
  func long() {
    let font = Font(size: 12)
    let text = String(repeating: "a", count: Budget.lineGlyphs * 2 + 7)
    // Half of 1/64 pixel is lost where one letter is measured.
    let rounded = Int32(Budget.lineGlyphs * 2 + 7) * advance("a", font)
    #expect(abs(advance(text, font) - rounded) <= Int32(Budget.lineGlyphs) + 4)
    #expect(glyphs(text).count == Budget.lineGlyphs)
    let width = advance(String(repeating: "a", count: Budget.lineGlyphs + 20), font)
    #expect(shelf.fit(text.utf8.span, in: font, width: width) == Budget.lineGlyphs + 20)
  }

  @Test("ratings, arrows and signs have glyphs of their own, in every style")
  func symbols() {
    for font in [Font(size: 16), Font(size: 16, weight: .bold), Font(size: 16, isMonospaced: true)] {
      for character in "★☆✓✔✅❌→←↑↓•°€…–½■●◆☀⛅🌤🌧🌙♥⚠✉📧📞🏠ÄßčŁΩЖאش" {
        let found = glyphs(String(character), font)
        #expect(found.count == 1 && found[0].face != Self.missing, "\(character)")
      }
    }
  }

  /// The number of no face.
  private static let missing: UInt8 = 254

  @Test("what no face has is a box with its code point, and signs that are not seen take no room")
  func missing() {
    let found = glyphs("\u{4F60}\u{1F680}")
    #expect(found.map(\.face) == [Self.missing, Self.missing])
    #expect(found.map(\.glyph) == [0x4F60, 0x1F680])
    #expect(glyphs("\u{2764}\u{FE0F}\u{200D}").count == 1)
    #expect(advance("a\u{200B}b\u{00AD}", Font(size: 16)) == advance("ab", Font(size: 16)))
    // What is never seen has no box where nothing else is.
    #expect(glyphs("\u{FE0F}").isEmpty || advance("\u{FE0F}", Font(size: 16)) == 0)
  }

  @Test("bytes that are no UTF-8 count as one replacement each")
  func broken() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80, 0xF4, 0x90, 0x80, 0x80, 0xE2, 0x82]
    shelf.layOut(bytes.span, in: Font(size: 16), into: line)
    // a, FF, C3, (, three of a surrogate, four above U+10FFFF, two of an end that is missing.
    #expect(line.count == 13)
    #expect(line[1].glyph == glyphs("\u{FFFD}")[0].glyph)
  }

  @Test("Hebrew runs from right to left, numbers in it do not")
  func rightToLeft() {
    let logical = glyphs("\u{05D0}").map(\.glyph) + glyphs("\u{05D1}").map(\.glyph)
    #expect(glyphs("\u{05D0}\u{05D1}").map(\.glyph) == [logical[1], logical[0]])
    let digits = glyphs("12").map(\.glyph)
    #expect(glyphs("\u{05D0}12").map(\.glyph) == digits + [logical[0]])
    #expect(glyphs("a(\u{05D0})").map(\.glyph) == glyphs("a(").map(\.glyph) + [logical[0]] + glyphs(")").map(\.glyph))
  }

  @Test(
    "what turns the direction of a text is seen, and turns nothing",
    arguments: [
      "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}",
    ])
  func overrides(mark: String) {
    let seen = glyphs("\u{FFFD}").map(\.glyph)
    #expect(glyphs("a\(mark)bc").map(\.glyph) == glyphs("a").map(\.glyph) + seen + glyphs("bc").map(\.glyph))
    let font = Font(size: 16)
    #expect(advance("a\(mark)b", font) == advance("a\u{FFFD}b", font))
  }

  @Test("Arabic letters join, in the measure and in what is drawn")
  func joins() {
    // Beh alone, and in the middle of three.
    let (alone, three) = (glyphs("\u{0628}"), glyphs("\u{0628}\u{0628}\u{0628}"))
    #expect(three.count == 3)
    #expect(three[1].glyph != alone[0].glyph)
    #expect(Set(three.map(\.glyph)).count == 3)
    // Lam and alef become one.
    #expect(glyphs("\u{0644}\u{0627}").count == 1)
    let font = Font(size: 32)
    #expect(advance("\u{0628}\u{0628}\u{0628}", font) < 3 * advance("\u{0628}", font))
  }

  @Test("faces of the board are asked last, and only as many are opened as there is room for")
  func fallbackFaces() throws {
    let path = try Path("\(#filePath)")
    #expect(!shelf.add(path))
    let face = try Path(Repository.path(".deps/fonts/faces/mono.ttf"))
    var opened = 0
    for _ in 0..<Budget.fontFaces where shelf.add(face) { opened += 1 }
    #expect(opened == Budget.fontFaces - 8)
    #expect(glyphs("a")[0].face == 0)
  }
}
