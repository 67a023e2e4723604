import Codec
import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics
@testable import GraphicsSupport

private final class ManualClock: Clock {
  var monotonic: Int64 = 1_000
  var wall: Int64 { monotonic }
}

@Suite("Drawings by coordinates")
struct DrawingTests {
  private let clock = ManualClock()
  private let page: DrawingPage

  init() {
    page = try! DrawingPage(flow: TextFlow(measurer: GridMeasurer()), pictures: NoPictures(), clock: clock)
    page.fit(Size(400, 200), Theme())
  }

  /// What a command says against it; empty: nothing.
  private func take(_ text: String) -> String {
    do throws(DrawingError) {
      try page.take(JSONView(text.utf8.span))
      return ""
    } catch {
      let buffer = FixedBuffer(capacity: 256)
      var writer = ByteWriter(into: buffer.bytes)
      error.writeMessage(to: &writer)
      return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
    }
  }

  /// The rectangles that are filled, but for the page's own.
  private var fills: [Rect] {
    let list = DisplayList()
    page.draw(into: list)
    var found: [Rect] = []
    for index in 1..<list.count { if case .fill(let rect, _, _) = list[index] { found.append(rect) } }
    return found
  }

  /// Lets the page have its frames.
  private func pass(_ milliseconds: Int64) {
    let end = clock.monotonic + milliseconds
    while let next = page.nextDeadline, next <= end {
      clock.monotonic = max(next, clock.monotonic)
      _ = page.advance(to: clock.monotonic)
    }
    clock.monotonic = end
  }

  private func box(_ id: String, _ x: Int, style: String = #"{"color":"red"}"#) -> String {
    #"{"id":"\#(id)","type":"shape","bounds":{"x":\#(x),"y":10,"width":20,"height":30},"style":\#(style)}"#
  }

  @Test("elements stand where they are put, from back to front; one of the same id takes the place of the other")
  func draws() {
    #expect(take(#"{"op":"draw","elements":[\#(box("a", 5)),\#(box("b", 50))]}"#) == "")
    #expect(fills == [Rect(5, 10, 20, 30), Rect(50, 10, 20, 30)])
    #expect(take(#"{"op":"draw","elements":[\#(box("a", 7))]}"#) == "")
    #expect(fills == [Rect(7, 10, 20, 30), Rect(50, 10, 20, 30)])
    #expect(page.nextDeadline == nil)
  }

  @Test("a space of its own is fitted into the screen")
  func space() {
    #expect(take(#"{"space":{"width":100,"height":100},"op":"draw","elements":[\#(box("a", 0))]}"#) == "")
    #expect(fills == [Rect(100, 20, 40, 60)])
    #expect(take(#"{"space":null,"op":"update","elements":[{"id":"a"}]}"#) == "")
    #expect(fills == [Rect(0, 10, 20, 30)])
  }

