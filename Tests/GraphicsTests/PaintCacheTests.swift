import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("What painting keeps")
struct PaintCacheTests {
  private func picture(_ side: Int32, _ value: UInt8, _ body: (GlyphPicture) -> Void) {
    let rows = [UInt8](repeating: value, count: Int(side * side))
    rows.withUnsafeBufferPointer { rows in
      let coverage = Coverage(rows: rows.baseAddress!, stride: Int(side), size: Size(side, side))
      body(GlyphPicture(coverage: coverage, left: -2, top: 7))
    }
  }

  private func key(_ number: Int) -> GlyphCache.Key {
    let glyph = PlacedGlyph(face: 1, isBold: false, isSlanted: false, glyph: UInt32(number), x: 0)
    return GlyphCache.Key(glyph, size: 12, quarter: 0)
  }

  @Test("glyphs are found again, and as many as there is room for are kept")
  func glyphsAreBounded() {
    let cache = GlyphCache()
    for number in 0..<Budget.cachedGlyphs {
      picture(4, UInt8(number & 255)) { _ = cache.keep(key(number), $0) }
    }
    #expect(cache.count == Budget.cachedGlyphs)
    #expect(cache.find(key(77))?.coverage.rows[5] == 77)
    #expect(cache.find(key(77))?.left == -2)
    picture(4, 1) { _ = cache.keep(key(5_000), $0) }
    #expect(cache.count == 1)
    #expect(cache.find(key(77)) == nil)
    #expect(cache.find(key(5_000)) != nil)
  }

  @Test("the bytes of glyphs are bounded, and one that is too large is drawn without being kept")
  func bytesAreBounded() {
    let cache = GlyphCache()
    for number in 0..<300 {
      picture(64, 9) { _ = cache.keep(key(number), $0) }
      #expect(cache.used <= Budget.cachedGlyphBytes)
    }
    let count = cache.count
    picture(300, 5) { large in
      let answer = cache.keep(key(999), large)
      #expect(answer.coverage.rows == large.coverage.rows)
    }
    #expect(cache.count == count)
  }

  @Test("pictures are bounded in number and bytes, and a handle of one that was dropped names nothing")
  func pictures() throws {
    let table = PictureTable()
    let pixel: [UInt32] = [0xFF11_2233]
    var handles: [PictureHandle] = []
    for _ in 0..<Budget.pictures {
      handles.append(try #require(pixel.withUnsafeBufferPointer { table.keep($0, Size(1, 1)) }))
    }
    #expect(pixel.withUnsafeBufferPointer { table.keep($0, Size(1, 1)) } == nil)
    table.drop(handles[3])
    #expect(table.find(handles[3]) == nil)
    let next = try #require(pixel.withUnsafeBufferPointer { table.keep($0, Size(1, 1)) })
    #expect(next != handles[3])
    #expect(table.find(next) != nil)
    for handle in handles { table.drop(handle) }
    table.drop(next)
    #expect(table.bytes == 0)
    let side = Int32(2_048)
    let large = [UInt32](repeating: 0, count: Int(side * side))
    let one = large.withUnsafeBufferPointer { table.keep($0, Size(side, side)) }
    let two = large.withUnsafeBufferPointer { table.keep($0, Size(side, side)) }
    #expect(one != nil && two != nil)
    #expect(table.bytes == Budget.pictureBytes)
    #expect(pixel.withUnsafeBufferPointer { table.keep($0, Size(1, 1)) } == nil)
  }

  @Test("a picture that is made smaller is the mean of its pixels, one that is made larger goes over evenly")
  func scales() throws {
    let screen = try Screen()
    let pixels: [UInt32] = [0xFF00_0000, 0xFFFF_FFFF, 0xFFFF_FFFF, 0xFF00_0000]
    let handle = try #require(pixels.withUnsafeBufferPointer { screen.painter.keep($0, Size(2, 2)) })
    let source = Rect(0, 0, 2, 2)
    screen.list.add(.picture(handle, source: source, Rect(0, 0, 1, 1), radius: 0, opacity: 255))
    screen.list.add(.picture(handle, source: source, Rect(10, 0, 2, 2), radius: 0, opacity: 255))
    screen.list.add(.picture(handle, source: Rect(0, 0, 2, 1), Rect(20, 0, 16, 4), radius: 0, opacity: 255))
    screen.paint()
    #expect(abs(Int(screen[0, 0] & 255) - 128) <= 1)
    #expect((screen[10, 0], screen[11, 0], screen[10, 1], screen[11, 1]) == (0, 0xFFFFFF, 0xFFFFFF, 0))
    #expect(screen[20, 0] == 0)
    #expect(screen[35, 0] == 0xFFFFFF)
    for x in Int32(20)..<35 { #expect(screen[x, 2] & 255 <= screen[x + 1, 2] & 255) }
  }

  @Test("a picture that fades lets through what is behind it, and is drawn anew when it fades more")
  func fades() throws {
    let screen = try Screen()
    let handle = try #require(
      [UInt32](repeating: 0xFFFF_FFFF, count: 4).withUnsafeBufferPointer { screen.painter.keep($0, Size(2, 2)) })
    let place = Rect(4, 4, 2, 2)
    for opacity in [UInt8(0), 51, 255] {
      screen.list.removeAll()
      screen.list.add(.fill(screen.all, radius: 0, .solid(.black)))
      screen.list.add(.picture(handle, source: Rect(0, 0, 2, 2), place, radius: 0, opacity: opacity))
      screen.paint()
      #expect(screen[5, 5] & 255 == UInt32(opacity))
    }
    let before = DisplayList()
    before.add(.fill(screen.all, radius: 0, .solid(.black)))
    before.add(.picture(handle, source: Rect(0, 0, 2, 2), place, radius: 0, opacity: 254))
    #expect(DamageFinder().damage(from: before, to: screen.list, Size(64, 48)).bounds == place)
  }

  @Test("shadows of more kinds than are remembered are the same as before")
  func shadowsAreBounded() {
    let shadows = Shadows()
    let size = Size(400, 400)
    let first = shadows.tile(radius: 5, blur: 9, in: size)
    let values = Array(first.values)
    for blur in 20..<20 + Budget.shadows { _ = shadows.tile(radius: 5, blur: blur, in: size) }
    let again = shadows.tile(radius: 5, blur: 9, in: size)
    #expect(Array(again.values) == values)
    let softest = shadows.tile(radius: 10_000, blur: 10_000, in: Size(9_000, 9_000))
    #expect(softest.blur == Budget.shadowBlur)
    #expect(softest.values[softest.side * softest.side - 1] == 255)
    #expect(softest.values[0] == 0)
  }

  @Test("a line of more glyphs than there is room for is cut")
  func linesAreBounded() {
    let line = GlyphLine()
    for _ in 0...Budget.lineGlyphs { line.add(PlacedGlyph(face: 0, isBold: false, isSlanted: false, glyph: 1, x: 0)) }
    #expect(line.count == Budget.lineGlyphs)
  }
}
