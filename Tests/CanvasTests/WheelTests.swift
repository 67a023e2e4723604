import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import Graphics

/// The kernel's REL_WHEEL is positive away from the person (Documentation/input/event-codes.rst, libinput's notes on
/// it), which everywhere means: towards the beginning.
@Suite("The mouse wheel")
struct WheelTests {
  /// What one step of the wheel tells, from the device's own event on.
  private func step(_ value: Int32, _ code: UInt16 = RelativeCode.wheel) throws -> InputEvent {
    var device = Device(.mouse)
    device.send(EventType.relative, code, value)
    device.report()
    return try #require(device.take().last)
  }

  private func list(_ direction: String, _ id: String = "root") -> String {
    var (parts, names) = ("", "")
    for index in 0..<60 {
      parts += "," + Page.component("t\(index)", #"{"Text":{"text":{"literalString":"item"}}}"#)
      names += (index == 0 ? "" : ",") + #""t\#(index)""#
    }
    return Page.component(id, #"{"List":{"direction":"\#(direction)","children":{"explicitList":[\#(names)]}}}"#)
      + parts
  }

  @Test("towards the person goes on in a list, away from the person goes back")
  func lists() throws {
    let hands = try Hands()
    try hands.page.show(list("vertical"))
    let start = hands.page.place("t0")
    hands.input.feed(try step(1), at: 10)
    #expect(hands.page.place("t0") == start, "it stands at its beginning")
    hands.input.feed(try step(-1), at: 20)
    #expect(hands.page.rect("t0").y < 0)
    hands.input.feed(try step(1), at: 30)
    #expect(hands.page.place("t0") == start)
  }

  @Test("to the right goes on in a list to the right")
  func strips() throws {
    let hands = try Hands()
    try hands.page.show(list("horizontal"))
    let start = hands.page.rect("t0").x
    hands.input.feed(try step(-1, RelativeCode.hWheel), at: 10)
    #expect(hands.page.rect("t0").x == start)
    hands.input.feed(try step(1, RelativeCode.hWheel), at: 20)
    #expect(hands.page.rect("t0").x < start)
  }

  @Test("the same on a page that is longer than the screen")
  func pages() throws {
    let hands = try Hands()
    let texts = (0..<60).map { index in Page.component("t\(index)", #"{"Text":{"text":{"literalString":"item"}}}"#) }
    try hands.page.show(Page.column(texts: 60), texts.joined(separator: ","))
    hands.input.feed(try step(1), at: 10)
    #expect(hands.page.view.scroll == 0)
    hands.input.feed(try step(-2), at: 20)
    #expect(hands.page.view.scroll == 96)
    hands.input.feed(try step(1), at: 30)
    #expect(hands.page.view.scroll == 48)
  }

  @Test("the same in a document that is read")
  func reader() throws {
    let page = try ReaderPage(measurer: GridMeasurer(), pictures: nil)
    page.fit(Size(480, 320), Theme())
    let bytes = Array(String(repeating: "<p>line</p>", count: 200).utf8)
    try bytes.withUnsafeBufferPointer { bytes throws(ReaderError) in try page.take(bytes, .html) }
    #expect(!page.input(try step(1), at: 10))
    #expect(page.input(try step(-1), at: 20))
    #expect(page.scrolled == 48)
    #expect(page.input(try step(1), at: 30))
    #expect(page.scrolled == 0)
  }

  @Test("the same in a conversation, which begins at its end")
  func conversation() throws {
    let talk = try Talk()
    talk.fill()
    let place = Point(240, 150)
    #expect(!talk.page.input(.wheel(place, x: 0, y: try pixels(-1)), at: 10))
    #expect(talk.page.isAtEnd)
    #expect(talk.page.input(.wheel(place, x: 0, y: try pixels(1)), at: 20))
    #expect(!talk.page.isAtEnd)
    #expect(talk.page.input(.wheel(place, x: 0, y: try pixels(-1)), at: 30))
    #expect(talk.page.isAtEnd)
  }

  /// What a step of the device moves, for a page that heeds where the mouse is.
  private func pixels(_ value: Int32) throws -> Int32 {
    guard case .wheel(_, _, let y) = try step(value) else { return 0 }
    return y
  }
}

extension Page {
  /// A column of texts t0, t1, ... as the root.
  fileprivate static func column(texts count: Int) -> String {
    let names = (0..<count).map { #""t\#($0)""# }.joined(separator: ",")
    return component("root", #"{"Column":{"children":{"explicitList":["# + names + "]}}}")
  }
}
