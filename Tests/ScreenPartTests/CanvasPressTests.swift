import Canvas
import Gateway
import Graphics
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

@Suite("What a press tells the agent, and the person")
struct CanvasPressTests {
  private let bench: CanvasBench

  init() throws { bench = try CanvasBench() }

  @Test("it is being sent, then worked at, until the agent changes the page")
  func statuses() {
    bench.pushButton()
    bench.tap(40, 40)
    #expect(bench.press == "waiting" && bench.channel.asked.isEmpty)
    bench.commands.presses.online(bench.channel)
    bench.channel.answer()
    bench.settle()
    #expect(bench.press == "waiting")
    bench.pushButton("again")
    #expect(bench.press == "done" && bench.painter.texts == ["Go"])
    bench.pass(1_200)
    #expect(bench.press == nil && bench.painter.texts == ["Go"])
  }

  @Test("a button of v0.9 opens a link, which asks as any other; one whose checks do not hold does nothing")
  func opens() {
    func push(_ more: String) {
      bench.invoke(
        "push", "canvas.a2ui.push",
        #"{"messages":[{"version":"v0.9","updateComponents":{"surfaceId":"s","components":["#
          + #"{"id":"root","component":"Button","child":"t","action":{"functionCall":{"call":"openUrl","#
          + #""args":{"url":"openclaw://agent?message=water"}}}\#(more)},{"id":"t","component":"Text","text":"Go"}]}}]}"#
      )
      bench.settle()
    }
    push("")
    bench.tap(40, 40)
    #expect(bench.links == ["openclaw://agent?message=water"] && bench.channel.asked.isEmpty)
    push(#","checks":[{"condition":{"call":"required","args":{"value":{"path":"/a"}}},"message":"a"}]"#)
    bench.tap(40, 40)
    #expect(bench.links.count == 1)
    bench.invoke(
      "data", "canvas.a2ui.push",
      #"{"messages":[{"version":"v0.9","updateDataModel":{"surfaceId":"s","path":"/a","value":1}}]}"#)
    bench.settle()
    bench.tap(40, 40)
    #expect(bench.links.count == 2)
  }

  @Test("an agent that changes nothing is spoken of for half a minute")
  func works() {
    bench.pushButton()
    bench.commands.presses.online(bench.channel)
    bench.tap(40, 40)
    bench.channel.answer()
    bench.pass(29_000)
    #expect(bench.press == "waiting")
    bench.pass(2_000)
    #expect(bench.press == nil)
  }

  @Test("it waits two minutes for the gateway, and then has failed")
  func age() {
    bench.pushButton()
    bench.tap(40, 40)
    bench.pass(Budget.pressAge - 1_000)
    #expect(bench.press == "waiting")
    bench.pass(2_000)
    #expect(bench.press == "failed" && bench.painter.texts.contains("the gateway is away"))
    bench.pass(5_000)
    #expect(bench.press == nil)
    bench.commands.presses.online(bench.channel)
    #expect(bench.channel.asked.isEmpty)
  }

  @Test("it is sent again after a connection that was lost on its way, under the same key")
  func again() {
    bench.pushButton()
    bench.commands.presses.online(bench.channel)
    bench.tap(40, 40)
    bench.commands.presses.offline()
    bench.commands.presses.online(bench.channel)
    #expect(bench.channel.asked.count == 2)
    bench.channel.fail("node.event", .timedOut)
    #expect(bench.channel.asked.count == 2)
  }

  @Test("a value that is too long for the message to the agent is named in the log, short ones are not")
  func longContext() throws {
    let size = Size(480, 320)
    let display = MemoryDisplay(PanelLayout(format: .xrgb8888, size: size, stride: Int(size.width) * 4)!)
    let agent = try AgentBench(face: CanvasBench.parts(display: display, size))
    let screen = try #require(agent.agent.screen)
    let essay = String(repeating: "x", count: Budget.a2uiActionCharacters)
    for context in [#"{"short":1,"essay":"\#(essay)"}"#, #"{"short":1}"#] {
      let action = Array(#"{"name":"go","context":\#(context)}"#.utf8)
      #expect(action.withUnsafeBufferPointer { screen.acted($0, session: "".utf8.span) })
    }
    var lines: [String] = []
    agent.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(
      lines.filter { $0.contains("action go: its context is too long for the agent, essay is left out") }.count == 1)
    #expect(lines.filter { $0.contains("too long") }.count == 1)
  }

  @Test("one that the gateway refuses is not sent again")
  func refused() {
    bench.pushButton()
    bench.commands.presses.online(bench.channel)
    bench.tap(40, 40)
    bench.channel.fail("node.event", .refused, code: "INVALID_REQUEST")
    bench.pass(10_000)
    #expect(bench.channel.asked.count == 1)
    #expect(bench.commands.presses.count == 0)
  }

  @Test("no more wait than there is room for")
  func bound() {
    bench.pushButton()
    bench.tap(40, 40)
    for _ in 1..<Budget.presses { bench.commands.presses.post(ofButton: false) { _ in } }
    #expect(bench.commands.presses.count == Budget.presses)
    bench.commands.presses.post(ofButton: false) { _ in }
    bench.settle()
    #expect(bench.commands.presses.count == Budget.presses)
    #expect(bench.painter.texts.contains { $0.hasPrefix("too many presses") })
  }

  @Test("what is longer than a message has failed at once")
  func tooLong() {
    bench.commands.presses.post(ofButton: true) { writer in
      writer.key("message")
      writer.string(String(repeating: "x", count: Budget.pressBytes))
    }
    #expect(bench.commands.presses.count == 0)
  }

  @Test("while it is being sent the button is not pressed again")
  func busy() {
    bench.pushButton()
    bench.tap(40, 40)
    bench.pass(1_000)
    bench.tap(40, 40)
    #expect(bench.commands.presses.count == 1)
    bench.commands.presses.online(bench.channel)
    bench.channel.answer()
    bench.tap(40, 40)
    #expect(bench.channel.asked.count == 2)
  }

  @Test("it belongs to the session that changed the page last, or to nobody's")
  func delegate() {
    bench.commands.presses.online(bench.channel)
    bench.pushButton(session: "agent:a")
    bench.invoke("show", "canvas.present")
    bench.tap(40, 40)
    bench.channel.answer()
    bench.pass(1_000)
    bench.pushButton("second")
    bench.tap(40, 40)
    bench.channel.answer()
    bench.pass(1_000)
    bench.invoke("shown", "canvas.present", session: "agent:b")
    bench.settle()
    bench.tap(40, 40)
    #expect(bench.channel.asked.map { $0.payload["sessionKey"] as? String } == ["agent:a", "", "agent:b"])
  }
}

@Suite("What stands in front of every page")
struct CanvasOverlayTests {
  private let bench: CanvasBench

  init() throws { bench = try CanvasBench() }

  private func say(_ change: (inout OverlayFacts) -> Void) {
    var facts = OverlayFacts()
    change(&facts)
    bench.commands.face.say(facts)
    bench.settle()
  }

  @Test("a notification goes by itself, or when it is touched, which is no touch of the page")
  func toast() {
    bench.pushButton()
    let face = bench.commands.face!
    face.toast("Hello".utf8.span, "from the agent".utf8.span)
    bench.settle()
    #expect(bench.painter.texts.contains("Hello"))
    bench.pass(Budget.toastMilliseconds + 1)
    #expect(!bench.painter.texts.contains("Hello"))
    face.toast("Hello".utf8.span, "".utf8.span)
    bench.settle()
    bench.tap(240, 30)
    #expect(!bench.painter.texts.contains("Hello"))
    #expect(bench.commands.presses.count == 0)
  }

  @Test("a board that is held shows nothing of the page, and takes no touch but the one that lets go")
  func held() {
    bench.pushButton()
    say { $0.isHeld = true }
    #expect(!bench.painter.texts.contains("Go"))
    #expect(bench.painter.texts.contains { $0.hasPrefix("Held") })
    bench.tap(40, 40)
    #expect(bench.commands.presses.count == 0)
    for id in 0..<3 {
      bench.commands.face.input(.pointer(.down, id: id, Point(50 + 40 * Int32(id), 50)), at: bench.clock.monotonic)
    }
    bench.pass(Budget.panicTouchMilliseconds + 1)
    #expect(bench.panics == 1)
  }

  @Test("a border says how much a person is wanted; it stands still unless that is urgent")
  func border() {
    say { $0.border = .active }
    #expect(bench.painter.borders.count == 1)
    #expect(bench.commands.nextDeadline == nil)
    say { $0.border = .urgent }
    bench.pass(401)
    #expect(bench.painter.borders.isEmpty)
    bench.pass(401)
    #expect(bench.painter.borders.count == 1)
    say { _ in }
    #expect(bench.commands.nextDeadline == nil)
  }
}
