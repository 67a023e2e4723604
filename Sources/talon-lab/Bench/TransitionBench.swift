import Canvas
import Graphics
import Runtime

/// Frames of what moves on a screen of 800x480, each as the agent makes it: the page is drawn into a list, compared
/// with the list before, and painted where they differ. Beside it cairo drawing a page of that size once.
final class TransitionBench: PageTouchDelegate {
  private static let size = Size(800, 480)
  /// Between two frames of a movement.
  private static let step = Budget.motionFrameMilliseconds

  private let page: PageBench
  private var input: PageInput! = nil
  private let painter: SoftwarePainter
  private let finder = DamageFinder()
  private var (shown, next) = (DisplayList(), DisplayList())
  private var now: Int64 = 1_000

  private init() throws {
    page = try PageBench(Self.size)
    painter = try PageBench.painter()
    input = PageInput(page.view, delegate: self)
    try page.push(Array(Self.document.utf8))
    _ = frame()
  }

  func pageChanged() {}
  func pressed(_ hit: Hit) {}

  static func measurements() throws -> [Measurement] {
    let bench = try TransitionBench()
    var (fade, slide, ripple) = (Double.infinity, Double.infinity, Double.infinity)
    // The first of each meets glyphs that were not drawn before.
    for _ in 0..<6 {
      fade = min(fade, bench.fade())
      try bench.press("entry")
      slide = min(slide, bench.settle(over: Budget.slideMilliseconds))
      ripple = min(ripple, try bench.press("done"))
      // Beside the modal, which closes it.
      bench.tap(Point(2, 2))
    }
    let cairo = Cairo().map { cairo in
      let (cards, texts) = PaintBench.content(columns: 3, rows: 2)
      let draw = cairo.page(Self.size, cards: cards, texts: texts)
      draw()
      return (name: "cairo, a page", value: Stopwatch.bestOfThread(of: 50, draw) * 1e3)
    }
    func row(_ name: String, _ seconds: Double) -> Measurement {
      Measurement(
        name: "\(name) at 800x480, its slowest frame", value: seconds * 1e3, unit: "ms", yardstick: cairo,
        bar: .movingFrame)
    }
    return [row("page fade", fade), row("modal slide", slide), row("press ripple", ripple)]
  }

  /// Seconds of the slowest frame while a page comes out of the color behind it.
  private func fade() -> Double {
    var slowest = 0.0
    for opacity in stride(from: 255, through: 0, by: -24) {
      slowest = max(slowest, frame(below: UInt8(clamping: opacity)))
    }
    return slowest
  }

  /// Seconds of the slowest frame while a button is pressed, and let go.
  @discardableResult
  private func press(_ id: String) throws -> Double { tap(try middle(of: id)) }

  @discardableResult
  private func tap(_ place: Point) -> Double {
    input.feed(.pointer(.down, id: 0, place), at: now)
    let slowest = settle(over: Budget.rippleMilliseconds)
    input.feed(.pointer(.up, id: 0, place), at: now)
    return slowest
  }

  /// Seconds of the slowest frame until what moves stands.
  private func settle(over milliseconds: Int64) -> Double {
    var slowest = 0.0
    for _ in 0...milliseconds / Self.step {
      slowest = max(slowest, frame())
      now += Self.step
      input.advance(to: now)
    }
    return slowest
  }

  /// One frame; `below` a color of this opacity that covers all of it.
  private func frame(below opacity: UInt8 = 0) -> Double {
    Stopwatch.bestOfThread(of: 1) {
      page.view.update()
      next.removeAll()
      page.view.draw(into: next)
      if opacity > 0 {
        let all = Rect(0, 0, Self.size.width, Self.size.height)
        next.add(.fill(all, radius: 0, .solid(Color(0x0B0F17).opacity(opacity))))
      }
      painter.paint(next, finder.damage(from: shown, to: next, Self.size), into: page.pixels)
      swap(&shown, &next)
    }
  }

  private func middle(of id: String) throws -> Point {
    guard let box = try page.boxes.first(where: { $0.id == id }) else { throw BenchError("the page has no \(id)") }
    return box.middle
  }

  /// Two columns of cards, and a modal.
  private static var document: String {
    let entries = (0..<8).map { #""card\#($0)""# }.joined(separator: ",")
    var parts = [
      #"{"id":"root","component":{"Column":{"children":{"explicitList":["modal",\#(entries)]}}}}"#,
      #"{"id":"modal","component":{"Modal":{"entryPointChild":"entry","contentChild":"content"}}}"#,
      #"{"id":"entry","component":{"Button":{"child":"open","action":{"name":"open"}}}}"#,
      text("open", "Details"),
      #"{"id":"content","component":{"Column":{"children":{"explicitList":["title","words","done"]}}}}"#,
      text("title", "Parcel 4711", #","usageHint":"h3""#),
      text("words", "Left at the side entrance. The courier rang twice and waited for two minutes."),
      #"{"id":"done","component":{"Button":{"child":"label","primary":true,"action":{"name":"done"}}}}"#,
      text("label", "Done"),
    ]
    for card in 0..<8 {
      parts.append(#"{"id":"card\#(card)","component":{"Card":{"child":"column\#(card)"}}}"#)
      let list = #""caption\#(card)","value\#(card)""#
      parts.append(#"{"id":"column\#(card)","component":{"Column":{"children":{"explicitList":[\#(list)]}}}}"#)
      parts.append(text("caption\(card)", "Room \(card)", #","usageHint":"caption""#))
      parts.append(text("value\(card)", "\(18 + card).4 °C", #","usageHint":"h1""#))
    }
    return #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(parts.joined(separator: ","))]}}"# + "\n"
      + #"{"beginRendering":{"surfaceId":"main","root":"root"}}"#
  }

  private static func text(_ id: String, _ words: String, _ hint: String = "") -> String {
    #"{"id":"\#(id)","component":{"Text":{"text":{"literalString":"\#(words)"}\#(hint)}}}"#
  }
}
