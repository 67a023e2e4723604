import Runtime

@testable import Graphics

/// Glyphs that are boxes half as wide as the type is high: a character at each half em.
final class BoxGlyphs: GlyphSource {
  private var pixels = [UInt8](repeating: 255, count: 1024 * 1024)
  private(set) var draws = 0

  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine) {
    line.removeAll()
    for index in 0..<text.count where text[index] != 0x20 {
      let x = Int32(index) * Int32(font.size) * 32
      line.add(PlacedGlyph(face: 0, isBold: false, isSlanted: false, glyph: UInt32(text[index]), x: x))
    }
  }

  func draw(_ glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture? {
    draws += 1
    let side = Int(size) / 2
    return pixels.withUnsafeBufferPointer { pixels in
      let size = Size(Int32(side), Int32(side))
      return GlyphPicture(
        coverage: Coverage(rows: pixels.baseAddress!, stride: side, size: size), left: 0, top: Int32(side))
    }
  }
}

/// A small screen, and what was painted on it.
struct Screen {
  let painter = SoftwarePainter(glyphs: BoxGlyphs())
  let list = DisplayList()
  let buffer: PixelBuffer

  init(_ width: Int32 = 64, _ height: Int32 = 48) throws { buffer = try PixelBuffer(Size(width, height)) }

  var all: Rect { Rect(0, 0, buffer.size.width, buffer.size.height) }

  func text(_ string: String) -> TextSlice { list.add(string.utf8.span) }

  func paint(_ damage: Rect? = nil) { painter.paint(list, Damage(damage ?? all), into: buffer) }

  /// 0xRRGGBB.
  subscript(x: Int32, y: Int32) -> UInt32 { buffer.pixels[Int(y * buffer.size.width + x)] & 0xFF_FFFF }

  /// Around all pixels that are not black.
  var painted: Rect {
    var result = Rect.empty
    for y in 0..<buffer.size.height {
      for x in 0..<buffer.size.width where self[x, y] != 0 { result = result.union(Rect(x, y, 1, 1)) }
    }
    return result
  }
}

/// Numbers that look random and are the same each time.
struct PaintDice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func roll(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % (range.upperBound - range.lowerBound + 1)
  }

  mutating func rect() -> Rect {
    Rect(Int32(roll(-10...60)), Int32(roll(-10...44)), Int32(roll(1...50)), Int32(roll(1...40)))
  }

  mutating func point() -> Point { Point(Int32(roll(0...60)), Int32(roll(0...40))) }

  mutating func color() -> Color { Color(argb: UInt32(roll(0...0xFFFF)) << 16 | UInt32(roll(0...0xFFFF))) }

  mutating func fill() -> Fill {
    roll(0...2) == 0 ? .solid(color()) : .gradient(color(), color(), angle: Int16([0, 90, 135, 200][roll(0...3)]))
  }

  /// Anything that can be drawn.
  mutating func command(_ list: DisplayList, _ picture: PictureHandle) -> DrawCommand {
    let radius = Int16(roll(0...20))
    switch roll(0...9) {
    case 0, 1: return .fill(rect(), radius: radius, fill())
    case 2: return .border(rect(), radius: radius, width: Int16(roll(1...6)), color())
    case 3: return .shadow(rect(), radius: radius, blur: Int16(roll(0...12)), down: Int16(roll(0...8)), color())
    case 4:
      let slice = list.add("ab c\(roll(0...99))".utf8.span)
      let start = Point(Int32(roll(-5...60)), Int32(roll(0...50)))
      return .text(slice, Font(size: Int16(roll(8...20))), start: start, advance: 50, color())
    case 5:
      return .line(point(), point(), width: Int16(roll(1...4)), color())
    case 6: return .icon(Icon.allCases[roll(0...Icon.allCases.count - 1)], rect(), color())
    case 7:
      let (start, sweep) = (Int16(roll(0...360)), Int16(roll(-360...400)))
      return .arc(rect(), start: start, sweep: sweep, width: Int16(roll(1...6)), color())
    case 8:
      return .picture(
        picture, source: Rect(0, 0, Int32(roll(1...9)), Int32(roll(1...7))), rect(), radius: radius,
        opacity: UInt8(roll(0...255)))
    default: return .clip(rect(), radius: radius)
    }
  }
}
