import Codec
import Runtime

@testable import Graphics

/// Glyphs that are boxes half an em wide and half an em high, on the baseline; half an em from each to the next.
final class BoxOutlines: OutlineSource {
  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine) {
    line.removeAll()
    for index in 0..<text.count where text[index] > 0x20 {
      line.add(
        PlacedGlyph(
          face: 0, isBold: false, isSlanted: false, glyph: UInt32(text[index]), x: Int32(index) * Int32(font.size) * 32)
      )
    }
  }

  func advance(of text: Span<UInt8>, in font: Font) -> Int32 { Int32(text.count) * Int32(font.size) * 32 }

  func metrics(of font: Font) -> FontMetrics {
    FontMetrics(ascent: Int32(font.size) * 3 / 4, descent: Int32(font.size) / 4)
  }

  func outline(_ glyph: PlacedGlyph, into outline: GlyphOutline) -> Bool {
    outline.removeAll()
    _ = outline.add(.move(0, 0))
    _ = outline.add(.line(0.5, 0))
    _ = outline.add(.line(0.5, -0.5))
    return outline.add(.line(0, -0.5))
  }
}

/// A small picture and a context that draws into it.
final class Sheet {
  let context: Context2D
  let pixels: UnsafeMutableBufferPointer<UInt32>
  let size: Size

  init(_ width: Int32 = 100, _ height: Int32 = 50, background: UInt32 = 0xFFFF_FFFF) throws {
    size = Size(width, height)
    pixels = .allocate(capacity: Int(width * height))
    pixels.initialize(repeating: background)
    context = try Context2D(text: BoxOutlines())
    precondition(context.attach(pixels, size))
  }

  deinit { pixels.deallocate() }

  /// Premultiplied 0xAARRGGBB.
  subscript(x: Int32, y: Int32) -> UInt32 { pixels[Int(y * size.width + x)] }

  func fillStyle(_ css: String) { precondition(context.setFillStyle(css.utf8.span)) }
  func strokeStyle(_ css: String) { precondition(context.setStrokeStyle(css.utf8.span)) }
  func operation(_ name: String) { precondition(context.setGlobalCompositeOperation(name.utf8.span)) }

  func cap(_ name: String) -> Bool { context.setLineCap(name.utf8.span) }
  func join(_ name: String) -> Bool { context.setLineJoin(name.utf8.span) }
  func font(_ css: String) -> Bool { context.setFont(css.utf8.span) }
  func align(_ name: String) -> Bool { context.setTextAlign(name.utf8.span) }
  func baseline(_ name: String) -> Bool { context.setTextBaseline(name.utf8.span) }
  func width(_ text: String) -> Double { context.measureText(text.utf8.span).width }

  func stop(_ gradient: Context2D.GradientHandle, _ offset: Double, _ css: String) -> Context2D.StopResult {
    context.addColorStop(gradient, offset, css.utf8.span)
  }

  func dash(_ lengths: [Double]) -> Bool { lengths.withUnsafeBufferPointer { context.setLineDash($0) } }

  /// How many pixels black ink on white covers, partly covered ones in part.
  var ink: Double {
    var sum = 0.0
    for pixel in pixels { sum += Double(255 - pixel & 255) / 255 }
    return sum
  }

  /// How much of one pixel is covered, 0...1.
  func ink(_ x: Int32, _ y: Int32) -> Double { Double(255 - Int(self[x, y] & 255)) / 255 }

  /// Around all pixels that are not white.
  var inked: Rect {
    var result = Rect.empty
    for y in 0..<size.height {
      for x in 0..<size.width where self[x, y] != 0xFFFF_FFFF { result = result.union(Rect(x, y, 1, 1)) }
    }
    return result
  }
}

func written(_ write: (inout ByteWriter) -> Void) -> String {
  var bytes = [UInt8](repeating: 0, count: 256)
  let count = bytes.withUnsafeMutableBufferPointer { buffer in
    var writer = ByteWriter(into: buffer)
    write(&writer)
    return writer.count
  }
  return String(decoding: bytes[..<count], as: UTF8.self)
}

func color(_ css: String, current: Color = .black) -> Color? { CSSColor.parse(css.utf8.span, current: current) }

func font(_ css: String) -> CSSFont? { CSSFont(css.utf8.span) }
