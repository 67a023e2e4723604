import Board
import Canvas
import Foundation
import Graphics
import Runtime

/// The longest turn of the loop, for pages at the limits of what may be pushed: taking the push, arranging its page in
/// turns, drawing it; painting is a worker's. A board with one core of 512 MHz is some 30 times slower than the machine
/// that these figures are told of: 667 microseconds here are 20 ms there, which is the yardstick.
enum TurnBench {
  private static let yardstick = ("20 ms on a board 30 times slower", 667.0)

  static func measurements() throws -> [Measurement] {
    var rows: [Measurement] = []
    for page in pages { rows += try measure(page.name, page.lines, later: page.later) }
    return try rows + reader()
  }

  private struct Page {
    var name: String
    var lines: [String]
    var later: String = #"{"dataModelUpdate":{"surfaceId":"s","path":"/n","contents":[{"key":".","valueNumber":1}]}}"#
  }

  // MARK: Pages

  private static var pages: [Page] {
    [
      Page(name: "64 KiB of Arabic and Latin words", lines: text("\u{645}\u{631}\u{62D}\u{628}\u{627} talon ")),
      Page(name: "64 KiB of them in one word", lines: text("\u{645}\u{631}\u{62D}\u{628}\u{627}talon")),
      Page(name: "12 texts of 64 KiB", lines: texts(12)),
      Page(name: "2,000 components", lines: components()),
      Page(name: "8,000 texts of a template in rows", lines: template()),
      Page(
        name: "8,191 times the same child",
        lines: same(#"{"Column":{"children":{"explicitList":[\#(names(8191))]}}}"#)),
      Page(name: "a row of 8,191 children", lines: same(#"{"Row":{"children":{"explicitList":[\#(names(8191))]}}}"#)),
      Page(name: "a choice of 1,024 options", lines: choice("checkbox")),
      Page(name: "a choice of 1,024 chips", lines: choice("chips")),
      Page(name: "1 MiB of tabs", lines: tabs()),
      Page(name: "2,000 elements of a component of 900 KiB", lines: longDefinition()),
      Page(name: "4 MiB of data", lines: data()),
    ]
  }

  private static let begin = #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#

  private static func update(_ components: [String]) -> String {
    #"{"surfaceUpdate":{"surfaceId":"s","components":[\#(components.joined(separator: ","))]}}"#
  }

  private static func component(_ id: String, _ definition: String) -> String {
    #"{"id":"\#(id)","component":\#(definition)}"#
  }

  private static func text(_ part: String) -> [String] {
    let text = String(repeating: part, count: Budget.flowBytes / part.utf8.count)
    return [
      update([
        component("root", #"{"Column":{"children":{"explicitList":["n","t"]}}}"#),
        component("n", #"{"Text":{"text":{"path":"/n"}}}"#),
        component("t", #"{"Text":{"text":{"literalString":"\#(text)"}}}"#),
      ]), begin,
    ]
  }

  private static func texts(_ count: Int) -> [String] {
    let text = String(repeating: "\u{645}\u{631}\u{62D}\u{628}\u{627} talon ", count: 3800)
    let ids = (0..<count).map { "\"t\($0)\"" }.joined(separator: ",")
    return [update([component("root", #"{"Column":{"children":{"explicitList":[\#(ids)]}}}"#)])]
      + (0..<count).map { update([component("t\($0)", #"{"Text":{"text":{"literalString":"\#($0) \#(text)"}}}"#)]) } + [
        begin
      ]
  }

  private static func components() -> [String] {
    let ids = (1..<2000).map { "\"t\($0)\"" }.joined(separator: ",")
    let column = component("root", #"{"Column":{"children":{"explicitList":[\#(ids)]}}}"#)
    let texts = (1..<2000).map {
      component("t\($0)", #"{"Text":{"text":{"literalString":"text number \#($0) of a page"}}}"#)
    }
    return [update([column] + texts), begin]
  }

  private static func rows(_ count: Int) -> [String] {
    stride(from: 0, to: count, by: 250).map { start in
      let rows = (start..<start + 250).map {
        #"{"key":"r\#($0)","valueMap":[{"key":"a","valueString":"first \#($0)"},"#
          + #"{"key":"b","valueString":"second"},{"key":"c","valueNumber":\#($0)}]}"#
      }
      return #"{"dataModelUpdate":{"surfaceId":"s","path":"/rows","contents":[\#(rows.joined(separator: ","))]}}"#
    }
  }

  private static func template() -> [String] {
    [
      update([
        component("root", #"{"List":{"children":{"template":{"componentId":"row","dataBinding":"/rows"}}}}"#),
        component("row", #"{"Row":{"children":{"explicitList":["a","b","c"]}}}"#),
        component("a", #"{"Text":{"text":{"path":"a"}}}"#), component("b", #"{"Text":{"text":{"path":"b"}}}"#),
        component("c", #"{"Text":{"text":{"path":"c"}}}"#),
      ])
    ] + rows(2000) + [begin]
  }

  private static func names(_ count: Int) -> String { repeatElement("\"x\"", count: count).joined(separator: ",") }

  private static func same(_ container: String) -> [String] {
    [update([component("root", container), component("x", #"{"Text":{"text":{"literalString":"word"}}}"#)]), begin]
  }

  private static func choice(_ variant: String) -> [String] {
    let options = (0..<1024).map { #"{"label":{"literalString":"option number \#($0)"},"value":"v\#($0)"}"# }
    return [
      update([
        component(
          "root",
          #"{"MultipleChoice":{"variant":"\#(variant)","selections":{"path":"/x"},"#
            + #""options":[\#(options.joined(separator: ","))]}}"#
        )
      ]), begin,
    ]
  }

  private static func tabs() -> [String] {
    let items = repeatElement(#"{"title":"x"}"#, count: 70_000).joined(separator: ",")
    return [update([component("root", #"{"Tabs":{"tabItems":[\#(items)]}}"#)]), begin]
  }

  private static func longDefinition() -> [String] {
    let junk = repeatElement("\"0123456789\"", count: 70_000).joined(separator: ",")
    return [
      update([
        component("root", #"{"List":{"children":{"template":{"componentId":"t","dataBinding":"/rows"}}}}"#),
        component("t", #"{"Text":{"junk":[\#(junk)],"text":{"path":"a"}}}"#),
      ])
    ] + rows(2000) + [begin]
  }

  private static func data() -> [String] {
    let text = String(repeating: "d", count: 60_000)
    return (0..<65).map {
      #"{"dataModelUpdate":{"surfaceId":"s","path":"/d","contents":[{"key":"k\#($0)","valueString":"\#(text)"}]}}"#
    } + [update([component("root", #"{"Text":{"text":{"literalString":"x"}}}"#)]), begin]
  }

  // MARK: Turns

  private static func measure(_ name: String, _ lines: [String], later: String) throws -> [Measurement] {
    let bytes = [UInt8](lines.joined(separator: "\n").utf8)
    let more = [UInt8](later.utf8)
    var best = Turns(), next = Turns()
    for round in 0..<3 {
      let page = try PageBench(Size(800, 480))
      let first = try turns(page, bytes)
      let second = try turns(page, more)
      best = round == 0 ? first : best.better(first)
      next = round == 0 ? second : next.better(second)
    }
    func row(_ what: String, _ seconds: Double) -> Measurement {
      Measurement(name: what, value: seconds * 1e6, unit: "us", yardstick: yardstick)
    }
    return [
      row("\(name): taken", best.push), row("  arranged in \(best.count) turns, the longest", best.arrange),
      row("  drawn", best.draw),
      row("  a later push beside it, the longest turn", max(next.push, next.arrange, next.draw)),
    ]
  }

  /// The longest turn of each kind, in seconds of processor time.
  private struct Turns {
    var push = 0.0
    var arrange = 0.0
    var draw = 0.0
    var count = 0

    func better(_ other: Turns) -> Turns {
      Turns(
        push: min(push, other.push), arrange: min(arrange, other.arrange), draw: min(draw, other.draw),
        count: min(count, other.count))
    }
  }

  private static func turns(_ page: PageBench, _ bytes: [UInt8]) throws -> Turns {
    var turns = Turns()
    turns.push = try Stopwatch.bestOfThread(of: 1) { try page.take(bytes) }
    repeat {
      let seconds = Stopwatch.bestOfThread(of: 1) { page.view.update(atMost: Budget.arrangedBytes) }
      turns.arrange = max(turns.arrange, seconds)
      turns.count += 1
    } while page.view.isPending
    turns.draw = Stopwatch.bestOfThread(of: 1) {
      page.list.removeAll()
      page.view.draw(into: page.list)
    }
    return turns
  }

  // MARK: Documents

  private static func reader() throws -> [Measurement] {
    let paragraph = "<p>" + String(repeating: "Some <b>words</b> to read, and more of them. ", count: 12) + "</p>\n"
    let html = [UInt8](String(repeating: paragraph, count: Budget.readerBytes / 560).utf8)
    let markdown = [UInt8](
      String(repeating: "Some *words* to read, and more of them.\n\n", count: Budget.readerBytes / 42).utf8)
    var rows: [Measurement] = []
    for (name, bytes, format) in [("HTML", html, ReaderFormat.html), ("Markdown", markdown, .markdown)] {
      let page = try ReaderPage(measurer: try FontShelf(), pictures: nil)
      page.fit(Size(800, 480), Theme())
      let taken = try Stopwatch.bestOfThread(of: 3) { try bytes.withUnsafeBufferPointer { try page.take($0, format) } }
      var further = 0.0
      while let due = page.nextDeadline {
        further = max(further, Stopwatch.bestOfThread(of: 1) { _ = page.advance(to: due) })
      }
      let list = DisplayList()
      let drawn = Stopwatch.bestOfThread(of: 3) {
        list.removeAll()
        page.draw(into: list)
      }
      rows.append(
        Measurement(name: "a page of 256 KiB of \(name): taken", value: taken * 1e6, unit: "us", yardstick: yardstick))
      rows.append(
        Measurement(name: "  the longest turn after it", value: further * 1e6, unit: "us", yardstick: yardstick))
      rows.append(Measurement(name: "  drawn", value: drawn * 1e6, unit: "us", yardstick: yardstick))
    }
    return rows
  }
}
