import CAllocationCounter
import Runtime
import Testing

@testable import Graphics
@testable import GraphicsSupport

@Suite("2D context: state and paint")
struct Context2DStateTests {
  @Test("restore takes back everything that save kept, clips too")
  func restores() throws {
    let sheet = try Sheet()
    let context = sheet.context
    context.save()
    context.lineWidth = 7
    context.globalAlpha = 0.5
    context.translate(10, 10)
    sheet.fillStyle("red")
    #expect(sheet.dash([1, 2]))
    context.rect(0, 0, 5, 5)
    context.clip()
    context.restore()
    context.restore()
    #expect(context.lineWidth == 1)
    #expect(context.lineDashCount == 0)
    #expect(context.currentTransform == .identity)
    context.fillRect(0, 0, 100, 50)
    #expect(sheet.ink == 5000)
  }

  @Test("places that no number can name are drawn somewhere, and nothing fails")
  func beyondNumbers() throws {
    let sheet = try Sheet()
    let context = sheet.context
    context.scale(1e200, 1e200)
    context.scale(1e200, 1e200)
    context.moveTo(1, 1)
    context.arcTo(50, 1, 50, 50, 20)
    context.arc(1, 1, 10, 0, 7)
    context.quadraticCurveTo(1, 2, 3, 4)
    context.bezierCurveTo(1, 2, 3, 4, 5, 6)
    context.stroke()
    context.fill()
    #expect(context.currentTransform.a == 1e200)
  }

