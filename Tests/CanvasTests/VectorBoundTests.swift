import Runtime
import Testing

@testable import Canvas

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

  @Test("what is no number counts as the least of what it may be")
  func noNumber() {
    #expect(Double.nan.bounded(1, 5) == 1)
    #expect(Double.infinity.bounded(1, 5) == 5)
    #expect((-Double.infinity).bounded(1, 5) == 1)
    #expect(3.0.bounded(1, 5) == 3)
  }

  @Test("a picture that is drawn far smaller is averaged over so many samples, and no more")
  func samples() throws {
    // Drawn 64 times smaller, every fourth column is looked at: those with a number of 2 beyond a multiple of 4.
    let side = 4 * Budget.pictureSamples
    let picture = [UInt32](unsafeUninitializedCapacity: side * side) { pixels, count in
      for index in 0..<side * side { pixels.initializeElement(at: index, to: index % 4 == 2 ? 0xFFFF_FFFF : 0xFF00_0000) }
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
