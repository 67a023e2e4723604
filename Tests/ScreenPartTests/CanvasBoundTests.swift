import A2UI
import Canvas
import Foundation
import Graphics
import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import ScreenPart

@Suite("How often and how many")
struct CanvasBoundTests {
  private let bench: CanvasBench

  init() throws { bench = try CanvasBench() }

  @Test("pictures of the screen: two a second")
  func snapshots() {
    for number in 0..<2 { bench.invoke("s\(number)", "canvas.snapshot") }
    bench.settle()
    #expect(bench.take() == ["s0: picture"])
    bench.pass(Budget.snapshotMilliseconds - 1)
    #expect(bench.take() == [])
    bench.pass(1)
    #expect(bench.take() == ["s1: picture"])
  }

  @Test("pictures that wait their turn: no more than there is room for")
  func waitingSnapshots() {
    let room = Budget.snapshotInvokes + Budget.waitingInvokes
    for number in 0...room { bench.invoke("s\(number)", "canvas.snapshot") }
    #expect(bench.take() == ["s\(room): UNAVAILABLE"])
  }

  @Test("pushes whose frame nobody has seen yet: no more than there is room for")
  func pushes() {
    for number in 0...Budget.pushInvokes {
      bench.invoke(
        "p\(number)", "canvas.a2ui.push",
        #"""
        {"messages":[{"surfaceUpdate":{"surfaceId":"s\#(number)","components":[
        {"id":"root","component":{"Text":{"text":{"literalString":"Hello"}}}}]}},
        {"beginRendering":{"surfaceId":"s\#(number)","root":"root"}}]}
        """#)
    }
    #expect(bench.take() == ["p4: UNAVAILABLE"])
    bench.settle()
    #expect(bench.take().count == Budget.pushInvokes)
  }

  @Test("a page that is told whole may be far larger than a message")
  func dump() {
    var components = #"{"id":"root","component":{"Column":{"children":{"explicitList":[]}}}}"#
    for number in 0..<1500 {
      components +=
        #",{"id":"text-\#(number)","component":{"Text":{"text":{"literalString":"\#(String(repeating: "x", count: 60))"}}}}"#
    }
    bench.invoke(
      "p", "canvas.a2ui.push",
      #"{"messages":[{"surfaceUpdate":{"components":[\#(components)]}},{"beginRendering":{"root":"root"}}]}"#)
    bench.settle()
    bench.invoke("d", "canvas.a2ui.dump")
    let answer = bench.take().last ?? ""
    #expect(answer.hasPrefix("d: {"))
    #expect(answer.utf8.count > 2 * Budget.outboundMessageBytes)
  }

  @Test("the answer to a push names as many surfaces as there may be, with the longest ids, and its warnings")
  func answers() throws {
    var messages: [String] = []
    for number in 0..<Budget.a2uiSurfaces {
      let id = String(repeating: "s", count: Budget.a2uiKeyBytes - 2) + String(number + 10)
      messages.append(
        #"{"surfaceUpdate":{"surfaceId":"\#(id)","components":[{"id":"root","component":{"Text":{"text":{"literalString":"x"}}}}]}}"#
      )
      messages.append(#"{"beginRendering":{"surfaceId":"\#(id)","root":"root"}}"#)
    }
    let broken = String(repeating: "b", count: Budget.a2uiKeyBytes)
    for _ in 0...Budget.a2uiWarnings { messages.append(#"{"surfaceUpdate":{"components":[{"id":"\#(broken)"}]}}"#) }
    bench.invoke("p", "canvas.a2ui.push", #"{"messages":[\#(messages.joined(separator: ","))]}"#)
    bench.settle()
    let answer = try #require(bench.take().last)
    #expect(answer.utf8.count > Budget.pushAnswerBytes / 2)
    let object = try JSONSerialization.jsonObject(with: Data(answer.dropFirst("p: ".count).utf8)) as? [String: Any]
    #expect((object?["surfaces"] as? [String])?.count == Budget.a2uiSurfaces)
    #expect((object?["warnings"] as? [String])?.count == Budget.a2uiWarnings + 1)
  }

  @Test(
    "what one frame has no room for is told with the answer, beside other warnings and without",
    arguments: [true, false])
  func frame(hasOthers: Bool) throws {
    // The titles of tabs stand beside each other, in one line, whether it can be seen or not.
    let title = String(repeating: "x", count: 1_000)
    let tab = #"{"title":{"literalString":"\#(title)"},"child":"none"}"#
    let tabs = Array(repeating: tab, count: Budget.drawTextBytes / title.utf8.count + 1).joined(separator: ",")
    bench.invoke(
      "p", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{\#(hasOthers ? "" : #""surfaceId":"main","#)"components":[
      {"id":"root","component":{"Tabs":{"tabItems":[\#(tabs)]}}},
      {"id":"none","component":{"Text":{"text":{"literalString":""}}}}]}},
      {"beginRendering":{"surfaceId":"main","root":"root"}}]}
      """#)
    bench.settle()
    // So much text is arranged in several turns.
    bench.pass(1)
    let answer = try #require(bench.take().last)
    let object = try JSONSerialization.jsonObject(with: Data(answer.dropFirst("p: ".count).utf8)) as? [String: Any]
    let warnings = try #require(object?["warnings"] as? [String])
    #expect(warnings.count == (hasOthers ? 2 : 1))
    #expect(warnings.last?.hasPrefix("not all of the page is drawn") == true)
  }

  @Test("pictures for which there is no room beside those that are seen are told with the answer", arguments: [0, 1])
  func pictures(beyond: Int) throws {
    // All of them can be seen.
    let bench = try CanvasBench(Size(1920, 1080))
    let names = (0..<Budget.pictureAddresses + beyond).map { "p\($0)" }
    let images = names.map {
      #"{"id":"\#($0)","component":{"Image":{"url":{"literalString":"https://a/\#($0).png"},"usageHint":"icon"}}}"#
    }
    let rows = stride(from: 0, to: names.count, by: 16).map { Array(names[$0..<min($0 + 16, names.count)]) }
    func list(_ ids: [String]) -> String {
      #"{"children":{"explicitList":[\#(ids.map { "\"\($0)\"" }.joined(separator: ","))]}}"#
    }
    let lines = rows.enumerated().map { #"{"id":"r\#($0)","component":{"Row":\#(list($1))}}"# }
    let root = #"{"id":"root","component":{"Column":\#(list(rows.indices.map { "r\($0)" }))}}"#
    let components = (images + lines + [root]).joined(separator: ",")
    bench.invoke(
      "p", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"main","components":[\#(components)]}},
      {"beginRendering":{"surfaceId":"main","root":"root"}}]}
      """#)
    bench.settle()
    bench.pass(1)
    let answer = try #require(bench.take().last)
    #expect(answer.contains("not all pictures of the page are shown") == (beyond > 0), "\(answer.prefix(200))")
  }

  @Test("a document of which the beginning alone is kept is shown, and the answer says so")
  func longDocument() throws {
    for (count, isCut) in [(1_000, false), (Budget.readerBytes + 1, true)] {
      let text = String(repeating: "words%20", count: count / 6 + 1)
      bench.invoke("n", "canvas.navigate", #"{"url":"data:text/plain,\#(text)"}"#)
      bench.pass(1)
      let answer = try #require(bench.take().last)
      #expect(answer.hasPrefix(#"n: {"ok":true"#), "\(answer.prefix(200))")
      #expect(answer.contains(#""warnings":["only the beginning is shown"#) == isCut, "\(answer.prefix(200))")
    }
  }

  @Test("a page whose data would be longer than what is told at once is refused in words")
  func largestDump() throws {
    let names = (0..<Budget.dumpBytes / (6 * Budget.a2uiStringBytes) + 1).map { "t\($0)" }
    let fields = names.map { #"{"id":"\#($0)","component":{"TextField":{"text":{"path":"\#($0)"}}}}"# }.joined(
      separator: ",")
    let list = names.map { "\"\($0)\"" }.joined(separator: ",")
    bench.invoke(
      "p", "canvas.a2ui.push",
      #"""
      {"messages":[{"surfaceUpdate":{"surfaceId":"s","components":[
      {"id":"root","component":{"Column":{"children":{"explicitList":[\#(list)]}}}},\#(fields)]}},
      {"beginRendering":{"surfaceId":"s","root":"root"}}]}
      """#)
    bench.settle()
    let tree = try InstanceTree(bench.commands.face.documents.store)
    _ = tree.update(bench.commands.face.documents.store.surface(at: 0))
    // Of six bytes each, once they are told.
    let text = [UInt8](repeating: 1, count: Budget.a2uiStringBytes)
    for index in 0..<tree.count { _ = tree.set(index, "text", to: text.span) }
    _ = bench.take()
    bench.invoke("d", "canvas.a2ui.dump")
    #expect(bench.take() == ["d: UNAVAILABLE"])
  }
}

/// As many bytes as pixels have.
private final class PlainSnapshots: SnapshotCodec {
  func encode(
    _ pixels: PixelBuffer, _ format: SnapshotFormat, atMost width: Int32, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> (count: Int, size: Size)? {
    let size = Size(width, pixels.size.height * width / pixels.size.width)
    let count = 4 * Int(size.width) * Int(size.height)
    return count <= target.count ? (count, size) : nil
  }
}

@Suite("Pictures of the screen")
struct SnapshotBoundTests {
  @Test("one that is larger than there is room for is made half as wide; one that is larger even then is none")
  func size() throws {
    let job = try SnapshotJob(PlainSnapshots()) {}
    func take(_ size: Size) throws -> Size? {
      job.prepare(try PixelBuffer(size), .png, atMost: size.width)
      job.run()
      defer { job.release() }
      return job.picture == nil ? nil : job.size
    }
    let side = Int32(2048)
    let most = Int32(Budget.snapshotBytes) / (4 * side)
    #expect(try take(Size(side, most)) == Size(side, most))
    #expect(try take(Size(side, most + 1)) == Size(side / 2, (most + 1) / 2))
    #expect(try take(Size(side, 4 * most + 8)) == nil)
  }
}