  @Test("an update changes what it names, and an animation takes its time")
  func moves() {
    _ = take(#"{"op":"draw","elements":[\#(box("a", 0))]}"#)
    #expect(take(#"{"op":"update","elements":[{"id":"a","bounds":{"x":40}}]}"#) == "")
    #expect(fills == [Rect(40, 10, 20, 30)])
    #expect(take(#"{"op":"animate","durationMs":1000,"elements":[{"id":"a","bounds":{"x":140}}]}"#) == "")
    pass(500)
    #expect(fills[0].x > 100 && fills[0].x < 140)
    pass(600)
    #expect(fills == [Rect(140, 10, 20, 30)])
    #expect(page.nextDeadline == nil)
  }

  @Test("what leaves with a transition is gone at its end, and its id is free at once")
  func leaves() {
    _ = take(#"{"op":"draw","elements":[\#(box("a", 100)),\#(box("b", 200))]}"#)
    #expect(take(#"{"op":"clear","ids":["a"],"transition":"slide","durationMs":400}"#) == "")
    #expect(take(#"{"op":"draw","elements":[\#(box("a", 300))]}"#) == "")
    #expect(fills.count == 3)
    pass(500)
    #expect(fills == [Rect(200, 10, 20, 30), Rect(300, 10, 20, 30)])
    #expect(take(#"{"op":"clear"}"#) == "")
    #expect(fills.isEmpty)
  }

  @Test("a fade begins unseen")
  func fades() {
    _ = take(#"{"op":"draw","transition":"fade","elements":[\#(box("a", 100))]}"#)
    #expect(fills.isEmpty)
    pass(100)
    #expect(fills.count == 1)
  }

  @Test("a highlight pulses for as long as it is there")
  func highlights() {
    _ = take(#"{"op":"draw","elements":[{"id":"h","type":"highlight","bounds":{"x":0,"y":0,"width":50,"height":50}}]}"#)
    #expect(page.nextDeadline == clock.monotonic + Budget.drawingPulseMilliseconds)
    _ = take(#"{"op":"clear","ids":["h"]}"#)
    #expect(page.nextDeadline == nil)
  }

  @Test("a command is taken whole or not at all, and says where it is wrong")
  func refuses() {
    _ = take(#"{"op":"draw","elements":[\#(box("a", 5))]}"#)
    let error = take(
      #"{"operations":[{"op":"clear"},{"op":"draw","elements":[\#(box("b", 9)),{"id":"c","type":"film","bounds":{}}]}]}"#
    )
    let kinds = "text, image, shape, highlight, video, interactive or sketch"
    #expect(error == "INVALID_REQUEST: operation 2, element 2: type must be \(kinds)")
    #expect(fills == [Rect(5, 10, 20, 30)])
  }

  @Test(
    "what is no drawing is refused by name",
    arguments: [
      ("{}", "op required: clear, draw, update or animate"),
      (#"{"op":"paint"}"#, "op must be clear, draw, update or animate"),
      (#"{"op":"draw"}"#, "elements[] required"),
      (#"{"op":"clear","ids":["x"]}"#, "ids names an element that is not there"),
      (#"{"op":"draw","transition":"wipe","elements":[]}"#, "transition must be instant, fade or slide"),
      (#"{"op":"animate","durationMs":60001,"elements":[]}"#, "durationMs must be a number from 0 to 60000"),
      (#"{"space":{"width":0,"height":1},"op":"clear"}"#, "width must be a number from 1 to 100000"),
      (
        #"{"op":"draw","elements":[{"id":"a","type":"interactive","bounds":{},"gestures":["swipe"]}]}"#,
        "element 1: gestures must be an array of tap, longPress, pan and pinch"
      ),
      (
        #"{"op":"draw","elements":[{"id":"a","type":"interactive","bounds":{},"gestures":[]}]}"#,
        "element 1: gestures must be an array of tap, longPress, pan and pinch"
      ),
      (#"{"space":{"width":1},"op":"clear"}"#, "space must be {width, height}, or null"),
    ])
  func names(_ text: String, _ reason: String) { #expect(take(text) == "INVALID_REQUEST: \(reason)") }

  @Test(
    "places, sides and sizes beyond what may be are refused by name",
    arguments: [
      (#""bounds":{"x":-100001}"#, "x must be a number from -100000 to 100000"),
      (#""bounds":{"width":-1}"#, "width must be a number from 0 to 100000"),
      (#""bounds":{},"style":{"fontSize":1001}"#, "fontSize must be a number from 1 to 1000"),
      (#""bounds":{},"style":{"radius":100001}"#, "radius must be a number from 0 to 100000"),
      (#""bounds":{},"style":{"opacity":"much"}"#, "opacity must be a number from 0 to 1"),
    ])
  func reach(_ members: String, _ reason: String) {
    let text = #"{"op":"draw","elements":[{"id":"a","type":"shape",\#(members)}]}"#
    #expect(take(text) == "INVALID_REQUEST: element 1: \(reason)")
  }

  @Test("elements, operations, ids and texts: no more than there is room for")
  func bounds() {
    for number in 0..<Budget.drawingElements { _ = take(#"{"op":"draw","elements":[\#(box("e\(number)", number))]}"#) }
    #expect(
      take(#"{"op":"draw","elements":[\#(box("one", 1))]}"#).hasSuffix("element 1: a drawing has at most 128 elements"))
    let clear = #"{"op":"clear"}"#
    let many = Array(repeating: clear, count: Budget.drawingOperations + 1).joined(separator: ",")
    #expect(take(#"{"operations":[\#(many)]}"#).hasSuffix("a command has at most 64 operations"))
    #expect(fills.count == Budget.drawingElements)
    _ = take(clear)
    let id = String(repeating: "i", count: Budget.drawingIdBytes + 1)
    #expect(
      take(#"{"op":"draw","elements":[\#(box(id, 1))]}"#).hasSuffix("id required, and an id has at most 64 bytes"))
    let text = String(repeating: "x", count: Budget.drawingTextBytes + 1)
    let long = #"{"id":"t","type":"text","text":"\#(text)","bounds":{"x":0,"y":0}}"#
    #expect(
      take(#"{"op":"draw","elements":[\#(long)]}"#).hasSuffix("text or url must be a string, and has at most 512 bytes")
    )
  }

  @Test(
    "a highlight far larger than the screen, with corners wider than the longest row, is drawn as far as it is seen")
  func hugeHighlight() throws {
    for radius in [8_100, 12_000, 32_767, 99_999] {
      let bounds = #"{"x":-4000,"y":-4000,"width":90000,"height":90000}"#
      #expect(
        take(
          #"{"op":"draw","elements":[{"id":"a","type":"highlight","bounds":\#(bounds),"style":{"radius":\#(radius)}}]}"#
        ) == "")
      let screen = try Screen(400, 200)
      page.draw(into: screen.list)
      screen.list.add(.fill(Rect(0, 0, 1, 1), radius: 0, .solid(Color(0x123456))))
      screen.paint()
      #expect(screen[0, 0] == 0x123456)
    }
  }
}
