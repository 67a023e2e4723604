import Runtime
import Testing

@testable import A2UI

/// What an agent is told after a push: of which surfaces, how much, and in sentences that are whole.
@Suite("Warnings of a push")
struct WarningTests {
  /// The warnings of a page with those that are known once its tree was made.
  private func told(_ page: Page) -> [String] {
    page.tree.reportOmissions()
    page.store.reportUnread()
    return page.warnings
  }

  private func quotes(_ text: String) -> Int { text.filter { $0 == "\"" }.count }

  // MARK: Surfaces

  @Test("what is wrong with a surface is told by pushes that name it, and by no others")
  func otherSurfaces() {
    let page = Page().push(update(label("a"), surface: "hidden"))
    #expect(told(page) == [#"surface "hidden": not shown before beginRendering names its root; there are "a""#])
    page.push(update(label("root"), surface: "t"), begin(surface: "t"), show: "t")
    #expect(told(page) == [])
    page.push(update(label("a"), surface: "hidden"), show: "t")
    #expect(told(page).count == 1)
    page.push(#"{"deleteSurface":{"surfaceId":"t"}}"#)
    #expect(told(page) == [])
  }

  @Test("data for a surface that has nothing else are told, with the surfaces that are shown")
  func otherData() {
    let page = Page().push(update(label("root")), begin(), data(entry("a", "1"), surface: "mian"))
    let expected = #"surface "mian": has data, and no components; surfaces that are shown: "#
    #expect(told(page) == [expected + #""main""#])
    page.push(#"{"version":"v0.9","updateDataModel":{"surfaceId":"mian","path":"/a","value":2}}"#)
    #expect(told(page) == [expected + #""main""#])
    #expect(told(Page().push(data(entry("a", "1"), surface: "mian"))) == [expected + "none"])
    page.push(#"{"deleteSurface":{"surfaceId":"mian"}}"#, #"{"deleteSurface":{"surfaceId":"miau"}}"#)
    #expect(told(page) == [#"line 2: there is no surface "miau" to delete"#])
  }

  @Test("a component that one message defines twice is told, and the last one is shown")
  func twice() {
    let page = Page().push(
      update(component("root", "Text", #""text":"1""#), component("root", "Text", #""text":"2""#)), begin())
    #expect(page.string("root") == "2")
    #expect(told(page) == [#"line 1: component "root" is defined twice in one message, the last one counts"#])
    page.push(update(component("root", "Text", #""text":"3""#)), update(component("root", "Text", #""text":"4""#)))
    #expect(page.string("root") == "4" && told(page) == [])
    page.push(define(flat("root", "Text", #""text":"4""#), flat("root", "Text", #""text":"4""#)))
    #expect(told(page).count == 1)
  }

  @Test("components of a push that nothing names are told, as long as it is known that nothing does")
  func forgotten() {
    let page = Page().push(update(column("root", "a"), label("a"), label("b"), column("c", "d"), label("d")), begin())
    let sentence = #"surface "main": not shown, because nothing below the root names them: "#
    #expect(told(page) == [sentence + #""b", "c", "d""#])
    // It was told, and is no longer new.
    page.push(data(entry("x", "1")))
    #expect(told(page) == [])
    page.push(update(label("b")))
    #expect(told(page) == [sentence + #""b""#])
    page.push(update(column("root", "a", "b", "c")))
    #expect(page.outline == "root(a b c(d))" && told(page) == [])
    // Elements of an empty list may name them later.
    page.push(
      update(list("root", of: "row", at: "/rows"), column("row", "e"), label("e"), label("f")),
      #"{"dataModelUpdate":{"surfaceId":"main","contents":{"rows":[]}}}"#)
    #expect(!told(page).contains { $0.contains("nothing below the root") })
    page.push(
      update(label("f")), #"{"dataModelUpdate":{"surfaceId":"main","contents":{"rows":[1]}}}"#)
    #expect(told(page) == [sentence + #""f""#])
  }

  @Test("an id that is a number is told to be none")
  func numbers() {
    let page = Page().push(update(#"{"id":1,"component":{"Divider":{}}}"#))
    #expect(page.warnings.contains("line 1: a component whose id is no string, ignored"), "\(page.warnings)")
  }

  @Test("a list and a text without data are told by pushes of their surface, and by no others")
  func otherTrees() {
    let page = Page().push(
      update(column("root", "l", "x"), list("l", of: "x", at: "/l"), bound("x", "/x"), surface: "s"),
      begin(surface: "s"))
    #expect(told(page).count == 3, "\(page.warnings)")
    page.push(update(label("root"), surface: "t"), begin(surface: "t"), show: "s")
    #expect(told(page) == [])
    page.push(data(entry("y", "1"), surface: "s"), show: "s")
    #expect(told(page).count == 3, "\(page.warnings)")
  }

  // MARK: Sentences

  @Test("names that are cut are closed by their quote, and numbers at the end are whole")
  func cutNames() {
    let name = String(repeating: "long name ", count: 20)
    let surface = String(repeating: "surface ", count: 10)
    for lines in [
      [update(column(name, name + "2"), surface: surface), begin(name, surface: surface)],
      [update(label(name), label(name + "2"), surface: surface)],
      [update(label(name + "2"), surface: surface), begin(name, surface: surface)],
      [update(bound(name, "/x"), surface: surface), begin(name, surface: surface)],
      [update(list(name, of: name + "2", at: "/x"), surface: surface), begin(name, surface: surface)],
      [update(component(name, name), surface: surface)],
      [update(component(name, "Text", #""\#(name)":1,"text":"x","usageHint":"\#(name)""#), surface: surface)],
      [create(surface, theme: #"{"\#(name)":1}"#)],
      [define(flat(name, "Text", #""text":{"call":"\#(name)"}"#), surface: surface)],
    ] {
      let warnings = told(Page().push(text: lines.joined(separator: "\n"), show: surface))
      #expect(!warnings.isEmpty)
      for warning in warnings { #expect(quotes(warning) % 2 == 0, "\(warning)") }
    }
    let missing = told(Page().push(update(column("root", name)), begin()))
    #expect(missing.contains { $0.hasSuffix(#"names a child that is not defined: "\#(name.prefix(48))""#) })
    let rows = (0..<Budget.a2uiElements + 5).map { _ in "1" }.joined(separator: ",")
    let page = Page().push(
      create(surface),
      define(
        flat("root", "List", #""children":{"componentId":"\#(name)","path":"/rows"}"#),
        flat(name, "Text", #""text":"x""#), surface: surface), put("[\(rows)]", at: "/rows", surface: surface),
      show: surface)
    #expect(told(page).contains { $0.hasSuffix("of 8197 elements it shows 8192") }, "\(page.warnings)")
  }

  @Test("a label, a title and an address whose path leads to nothing are told, in both versions")
  func emptyLabels() {
    let path = #"{"path":"/none"}"#
    for (type, properties) in [
      ("CheckBox", #""value":true,"label":\#(path)"#), ("TextField", #""label":\#(path)"#),
      ("Slider", #""value":1,"max":5,"label":\#(path)"#), ("DateTimeInput", #""value":"","label":\#(path)"#),
      ("ChoicePicker", #""value":["a"],"options":[{"label":"A","value":"a"}],"label":\#(path)"#),
      ("ChoicePicker", #""value":["a"],"options":[{"label":"A","value":"a"},{"label":\#(path),"value":"b"}]"#),
      ("Tabs", #""tabs":[{"title":"A","child":"t"},{"title":\#(path),"child":"t"}]"#), ("Video", #""url":\#(path)"#),
      ("AudioPlayer", #""url":\#(path)"#), ("Image", #""url":\#(path)"#),
    ] {
      let page = Page().push(
        create(),
        define(
          flat("root", "Column", #""children":["x","t"]"#), flat("x", type, properties),
          flat("t", "Text", #""text":"x""#)))
      let expected = #"surface "main": component "x" is without its text: there is no text at its path"#
      #expect(told(page) == [expected], "\(type)")
      page.push(put(#"{"none":"now"}"#))
      #expect(told(page) == [], "\(type)")
    }
  }

  @Test("a component that contains itself is told")
  func cycles() {
    let page = Page().push(update(column("root", "a", "t"), column("a", "root"), label("t")), begin())
    #expect(told(page) == [#"surface "main": component "root" contains itself, so it ends there"#])
  }

  @Test(
    "an input whose path leads to no place in the data is told",
    arguments: ["/", "", "/list/-", "/list/-1", "/list/7", "/list/99999999999", "/list/x/y", "/list/1/a/../b"])
  func lostInput(path: String) {
    for component in [
      flat("f", "TextField", #""label":"l","value":{"path":"\#(path)"}"#),
      flat("f", "CheckBox", #""label":"l","value":{"path":"\#(path)"}"#),
      flat("f", "Slider", #""max":9,"value":{"path":"\#(path)"}"#),
      flat("f", "DateTimeInput", #""value":{"path":"\#(path)"}"#),
      flat("f", "ChoicePicker", #""options":[{"label":"A","value":"a"}],"value":{"path":"\#(path)"}"#),
    ] {
      let page = Page().push(
        create(), define(flat("root", "Column", #""children":["f"]"#), component), put(#"{"list":[1]}"#))
      let isPlace = path.hasPrefix("/list/1/")
      #expect(told(page).contains { $0.contains("cannot write what is entered") } == !isPlace, "\(page.warnings)")
      guard !isPlace, let field = page.index("f") else { continue }
      #expect(!page.tree.set(field, "value", to: true) && page.model() == #"{"list":[1]}"#)
      #expect(!page.tree.select(field, option: 0, true) && page.model() == #"{"list":[1]}"#)
    }
  }

  // MARK: How many

  @Test("members take twelve lines, what a surface lacks takes the others, and more are counted")
  func room() {
    let members = (0..<40).map { #""member\#($0)":1"# }.joined(separator: ",")
    let page = Page().push(
      update(component("root", "Text", #""text":{"path":"/x"},\#(members)"#)), begin(),
      update(label("a"), surface: "hidden"))
    let warnings = told(page)
    #expect(warnings.prefix(12).allSatisfy { $0.contains("which is not read") })
    #expect(warnings.count == 15, "\(warnings)")
    #expect(warnings.contains { $0.contains("there is no text at its path") })
    #expect(warnings.contains { $0.hasPrefix(#"surface "hidden""#) })
    #expect(page.store.warnings.count == 43 && page.store.warnings.kept == 15)
    #expect(json { page.store.warnings.write(into: &$0) }.hasSuffix(#","and 28 more"]"#))
  }

  @Test("sixteen sentences are kept, and the next push begins anew")
  func most() {
    let lines = (0..<20).map { update(component("c\($0)", "Gauge")) }
    let page = Page().push(text: lines.joined(separator: "\n"))
    #expect(page.warnings.count == Budget.a2uiWarnings && page.store.warnings.count == 20)
    #expect(json { page.store.warnings.write(into: &$0) }.hasSuffix(#","and 4 more"]"#))
    page.push(update(label("root")), begin())
    #expect(page.store.warnings.count == 0 && json { page.store.warnings.write(into: &$0) } == "[]")
  }

  @Test("a member that is not used is told once for all components")
  func unused() {
    func page(_ properties: [String]) -> Page {
      let components = properties.enumerated().map { flat("c\($0)", "Text", #""text":"x",\#($1)"#) }
      return Page().push(
        create(),
        #"{"version":"v0.9","updateComponents":{"surfaceId":"main","components":[\#(components.joined(separator: ","))]}}"#
      )
    }
    let once = page(Array(repeating: #""accessibility":{"label":"l"}"#, count: 30))
    #expect(once.warnings == [#"line 2: component "c0" has "accessibility", which is not used here"#])
  }
}
