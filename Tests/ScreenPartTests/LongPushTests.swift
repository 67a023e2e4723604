import A2UI
import Canvas
import Codec
import Gateway
import Graphics
import Runtime
import TestSupport
import Testing
@testable import Benches
@testable import Node
@testable import ScreenPart

/// A push that is too long for a turn of the loop is a worker's, and counts as one step like all others.
@Suite("Pushes that a worker does")
struct LongPushTests {
  private final class Idle: Job {}

  private let bench: CanvasBench

  init() throws {
    bench = try CanvasBench()
    bench.pushButton("first")
    _ = bench.take()
  }

  private var face: CanvasFace { bench.commands.face }

  /// A page of one button, with a text beside it that no page shows.
  private static func page(_ name: String, padding: Int = 20_000) -> String {
    let text = String(repeating: "x", count: padding)
    return #"""
      [{"surfaceUpdate":{"surfaceId":"s","components":[{"id":"root","component":{"Button":{"child":"t",
      "action":{"name":"\#(name)"}}}},{"id":"t","component":{"Text":{"text":{"literalString":"\#(name)"}}}},
      {"id":"u","component":{"Text":{"text":{"literalString":"\#(text)"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]
      """#
  }

  private func push(_ id: String, _ messages: String, session: String? = nil) {
    bench.invoke(id, "canvas.a2ui.push", #"{"messages":\#(messages)}"#, session: session)
  }

  private static func dump(_ store: SurfaceStore) -> String {
    let buffer = FixedBuffer(capacity: 1 << 20)
    var writer = JSONWriter(into: buffer.bytes)
    store.writeSurfaces(into: &writer)
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  @Test("the loop is free meanwhile: it is not due, and answers what does not change the screen")
  func free() {
    push("long", Self.page("second"))
    #expect(face.documents.isLent && bench.router.isOccupied && bench.answers.isEmpty)
    #expect(bench.commands.nextDeadline != bench.clock.monotonic)
    bench.commands.advance(to: bench.clock.monotonic)
    bench.invoke("caps", "canvas.caps")
    bench.invoke("dump", "canvas.a2ui.dump")
    let meanwhile = bench.take()
    #expect(meanwhile.first?.hasPrefix(#"caps: {"renderer":"#) == true)
    #expect(meanwhile.dropFirst() == ["dump: UNAVAILABLE"])
    // The page before is there, also when the screen or its pictures change.
    face.fitAll()
    face.picturesChanged()
    #expect(face.documents.isLent && bench.painter.texts == ["Go"])
    bench.settle()
    #expect(!face.documents.isLent && !bench.router.isOccupied)
    #expect(bench.take().first?.hasPrefix(#"long: {"ok":true,"#) == true)
    #expect(bench.painter.texts == ["second"])
  }

  @Test("one of so many bytes is done at once, and one of more is not")
  func limit() {
    let rest = #"{"messages":}"#.utf8.count + Self.page("b", padding: 0).utf8.count
    push("short", Self.page("b", padding: Budget.pushedAtOnce - rest))
    #expect(!face.documents.isLent)
    bench.settle()
    #expect(bench.take().count == 1)
    push("long", Self.page("b", padding: Budget.pushedAtOnce - rest + 1))
    #expect(face.documents.isLent)
    bench.settle()
    #expect(bench.take().count == 1)
  }

  /// Every other time the worker begins before the push is left to it.
  @Test("the results are those of a push that is done at once", arguments: 0..<40 as Range<UInt64>)
  func same(seed: UInt64) throws {
    var random = Seeded(seed)
    let bench = try CanvasBench(jobsBeginAtOnce: seed % 2 == 1)
    let documents = bench.commands.face.documents
    let store = try SurfaceStore()
    for number in 0..<6 {
      let messages = Self.messages(&random, padding: Budget.pushedAtOnce)
      let isTaken = (try? store.push(messages: messages.utf8.span)) != nil
      bench.invoke("p\(number)", "canvas.a2ui.push", #"{"messages":\#(messages)}"#)
      #expect(documents.isLent)
      bench.pass(1)
      let answers = bench.take()
      #expect(answers.count == 1 && answers[0].contains(#""ok":true"#) == isTaken, "\(messages)")
      #expect(Self.dump(documents.store) == Self.dump(store), "\(messages)")
    }
  }

  /// Messages of all kinds for a few surfaces, some of which are none.
  private static func messages(_ random: inout Seeded, padding: Int) -> String {
    let text = String(repeating: "p", count: padding)
    var messages = [
      #"{"dataModelUpdate":{"surfaceId":"a","contents":[{"key":"p","valueString":"\#(text)"}]}}"#
    ]
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let surface = ["a", "b", "c"].randomElement(using: &random)!
      let name = ["root", "x", "y"].randomElement(using: &random)!
      let value = Int.random(in: 0...9, using: &random)
      let odd = Int.random(in: 0...20, using: &random) == 0
      switch Int.random(in: 0...4, using: &random) {
      case 0:
        messages.append(
          #"{"surfaceUpdate":{"surfaceId":"\#(surface)","components":[{"id":"\#(name)","component":{"Text":{"text":{"literalString":"\#(value)"}}}}]}}"#
        )
      case 1: messages.append(#"{"beginRendering":{"surfaceId":"\#(surface)","root":"\#(name)"}}"#)
      case 2:
        messages.append(
          #"{"dataModelUpdate":{"surfaceId":"\#(surface)","path":"/\#(name)","contents":[{"key":"k","valueNumber":\#(value)}]}}"#
        )
      case 3: messages.append(#"{"deleteSurface":{"surfaceId":"\#(surface)"}}"#)
      default:
        messages.append(
          #"{"version":"v0.9","updateDataModel":{"surfaceId":"\#(surface)","path":"/\#(name)","value":[\#(value),{"a":null}]}}"#
        )
      }
      if odd { messages.append(#"{"nothing":{}}"#) }
    }
    return "[" + messages.joined(separator: ",") + "]"
  }

  @Test("one that is refused changes nothing, and what waited for it goes on")
  func refused() {
    let page = String(Self.page("second").dropLast())
    push("bad", page + #",{"nothing":{}}]"#)
    #expect(face.documents.isLent)
    bench.commands.presses.online(bench.channel)
    bench.tapUnsettled(40, 40)
    #expect(bench.channel.asked.isEmpty)
    bench.pass(1)
    #expect(bench.take() == ["bad: INVALID_A2UI_JSONL"])
    #expect(!bench.router.isOccupied && bench.painter.texts == ["Go"])
    #expect(bench.channel.asked.count == 1)
  }

  @Test("who else would change the screen meanwhile is told to come again")
  func others() {
    push("long", Self.page("second"))
    for command in ["present", "hide", "navigate", "a2ui.push", "a2ui.pushJSONL", "a2ui.reset", "draw"] {
      bench.invoke(command, "canvas.\(command)", #"{"url":"/","messages":[],"jsonl":"{}"}"#)
    }
    let answers = bench.take()
    #expect(answers.count == 7 && answers.allSatisfy { $0.hasSuffix(": UNAVAILABLE") }, "\(answers)")
    bench.settle()
    #expect(bench.painter.texts == ["second"])
    bench.invoke("reset", "canvas.a2ui.reset")
    bench.settle()
    #expect(bench.take().count == 2)
  }

  @Test("when the connection is lost meanwhile it is done all the same, and nobody is answered")
  func lost() {
    push("long", Self.page("second"))
    bench.router.cancelAll()
    bench.settle()
    #expect(bench.take().isEmpty && !bench.router.isOccupied && bench.painter.texts == ["second"])
    bench.invoke("next", "canvas.a2ui.reset")
    bench.settle()
    #expect(bench.take().count == 1)
  }

  @Test("when its time is over meanwhile, that is its only answer")
  func late() {
    push("long", Self.page("second"))
    bench.clock.advance(30_000)
    bench.router.advance(to: bench.clock.monotonic)
    #expect(bench.take() == ["long: UNAVAILABLE"] && face.documents.isLent)
    bench.settle()
    #expect(bench.take().isEmpty && bench.painter.texts == ["second"])
  }

  @Test("presses go to who sent the page that was pressed")
  func author() {
    push("long", Self.page("second"), session: "other")
    #expect(bench.commands.author.session.isEmpty)
    bench.settle()
    #expect(!bench.commands.author.session.isEmpty)
  }

  @Test("what a person does meanwhile waits, and of very much the last counts")
  func touched() {
    push("long", Self.page("second"))
    bench.commands.presses.online(bench.channel)
    for place in 0..<Int32(2 * Budget.waitingInputs) {
      face.input(.hover(Point(place, 10)), at: bench.clock.monotonic)
    }
    bench.tapUnsettled(40, 40)
    #expect(face.documents.isLent && bench.channel.asked.isEmpty)
    bench.pass(1)
    #expect(bench.channel.asked.count == 1 && bench.take().count == 1)
  }

  @Test("when workers have too much to do it is done at once")
  func crowded() {
    let jobs = (0..<Budget.workerQueue).map { _ in Idle() }
    for job in jobs { _ = bench.runner.submit(job) }
    push("long", Self.page("second"))
    #expect(!face.documents.isLent && !bench.router.isOccupied)
    #expect(Self.dump(face.documents.store).contains("second"))
  }

  @Test("while slow jobs have all workers it is done at once, so that the gateway does not wait for them")
  func slow() {
    bench.runner.hasIdleWorker = false
    push("long", Self.page("second"))
    #expect(!face.documents.isLent && !bench.router.isOccupied)
    #expect(Self.dump(face.documents.store).contains("second"))
  }
}
