import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("2D context: shapes")
struct Context2DTests {
  @Test("a part of a pixel is covered in part", arguments: [(10.5, 0.5), (10.25, 0.75), (10.0625, 0.9375)])
  func coversInPart(x: Double, share: Double) throws {
    let sheet = try Sheet()
    sheet.context.fillRect(x, 10, 5, 5)
    #expect(abs(sheet.ink(10, 12) - share) < 0.01)
    #expect(sheet.ink(11, 12) == 1)
    #expect(abs(sheet.ink - 25) < 0.1)
  }

  @Test("a disc has the area of a disc, however it is turned round", arguments: [false, true])
  func discs(counterclockwise: Bool) throws {
    let sheet = try Sheet()
    sheet.context.arc(50, 25, 20, 1, 1 + (counterclockwise ? -7 : 7), counterclockwise: counterclockwise)
    sheet.context.fill()
    #expect(abs(sheet.ink - 400 * .pi) < 4)
    #expect(sheet.inked == Rect(30, 5, 40, 40))
  }

  @Test("what overlaps is filled by the rule that is asked for")
  func rules() throws {
    for (isEvenOdd, area) in [(false, 900.0), (true, 800.0)] {
      let sheet = try Sheet()
      sheet.context.rect(10, 10, 30, 30)
      sheet.context.rect(20, 20, 10, 10)
      sheet.context.fill(evenOdd: isEvenOdd)
      #expect(sheet.ink == area)
    }
  }

  @Test("lines of a stroke that lie over each other are not darker there")
  func strokesOnce() throws {
    let sheet = try Sheet()
    sheet.strokeStyle("rgba(0,0,0,0.5)")
    sheet.context.lineWidth = 10
    for (x, y) in [(10.0, 10.0), (90, 10), (90, 40), (10, 40)] { sheet.context.lineTo(x, y) }
    sheet.context.closePath()
    sheet.context.stroke()
    let values = Set(sheet.pixels)
    #expect(values.count == 2)
    #expect(abs(sheet.ink - (2 * 90 * 10 + 2 * 20 * 10) * 128 / 255) < 1)
  }

  @Test(
    "joins reach as far as they should",
    arguments: [
      ("miter", 10.0, 400 + 100), ("miter", 1.0, 400 + 50), ("bevel", 10, 400 + 50), ("round", 10, 400 + 78.54),
    ]
      as [(String, Double, Double)])
  func joins(name: String, limit: Double, area: Double) throws {
    let sheet = try Sheet()
    #expect(sheet.join(name))
    sheet.context.miterLimit = limit
    sheet.context.lineWidth = 20
    // Two lines of 20 by 20 that meet at a right angle; the quarter inside belongs to both.
    sheet.context.moveTo(30, 30)
    sheet.context.lineTo(50, 30)
    sheet.context.lineTo(50, 10)
    sheet.context.stroke()
    #expect(abs(sheet.ink - (area + 300)) < 2)
  }

  @Test(
    "caps are nothing, a half disc, a half square", arguments: [("butt", 400.0), ("round", 714.2), ("square", 800)])
  func caps(name: String, area: Double) throws {
    let sheet = try Sheet()
    #expect(sheet.cap(name))
    sheet.context.lineWidth = 20
    sheet.context.moveTo(40, 25)
    sheet.context.lineTo(60, 25)
    sheet.context.stroke()
    #expect(abs(sheet.ink - area) < 2)
  }

  @Test("a line without length is nothing, whatever its caps")
  func dropsDots() throws {
    let sheet = try Sheet()
    #expect(sheet.cap("round"))
    sheet.context.lineWidth = 20
    sheet.context.moveTo(50, 25)
    sheet.context.lineTo(50, 25)
    sheet.context.stroke()
    #expect(sheet.ink == 0)
  }

  @Test("dashes and gaps alternate from the offset on, and a pattern of odd length is taken twice")
  func dashes() throws {
    let sheet = try Sheet()
    #expect(sheet.dash([10, 5, 5]))
    #expect(sheet.context.lineDashCount == 6)
    sheet.context.lineDashOffset = 2
    sheet.context.lineWidth = 4
    sheet.context.moveTo(0, 20)
    sheet.context.lineTo(60, 20)
    sheet.context.stroke()
    // On for 10, off 5, on 5, off 10, on 5, off 5; two of the first ten are before the start.
    for x in 0..<60 {
      let place = (x + 2) % 40
      let isOn = place < 10 || (15..<20).contains(place) || (30..<35).contains(place)
      #expect(sheet.ink(Int32(x), 20) == (isOn ? 1 : 0), "\(x)")
    }
    #expect(!sheet.dash([1, -1]))
    #expect(!sheet.dash([Double](repeating: 1, count: Budget.dashes + 1)))
    #expect(sheet.context.lineDashCount == 6)
  }

  @Test("the dash at the start of a closed line is one with the last")
  func joinsDashes() throws {
    let sheet = try Sheet()
    sheet.context.lineWidth = 10
    #expect(sheet.dash([40, 10]))
    sheet.context.lineDashOffset = 20
    sheet.context.rect(20, 10, 30, 20)
    sheet.context.stroke()
    // 100 around, two gaps in it: none at the start, whose corner is whole.
    #expect(sheet.ink(15, 5) == 1)
  }

  @Test("far-away and endless dashes end")
  func boundsDashes() throws {
    let sheet = try Sheet()
    sheet.context.lineWidth = 2
    #expect(sheet.dash([1, 1]))
    sheet.context.moveTo(-1e300, 20)
    sheet.context.lineTo(1e300, 20)
    sheet.context.stroke()
    #expect(abs(sheet.ink - 100) < 2)
    #expect(!sheet.context.isCut)
    sheet.context.beginPath()
    for row in 0..<2_500 {
      sheet.context.moveTo(0, Double(row % 50))
      sheet.context.lineTo(100, Double(row % 50))
    }
    sheet.context.stroke()
    #expect(sheet.context.isCut)
  }

