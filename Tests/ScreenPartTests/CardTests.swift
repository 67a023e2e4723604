import Canvas
import Codec
import Foundation
import Gateway
import Graphics
import Runtime
import Testing
@testable import Benches
@testable import Node
@testable import ScreenPart

@Suite("Cards that an agent shows")
struct CardTests {
  /// Gets what the commands answer, as the calls of tools do.
  private final class Calls: ReplyChannel {
    var answers: [String] = []
    func reply(to id: Span<UInt8>, _ build: (inout JSONWriter) -> Void) -> Bool {
      let buffer = FixedBuffer(capacity: 4096)
      var writer = JSONWriter(into: buffer.bytes)
      build(&writer)
      answers.append(String(decoding: buffer.bytes[..<writer.count], as: UTF8.self))
      return true
    }
    func reply(to id: Span<UInt8>, blob: OutboundBlob, _ build: (inout JSONWriter) -> Int) -> Bool { false }
    func replyError(to id: Span<UInt8>, code: StaticString, message: Span<UInt8>) {
      answers.append(message.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
    }
    func replied() {}
  }

  private let bench: CanvasBench
  private let calls = Calls()

  init() throws {
    bench = try CanvasBench(Size(480, 1200))
    bench.router.add(forTools: CardCommands.rows, bench.commands.cards)
    bench.router.tools = calls
  }

  private func call(_ command: String, _ arguments: String) {
    let text = Array(arguments.utf8)
    _ = bench.router.begin(
      tool: command, JSONView(text.span), id: InlineText(cutting: "1".utf8.span), deadline: .max)
    bench.settle()
  }

