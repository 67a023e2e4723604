import Runtime
import Testing

@testable import A2UI
@testable import Canvas
@testable import Graphics

/// What limits keep off the screen is told to whoever pushed it, always.
@Suite("What is left out is told")
struct OmissionTests {
  /// A document that goes to a limit, and with one `more` beyond it.
  private func document(_ omission: Omission, _ more: Int) -> [String] {
    switch omission {
    case .depth:
      let count = Budget.a2uiRenderDepth - 1 + more
      let chain = (0..<count).map { column($0 == 0 ? "root" : "c\($0)", ["c\($0 + 1)"]) }
      return [update(chain + [text("c\(count)", "leaf")])]
    case .instances:
      // Rows of 511 texts, one column, and the rest.
      let full = Budget.a2uiInstances / 512 - 1
      let names = (0..<511).map { "t\($0)" }
      let rows = (0..<full).map { "r\($0)" } + ["last"]
      let last = Array(names.prefix(Budget.a2uiInstances - 1 - full * 512 - 1 + more))
      return [
        update(
          [column("root", rows)] + (0..<full).map { column("r\($0)", names) } + [column("last", last)]
            + names.map { text($0, "x") } + [text("t511", "x")])
      ]
    case .elements:
      func keys(_ range: Range<Int>) -> String { range.map { #""k\#($0)":1"# }.joined(separator: ",") }
      let half = Budget.a2uiElements / 2
      let list = #"{"List":{"children":{"template":{"componentId":"t","dataBinding":"/i"}}}}"#
      return [
        update([Page.component("root", list), text("t", "x")]),
        #"{"dataModelUpdate":{"surfaceId":"s","path":"/i","contents":{\#(keys(0..<half))}}}"#,
        #"{"dataModelUpdate":{"surfaceId":"s","path":"/i","contents":{\#(keys(half..<2 * half + more))}}}"#,
      ]
    case .missingChild:
      return [update([column("root", ["t"] + (more == 1 ? ["u"] : [])), text("t", "x")])]
    case .noList:
      let list = #"{"List":{"children":{"template":{"componentId":"t","dataBinding":"/\#(more == 1 ? "j" : "i")"}}}}"#
      return [
        update([column("root", ["l", "t"]), Page.component("l", list), text("t", "x")]),
        #"{"dataModelUpdate":{"surfaceId":"s","contents":{"i":[1]}}}"#,
      ]
    case .noValue:
      return [
        update([
          column("root", ["t", "u"]), text("t", "x"),
          Page.component("u", #"{"Text":{"text":{"path":"/\#(more == 1 ? "j" : "i")"}}}"#),
        ]), #"{"dataModelUpdate":{"surfaceId":"s","contents":{"i":"x"}}}"#,
      ]
    case .cycle: return [update([column("root", ["t"] + (more == 1 ? ["root"] : [])), text("t", "x")])]
    case .place:
      // The place behind the last element is one, the next is none.
      let field = #"{"TextField":{"label":{"literalString":"l"},"text":{"path":"/l/\#(1 + more)"}}}"#
      return [
        update([column("root", ["f", "t"]), Page.component("f", field), text("t", "x")]),
        #"{"dataModelUpdate":{"surfaceId":"s","contents":{"l":[1]}}}"#,
      ]
    case .selection:
      let choice = #"{"MultipleChoice":{"selections":{"path":"/c"},"options":[{"label":"A","value":"a"}]}}"#
      return [
        update([Page.component("root", choice)]),
        #"{"dataModelUpdate":{"surfaceId":"s","contents":{"c":["","\#(more == 1 ? "A" : "a")"]}}}"#,
      ]
    case .icon:
      return [update([Page.component("root", #"{"Icon":{"name":"\#(more == 1 ? "hovercraft" : "home")"}}"#)])]
    case .initialValue:
      // The whole memory of data but for one string, or for less.
      let big = String(repeating: "x", count: Budget.a2uiStringBytes - 64)
      let fits = Budget.a2uiDataBytes / Budget.a2uiStringBytes - 1
      return (0..<fits).map {
        #"{"dataModelUpdate":{"surfaceId":"s","path":"/d","contents":[{"key":"k\#($0)","valueString":"\#(big)"}]}}"#
      }
        + [
          update([
            Page.component(
              "root",
              #"{"Text":{"text":{"path":"/new","literalString":"\#(big.prefix(more == 0 ? 40_000 : 60_000))"}}}"#)
          ])
        ]
    case .textBytes:
      return texts(markdown(bytes: Budget.flowBytes + more))
    case .textWords: return texts(String(repeating: "a ", count: Budget.flowWords + more))
    case .textLines: return texts(String(repeating: "a\\n", count: Budget.flowLines - 1 + more) + "a")
    case .options:
      let options = (0..<Budget.unboundOptions + more).map { #"{"label":{"literalString":"o"},"value":"\#($0)"}"# }
      return [
        update([
          Page.component(
            "root",
            #"{"MultipleChoice":{"selections":{"literalArray":[]},"options":[\#(options.joined(separator: ","))]}}"#)
        ])
      ]
    case .items:
      let options = (0..<Budget.a2uiItems + more).map { #"{"label":{"literalString":"o"},"value":"\#($0)"}"# }
      return [
        update([
          Page.component(
            "root", #"{"MultipleChoice":{"selections":{"path":"/x"},"options":[\#(options.joined(separator: ","))]}}"#)
        ])
      ]
    case .labelBytes:
      let label = String(repeating: "x", count: Budget.labelBytes + more)
      let options = #"[{"label":{"literalString":"\#(label)"},"value":"v"}]"#
      return [
        update([
          Page.component("root", #"{"MultipleChoice":{"selections":{"path":"/x"},"options":\#(options)}}"#)
        ])
      ]
    // Of a page that is arranged in turns: see `ArrangingTests`.
    case .work: return []
    case .expression:
      let expression = more == 0 ? "^a+$" : "^(a+$"
      return [
        update([
          Page.component("root", #"{"TextField":{"label":{"literalString":"l"},"validationRegexp":"\#(expression)"}}"#)
        ])
      ]
    }
  }

  /// A text whose bullets, of three bytes for one, make so many bytes of it once it is read.
  private func markdown(bytes: Int) -> String {
    // A bullet, a blank and a letter.
    let item = "- a"
    let line = 5
    return Array(repeating: item, count: 100).joined(separator: "\\n") + "\\n\\n"
      + String(repeating: "w", count: bytes - 100 * line)
  }

  private func texts(_ text: String) -> [String] { [update([self.text("root", text)])] }

  private func text(_ id: String, _ text: String) -> String {
    Page.component(id, #"{"Text":{"text":{"literalString":"\#(text)"}}}"#)
  }

  private func column(_ id: String, _ children: [String]) -> String {
    let names = children.map { "\"\($0)\"" }.joined(separator: ",")
    return Page.component(id, #"{"Column":{"children":{"explicitList":[\#(names)]}}}"#)
  }

  private func update(_ components: [String]) -> String {
    #"{"surfaceUpdate":{"surfaceId":"s","components":[\#(components.joined(separator: ","))]}}"#
  }

  private func warnings(_ page: Page) -> [String] {
    page.view.reportOmissions()
    let warnings = page.view.store.warnings
    return (0..<warnings.kept).map { Talk.text(warnings.line($0).span) }
  }

  @Test(
    "each limit has a warning that names the surface, the component and the limit",
    arguments: Omission.allCases.filter { $0 != .work })
  func limits(omission: Omission) throws {
    for more in 0...1 {
      let page = try Page()
      for line in document(omission, more) + [#"{"beginRendering":{"surfaceId":"s","root":"root"}}"#] {
        try page.push(line)
      }
      let told = warnings(page).filter { !$0.contains("nothing of it can be seen") }
      guard more == 1 else {
        #expect(told == [], "\(omission) within the limit")
        continue
      }
      let sentence = omission.sentence
      let limit = sentence.limit > 0 ? String(sentence.limit) : ""
      #expect(told.count == 1, "\(told)")
      #expect(told.first?.hasPrefix(#"surface "s": component ""#) == true)
      #expect(told.first?.contains("\(sentence.before)\(limit)\(sentence.after)") == true, "\(told)")
    }
  }

  @Test("a push that changes nothing of it tells it again, and one that mends it does not")
  func again() throws {
    let page = try Page()
    let begin = #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#
    let long = (document(.textLines, 1) + [begin]).joined(separator: "\n")
    for _ in 0..<2 {
      try page.push(long)
      #expect(warnings(page).count == 1)
    }
    try page.push(update([text("root", "short")]))
    #expect(warnings(page) == [])
  }

  @Test("a line of text that cannot be seen takes no room of a frame")
  func seen() throws {
    let page = try Page()
    // Two texts that would fill a frame's room for text if they were drawn whole.
    let long = String(repeating: "word\\n", count: 4000)
    let many = (0..<8).map { text("t\($0)", long) }
    try page.push(update([column("root", (0..<8).map { "t\($0)" })] + many))
    try page.push(#"{"beginRendering":{"surfaceId":"s","root":"root"}}"#)
    for place in [Int32(0), page.view.limit / 8, page.view.limit / 2, page.view.limit] {
      page.view.scroll(to: place)
      let list = DisplayList()
      page.view.draw(into: list)
      #expect(!list.isCut)
      #expect(list.textCount > 0 && list.count < 60)
    }
  }
}
