import Canvas
import Codec
import Graphics
import Runtime

// The painters write rows of pixels through plain memory. Here every row lies between guard pages (`ScratchRow`): a
// byte beyond one stops the fuzzer.

/// Any display list: what is drawn after it, on all of the screen, is there.
func checkPainter(_ bytes: [UInt8]) {
  let dice = Dice(bytes)
  let list = DisplayList()
  while !dice.isSpent { list.add(dice.command(list)) }
  FuzzScreen.shared.show(list)
}

/// Any commands of `canvas.draw`: taken whole, or refused in words, and the page is drawn as it is on the way and at
/// the end.
func checkCanvasDraw(_ bytes: [UInt8]) {
  let dice = Dice(bytes)
  let clock = FuzzClock()
  let page = try! DrawingPage(flow: TextFlow(measurer: EvenMeasurer()), pictures: NoShelf(), clock: clock)
  let told = ToldActions()
  page.delegate = told
  page.fit(FuzzScreen.shared.size, Theme())
  let list = DisplayList()
  for _ in 0..<8 where !dice.isSpent {
    let text = dice.drawing()
    do throws(DrawingError) {
      try page.take(JSONView(text.utf8.span))
    } catch {
      var writer = ByteWriter()
      error.writeMessage(to: &writer)
      expect(writer.count > 10, "an error without words")
    }
    for _ in 0..<8 where !dice.isSpent {
      let what = dice.pick([InputEvent.Pointer.down, .move, .move, .up, .cancel])
      let place = Point(Int32(dice.byte()) * 4, Int32(dice.byte()) * 3)
      _ = page.input(.pointer(what, id: dice.below(11), place), at: clock.monotonic)
      clock.monotonic += Int64(dice.byte())
    }
    clock.monotonic += Int64(dice.byte()) * 8
    _ = page.advance(to: clock.monotonic)
    list.removeAll()
    page.draw(into: list)
    FuzzScreen.shared.show(list)
  }
}

/// What is told of a drawing is JSON, and a picture is a PNG.
private final class ToldActions: DrawingDelegate {
  func touched(_ action: UnsafeBufferPointer<UInt8>) {
    do throws(JSONError) {
      try JSONValidator.check(action.span, depthLimit: 8)
    } catch {
      expect(false, "an action that is no JSON")
    }
  }

  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>) {
    touched(action)
    expect(PictureFormat(png) == .png, "a sketch that is no PNG")
  }
}

/// Any document of the canvas, with any numbers: it is laid out, drawn and operated.
func checkCanvasDocument(_ bytes: [UInt8]) {
  let dice = Dice(bytes)
  FuzzDocument.shared.check(dice.document())
}

/// A document on a screen. Kept: it is much to make.
final class FuzzDocument {
  nonisolated(unsafe) static let shared = FuzzDocument()

  private let view: DocumentView
  private let list = DisplayList()

  private init() {
    guard let view = try? DocumentView(measurer: EvenMeasurer(), pictures: NoShelf()) else {
      fatalError("no address space")
    }
    self.view = view
  }

  /// Pushes JSON Lines and draws what they show on a small and a large screen, as it is, scrolled and touched.
  func check(_ lines: [UInt8]) {
    view.store.reset()
    _ = try? view.store.push(jsonl: lines.span)
    for (size, scale) in [(FuzzScreen.shared.size, Int32(100)), (Size(3840, 2160), 400)] {
      view.fit(size, Theme(scale: scale))
      for y in [Int32(0), 100, .max] {
        _ = view.update()
        view.scroll(to: y)
        list.removeAll()
        view.draw(into: list)
        FuzzScreen.shared.show(list)
        let place = Point(size.width / 2, size.height / 2)
        if let hit = view.hit(at: place) {
          _ = view.tap(hit, at: place)
          _ = view.slide(hit, to: place)
        }
      }
    }
  }
}

/// A small screen with a painter. Kept: caches stay.
private final class FuzzScreen {
  nonisolated(unsafe) static let shared = FuzzScreen()

  let size = Size(96, 40)
  private let painter = SoftwarePainter(glyphs: NoGlyphs())
  private let buffer: PixelBuffer

  private init() {
    guard let buffer = try? PixelBuffer(size) else { fatalError("no address space") }
    self.buffer = buffer
    let pixels: [UInt32] = [.max, 0, 0x8000_0080, .max, 0xFF12_3456, 0, 0, .max, .max]
    let isKept = pixels.withUnsafeBufferPointer { painter.keep($0, Size(3, 3)) } == PictureHandle(1 << 8)
    expect(isKept, "no room for a picture")
  }

  func show(_ list: DisplayList) {
    let all = Rect(0, 0, size.width, size.height)
    painter.paint(list, Damage(all), into: buffer)
    let last = DisplayList()
    last.add(.fill(all, radius: 0, .solid(Color(0x123456))))
    painter.paint(last, Damage(all), into: buffer)
    expect(buffer.pixels.allSatisfy { $0 & 0xFF_FFFF == 0x123456 }, "the screen cannot be painted any more")
  }
}

extension Dice {
  fileprivate func rect() -> Rect { Rect(int32(), int32(), int32(), int32()) }
  private func color() -> Color { Color(argb: UInt32(byte()) << 24 | UInt32(byte()) << 16 | 0x80FF) }
  private func fill() -> Fill { below(2) == 0 ? .solid(color()) : .gradient(color(), .white, angle: int16()) }