  @Test("an arc is drawn in the direction asked for, from a line to its start")
  func arcs() throws {
    let sheet = try Sheet()
    sheet.context.lineWidth = 4
    sheet.context.moveTo(10, 25)
    sheet.context.arc(50, 25, 15, -.pi / 2, 0)
    sheet.context.stroke()
    #expect(sheet.ink(30, 17) > 0.4)
    #expect(sheet.ink(60, 14) > 0.9)
    #expect(sheet.ink(40, 35) == 0)
    #expect(sheet.context.arc(0, 0, -1, 0, 1) == .negativeRadius)
  }

  @Test("arcTo rounds a corner with both of its legs")
  func roundsCorner() throws {
    let sheet = try Sheet()
    sheet.context.lineWidth = 2
    sheet.context.moveTo(10, 10)
    sheet.context.arcTo(60, 10, 60, 40, 20)
    sheet.context.lineTo(60, 40)
    sheet.context.stroke()
    #expect(sheet.ink(38, 9) == 1)
    #expect(sheet.ink(60, 32) == 1)
    #expect(sheet.ink(58, 10) == 0)
    // On the arc, at half a right angle from the center at (40, 30).
    #expect(sheet.ink(54, 15) > 0.8)
  }

  @Test("a rounded rectangle has its four corners, and is mirrored with negative sides")
  func roundRectangles() throws {
    let radii = [20.0, 20, 0, 0]
    for (x, width, corner) in [(10.0, 60.0, Int32(10)), (70, -60, Int32(69))] {
      let sheet = try Sheet()
      _ = radii.withUnsafeBufferPointer { sheet.context.roundRect(x, 5, width, 40, radii: $0) }
      sheet.context.fill()
      #expect(sheet.ink(corner, 5) == 0)
      #expect(sheet.ink(corner == 10 ? 69 : 10, 5) == 1)
      #expect(abs(sheet.ink - (2400 - 2 * 400 * (1 - .pi / 4))) < 3)
    }
  }

  @Test("what is no finite number is ignored")
  func ignoresNaN() throws {
    let sheet = try Sheet()
    for value in [Double.nan, .infinity, -.infinity] {
      sheet.context.fillRect(value, 0, 10, 10)
      sheet.context.translate(value, 0)
      sheet.context.scale(1, value)
      sheet.context.rotate(value)
      sheet.context.arc(value, 0, 1, 0, 1)
      sheet.context.ellipse(0, 0, 1, 1, value, 0, 1)
      sheet.context.lineTo(value, 0)
      sheet.context.bezierCurveTo(0, 0, value, 0, 0, 0)
      sheet.context.lineWidth = value
      sheet.context.globalAlpha = value
      sheet.context.fillText("x".utf8.span, value, 0)
    }
    #expect(sheet.context.currentTransform == .identity)
    #expect(sheet.context.lineWidth == 1)
    #expect(sheet.context.globalAlpha == 1)
    sheet.context.stroke()
    #expect(sheet.ink == 0)
  }

  @Test("giant places are cut off, not wrapped")
  func clampsGiants() throws {
    let sheet = try Sheet()
    sheet.context.moveTo(-1e200, -1e200)
    sheet.context.lineTo(1e200, -1e200)
    sheet.context.lineTo(1e200, 25)
    sheet.context.lineTo(-1e200, 25)
    sheet.context.fill()
    #expect(sheet.ink(50, 24) == 1)
    #expect(sheet.ink(50, 25) == 0)
    sheet.context.scale(1e200, 1e200)
    sheet.context.scale(1e200, 1e200)
    sheet.context.fillRect(0, 0, 1, 1)
    sheet.context.strokeRect(0, 0, 1, 1)
    #expect(sheet.context.currentTransform.isFinite)
  }

  @Test("a place is in a path, on its line too, and not outside")
  func finds() throws {
    let sheet = try Sheet()
    sheet.context.translate(10, 0)
    sheet.context.rect(0, 0, 20, 20)
    for (x, y) in [(10.0, 0.0), (20, 10), (30, 20), (10, 20), (20, 0)] { #expect(sheet.context.isPointInPath(x, y)) }
    for (x, y) in [(9.9, 0.0), (20, 20.1), (31, 5), (.nan, 0)] { #expect(!sheet.context.isPointInPath(x, y)) }
    sheet.context.rect(5, 5, 5, 5)
    #expect(sheet.context.isPointInPath(17, 7))
    #expect(!sheet.context.isPointInPath(17, 7, evenOdd: true))
  }

  @Test("a path beyond what is kept is cut, and says so")
  func boundsPaths() throws {
    let sheet = try Sheet()
    for index in 0...Budget.pathPoints { sheet.context.lineTo(Double(index % 90), Double(index % 40)) }
    #expect(!sheet.context.isCut)
    sheet.context.fill()
    #expect(sheet.context.isCut)
  }

  @Test("a shape that takes too much work is cut, and leaves nothing after")
  func boundsWork() throws {
    let sheet = try Sheet(1920, 1080)
    for index in 0..<20_000 { sheet.context.lineTo(Double(index % 1900), index % 2 == 0 ? 0 : 1080) }
    sheet.context.fill()
    #expect(sheet.context.isCut)
    sheet.pixels.update(repeating: 0xFFFF_FFFF)
    sheet.context.beginPath()
    sheet.context.arc(50, 25, 20, 0, 7)
    sheet.context.fill()
    #expect(abs(sheet.ink - 400 * .pi) < 4)
  }
}
