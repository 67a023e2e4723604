import Runtime
import Testing

@testable import A2UI

@Suite("Limits")
struct LimitTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  /// What stopped a message, alone.
  private func stop(_ page: Page, _ sentence: String, _ location: SourceLocation = #_sourceLocation) {
    #expect(page.store.warnings.stopped == 1, sourceLocation: location)
    #expect(page.warnings.contains { $0.contains(sentence) }, "\(page.warnings)", sourceLocation: location)
  }

  // MARK: Of a push: nothing is taken

  @Test("a push, a line, and how many messages there are")
  func push() {
    let line = #"{"deleteSurface":{"surfaceId":"x"}}"#
    let page = Page()
    #expect(page.refusal(repeated(line + "\n", Budget.a2uiMessages)) == nil)
    #expect(
      page.refusal(repeated(line + "\n", Budget.a2uiMessages + 1)) == "INVALID_REQUEST: a push may have 4096 messages")
    let blank = repeated(" ", Budget.a2uiLineBytes - line.utf8.count)
    #expect(page.refusal(line + blank) == nil)
    #expect(
      page.refusal(line + "\n" + line + blank + " ") == "INVALID_A2UI_JSONL: line 2: a message may have 2097152 bytes")
    #expect(page.refusal(repeated("\n", Budget.a2uiPushBytes - line.utf8.count) + line) == nil)
    #expect(
      page.refusal(repeated("\n", Budget.a2uiPushBytes - line.utf8.count + 1) + line)
        == "INVALID_REQUEST: a push may have 4194304 bytes")
  }

  @Test("nesting of JSON")
  func nesting() {
    func message(_ depth: Int) -> String {
      #"{"deleteSurface":{"x":\#(repeated("[", depth))\#(repeated("]", depth))}}"#
    }
    #expect(Page().refusal(message(Budget.a2uiJSONDepth - 2)) == nil)
    #expect(Page().refusal(message(Budget.a2uiJSONDepth - 1))?.contains("nested too deeply") == true)
  }

  @Test("children that a template names for each of its elements, though they are not defined")
  func namedChildren() {
    let ids = (0..<100).map { "\"none\($0)\"" }.joined(separator: ",")
    let rows = (0..<Budget.a2uiNamedChildren / 100 + 1).map { #"{"key":"\#($0)","valueNumber":1}"# }.joined(
      separator: ",")
    let page = Page()
    page.push(
      #"{"surfaceUpdate":{"surfaceId":"s","components":["#
        + #"{"id":"root","component":{"List":{"children":{"template":{"componentId":"row","dataBinding":"/rows"}}}}},"#
        + #"{"id":"row","component":{"Column":{"children":{"explicitList":[\#(ids)]}}}}]}}"#,
      #"{"dataModelUpdate":{"surfaceId":"s","contents":[{"key":"rows","valueMap":[\#(rows)]}]}}"#,
      #"{"beginRendering":{"surfaceId":"s","root":"root"}}"#)
    #expect(page.tree.count == Budget.a2uiNamedChildren / 100 + 1)
    page.tree.reportOmissions()
    #expect(page.warnings.contains { $0.contains("components on the screen") }, "\(page.warnings)")
  }

  // MARK: Of a message: it is told, and what was applied stays

  @Test("surfaces")
  func surfaces() {
    let page = Page()
    for number in 0..<Budget.a2uiSurfaces { page.push(begin(surface: "s\(number)")) }
    #expect(page.store.warnings.stopped == 0)
    page.push(begin(surface: "more"), begin("x", surface: "s0"))
    stop(page, "line 1: too many surfaces")
    #expect(page.store.count == Budget.a2uiSurfaces)
    #expect(string(page.store.rootId(page.store.surface(at: 0))) == "x")
    page.push(#"{"deleteSurface":{"surfaceId":"s1"}}"#, begin(surface: "more"))
    #expect(page.store.warnings.stopped == 0)
    #expect(page.store.surface(id: "more".utf8.span) == page.store.surface(at: Budget.a2uiSurfaces - 1))
  }

  @Test("components of a surface")
  func components() {
    let page = Page()
    for start in stride(from: 0, to: Budget.a2uiSurfaceComponents, by: 512) {
      page.push(text: many(start..<start + 512))
    }
    #expect(page.store.warnings.stopped == 0)
    page.push(text: many(Budget.a2uiSurfaceComponents - 1..<Budget.a2uiSurfaceComponents + 2))
    stop(page, #""components" has 1 of 3 entries: too many components in a surface"#)
    page.push(update(label("elsewhere"), surface: "other"))
    #expect(page.store.warnings.stopped == 0)
  }

  private func many(_ range: Range<Int>, surface: String = "main") -> String {
    #"{"surfaceUpdate":{"surfaceId":"\#(surface)","components":[\#(range.map { label("c\($0)") }.joined(separator: ","))]}}"#
  }

  @Test("components of all surfaces")
  func allComponents() {
    let page = Page()
    var left = Budget.a2uiComponents
    var surface = 0
    while left > 0 {
      let count = min(left, Budget.a2uiSurfaceComponents)
      page.push(text: many(0..<count, surface: "s\(surface)"))
      left -= count
      surface += 1
    }
    #expect(page.store.warnings.stopped == 0)
    page.push(update(label("one more"), surface: "last"))
    stop(page, "the memory for components is full")
    page.push(#"{"deleteSurface":{"surfaceId":"s0"}}"#, update(label("one more"), surface: "last"))
    #expect(page.store.warnings.stopped == 0)
  }

  @Test("bytes of definitions: what is defined anew makes room for itself")
  func definitions() {
    let page = Page()
    let text = repeated("x", 900_000)
    for round in 0..<8 {
      page.push(update(component("a", "Text", #""text":"\#(round)\#(text)""#)))
      #expect(page.store.warnings.stopped == 0)
    }
    for id in ["b", "c", "d"] { page.push(update(component(id, "Text", #""text":"\#(text)""#))) }
    #expect(page.store.warnings.stopped == 0)
    page.push(update(component("e", "Text", #""text":"\#(text)""#)))
    stop(page, "the memory for components is full")
    page.push(update(label("a")), update(component("e", "Text", #""text":"\#(text)""#)))
    #expect(page.store.warnings.stopped == 0)
  }

  @Test("ids")
  func ids() {
    let id = repeated("i", Budget.a2uiKeyBytes)
    let page = Page().push(update(label(id), surface: id), begin(id, surface: id))
    #expect(page.outline == id)
    page.push(update(label(id + "i"), label("b"), surface: id))
    stop(page, "a component's id is too long")
    page.push(begin(surface: id + "i"))
    stop(page, "the surfaceId is too long")
    #expect(page.store.count == 1)
  }

  @Test("entries of a data update")
  func entries() {
    let page = Page().push(data(entry("a", "1")))
    func many(_ count: Int) -> String {
      #"{"dataModelUpdate":{"surfaceId":"main","contents":[\#((0..<count).map { entry("k\($0)", 1) }.joined(separator: ","))]}}"#
    }
    page.push(many(Budget.a2uiEntries + 1))
    stop(page, "has 32768 of 32769 entries: too many entries")
    #expect(page.model().hasSuffix(#""k32767":1}"#))
    page.push(many(Budget.a2uiEntries))
    #expect(page.store.warnings.stopped == 0)
    let list = (0..<Budget.a2uiEntries).map { "\($0)" }.joined(separator: ",")
    page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/x","contents":{"l":[\#(list)]}}}"#)
    stop(page, #""l" has 32767 of 32768 entries: too many entries"#)
    #expect(page.model().hasSuffix(",32766]}}"))
  }

  @Test("of a list beyond the limit whole rows are kept, in every form in which lists come")
  func rows() {
    // A row takes three values, the list one.
    let count = Budget.a2uiEntries / 3 + 10
    let kept = (Budget.a2uiEntries - 1) / 3
    let plain = (0..<count).map { #"{"a":\#($0),"b":0}"# }.joined(separator: ",")
    let entries = (0..<count).map {
      #"{"key":"r\#($0)","valueMap":[{"key":"a","valueNumber":\#($0)},{"key":"b","valueNumber":0}]}"#
    }.joined(separator: ",")
    let values = (0..<count).map {
      #"{"valueMap":[{"key":"a","valueNumber":\#($0)},{"key":"b","valueNumber":0}]}"#
    }.joined(separator: ",")
    for line in [
      put(#"{"rows":[\#(plain)]}"#), put("[\(plain)]", at: "/rows"), data(#"{"key":"rows","valueMap":[\#(entries)]}"#),
      data(#"{"key":"rows","valueArray":[\#(values)]}"#), data(entries, at: "/rows"),
      #"{"dataModelUpdate":{"surfaceId":"main","contents":{"rows":[\#(plain)]}}}"#,
    ] {
      let page = Page().push(
        update(list("root", of: "t", at: "/rows"), bound("t", "b")), begin(), line)
      #expect(page.store.warnings.stopped == 1)
      #expect(
        page.warnings.contains { $0.contains(#"rows" has \#(kept) of \#(count) entries"#) }
          || page.warnings.contains { $0.contains(#"rows" has \#(kept + 1) of \#(count) entries"#) }
          || page.warnings.contains { $0.contains(#"rows" has \#(kept - 1) of \#(count) entries"#) },
        "\(page.warnings)")
      #expect(page.tree.count == Budget.a2uiElements + 1)
      let model = page.model()
      #expect(model.hasSuffix(#""b":0}]}"#) || model.hasSuffix(#""b":0}}}"#))
    }
  }

  @Test("a list of thousands is shown whole, and of more than fit the warning says how many are")
  func thousands() {
    func page(_ count: Int, _ row: String...) -> Page {
      let page = Page().push(create())
      page.push(
        #"{"updateComponents":{"surfaceId":"main","components":[\#(row.joined(separator: ","))]}}"#,
        put("[" + (0..<count).map { #"{"n":"row \#($0)"}"# }.joined(separator: ",") + "]", at: "/rows"))
      return page
    }
    let list = flat("root", "List", #""children":{"componentId":"row","path":"/rows"}"#)
    let one = page(5000, list, flat("row", "Text", #""text":{"path":"n"}"#))
    one.tree.reportOmissions()
    #expect(one.warnings.isEmpty && one.tree.count == 5001 && one.string("row:4999") == "row 4999")
    let many = page(Budget.a2uiElements + 5, list, flat("row", "Text", #""text":{"path":"n"}"#))
    many.tree.reportOmissions()
    #expect(many.warnings.contains { $0.hasSuffix("of 8197 elements it shows 8192") }, "\(many.warnings)")
    // Rows of four instances: what has room for whole rows is shown.
    let wide = page(
      5000, list, flat("row", "Row", #""children":["a","a","a"]"#), flat("a", "Text", #""text":{"path":"n"}"#))
    wide.tree.reportOmissions()
    let shown = (Budget.a2uiInstances - 1) / 4
    #expect(wide.tree.count == 4 * shown + 1)
    #expect(wide.warnings.contains { $0.hasSuffix("of 5000 elements it shows \(shown)") }, "\(wide.warnings)")
  }

  @Test("lists in a list: whole elements of the inner one are shown up to the limit, and how many")
  func nestedLists() {
    // A row of 100 cells, of four instances each, takes 401; the root takes one.
    let cells = Array(repeating: #"{"n":"x"}"#, count: 100).joined(separator: ",")
    let rows = Array(repeating: #"{"cells":[\#(cells)]}"#, count: 50).joined(separator: ",")
    let page = Page().push(
      create(),
      define(
        flat("root", "List", #""children":{"componentId":"row","path":"/rows"}"#),
        flat("row", "List", #""children":{"componentId":"cell","path":"cells"}"#),
        flat("cell", "Row", #""children":["a","a","a"]"#), flat("a", "Text", #""text":{"path":"n"}"#)),
      put("[\(rows)]", at: "/rows"))
    page.tree.reportOmissions()
    let whole = (Budget.a2uiInstances - 1) / 401
    let last = (Budget.a2uiInstances - 1 - whole * 401 - 1) / 4
    #expect(whole > 0 && last > 0 && last < 100)
    #expect(page.tree.count == 1 + whole * 401 + 1 + last * 4)
    #expect(page.warnings.count == 1, "\(page.warnings)")
    #expect(page.warnings.contains { $0.hasSuffix("of 100 elements it shows \(last)") }, "\(page.warnings)")
  }

  @Test("depth of maps, by entries, plain JSON and paths")
  func depth() {
    func nested(_ depth: Int) -> String {
      (1..<depth).reduce(entry("k", "leaf")) { inner, _ in entry("k", map: inner) }
    }
    let page = Page().push(data(nested(Budget.a2uiDataDepth)))
    #expect(page.store.warnings.stopped == 0)
    page.push(data(nested(Budget.a2uiDataDepth + 1)))
    stop(page, "nested too deeply")
    page.push(data(entry("x", "1"), at: repeated("/d", Budget.a2uiDataDepth)))
    stop(page, "nested too deeply")
    page.push(data(entry(repeated("d.", Budget.a2uiDataDepth) + "x", "1")))
    stop(page, "nested too deeply")
    let json = repeated("{\"a\":", Budget.a2uiDataDepth) + "{}" + repeated("}", Budget.a2uiDataDepth)
    page.push(#"{"dataModelUpdate":{"surfaceId":"main","contents":\#(json)}}"#)
    stop(page, "nested too deeply")
  }

  @Test("keys and strings")
  func strings() {
    let page = Page()
    let key = repeated("k", Budget.a2uiKeyBytes)
    let text = repeated("s", Budget.a2uiStringBytes)
    page.push(data(entry(key, text)))
    #expect(page.store.warnings.stopped == 0)
    page.push(data(entry("k", "x"), entry(key + "k", "x")))
    stop(page, "a key is too long")
    #expect(page.model() == #"{"k":"x"}"#)
    for more in ["s", "\\u00e9"] {
      page.push(data(entry("k", repeated("s", Budget.a2uiStringBytes - 1) + more + "s")))
      stop(page, "a string is too long")
      #expect(page.model().utf8.count == Budget.a2uiStringBytes + 8)
    }
    page.push(data(entry(key, text)))
    page.push(data(entry("k", "v"), at: repeated("p", Budget.a2uiPathBytes + 1)))
    #expect(page.warnings == ["line 1: the path is no string or too long"])
    #expect(page.model() == #"{"\#(key)":"\#(text)"}"#)
  }

  @Test("an index after the end of a list")
  func index() {
    let page = Page().push(#"{"dataModelUpdate":{"contents":{"l":[1,2]}}}"#, data(entry("2", 3), at: "/l"))
    #expect(page.model() == #"{"l":[1,2,3]}"#)
    page.push(data(entry("4", 5), at: "/l"))
    stop(page, "an index beyond the end")
    #expect(page.model() == #"{"l":[1,2,3]}"#)
  }

  @Test("values of all data models together, and bytes of them")
  func memory() {
    let page = Page()
    let list = (0..<Budget.a2uiEntries - 1).map { "\($0)" }.joined(separator: ",")
    var updates = 0
    while page.store.warnings.stopped == 0, updates < 100 {
      page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/p\#(updates)","contents":{"l":[\#(list)]}}}"#)
      updates += 1
    }
    stop(page, "the memory for data is full")
    #expect(page.store.data.count <= Budget.a2uiValues)
    #expect(page.store.data.count > Budget.a2uiValues - 2 * Budget.a2uiEntries)
    let texts = Page()
    updates = 0
    while texts.store.warnings.stopped == 0, updates < 100 {
      texts.push(data(entry("t", repeated("x", Budget.a2uiStringBytes)), at: "/p\(updates)"))
      updates += 1
    }
    stop(texts, "the memory for data is full")
    #expect(updates >= Budget.a2uiDataBytes / (Budget.a2uiStringBytes + 64))
    texts.push(data(entry("small", "1")))
    #expect(texts.model() == #"{"small":"1"}"#)
  }

  @Test("values of a string that is JSON")
  func parsed() {
    func page(_ count: Int) -> Page {
      Page().push(
        update(bound("root", "/j/0")), data(entry("j", "[\(repeated("1,", count - 1))1]")), begin())
    }
    for more in 0...1 {
      let page = page(Budget.a2uiParsedValues + more)
      #expect(page.string("root") == "1")
      page.store.reportUnread()
      #expect(page.warnings.count == more)
    }
  }

  @Test("a string of a component, bare or bound, escaped or not")
  func componentStrings() {
    for text in [repeated("s", Budget.a2uiStringBytes), repeated("\\u0073", Budget.a2uiStringBytes)] {
      let page = Page().push(update(component("root", "Text", #""text":{"literalString":"\#(text)"}"#)), begin())
      #expect(page.warnings == [])
      #expect(page.string("root")?.utf8.count == Budget.a2uiStringBytes)
      page.push(update(component("root", "Text", #""text":{"literalString":"\#(text)s"}"#)))
      #expect(
        page.warnings == ["line 1: component \"root\" has a string that is cut: longer in bytes than 65536"])
    }
  }

  @Test("the id of a root")
  func root() {
    let page = Page().push(update(label("root")), begin("root"))
    page.push(begin(repeated("r", Budget.a2uiKeyBytes + 1)))
    stop(page, "the root's id is too long")
    #expect(page.outline == "root")
  }

  @Test(
    "values of a string that is JSON, and its depth, are told where it is shown",
    arguments: [
      "[" + String(repeating: "1,", count: Budget.a2uiParsedValues) + "1]",
      String(repeating: "[", count: Budget.a2uiDataDepth + 1) + String(repeating: "]", count: Budget.a2uiDataDepth + 1),
    ])
  func unread(_ text: String) {
    let page = Page().push(update(bound("root", "/j/0")), data(entry("j", text)), begin())
    _ = page.string("root")
    page.store.reportUnread()
    #expect(page.warnings.count == 1)
    #expect(page.warnings.first?.contains("of a string that says JSON the first 4096 values") == true)
  }

  @Test("styles that change nothing are reported, but for the hint that a font is")
  func styles() {
    let line =
      ##"{"beginRendering":{"surfaceId":"main","root":"r","styles":{"primaryColor":"#FF8000","font":"Roboto"}}}"##
    #expect(Page().push(line).warnings == [])
    let page = Page().push(line.replacing("#FF8000", with: "orange").replacing("font", with: "logoUrl"))
    #expect(
      page.warnings == [
        "line 1: style \"primaryColor\" is not used: only primaryColor is, as #RRGGBB",
        "line 1: style \"logoUrl\" is not used: only primaryColor is, as #RRGGBB",
      ])
  }

  // MARK: Of a tree: the rest is left out

  @Test("elements of templates")
  func elements() {
    func page(_ counts: Int...) -> Page {
      let page = Page().push(update(list("root", of: "t", at: "/items"), label("t")), begin())
      var start = 0
      for count in counts {
        let keys = (start..<start + count).map { #""k\#($0)":1"# }.joined(separator: ",")
        page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/items","contents":{\#(keys)}}}"#)
        start += count
      }
      return page
    }
    let fits = page(1000, Budget.a2uiElements - 1000)
    #expect(fits.tree.count == Budget.a2uiElements + 1)
    #expect(!fits.tree.isTruncated)
    let more = page(1000, Budget.a2uiElements - 999)
    #expect(more.tree.count == Budget.a2uiElements + 1)
    #expect(more.tree.isTruncated)
  }

  @Test("instances: what doubles at every level ends")
  func instances() {
    let levels = (0..<40).map { column("c\($0)", "c\($0 + 1)", "c\($0 + 1)") }.joined(separator: ",")
    let page = Page().push(
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(levels)]}}"#, begin("c0"))
    #expect(page.tree.count == Budget.a2uiInstances)
    #expect(page.tree.isTruncated)
  }

  @Test("depth of what is drawn")
  func renderDepth() {
    func page(_ depth: Int) -> Page {
      let chain = (0..<depth).map { column("c\($0)", "c\($0 + 1)") }.joined(separator: ",")
      return Page().push(#"{"surfaceUpdate":{"surfaceId":"main","components":[\#(chain)]}}"#, begin("c0"))
    }
    #expect(page(Budget.a2uiRenderDepth).tree.count == Budget.a2uiRenderDepth)
    #expect(!page(Budget.a2uiRenderDepth).tree.isTruncated)
    #expect(page(Budget.a2uiRenderDepth + 1).tree.isTruncated)
  }

  // MARK: Of warnings

  @Test("warnings are kept up to a number and a length")
  func warnings() {
    let page = Page().push(
      text: repeated(update(component(repeated("ü", 100), "Nonsense")) + "\n", Budget.a2uiWarnings + 3))
    #expect(page.store.warnings.kept == Budget.a2uiWarnings)
    #expect(page.store.warnings.count == Budget.a2uiWarnings + 3)
    #expect(page.warnings[0] == "line 1: component \"\(repeated("ü", 32))\" is of a type that is not in the catalog")
    let answer = json { page.store.writeAnswer(into: &$0) }
    #expect(answer.hasSuffix(#""and 3 more"]}"#))
    #expect(page.warnings.allSatisfy { $0.utf8.count <= Budget.a2uiWarningBytes })
  }
}
