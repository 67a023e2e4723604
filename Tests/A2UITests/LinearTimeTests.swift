import Codec
import Runtime
import Testing
import TestSupport

@testable import A2UI

/// What agents send is read in a time that grows with it and no more, whatever it is made of.
@Suite("Linear time of A2UI", .enabled(if: LinearTime.counts))
struct LinearTimeTests {
  /// What stands before and after the entries of a data update, and the components of a surface.
  private static let entries = #"{"dataModelUpdate":{"surfaceId":"main","contents":["#
  private static let endOfEntries = #"{"key":"z","valueString":""}]}}"#
  private static let components = #"{"surfaceUpdate":{"surfaceId":"main","components":["#
  private static let endOfComponents = #"{"id":"z","component":{"Text":{"text":{"literalString":""}}}}]}}"#
  private static let begun = #"{"beginRendering":{"surfaceId":"main","root":"root"}}"#
  private static let value = #"{"version":"v1.0","updateDataModel":{"surfaceId":"main","path":"/a","value":"#

  private static func entry(_ key: String) -> String { #"{"key":"\#(key)","valueString":"a"},"# }

  private static func text(_ id: String, _ properties: String) -> String {
    #"{"id":"\#(id)","component":{"Text":{"text":{\#(properties)}}}},"#
  }

  private static let messages: [Adversary] = [
    .repeated(entry("k~"), after: entries, before: endOfEntries),
    .repeated(entry("k"), after: entries, before: endOfEntries),
    .repeated(entry("a/b~/c"), after: entries, before: endOfEntries),
    .repeated(entry("a.b[~]"), after: entries, before: endOfEntries),
    .repeated(#"{"key":"k~","valueMap":[{"key":"a"}]},"#, after: entries, before: endOfEntries),
    .repeated(#""k~":1,"#, after: value + "{", before: #""z":0}}}"#),
    .repeated(#""k":1,"#, after: value + "{", before: #""z":0}}}"#),
    .repeated("[1],", after: value + "[", before: "0]}}"),
    .repeated("\\u00e4", after: value + "\"", before: "\"}}"),
    .repeated("/a", after: #"{"updateDataModel":{"surfaceId":"main","path":""#, before: #"","value":1}}"#),
    .repeated(text("t~", #""literalString":"a""#), after: components, before: endOfComponents),
    .repeated(text("t", #""literalString":"a""#), after: components, before: endOfComponents),
    .repeated(text("t~", #""call":"formatString","args":{}"#), after: components, before: endOfComponents),
    .repeated(#"{"deleteSurface":{"surfaceId":"s~"}}"# + "\n"),
    .repeated(#"{"deleteSurface":{"surfaceId":"s"}}"#),
    .repeated("\n", after: #"{"deleteSurface":"#, before: #"{"surfaceId":"s"}}"#),
    .repeated(",", after: #"[{"deleteSurface":{"surfaceId":"s"}}"#, before: "]"),
    .repeated("// a\n", after: #"{"deleteSurface":{"surfaceId":"s"}}"#),
    .repeated("/*/", after: #"{"deleteSurface":{"surfaceId":"s"}}"#),
    .repeated("a[ \n", before: #"{"deleteSurface":{"surfaceId":"s"}}"#),
    .repeated("{ ", after: "a", before: #"{"deleteSurface":{"surfaceId":"s"}}"#),
    .repeated(#"{"a2ui":{"surfaceId":"s"}}"# + "\n"),
    .repeated(#"{"deleteSurface":{"surfaceId":"s"}},"#, after: #"{"messages":["#, before: "{}]}"),
    Adversary("values that are deleted, the last first") { (count: Int) -> String in
      var lines: String = entries
      for number in 0..<count { lines += entry("k\(number)") }
      lines += endOfEntries
      for number in (0..<count).reversed() {
        lines += "\n"
        lines += #"{"updateDataModel":{"surfaceId":"main","path":"/k\#(number)"}}"#
      }
      return lines
    },
  ]

  @Test("messages are read", arguments: messages)
  func read(_ text: Adversary) {
    let page = Page()
    let fault = LinearTime.fault(text, units: 16) { bytes in
      _ = try? page.store.push(jsonl: bytes.span)
      page.store.reset()
    }
    #expect(fault == nil)
  }

  /// A column of so many texts with these properties, and data beside them.
  private static func column(_ properties: @escaping @Sendable (Int) -> String) -> Adversary {
    Adversary("a column of \(properties(0))") { (count: Int) -> String in
      let ids: [String] = (0..<count).map { "\"t\($0)\"" }
      let list: String = ids.joined(separator: ",")
      var lines: String = components
      lines += #"{"id":"root","component":{"Column":{"children":{"explicitList":[\#(list)]}}}},"#
      for number in 0..<count { lines += text("t\(number)", properties(number)) }
      return "\(lines)\(endOfComponents)\n\(begun)"
    }
  }

  private static let pages: [Adversary] = [
    column { _ in #""literalString":"a""# },
    column { #""path":"/k\#($0)","literalString":"a""# },
    column { #""path":"/k/0/\#($0)","literalString":"a""# },
    column { _ in #""call":"formatString","args":{"value":"${/a} ${/b}"}"# },
  ]

  @Test("pages are built", arguments: pages)
  func build(_ text: Adversary) {
    let page = Page()
    let fault = LinearTime.fault(text, units: 16) { bytes in
      _ = try? page.store.push(jsonl: bytes.span)
      page.update()
      for index in 0..<page.tree.count { _ = page.tree.string(index, "text") }
      page.store.reset()
      page.update()
    }
    #expect(fault == nil)
  }

  @Test("selected options are found")
  func selections() {
    let choice = Adversary("a choice with as many selections as options") { (count: Int) -> String in
      let options: [String] = (0..<count).map { #"{"label":{"literalString":"a"},"value":"v\#($0)"}"# }
      let values: [String] = (0..<count).map { "\"v\($0)\"" }
      let (all, chosen) = (options.joined(separator: ","), values.joined(separator: ","))
      let properties: String = #""options":[\#(all)],"selections":{"literalArray":[\#(chosen)]}"#
      let root: String = #"{"id":"root","component":{"MultipleChoice":{\#(properties)}}},"#
      return "\(Self.components)\(root)\(Self.endOfComponents)\n\(Self.begun)"
    }
    let page = Page()
    let fault = LinearTime.fault(choice, units: 16) { bytes in
      _ = try? page.store.push(jsonl: bytes.span)
      page.update()
      for option in 0..<page.tree.itemCount(0, "options") { _ = page.tree.isSelected(0, option: option) }
      page.store.reset()
      page.update()
    }
    #expect(fault == nil)
  }

  private static let templates: [Adversary] =
    [
      .repeated("${"), .repeated("${a"), .repeated("${/a}"), .repeated("\\${"), .repeated("${'"), .repeated("${a("),
      .repeated("${length(value: ${/a})}"), .repeated("${length(value: "), .repeated("a: 1, ", after: "${length("),
      .repeated("/", after: "${", before: "}"), .repeated("not(value: ", after: "${", before: "true)}"),
      .nested("${", "}", around: "a"), .nested("{", "}", after: "${"), .repeated("(", after: "${a"),
    ]
    + Adversary.sentences(
      of: ["${", "}", "(", ")", "'", ",", ":", "/a", "length", "value", " ", "\\", "{"], seed: 49, atMost: 12)

  @Test("texts with expressions are filled", arguments: templates)
  func fill(_ template: Adversary) {
    let page = Page()
    page.push(
      #"{"updateDataModel":{"surfaceId":"main","value":{"a":"b"}}}"#,
      #"{"beginRendering":{"surfaceId":"main","root":"z"}}"#, Self.components + Self.endOfComponents)
    let fault = LinearTime.fault(template, units: 16) { bytes in
      page.tree.beginWork()
      _ = page.tree.format(.text(bytes), page.tree.scope(0), depth: 1)
    }
    #expect(fault == nil)
  }

  @Test("a text that calls itself many times over ends, and the answer says so")
  func laughs() {
    let page = Page()
    let laugh = String(repeating: "${formatString(value: ${/a})}", count: 1000)
    page.push(
      #"{"updateDataModel":{"surfaceId":"main","value":{"a":"\#(laugh)"}}}"#,
      #"{"updateComponents":{"surfaceId":"main","components":[{"id":"root","component":"Text","text":"#
        + #"{"call":"formatString","args":{"value":{"path":"/a"}}}}]}}"#)
    #expect(page.string("root") != nil)
    page.store.reportUnread()
    #expect(page.warnings.contains { $0.contains("not shown in full") })
  }
}