  @Test("states beyond what is kept are refused")
  func boundsStates() throws {
    let sheet = try Sheet()
    for _ in 1..<Budget.canvasStates { #expect(sheet.context.save()) }
    #expect(!sheet.context.save())
    sheet.context.restore()
    #expect(sheet.context.save())
  }

  @Test("clips cut each other, round ones with soft edges, and come back one by one")
  func clips() throws {
    let sheet = try Sheet()
    let context = sheet.context
    context.arc(50, 25, 20, 0, 7)
    context.clip()
    context.save()
    context.beginPath()
    context.rect(50, 0, 50, 50)
    context.clip()
    context.save()
    context.beginPath()
    context.arc(60, 25, 20, 0, 7)
    context.clip()
    context.fillRect(0, 0, 100, 50)
    #expect(sheet.inked.x >= 49 && sheet.inked.maxX <= 70)
    context.restore()
    sheet.pixels.update(repeating: 0xFFFF_FFFF)
    context.fillRect(0, 0, 100, 50)
    #expect(abs(sheet.ink - 200 * .pi) < 3)
    context.restore()
    sheet.pixels.update(repeating: 0xFFFF_FFFF)
    context.fillRect(0, 0, 100, 50)
    #expect(abs(sheet.ink - 400 * .pi) < 4)
  }

  @Test("clips beyond what is kept cut to rectangles, and say so")
  func boundsClips() throws {
    let sheet = try Sheet()
    for _ in 0...Budget.canvasClips {
      sheet.context.beginPath()
      sheet.context.arc(50, 25, 20, 0, 7)
      sheet.context.clip()
    }
    #expect(sheet.context.isCut)
    sheet.context.fillRect(0, 0, 100, 50)
    #expect(Rect(30, 5, 40, 40).contains(sheet.inked))
  }

  @Test("an empty clip leaves nothing")
  func emptyClip() throws {
    let sheet = try Sheet()
    sheet.context.clip()
    sheet.context.fillRect(0, 0, 100, 50)
    #expect(sheet.ink == 0)
  }

  /// Red of half opacity over blue of half opacity, in bytes.
  @Test(
    "operators do as Porter and Duff say, and those that reach beyond the source do so",
    arguments: [
      ("source-over", 0xC080_0040, 0x8000_0080), ("source-in", 0x4040_0000, 0), ("source-out", 0x4040_0000, 0),
      ("source-atop", 0x8040_0040, 0x8000_0080), ("destination-over", 0xC040_0080, 0x8000_0080),
      ("destination-in", 0x4000_0040, 0), ("destination-out", 0x4000_0040, 0x8000_0080),
      ("destination-atop", 0x8040_0040, 0), ("lighter", 0xFF80_0080, 0x8000_0080), ("copy", 0x8080_0000, 0),
      ("xor", 0x8040_0040, 0x8000_0080),
    ] as [(String, UInt32, UInt32)])
  func composes(name: String, inside: UInt32, outside: UInt32) throws {
    for isGradient in [false, true] {
      let sheet = try Sheet(background: 0x8000_0080)
      sheet.operation(name)
      #expect("\(sheet.context.globalCompositeOperation)" == name)
      if isGradient {
        let gradient = try #require(sheet.context.createLinearGradient(0, 0, 10, 0))
        #expect(sheet.stop(gradient, 0, "rgba(255,0,0,0.5)") == .added)
        #expect(sheet.context.setFillStyle(gradient))
      } else {
        sheet.fillStyle("rgba(255,0,0,0.5)")
      }
      sheet.context.fillRect(20, 10, 20, 20)
      for (x, y, wanted) in [(Int32(30), Int32(20), inside), (60, 20, outside), (30, 40, outside)] {
        let found = sheet[x, y]
        for shift in stride(from: UInt32(0), to: 32, by: 8) {
          let difference = Int(found >> shift & 255) - Int(wanted >> shift & 255)
          #expect(abs(difference) <= 2, "\(x) \(y): \(String(found, radix: 16))")
        }
      }
    }
  }

  @Test("an operator that reaches beyond its source stays inside the clip")
  func composesInClip() throws {
    let sheet = try Sheet()
    sheet.context.arc(50, 25, 20, 0, 7)
    sheet.context.clip()
    sheet.operation("copy")
    sheet.fillStyle("black")
    sheet.context.fillRect(45, 20, 10, 10)
    #expect(sheet[5, 5] == 0xFFFF_FFFF)
    #expect(sheet[50, 10] == 0)
    #expect(sheet[50, 25] == 0xFF00_0000)
  }

  @Test("a gradient goes from colour to colour, by the transform at the time of painting")
  func gradients() throws {
    let sheet = try Sheet()
    let gradient = try #require(sheet.context.createLinearGradient(0, 0, 10, 0))
    #expect(sheet.stop(gradient, 1, "white") == .added)
    #expect(sheet.stop(gradient, 0, "black") == .added)
    #expect(sheet.stop(gradient, 1.1, "red") == .badOffset)
    #expect(sheet.stop(gradient, 0, "reddish") == .badColor)
    #expect(sheet.context.setFillStyle(gradient))
    sheet.context.scale(10, 10)
    sheet.context.fillRect(0, 0, 10, 5)
    #expect(sheet[0, 10] & 255 < 4)
    #expect(abs(Int(sheet[50, 10] & 255) - 128) < 3)
    #expect(sheet[99, 10] & 255 > 251)
  }

  @Test("a radial gradient is round")
  func radials() throws {
    let sheet = try Sheet()
    let gradient = try #require(sheet.context.createRadialGradient(50, 25, 0, 50, 25, 20))
    #expect(sheet.stop(gradient, 0, "black") == .added)
    #expect(sheet.stop(gradient, 1, "white") == .added)
    #expect(sheet.context.setFillStyle(gradient))
    sheet.context.fillRect(0, 0, 100, 50)
    for (x, y) in [(40, 25), (59, 25), (50, 15), (50, 34)] {
      #expect(abs(Int(sheet[Int32(x), Int32(y)] & 255) - 124) < 6)
    }
    #expect(sheet[5, 5] == 0xFFFF_FFFF)
  }

  @Test("gradients and their stops are bounded, and an unused place is free again")
  func boundsGradients() throws {
    let sheet = try Sheet()
    var handles: [Context2D.GradientHandle] = []
    for _ in 0..<Budget.gradients { handles.append(try #require(sheet.context.createLinearGradient(0, 0, 1, 1))) }
    #expect(sheet.context.createLinearGradient(0, 0, 1, 1) == nil)
    for _ in 0..<Budget.gradientStops { #expect(sheet.stop(handles[0], 0.5, "red") == .added) }
    #expect(sheet.stop(handles[0], 0.5, "red") == .full)
    #expect(sheet.context.setFillStyle(handles[0]))
    sheet.context.save()
    sheet.context.drop(handles[0])
    #expect(sheet.context.createLinearGradient(0, 0, 1, 1) == nil)
    sheet.fillStyle("red")
    sheet.context.restore()
    #expect(sheet.context.fillGradient == handles[0])
    sheet.fillStyle("red")
    #expect(sheet.context.createLinearGradient(0, 0, 1, 1) != nil)
    #expect(!sheet.context.setFillStyle(handles[0]))
  }

  @Test("text stands where align and baseline say, and is squeezed into a width")
  func text() throws {
    for (align, x) in [("left", 50.0), ("center", 40.0), ("right", 30.0), ("end", 30.0), ("start", 50.0)] {
      let sheet = try Sheet()
      #expect(sheet.font("20px x"))
      #expect(sheet.align(align))
      sheet.context.fillText("ab".utf8.span, 50, 30)
      #expect(sheet.inked == Rect(Int32(x), 20, 20, 10))
    }
    for (baseline, y) in [("top", 35.0), ("middle", 25), ("bottom", 15), ("alphabetic", 20)] {
      let sheet = try Sheet()
      #expect(sheet.font("20px x"))
      #expect(sheet.baseline(baseline))
      sheet.context.fillText("a".utf8.span, 0, 30)
      #expect(sheet.inked.y == Int32(y))
    }
    let sheet = try Sheet()
    #expect(sheet.font("20px x"))
    #expect(sheet.width("abc") == 30)
    sheet.context.fillText("abcd".utf8.span, 0, 30, maxWidth: 20)
    #expect(sheet.inked.width == 20)
    sheet.context.fillText("abcd".utf8.span, 0, 30, maxWidth: 0)
    #expect(sheet.inked.width == 20)
  }

  @Test("a picture is drawn, cut at its edges, scaled, turned and averaged")
  func pictures() throws {
    let picture: [UInt32] = [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFF00_0000]
    picture.withUnsafeBufferPointer { picture in
      guard let sheet = try? Sheet() else { return }
      sheet.context.imageSmoothingEnabled = false
      sheet.context.drawImage(picture, Size(2, 2), 0, 0, 2, 2, 10, 10, 20, 20)
      #expect(sheet[15, 15] == 0xFFFF_0000)
      #expect(sheet[25, 15] == 0xFF00_FF00)
      #expect(sheet[15, 25] == 0xFF00_00FF)
      #expect(sheet.inked == Rect(10, 10, 20, 20))
      sheet.pixels.update(repeating: 0xFFFF_FFFF)
      // A part that lies half beyond the left edge: half of where it goes.
      sheet.context.drawImage(picture, Size(2, 2), -1, 0, 2, 1, 10, 10, 20, 10)
      #expect(sheet.inked == Rect(20, 10, 10, 10))
      sheet.context.imageSmoothingEnabled = true
      sheet.context.drawImage(picture, Size(2, 2), 0, 0, 2, 2, 60, 10, 1, 1)
      #expect(sheet[60, 10] == 0xFF40_4040)
      sheet.context.drawImage(picture, Size(2, 2), 0, 0, 0, 2, 60, 10, 1, 1)
      sheet.context.drawImage(picture, Size(3, 2), 0, 0, 2, 2, 60, 10, 1, 1)
      #expect(sheet[60, 10] == 0xFF40_4040)
    }
  }

  @Test("clearRect makes transparent, and reset begins anew")
  func clears() throws {
    let sheet = try Sheet()
    sheet.context.globalAlpha = 0.3
    sheet.operation("copy")
    sheet.context.clearRect(10.5, 10, 10, 10)
    #expect(sheet[12, 12] == 0)
    #expect(sheet[10, 12] >> 24 == 127)
    sheet.context.reset()
    #expect(sheet.context.globalAlpha == 1)
    #expect(sheet[0, 0] == 0)
  }

  @Test("drawing takes no memory once the context stands")
  func takesNoMemory() throws {
    let sheet = try Sheet()
    let context = sheet.context
    let gradient = try #require(context.createRadialGradient(50, 25, 0, 50, 25, 20))
    _ = context.addColorStop(gradient, 0, "red".utf8.span)
    func draw() {
      context.save()
      context.beginPath()
      context.arc(50, 25, 20, 0, 7)
      context.clip()
      _ = context.setFillStyle(gradient)
      context.fillRect(0, 0, 100, 50)
      context.lineWidth = 3
      context.stroke()
      context.restore()
    }
    draw()
    tl_count_allocations()
    draw()
    let count = tl_counted_allocations()
    #expect(count == 0)
  }
}
