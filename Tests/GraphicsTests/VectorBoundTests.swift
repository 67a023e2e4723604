import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("What drawings may take")
struct VectorBoundTests {
  @Test("a shape has as many edges as are kept; one more is left out, and the shape says so")
  func edges() throws {
    let converter = try ScanConverter()
    converter.begin(Rect(0, 0, 8, 8))
    for _ in 0..<Budget.vectorEdges { converter.add(Place(1, 1), Place(1, 2)) }
    #expect(!converter.isCut)
    converter.add(Place(1, 1), Place(1, 2))
    #expect(converter.isCut)
    converter.begin(Rect(0, 0, 8, 8))
    #expect(!converter.isCut)
  }

  @Test("a glyph has as many steps as are kept")
  func outlines() {
    let outline = GlyphOutline()
    for _ in 0..<Budget.outlineSteps { #expect(outline.add(.line(1, 1))) }
    #expect(!outline.add(.line(1, 1)))
    #expect(outline.count == Budget.outlineSteps)
  }

  @Test("a pen wider than any number, in units larger than any screen, draws as far as it is seen")
  func pen() throws {
    let sheet = try Sheet()
    sheet.context.lineWidth = 1e308
    sheet.context.transform(1e10, 0, 0, 1e10, 0, 0)
    sheet.context.strokeRect(0, 0, 10, 10)
    sheet.context.transform(1e-10, 0, 0, 1e-10, 0, 0)
    sheet.context.lineWidth = 4
    sheet.context.fillRect(10, 10, 5, 5)
    #expect(sheet[12, 12] == 0xFF00_0000)
  }

  private static let numbers: [Double] = [
    0, 1, -1, 20, 1e10, -1e10, 1e38, -1e38, 1e150, 1e308, -1e308, 1e-308, 32767.5, -32768.5, 2_147_483_647.5,
    -2_147_483_648.5,
  ]

  @Test("whatever the numbers are, a context draws, and goes on drawing", arguments: numbers)
  func anyNumbers(a: Double) throws {
    let sheet = try Sheet(40, 30)
    let picture = [UInt32](repeating: 0xFF12_3456, count: 16)
    for b in [0, 1, -1e38, 1e308, 32767.5] {
      for scale in [1, 1e10, 1e308] {
        let context = sheet.context
        context.save()
        context.transform(scale, b, 0, scale, a, b)
        for (cap, join) in [("round", "round"), ("square", "miter"), ("butt", "bevel")] {
          #expect(sheet.cap(cap) && sheet.join(join))
          context.lineWidth = b.magnitude
          context.miterLimit = a.magnitude
          _ = sheet.dash([a.magnitude, 1, b.magnitude])
          context.beginPath()
          context.moveTo(a, b)
          context.lineTo(b, a)
          context.quadraticCurveTo(a, a, b, -a)
          context.bezierCurveTo(a, b, 3, 4, b, a)
          context.arcTo(b, b, a, 1, a.magnitude)
          _ = context.ellipse(a, b, a.magnitude, b.magnitude, a, b, a)
          context.stroke()
          context.fill(evenOdd: true)
          context.strokeRect(a, b, 10, a)
        }
        context.drawImage(picture.span.withUnsafeBufferPointer { $0 }, Size(4, 4), a, b, b, a, b, a, a, b)
        let gradient = context.createRadialGradient(a, b, a.magnitude, b, a, b.magnitude)
        if let gradient {
          _ = sheet.stop(gradient, 0, "red")
          _ = sheet.stop(gradient, 1, "blue")
          _ = context.setFillStyle(gradient)
          context.fillRect(-1000, -1000, 2000, 2000)
          context.drop(gradient)
        }
        context.clip(evenOdd: false)
        context.restore()
      }
    }
    sheet.fillStyle("#123456")
    sheet.context.fillRect(0, 0, 40, 30)
    #expect(sheet[20, 15] == 0xFF12_3456)
  }

  @Test("a picture that is drawn far smaller is averaged over so many samples, and no more")
  func samples() throws {
    // Drawn 64 times smaller, every fourth column is looked at: those with a number of 2 beyond a multiple of 4.
    let side = 4 * Budget.pictureSamples
    let picture = [UInt32](unsafeUninitializedCapacity: side * side) { pixels, count in
      for index in 0..<side * side {
        pixels.initializeElement(at: index, to: index % 4 == 2 ? 0xFFFF_FFFF : 0xFF00_0000)
      }
      count = side * side
    }
    let sheet = try Sheet(4, 4)
    picture.withUnsafeBufferPointer { picture in
      sheet.context.drawImage(picture, Size(Int32(side), Int32(side)), 0, 0, Double(side), Double(side), 1, 1, 1, 1)
      #expect(sheet[1, 1] == 0xFFFF_FFFF)
      sheet.context.drawImage(picture, Size(Int32(side), Int32(side)), 0, 0, Double(side), Double(side), 2, 2, 2, 2)
      #expect(sheet[2, 2] & 255 < 160)
    }
  }

  @Test("the names of a font's families are kept so far, and the font is the same")
  func families() {
    let name = String(repeating: "f", count: Budget.fontFamilyBytes)
    for text in [name, name + "x, monospace"] {
      let font = CSSFont("16px \(text)".utf8.span)
      #expect(font?.family.count == Budget.fontFamilyBytes)
      #expect(font?.isMonospaced == (text != name))
    }
  }
}
