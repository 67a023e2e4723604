import Canvas
import Graphics
import Runtime

/// Any bytes as a drawing: pixels that are premultiplied, or an error in words, in bounded time.
func checkSVG(_ bytes: [UInt8]) {
  let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 64 * 48)
  defer { pixels.deallocate() }
  pixels.initialize(repeating: 0)
  bytes.withUnsafeBufferPointer { bytes in
    do throws(SVGError) {
      let size = try SVG.size(bytes)
      expect(size.width > 0 && size.height > 0, "no size")
      let report = try SVG.render(bytes, into: pixels, Size(64, 48), fonts: nil) { bytes in
        expect(bytes.count >= 0, "a picture of nothing")
        return nil
      }
      expect(report.drawn > 0, "an empty drawing")
    } catch {
      expect(error.text.utf8CodeUnitCount > 0, "an error without words")
    }
  }
  for pixel in pixels { checkPremultiplied(pixel) }
}

private func checkPremultiplied(_ pixel: UInt32) {
  let alpha = pixel >> 24
  // Sums of rounded products may be one more.
  let most = min(alpha + 3, 255)
  expect(pixel & 255 <= most && pixel >> 8 & 255 <= most && pixel >> 16 & 255 <= most, "not premultiplied: \(pixel)")
}

/// Any bytes as a document to read, in three formats: something to draw, or an error in words.
func checkReader(_ bytes: [UInt8]) {
  guard let page = try? ReaderPage(measurer: EvenMeasurer(), pictures: nil) else { return }
  page.fit(Size(200, 100), Theme())
  let list = DisplayList()
  for format in [ReaderFormat.html, .markdown, .plain] {
    bytes.withUnsafeBufferPointer { bytes in
      do throws(ReaderError) {
        try page.take(bytes, format)
      } catch {
        expect(!error.text.isEmpty, "an error without words")
      }
    }
    for y in [Int32(0), 100, 100_000] {
      _ = page.input(.wheel(Point(0, 0), x: 0, y: y), at: 0)
      list.removeAll()
      page.draw(into: list)
      expect(list.count > 0, "nothing is drawn")
    }
    _ = bytes.withUnsafeBufferPointer { ReaderPage.drawing(in: $0) }
  }
}

/// Characters half an em wide.
final class EvenMeasurer: TextMeasurer {
  func metrics(of font: Font) -> FontMetrics { FontMetrics(ascent: Int32(font.size), descent: Int32(font.size) / 4) }
  func advance(of text: Span<UInt8>, in font: Font) -> Int32 { Int32(text.count) * Int32(font.size) * 32 }
  func fit(_ text: Span<UInt8>, in font: Font, width: Int32) -> Int {
    min(text.count, Int(max(width, 0) / (Int32(font.size) * 32)))
  }
}

/// A program for a 2D context: a byte says what to do, those behind it are its numbers and texts.
func checkContext2D(_ bytes: [UInt8]) {
  guard let context = try? Context2D(text: nil) else { return }
  let pixels = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: 32 * 24)
  defer { pixels.deallocate() }
  pixels.initialize(repeating: 0)
  guard context.attach(pixels, Size(32, 24)) else { return }
  let dice = Dice(bytes)
  func number() -> Double { dice.number() }
  while !dice.isSpent {
    let order = dice.byte()
    switch order % 30 {
    case 0: context.moveTo(number(), number())
    case 1: context.lineTo(number(), number())
    case 2: context.bezierCurveTo(number(), number(), number(), number(), number(), number())
    case 3: context.quadraticCurveTo(number(), number(), number(), number())
    case 4: context.ellipse(number(), number(), number(), number(), number(), number(), number())
    case 5: context.arcTo(number(), number(), number(), number(), number())
    case 6: context.rect(number(), number(), number(), number())
    case 7: context.closePath()
    case 8: context.fill(evenOdd: order & 32 != 0)
    case 9: context.stroke()
    case 10: context.clip(evenOdd: order & 32 != 0)
    case 11: context.save()
    case 12: context.restore()
    case 13: context.transform(number(), number(), number(), number(), number(), number())
    case 14: context.lineWidth = number()
    case 15: context.miterLimit = number()
    case 16:
      let lengths = [number(), number(), number()]
      _ = lengths.withUnsafeBufferPointer { context.setLineDash($0) }
    case 17: context.fillRect(number(), number(), number(), number())
    case 18: context.clearRect(number(), number(), number(), number())
    case 19: context.beginPath()
    case 20: _ = context.isPointInPath(number(), number())
    case 21:
      guard let gradient = context.createRadialGradient(number(), number(), number(), number(), number(), number())
      else { continue }
      _ = context.addColorStop(gradient, 0, "red".utf8.span)
      _ = context.addColorStop(gradient, 1, "#0f08".utf8.span)
      _ = context.setFillStyle(gradient)
      context.drop(gradient)
    case 22: context.globalAlpha = number()
    case 23:
      let source: [UInt32] = [0xFFFF_0000, 0x8000_0080, 0, 0xFFFF_FFFF]
      source.withUnsafeBufferPointer { source in
        context.drawImage(
          source, Size(2, 2), number(), number(), number(), number(), number(), number(), number(), number())
      }
    case 27:
      // A pen in units of its own: what is drawn is a product of both.
      context.save()
      context.lineWidth = number()
      context.scale(number(), number())
      context.strokeRect(0, 0, number(), number())
      context.restore()
    case 24: context.strokeRect(number(), number(), number(), number())
    case 25: context.scale(number(), number())
    case 26: context.setTransform(number(), number(), number(), number(), number(), number())
    default:
      // The rest of the line is a name, a colour or a font.
      var text: [UInt8] = []
      while !dice.isSpent {
        let byte = dice.byte()
        if byte == 10 { break }
        text.append(byte)
      }
      _ = context.setFillStyle(text.span)
      _ = context.setFont(text.span)
      _ = context.setGlobalCompositeOperation(text.span)
      _ = context.setLineCap(text.span)
      _ = context.setLineJoin(text.span)
    }
  }
  for pixel in pixels { checkPremultiplied(pixel) }
}