  @Test("a title, a text, a list, a table and a gauge stand one below the other, and it is answered when they are seen")
  func shown() {
    call(
      "tool.show",
      #"""
      {"title":"Greenhouse","text":"All is well","list":["one","two"],"table":[["Bed","Moisture"],["1","41 %"]],
      "gauge":{"label":"Tank","value":62,"unit":"%"}}
      """#)
    for text in ["Greenhouse", "All is well", "\u{2022} one", "\u{2022} two", "Bed", "41 %", "Tank: 62 %"] {
      #expect(bench.painter.texts.contains(text))
    }
    #expect(calls.answers.count == 1 && calls.answers[0].contains(#""ok":true"#))
    call("tool.show", #"{"title":"Another"}"#)
    #expect(bench.painter.texts.contains("Another") && !bench.painter.texts.contains("Greenhouse"))
  }

  @Test("messages of A2UI are shown as a push shows them")
  func messages() {
    call(
      "tool.show",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Text":{"text":{"literalString":"Pushed"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    #expect(bench.painter.texts.contains("Pushed"))
  }

  @Test("a question is below what is shown, answered by the press on its button, and then gone")
  func asked() throws {
    call("tool.show", #"{"title":"Greenhouse"}"#)
    calls.answers.removeAll()
    call("tool.choose", #"{"text":"Is it dry?","buttons":["Yes","A \"bit\""]}"#)
    #expect(bench.painter.texts.contains("Is it dry?") && bench.painter.texts.contains("Greenhouse"))
    #expect(calls.answers.isEmpty)
    try press("b1")
    #expect(calls.answers == [#"{"answer":"A \"bit\""}"#])
    #expect(!bench.painter.texts.contains("Is it dry?") && bench.painter.texts.contains("Greenhouse"))
    #expect(bench.channel.asked.isEmpty && bench.commands.presses.count == 0)
  }

  /// Presses the middle of a component, as the dump of the page has it.
  private func press(_ id: String) throws {
    _ = bench.take()
    bench.invoke("dump", "canvas.a2ui.dump")
    let text = try #require(bench.take().first).dropFirst("dump: ".count)
    let dump = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let layout = try #require(dump["layout"] as? [[String: Any]])
    let place = try #require(layout.last { $0["id"] as? String == id })
    let numbers = ["x", "y", "w", "h"].map { Int32(place[$0] as? Int ?? 0) }
    bench.tap(numbers[0] + numbers[2] / 2, numbers[1] + numbers[3] / 2)
  }

  @Test("a question that is cancelled is gone")
  func cancelled() {
    call("tool.choose", #"{"text":"Is it dry?","buttons":["Yes"]}"#)
    bench.router.cancel(tool: InlineText(cutting: "1".utf8.span))
    bench.settle()
    #expect(!bench.painter.texts.contains("Is it dry?"))
    call("tool.choose", #"{"text":"And now?","buttons":["Yes"]}"#)
    #expect(bench.painter.texts.contains("And now?"))
  }

  @Test("a question that ends while a worker has the documents is removed afterwards, and a card is shown later")
  func endsMeanwhile() {
    call("tool.choose", #"{"text":"Is it dry?","buttons":["Yes"]}"#)
    let text = String(repeating: "x", count: Budget.pushedAtOnce)
    bench.invoke(
      "long", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Text":{"text":{"literalString":"Greenhouse"}}}},
      {"id":"unseen","component":{"Text":{"text":{"literalString":"\#(text)"}}}}]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    bench.router.cancel(tool: InlineText(cutting: "1".utf8.span))
    #expect(bench.commands.isPushing)
    let card = Array(#"{"title":"Another"}"#.utf8)
    _ = bench.router.begin(
      tool: "tool.show", JSONView(card.span), id: InlineText(cutting: "1".utf8.span), deadline: .max)
    #expect(calls.answers.count == 1 && calls.answers[0].contains("node busy"))
    bench.settle()
    #expect(!bench.painter.texts.contains("Is it dry?") && bench.painter.texts.contains("Greenhouse"))
    call("tool.show", #"{"title":"Another"}"#)
    #expect(bench.painter.texts.contains("Another"))
  }

  @Test(
    "what is wrong is told in a sentence",
    arguments: [
      ("{}", "there is nothing to show"), (#"{"title":7}"#, "title is a string"),
      (#"{"list":"x"}"#, "list is an array"),
      (#"{"list":[1]}"#, "list is an array of strings"), (#"{"table":[1]}"#, "each an array"),
      (#"{"gauge":{}}"#, "gauge needs value"), (#"{"gauge":{"value":1,"min":5,"max":5}}"#, "above its min"),
      (#"{"gauge":{"value":1,"min":-1e308,"max":1e308}}"#, "above its min"),
      (#"{"title":"a","buttons":["1","2","3","4","5","6","7"]}"#, "6 buttons at most"),
      (#"{"title":"a","qr":"b"}"#, "qr is too long"), (#"{"table":[["1","2","3","4","5","6","7"]]}"#, "6 cells"),
      (#"{"text":"\#(String(repeating: "x", count: 70_000))"}"#, "too much for one card"),
    ])
  func wrong(arguments: String, complaint: String) {
    call("tool.show", arguments)
    #expect(calls.answers.count == 1 && calls.answers[0].contains(complaint))
  }

  @Test("limits of lines and rows are told")
  func limits() {
    let lines = Array(repeating: "\"x\"", count: Budget.cardLines + 1).joined(separator: ",")
    call("tool.show", #"{"list":[\#(lines)]}"#)
    let rows = Array(repeating: "[\"x\"]", count: Budget.cardRows + 1).joined(separator: ",")
    call("tool.show", #"{"table":[\#(rows)]}"#)
    #expect(calls.answers.map { $0.contains("at most") } == [true, true])
  }

  @Test("a picture of two colors has the bytes that its chunks say, and its checksums")
  func picture() throws {
    let png = TwoColorPNG(width: 9, height: 2, off: 0xFFFFFF, on: 0x123456)
    let buffer = FixedBuffer(capacity: png.count)
    let count = try #require(png.write(into: buffer.bytes) { x, y in x == 8 && y == 1 })
    #expect(count == png.count)
    let bytes = Array(buffer.bytes[..<count])
    // Made by another implementation (Python's zlib and struct) of the same picture.
    let expected =
      "iVBORw0KGgoAAAANSUhEUgAAAAkAAAACAQMAAACwmGSQAAAABlBMVEX///8SNFZzQqNWAAAAEUlEQVR4AQEGAPn/AAAAAACAAIYAgRG/fcgAAAAASUVORK5CYII="
    #expect(Data(bytes).base64EncodedString() == expected)
    #expect(png.write(into: UnsafeMutableBufferPointer(rebasing: buffer.bytes[..<(count - 1)])) { _, _ in true } == nil)
  }
}
