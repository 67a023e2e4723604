import Foundation
import Runtime

/// What others may send, at its limits: the name of it, and an invoke.
struct TurnPage {
  var name: String
  var command = "canvas.a2ui.push"
  var parameters: String

  /// A2UI messages, one a line.
  private init(name: String, lines: [String]) {
    self.name = name
    parameters = #"{"jsonl":\#(Self.quoted(lines.joined(separator: "\n")))}"#
  }

  /// A document as an address that has it in it.
  private init(name: String, kind: String, document: String) {
    self.name = name
    command = "canvas.navigate"
    parameters = #"{"url":"data:\#(kind);base64,\#(Data(document.utf8).base64EncodedString())"}"#
  }

  /// A text as JSON.
  static func quoted(_ text: String) -> String {
    let bytes = try? JSONEncoder().encode(text)
    return bytes.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// A small push after a large one.
  static let later = TurnPage(
    name: "", lines: [#"{"dataModelUpdate":{"surfaceId":"s","path":"/n","contents":[{"key":".","valueNumber":1}]}}"#])

  static var all: [TurnPage] {
    [
      TurnPage(
        name: "256 KiB of HTML", kind: "text/html",
        document: repeated(
          "<p>" + String(repeating: "Some <b>words</b> to read, and more of them. ", count: 12) + "</p>\n",
          Budget.readerBytes)),
      TurnPage(
        name: "256 KiB of Markdown", kind: "text/markdown",
        document: repeated("Some *words* to read, and more of them.\n\n", Budget.readerBytes)),
      TurnPage(
        name: "8,191 times the same child",
        lines: same(#"{"Column":{"children":{"explicitList":[\#(names(8191))]}}}"#)),
      TurnPage(
        name: "a row of 8,191 children", lines: same(#"{"Row":{"children":{"explicitList":[\#(names(8191))]}}}"#)),
      TurnPage(name: "2,000 elements of a component of 900 KiB", lines: longDefinition()),
      TurnPage(name: "4,096 messages in a push", lines: messages(Budget.a2uiMessages)),
      TurnPage(name: "64 KiB of Arabic and Latin words", lines: text("\u{645}\u{631}\u{62D}\u{628}\u{627} talon ")),
      TurnPage(name: "64 KiB of them in one word", lines: text("\u{645}\u{631}\u{62D}\u{628}\u{627}talon")),
      TurnPage(name: "12 texts of 64 KiB", lines: texts(12)),
      TurnPage(name: "2,000 components", lines: components()),
      TurnPage(name: "8,000 texts of a template in rows", lines: template()),
      TurnPage(name: "a choice of 1,024 options", lines: choice("checkbox")),
      TurnPage(name: "a choice of 1,024 chips", lines: choice("chips")),
      TurnPage(name: "1 MiB of tabs", lines: tabs()),
      TurnPage(name: "4 MiB of data", lines: data()),
    ]
  }

  private static func repeated(_ part: String, _ bytes: Int) -> String {
    String(repeating: part, count: bytes / part.utf8.count)
  }

  /// A page, and then values one by one.
  private static func messages(_ count: Int) -> [String] {
    let page = same(#"{"Column":{"children":{"explicitList":["x"]}}}"#)
    return page
      + (page.count..<count).map {
        #"{"dataModelUpdate":{"surfaceId":"s","path":"/n","contents":[{"key":"k\#($0)","valueNumber":\#($0)}]}}"#
      }
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
}