  fileprivate func command(_ list: DisplayList) -> DrawCommand {
    switch below(11) {
    case 0: return .fill(rect(), radius: int16(), fill())
    case 1: return .border(rect(), radius: int16(), width: int16(), color())
    case 2: return .shadow(rect(), radius: int16(), blur: int16(), down: int16(), color())
    case 3:
      return .text(
        list.add("a b".utf8.span), Font(size: int16()), start: Point(int32(), int32()), advance: int32(), color())
    case 4: return .line(Point(int32(), int32()), Point(int32(), int32()), width: int16(), color())
    case 5: return .icon(pick(Icon.allCases), rect(), color())
    case 6: return .arc(rect(), start: int16(), sweep: int16(), width: int16(), color())
    case 7: return .picture(PictureHandle(1 << 8), source: rect(), rect(), radius: int16(), opacity: byte())
    case 8, 9: return .clip(rect(), radius: int16())
    default: return .endClip
    }
  }

  fileprivate func drawing() -> String {
    var text = #"{"op":""# + pick(["draw", "update", "animate", "clear"]) + #"""#
    if below(4) == 1 { text += #","space":{"width":\#(json()),"height":\#(json())}"# }
    if below(3) == 1 {
      text += #","transition":""# + pick(["fade", "slide", "instant"]) + #"","durationMs":\#(json())"#
    }
    text += #","elements":["#
    for index in 0...below(3) { text += (index == 0 ? "" : ",") + element() }
    return text + "]}"
  }

  /// Mostly one that is taken (`Budget.drawingReach`): an element is refused when one of its numbers is.
  private func length() -> String {
    below(8) == 7
      ? json() : "\(pick([0, 90_000, 12_000, -4000, 100_000, -100_000, -1, 1, 8192, 8193, 32_767, 32_768, 65_536, 20]))"
  }

  private func element() -> String {
    let type = pick(["highlight", "shape", "text", "image", "video", "interactive", "sketch"])
    let name = type == "image" || type == "video" ? "url" : "text"
    var text = #"{"id":"\#(below(4))","type":"\#(type)","\#(name)":"a b""#
    if below(2) == 1 { text += #","gestures":["tap","pan","pinch","longPress"]"# }
    text += #","bounds":{"x":\#(length()),"y":\#(length()),"width":\#(length()),"height":\#(length())}"#
    if below(2) == 1 { text += #","shape":""# + pick(["rectangle", "circle", "line"]) + #"""# }
    text += #","style":{"color":"red","background":"rgba(0,255,0,0.5)","radius":\#(length())"#
    if below(3) == 1 { text += #","borderColor":"blue","borderWidth":\#(json())"# }
    if below(3) == 1 { text += #","opacity":0.4,"fontSize":\#(json())"# }
    return text + "}}"
  }

  /// Components below a root, each with numbers wherever there may be some.
  fileprivate func document() -> [UInt8] {
    let count = 1 + below(5)
    let names = (0..<count).map { #""c\#($0)""# }.joined(separator: ",")
    var text = #"{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{""#
    text += pick(["Row", "Column", "List"]) + #"":{"children":{"explicitList":[\#(names)]},"distribution":""#
    text += pick(["start", "center", "spaceBetween", "spaceAround"]) + #""}}}"#
    for index in 0..<count {
      text += #",{"id":"c\#(index)","weight":\#(json()),"component":"# + component() + "}"
    }
    text +=
      #"]}}"# + "\n" + #"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"v","valueNumber":\#(json())}]}}"#
      + "\n"
    text += #"{"beginRendering":{"surfaceId":"s","root":"root","styles":{}}}"#
    return Array(text.utf8)
  }

  private func component() -> String {
    switch below(6) {
    case 0: #"{"Slider":{"value":{"path":"v"},"minValue":\#(json()),"maxValue":\#(json())}}"#
    case 1:
      #"{"Slider":{"value":{"literalNumber":\#(json())},"minValue":\#(json()),"maxValue":\#(json()),"label":{"literalString":"l"}}}"#
    case 2: #"{"Text":{"text":{"path":"v"}}}"#
    case 3:
      #"{"MultipleChoice":{"selections":{"literalArray":["a"]},"options":[{"label":{"literalString":"a"},"value":"a"}],"maxAllowedSelections":"#
        + json() + "}}"
    case 4: #"{"Image":{"url":{"literalString":"x"},"width":\#(json()),"height":\#(json())}}"#
    default: #"{"Divider":{"thickness":\#(json())}}"#
    }
  }
}

private final class FuzzClock: Clock {
  var monotonic: Int64 = 1000
  var wall: Int64 { monotonic }
}

/// No picture ever comes.
private final class NoShelf: PictureShelf {
  func picture(_ url: Span<UInt8>, _ wanted: Size) -> Picture? { nil }
  func size(_ url: Span<UInt8>) -> Size? { nil }
}

/// Glyphs that are filled squares of the size of the type.
private final class NoGlyphs: GlyphSource {
  private let pixels = UnsafeMutableBufferPointer<UInt8>.allocate(
    capacity: Int(Budget.fontPixels) * Int(Budget.fontPixels))

  init() { pixels.initialize(repeating: 200) }

  func layOut(_ text: Span<UInt8>, in font: Font, into line: GlyphLine) {
    line.removeAll()
    for index in 0..<min(text.count, 100) {
      line.add(
        PlacedGlyph(
          face: 0, isBold: false, isSlanted: false, glyph: UInt32(text[index]),
          x: Int32(index) &* Int32(font.size) &* 64))
    }
  }

  func draw(_ glyph: PlacedGlyph, size: Int16, quarter: Int) -> GlyphPicture? {
    let side = Int(min(max(size, 1), Budget.fontPixels))
    let whole = Size(Int32(side), Int32(side))
    return GlyphPicture(
      coverage: Coverage(rows: UnsafePointer(pixels.baseAddress!), stride: side, size: whole), left: Int32(quarter),
      top: Int32(side))
  }
}
