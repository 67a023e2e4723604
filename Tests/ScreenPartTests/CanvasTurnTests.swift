import A2UI
import Canvas
import Foundation
import Graphics
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

/// A push whose texts take more than one turn of the loop to arrange.
@Suite("Pages that take several turns of the loop")
struct CanvasTurnTests {
  private let bench: CanvasBench

  init() throws {
    bench = try CanvasBench()
    bench.pushButton("first")
    _ = bench.take()
  }

  /// A button below a text of so many words.
  private func pushLong(_ id: String, words: Int = 5000, name: String = "go") {
    let text = String(repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627} ", count: words)
    bench.invoke(
      id, "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Column":{"children":{"explicitList":["b","l"]}}}},
      {"id":"b","component":{"Button":{"child":"t","action":{"name":"\#(name)"}}}},
      {"id":"t","component":{"Text":{"text":{"literalString":"\#(name)"}}}},
      {"id":"l","component":{"Text":{"text":{"literalString":"\#(text)"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    bench.settle()
  }

  private var isPending: Bool { bench.commands.face.documents.isPending }

  /// One turn of the loop.
  private func turn() {
    bench.commands.advance(to: bench.clock.monotonic)
    bench.settle()
  }

  @Test("it is answered when it is seen, and other commands are answered meanwhile")
  func answered() {
    pushLong("long")
    #expect(isPending)
    #expect(bench.commands.nextDeadline == bench.clock.monotonic)
    bench.invoke("caps", "canvas.caps")
    bench.invoke("dump", "canvas.a2ui.dump")
    let meanwhile = bench.take()
    #expect(meanwhile.first?.hasPrefix(#"caps: {"renderer":"#) == true)
    #expect(meanwhile.dropFirst() == ["dump: UNAVAILABLE"])
    #expect(bench.painter.texts == ["Go"])
    var turns = 0
    while isPending, turns < 1000 {
      #expect(bench.answers.isEmpty)
      turn()
      turns += 1
    }
    #expect(turns > 3)
    #expect(bench.take().first?.hasPrefix(#"long: {"ok":true,"#) == true)
    #expect(bench.painter.texts.first == "go")
  }

  @Test("what limits keep off the screen is told in the answer, though it is found in a later turn")
  func warned() {
    let lines = Array(repeating: "a", count: Budget.flowLines + 1).joined(separator: "\\n")
    bench.invoke(
      "long", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Text":{"text":{"literalString":"\#(lines)"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    bench.settle()
    #expect(isPending)
    bench.pass(1)
    #expect(bench.take().first?.contains("has a text that is cut: more than \(Budget.flowLines) lines") == true)
  }

  @Test("another push in between is answered with it, and seen")
  func pushBetween() {
    pushLong("one", name: "one")
    turn()
    pushLong("two", words: 4500, name: "two")
    #expect(isPending && bench.answers.isEmpty)
    bench.pass(1)
    #expect(bench.take().map { $0.prefix(14) } == [#"one: {"ok":tru"#, #"two: {"ok":tru"#])
    #expect(bench.painter.texts.first == "two")
  }

  @Test("who asked last may have gone, and another page may be shown meanwhile")
  func cancelled() {
    pushLong("gone")
    bench.router.cancelAll()
    bench.invoke("home", "canvas.navigate", #"{"url":"/"}"#)
    bench.settle()
    #expect(bench.take().count == 1)
    bench.pass(1)
    #expect(!isPending && bench.take().isEmpty)
  }

  @Test("a finger that comes meanwhile is for the page that it leads to")
  func touched() {
    pushLong("long")
    bench.commands.presses.online(bench.channel)
    bench.tap(60, 40)
    #expect(isPending && bench.channel.asked.isEmpty)
    bench.pass(1)
    #expect(bench.channel.asked.count == 1)
  }

  @Test("who does more meanwhile than is kept has the page at once")
  func touchedOften() {
    pushLong("long")
    for place in 0..<Int32(Budget.waitingInputs) {
      bench.commands.face.input(.hover(Point(place, 10)), at: bench.clock.monotonic)
    }
    #expect(isPending)
    bench.commands.face.input(.hover(Point(0, 10)), at: bench.clock.monotonic)
    #expect(!isPending)
    bench.settle()
    #expect(bench.take().count == 1)
  }
}
