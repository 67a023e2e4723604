import Codec
import Foundation
import Graphics
import Runtime
import Simulated
import Testing

@testable import Canvas
@testable import GraphicsSupport

private final class Told: DrawingDelegate {
  var actions: [String] = []
  var pictures: [[UInt8]] = []

  func touched(_ action: UnsafeBufferPointer<UInt8>) { actions.append(String(decoding: action, as: UTF8.self)) }

  func sketched(_ action: UnsafeBufferPointer<UInt8>, _ png: UnsafeBufferPointer<UInt8>) {
    touched(action)
    pictures.append(Array(png))
  }
}

private final class StillVideo: VideoSource {
  var frame: Picture?
}

@Suite("Fingers on a drawing")
struct DrawingTouchTests {
  private let clock = VirtualClock()
  private let page: DrawingPage
  private let told = Told()

  init() throws {
    page = try DrawingPage(flow: TextFlow(measurer: GridMeasurer()), pictures: NoPictures(), clock: clock)
    page.fit(Size(800, 400), Theme())
    page.delegate = told
  }

  private func take(_ elements: String) throws {
    let text = #"{"op":"draw","space":{"width":400,"height":200},"elements":[\#(elements)]}"#
    try page.take(JSONView(text.utf8.span))
  }

  private func area(_ id: String, _ x: Int, gestures: String = "") -> String {
    #"{"id":"\#(id)","type":"interactive","bounds":{"x":\#(x),"y":10,"width":100,"height":100}\#(gestures)}"#
  }

  @discardableResult
  private func feed(_ what: InputEvent.Pointer, _ x: Int32, _ y: Int32, id: Int = 0) -> Bool {
    page.input(.pointer(what, id: id, Point(x, y)), at: clock.monotonic)
  }

  private func tap(_ x: Int32, _ y: Int32) {
    feed(.down, x, y)
    clock.advance(50)
    feed(.up, x, y)
  }

