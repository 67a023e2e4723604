import Canvas
import Gateway
import Graphics
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

@Suite("A screen that nobody uses, or that another program has")
struct CanvasRestTests {
  private let bench: CanvasBench

  init() throws { bench = try CanvasBench(restsAfter: 60_000) }

  private func touch(_ what: InputEvent.Pointer, _ x: Int32 = 40, _ y: Int32 = 40) {
    bench.input.play(.pointer(what, id: 0, Point(x, y)), at: bench.clock.monotonic)
    bench.clock.advance(50)
    bench.settle()
  }

  @Test("it goes dark after its time, and then nothing has to be done")
  func dark() {
    bench.pushButton()
    bench.pass(59_000)
    #expect(!bench.display.isBlank)
    bench.pass(1_000)
    #expect(bench.display.isBlank && bench.commands.face.nextDeadline == nil)
  }

  @Test("the first touch lights it and presses nothing, the next one does")
  func touched() {
    bench.pushButton()
    bench.commands.presses.online(bench.channel)
    bench.pass(60_000)
    let frames = bench.display.frames
    touch(.down)
    touch(.up)
    #expect(!bench.display.isBlank && bench.display.frames > frames && bench.channel.asked.isEmpty)
    touch(.down)
    touch(.up)
    #expect(bench.channel.asked.count == 1)
  }

  @Test("what an agent shows or says lights it; that the camera is on does not")
  func shown() {
    bench.pushButton()
    bench.pass(60_000)
    #expect(bench.display.isBlank)
    bench.pushButton("again")
    #expect(!bench.display.isBlank)
    bench.pass(60_000)
    bench.commands.face.toast("Hello".utf8.span, "".utf8.span)
    #expect(!bench.display.isBlank)
    bench.pass(60_000)
    #expect(bench.display.isBlank)
    var facts = OverlayFacts()
    facts.isCameraLive = true
    bench.commands.face.say(facts)
    #expect(bench.display.isBlank)
    facts.border = .urgent
    bench.commands.face.say(facts)
    #expect(!bench.display.isBlank)
  }

  @Test("hidden by an agent it stays dark, whatever is touched")
  func hidden() {
    bench.pushButton()
    bench.invoke("hide", "canvas.hide")
    bench.settle()
    bench.pass(120_000)
    touch(.down)
    touch(.up)
    #expect(bench.display.isBlank)
    bench.invoke("present", "canvas.present")
    bench.settle()
    #expect(!bench.display.isBlank)
  }

  @Test("while another program has the screen nothing is read of keys and fingers")
  func away() {
    bench.display.setAway(true)
    #expect(bench.input.size == nil)
    bench.pass(120_000)
    #expect(!bench.display.isBlank)
    bench.display.setAway(false)
    bench.settle()
    #expect(bench.input.size == Size(480, 320))
    bench.pass(60_000)
    #expect(bench.display.isBlank)
  }
}
