import Canvas
import Graphics
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

@Suite("A triple tap on the screen")
struct PanicTapTests {
  private func taps(_ bench: CanvasBench, _ x: Int32, _ y: Int32, _ count: Int = 3) {
    for _ in 0..<count {
      bench.tap(x, y)
      bench.clock.advance(80)
    }
  }

  @Test("it is panic on home and on a document's text, and nothing where the owner does not want it")
  func wanted() throws {
    for isWanted in [false, true] {
      let bench = try CanvasBench(hasPanicTap: isWanted)
      taps(bench, 240, 160)
      #expect(bench.panicTaps == (isWanted ? 1 : 0))
      bench.invoke(
        "text", "canvas.a2ui.push",
        #"""
        {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
        {"id":"root","component":{"Text":{"text":{"literalString":"Nothing to press"}}}}]}},
        {"beginRendering":{"surfaceId":"s","root":"root"}}]}
        """#)
      bench.settle()
      taps(bench, 60, 40)
      #expect(bench.panicTaps == (isWanted ? 2 : 0))
      #expect(bench.panics == 0)
    }
  }

  @Test("fast presses of a button are presses")
  func button() throws {
    let bench = try CanvasBench(hasPanicTap: true)
    bench.pushButton()
    taps(bench, 40, 40, 12)
    #expect(bench.panicTaps == 0)
  }

  @Test("typing on the keyboard of the screen, and a tap beside it, are none")
  func typing() throws {
    let bench = try CanvasBench(hasPanicTap: true)
    bench.invoke(
      "field", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"TextField":{"label":{"literalString":"Name"},"text":{"path":"/name"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    bench.settle()
    bench.tap(100, 50)
    for index in 0..<40 { taps(bench, 30 + Int32(index * 41 % 420), 200 + Int32(index * 29 % 110), 1 + index % 4) }
    #expect(bench.panicTaps == 0)
  }

  @Test("taps that light a dark screen, remove a notification or meet a page that is covered are none")
  func others() throws {
    let dark = try CanvasBench(restsAfter: 60_000, hasPanicTap: true)
    dark.pass(60_000)
    #expect(dark.display.isBlank)
    taps(dark, 240, 160, 2)
    #expect(!dark.display.isBlank)
    taps(dark, 240, 160, 1)
    #expect(dark.panicTaps == 0)
    let held = try CanvasBench(hasPanicTap: true)
    var facts = OverlayFacts()
    facts.isHeld = true
    held.commands.face.say(facts)
    taps(held, 240, 160, 6)
    #expect(held.panicTaps == 0)
    let told = try CanvasBench(hasPanicTap: true)
    for _ in 0..<3 {
      told.commands.face.toast("Hello".utf8.span, "".utf8.span)
      told.settle()
      taps(told, 240, 30, 1)
    }
    #expect(told.panicTaps == 0)
  }

  @Test("a mouse's three clicks, which mark a line elsewhere, are none")
  func mouse() throws {
    let bench = try CanvasBench(hasPanicTap: true)
    bench.commands.face.input(.hover(Point(240, 160)), at: bench.clock.monotonic)
    taps(bench, 240, 160, 6)
    #expect(bench.panicTaps == 0)
  }

  @Test("it holds a board and never releases one")
  func holds() throws {
    let size = Size(480, 320)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    let bench = try AgentBench(face: CanvasBench.parts(display: display, size))
    let screen = try #require(bench.agent.screen)
    screen.panicTapped()
    #expect(bench.agent.isHeld)
    screen.panicTapped()
    #expect(bench.agent.isHeld)
    screen.panicWanted()
    #expect(!bench.agent.isHeld)
  }
}