  @Test("a tap is told in units of the drawing, of the front element")
  func taps() throws {
    try take(area("back", 0) + "," + area("front", 50))
    tap(111, 101)
    #expect(
      told.actions == [
        #"{"name":"tap","surfaceId":"drawing","sourceComponentId":"front","context":{"x":55.5,"y":50.5}}"#
      ])
    #expect(page.reacts(at: Point(111, 101)) && !page.reacts(at: Point(700, 300)))
    tap(700, 300)
    tap(50, 101)
    #expect(told.actions.count == 2 && told.actions[1].contains(#""sourceComponentId":"back""#))
  }

  @Test("only the gestures that an element wants are told")
  func wanted() throws {
    try take(area("a", 0, gestures: #","gestures":["longPress","pinch"]"#))
    tap(100, 100)
    #expect(told.actions.isEmpty)
    feed(.down, 100, 100)
    clock.advance(Budget.longPressMilliseconds)
    _ = page.advance(to: clock.monotonic)
    feed(.up, 100, 100)
    #expect(told.actions.count == 1 && told.actions[0].contains(#""name":"longPress""#))
    for (second, end) in [(Int32(60), Int32(60)), (40, 140)] {
      feed(.down, 40, 60)
      feed(.down, 40 + second, 60, id: 1)
      feed(.move, 40 + end, 60, id: 1)
      feed(.up, 40 + end, 60, id: 1)
      feed(.up, 40, 60)
    }
    #expect(told.actions.count == 2)
    #expect(
      told.actions[1]
        == #"{"name":"pinch","surfaceId":"drawing","sourceComponentId":"a","context":{"x":30.0,"y":30.0,"dx":25.0,"dy":0.0,"scale":3.50}}"#
    )
  }

  @Test("two fingers pan, and are no tap")
  func pans() throws {
    try take(area("a", 0, gestures: #","gestures":["tap","pan"]"#))
    feed(.down, 40, 60)
    feed(.down, 80, 60, id: 1)
    feed(.move, 100, 100)
    feed(.move, 140, 100, id: 1)
    feed(.up, 140, 100, id: 1)
    feed(.up, 100, 100)
    #expect(told.actions.count == 1)
    #expect(told.actions[0].contains(#""name":"pan""#) && told.actions[0].contains(#""dx":30.0,"dy":20.0"#))
  }

  @Test("an element that is taken away meanwhile gets nothing")
  func gone() throws {
    try take(area("a", 0))
    feed(.down, 100, 100)
    try page.take(JSONView(#"{"op":"clear"}"#.utf8.span))
    feed(.up, 100, 100)
    #expect(told.actions.isEmpty)
    try take(area("a", 0))
    tap(100, 100)
    #expect(told.actions.count == 1)
  }

  @Test("the longest id, all of it escaped, has room in what is told")
  func longest() throws {
    let id = String(repeating: #"\u0001"#, count: Budget.drawingIdBytes)
    try take(area(id, 0))
    tap(100, 100)
    #expect(told.actions.count == 1)
  }

  // MARK: Sketches

  private let paper =
    #"{"id":"paper","type":"sketch","bounds":{"x":0,"y":0,"width":400,"height":200},"style":{"borderWidth":4}}"#

  private var lines: Int {
    let list = DisplayList()
    page.draw(into: list)
    var count = 0
    for index in 0..<list.count { if case .line = list[index] { count += 1 } }
    return count
  }

  private func stroke(_ from: (Int32, Int32), _ to: (Int32, Int32), id: Int = 0) {
    feed(.down, from.0, from.1, id: id)
    feed(.move, to.0, to.1, id: id)
    feed(.up, to.0, to.1, id: id)
  }

  @Test("what a finger draws is shown, and sent as a picture when a person wants that")
  func sends() throws {
    try take(paper)
    #expect(lines == 0)
    stroke((100, 100), (300, 100))
    stroke((100, 200), (300, 200))
    #expect(lines == 2 && told.actions.isEmpty)
    let button = page.sketchButtons(Rect(0, 0, 800, 400)).send
    tap(button.x + 5, button.y + 5)
    #expect(
      told.actions == [
        #"{"name":"sketch","surfaceId":"drawing","sourceComponentId":"paper","context":{"width":512,"height":256}}"#
      ])
    let png = try #require(told.pictures.first)
    #expect(png.count <= Budget.sketchPictureBytes && lines == 2)
    // The rows of one bit a pixel begin after the headers and the block's own.
    let start = 8 + 25 + 18 + 8 + 2 + 5
    func isOn(_ x: Int, _ y: Int) -> Bool {
      let byte = png[start + y * 65 + 1 + x / 8]
      let bit: UInt8 = 0x80 >> UInt8(x % 8)
      return byte & bit != 0
    }
    #expect(isOn(128, 64))
    #expect(isOn(128, 128))
    #expect(!isOn(128, 96) && !isOn(250, 64))
  }

  @Test("a second finger draws nothing, and a dot is a dot")
  func fingers() throws {
    try take(paper)
    feed(.down, 100, 100)
    feed(.down, 300, 300, id: 1)
    feed(.move, 400, 300, id: 1)
    feed(.up, 400, 300, id: 1)
    feed(.up, 100, 100)
    #expect(lines == 0 && !page.sketch.isEmpty)
  }

  @Test("the other button takes it away, as does the end of the element")
  func clears() throws {
    try take(paper)
    stroke((100, 100), (300, 100))
    let button = page.sketchButtons(Rect(0, 0, 800, 400)).clear
    tap(button.x + 5, button.y + 5)
    #expect(lines == 0 && told.actions.isEmpty)
    stroke((100, 100), (300, 100))
    try page.take(JSONView(#"{"op":"clear"}"#.utf8.span))
    try take(paper)
    #expect(lines == 0)
  }

  @Test("beyond its points nothing more is drawn, and the picture still fits into a press")
  func bound() throws {
    try take(paper)
    for index in 0..<Int32(2 * Budget.sketchPoints) {
      feed(index == 0 ? .down : .move, index % 2 == 0 ? 10 : 500, 10 + index % 300)
    }
    feed(.up, 10, 10)
    #expect(page.sketch.count == Budget.sketchPoints)
    let side = Size(Budget.sketchPixels, Budget.sketchPixels)
    let png = TwoColorPNG(width: Int(side.width), height: Int(side.height), off: 0, on: 1)
    #expect(png.count <= Budget.sketchPictureBytes)
    #expect(png.count * 4 / 3 + 2048 <= Budget.pressBytes)
    #expect(Sketch.pictureSize(Size(10_000, 1)) == Size(512, 1) && Sketch.pictureSize(Size(0, 0)) == Size(1, 1))
  }

  // MARK: Videos

  @Test("a video is the picture of its source, and a drawing has one")
  func videos() throws {
    let source = StillVideo()
    page.video = source
    #expect(page.videoAddress == nil)
    let video = #"{"id":"v","type":"video","url":"http://cam/","bounds":{"x":0,"y":0,"width":40,"height":30}}"#
    try take(video)
    #expect(page.videoAddress?.size == Size(80, 60) && page.videoAddress?.text == InlineText(cutting: "http://cam/"))
    try take(video)
    #expect(throws: DrawingError.self) { try take(video.replacingOccurrences(of: #""v""#, with: #""w""#)) }
    #expect(throws: DrawingError.self) { try take(paper + "," + paper.replacingOccurrences(of: "paper", with: "p2")) }
    try page.take(JSONView(#"{"op":"clear"}"#.utf8.span))
    #expect(page.videoAddress == nil)
  }
}
