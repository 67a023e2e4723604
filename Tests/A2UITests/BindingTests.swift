import Testing

@testable import A2UI

@Suite("Bindings and templates")
struct BindingTests {
  private func value(_ json: String, _ entries: String...) -> String? {
    Page().push(
      update(component("root", "Text", #""text":\#(json)"#)),
      #"{"dataModelUpdate":{"surfaceId":"main","contents":[\#(entries.joined(separator: ","))]}}"#, begin()
    ).string("root")
  }

  @Test(
    "literals in every spelling, numbers in their shortest form",
    arguments: [
      (#"{"literalString":"a\u00e9\n"}"#, "aé\n"), (#""bare""#, "bare"), (#"{"literal":"old"}"#, "old"),
      (#"{"literalNumber":41.0}"#, "41"), ("1.50", "1.5"), (#"{"literalBoolean":true}"#, "true"), ("false", "false"),
      ("{}", nil), ("null", nil), (#"{"path":"/none"}"#, nil), (#"{"literalString":{}}"#, nil), ("[1]", nil),
    ] as [(String, String?)])
  func literals(json: String, expected: String?) {
    #expect(value(json) == expected)
  }

  @Test(
    "paths, absolute and relative, escaped and dotted",
    arguments: [
      ("/a/b", "1"), ("a/b", "1"), ("a.b", "1"), ("/a/b/", "1"), ("./a/b", "1"), ("/a/b/c", nil), ("/x", nil),
      ("/list/0", "first"), ("/list[1]", "second"), ("/list/2", nil), ("/list/x", nil), ("/sl~1ash", "s"),
      ("/ti~0lde", "t"), ("/bad~escape", "b"), ("/with.dot", "d"), ("/a", nil), ("", nil), ("/number", "41"),
    ] as [(String, String?)])
  func paths(path: String, expected: String?) {
    let page = Page().push(
      update(bound("root", path)),
      #"{"dataModelUpdate":{"contents":{"a":{"b":"1"},"list":["first","second"],"sl/ash":"s","ti~lde":"t","bad~escape":"b","with.dot":"d","with":{"dot":"no"},"number":41.0}}}"#,
      begin())
    #expect(page.string("root") == expected)
  }

  @Test(
    "a number in a path is a key of a map first, and a place in it where there is no such key",
    arguments: [
      ("/items/0/name", "one"), ("/items/1/name", "two"), ("items[1].name", "two"), ("/items/2/name", nil),
      ("/items/item2/name", "two"), ("/keyed/1", "by key"), ("/keyed/0", "by place"), ("/keyed/2", nil),
      ("/empty/0", nil),
      ("/items/-1/name", nil), ("/items/0/name/0", nil),
    ] as [(String, String?)])
  func places(path: String, expected: String?) {
    let page = Page().push(
      update(bound("root", path)),
      data(
        entry("items", map: entry("item1", map: entry("name", "one")), entry("item2", map: entry("name", "two"))),
        entry("keyed", map: entry("x", "by place"), entry("1", "by key")), #"{"key":"empty","valueMap":[]}"#),
      begin())
    #expect(page.string("root") == expected)
  }

  @Test("what is entered at a place goes there; a data update names keys")
  func placesWritten() {
    let page = Page().push(
      update(
        column("root", "a", "b"), component("a", "TextField", #""label":"x","text":{"path":"/items/0/name"}"#),
        component("b", "TextField", #""label":"x","text":{"path":"/items/0/note"}"#)),
      data(entry("items", map: entry("item1", map: entry("name", "one")))), begin())
    #expect(page.enter(page.index("a")!, "new"))
    page.update()
    #expect(page.enter(page.index("b")!, "more"))
    #expect(page.model() == #"{"items":{"item1":{"name":"new","note":"more"}}}"#)
    page.push(data(entry("1", "b"), entry("0", "a"), at: "/map"), data(entry("0", "c"), at: "/items"))
    #expect(page.model() == #"{"items":{"item1":{"name":"new","note":"more"},"0":"c"},"map":{"1":"b","0":"a"}}"#)
  }

  @Test("in a template's element a key of the whole model comes before a place in the element")
  func placesInTemplates() {
    let page = Page().push(
      update(list("root", of: "t", at: "/items"), bound("t", "/0")),
      data(entry("items", map: entry("a", map: entry("name", "own"))), entry("0", "whole")), begin())
    #expect(page.string("t:a") == "whole")
  }

  @Test("numbers and booleans are read from strings as well")
  func conversions() {
    let page = Page().push(
      update(component("root", "Slider", #""value":{"path":"/v"},"minValue":"2","maxValue":{"literalNumber":9}"#)),
      data(entry("v", "7.5")), begin())
    #expect(page.tree.number(0, "value") == 7.5)
    #expect(page.tree.number(0, "minValue") == 2)
    #expect(page.tree.number(0, "maxValue") == 9)
    #expect(page.tree.number(0, "label") == nil)
    page.push(update(component("root", "CheckBox", #""value":"true","label":2"#)))
    #expect(page.tree.bool(0, "value") == true)
    #expect(page.tree.bool(0, "label") == nil)
  }

  @Test("words of the catalog, or the default for any other")
  func words() {
    let page = Page().push(
      update(component("root", "Text", #""usageHint":"h3","fit":"scale-down","axis":"body1","distribution":7"#)),
      begin())
    #expect(page.tree.word(0, "usageHint", otherwise: TextUsage.body) == .h3)
    #expect(page.tree.word(0, "fit", otherwise: ImageFit.fill) == .scaleDown)
    #expect(page.tree.word(0, "axis", otherwise: Axis.horizontal) == .horizontal)
    #expect(page.tree.word(0, "distribution", otherwise: Distribution.end) == .end)
    #expect(page.tree.word(0, "none", otherwise: Alignment.center) == .center)
  }

  @Test("a literal beside a path goes into the data model once, and is no more than the first value")
  func initial() {
    let page = Page().push(
      update(
        column("root", "a", "b"),
        component("a", "TextField", #""text":{"literalString":"start","path":"/form/name"}"#),
        bound("b", "/form/name")),
      begin())
    #expect(page.string("b") == "start")
    #expect(page.model() == #"{"form":{"name":"start"}}"#)
    page.push(data(entry("name", "Ann"), at: "/form"))
    #expect(page.string("a") == "Ann")
    page.push(update(component("a", "TextField", #""text":{"literalString":"again","path":"/form/name"}"#)))
    #expect(page.string("b") == "Ann")
  }

  // MARK: Templates

  private let items = update(
    list("root", of: "card", at: "/items"), component("card", "Card", #""child":"name""#), bound("name", "/name"))

  @Test("a template over a list has an instance for each element, and paths that look absolute are its own")
  func overList() {
    let page = Page().push(
      items, #"{"dataModelUpdate":{"contents":{"items":[{"name":"x"},{"name":"y"}],"name":"model"}}}"#, begin())
    #expect(page.outline == "root(card:0(name:0) card:1(name:1))")
    #expect(page.string("name:0") == "x")
    #expect(page.string("name:1") == "y")
  }

  @Test("a template over a map goes in order of insertion, by keys of any kind", arguments: [["b", "a"], ["0", "1"]])
  func overMap(keys: [String]) {
    let page = Page().push(
      items,
      data(entry("items", map: entry(keys[0], map: entry("name", "x")), entry(keys[1], map: entry("name", "y")))),
      begin())
    #expect(page.outline == "root(card:\(keys[0])(name:\(keys[0])) card:\(keys[1])(name:\(keys[1])))")
    #expect(page.string("name:\(keys[1])") == "y")
  }

  @Test("an absent or empty list is nothing, and fills in when data comes")
  func grows() {
    let page = Page().push(items, begin())
    #expect(page.outline == "root")
    page.push(data(#"{"key":"items","valueMap":[]}"#))
    #expect(page.outline == "root")
    page.push(data(entry("one", map: entry("name", "x")), at: "/items"))
    let first = page.tree[1].id
    page.push(data(entry("two", map: entry("name", "y")), at: "/items"))
    #expect(page.outline == "root(card:one(name:one) card:two(name:two))")
    #expect(page.tree[1].id == first)
  }

  @Test("templates inside of templates: relative below the element, absolute with a slash, indices of both in the id")
  func nested() {
    let page = Page().push(
      update(
        list("root", of: "group", at: "/groups"), column("group", "title", "inner", "all"), bound("title", "title"),
        list("inner", of: "leaf", at: "members"), list("all", of: "leaf", at: "/everyone"), bound("leaf", ".")),
      #"{"dataModelUpdate":{"contents":{"groups":[{"title":"A","members":["a","b"]},{"title":"B","members":["c"]}],"everyone":["z"]}}}"#,
      begin())
    #expect(
      page.outline
        == "root(group:0(title:0 inner:0(leaf:0:0 leaf:0:1) all:0(leaf:0:0)) group:1(title:1 inner:1(leaf:1:0) all:1(leaf:1:0)))"
    )
    #expect(page.string("leaf:1:0") == "c")
    #expect(page.string("title:1") == "B")
    #expect(Set((0..<page.tree.count).map { page.tree[$0].id }).count == page.tree.count)
  }

  @Test(
    "words that old streams put before an element's path",
    arguments: [
      ("/item/name", "x"), ("/item", nil), ("/text", nil), ("/label/name", "x"), ("/itemName", "in"),
      ("/title", "model"),
      ("title", nil), ("./name", "x"),
    ] as [(String, String?)])
  func elementWords(path: String, expected: String?) {
    let page = Page().push(
      update(list("root", of: "t", at: "/items"), bound("t", path)),
      #"{"dataModelUpdate":{"contents":{"items":[{"name":"x","itemName":"in"}],"title":"model"}}}"#, begin())
    #expect(page.string("t:0") == expected)
  }

  @Test(
    "an element that is a string is what /item, a dot and nothing mean",
    arguments: ["/item", ".", "", "/text", "/label"])
  func scalar(path: String) {
    let page = Page().push(
      update(list("root", of: "t", at: "items"), bound("t", path)),
      #"{"dataModelUpdate":{"contents":{"items":["x"]}}}"#, begin())
    #expect(page.string("t:0") == "x")
  }

  @Test("a template pointed at another component has other instances, and the same elements")
  func retarget() {
    let page = Page().push(
      items, #"{"dataModelUpdate":{"contents":{"items":[{"name":"x"},{"name":"y"}]}}}"#, begin(),
      update(list("root", of: "name", at: "/items")))
    #expect(page.outline == "root(name:0 name:1)")
    #expect(page.string("name:1") == "y")
  }

  // MARK: Input

  @Test("what a person enters goes to the path, and everything bound to it shows it")
  func write() {
    let page = Page().push(
      update(
        column("root", "field", "echo", "plain"), component("field", "TextField", #""text":{"path":"/form/name"}"#),
        bound("echo", "form/name"), component("plain", "TextField", #""text":"x""#)), begin())
    let field = page.index("field")!
    #expect(page.tree.isBound(field, "text"))
    #expect(page.enter(field, "Ann"))
    #expect(page.tree.update(page.store.surface(at: 0)))
    #expect(page.string("echo") == "Ann")
    #expect(page.enter(field, "Ann"))
    #expect(!page.tree.update(page.store.surface(at: 0)))
    #expect(!page.enter(page.index("plain")!, "y"))
    #expect(page.tree.set(field, "text", to: 1.5))
    #expect(page.tree.set(field, "other", to: true) == false)
    #expect(page.model() == #"{"form":{"name":1.5}}"#)
  }

  @Test("in a template it goes to the element")
  func writeInElement() {
    let page = Page().push(
      update(list("root", of: "check", at: "/items"), component("check", "CheckBox", #""value":{"path":"/done"}"#)),
      #"{"dataModelUpdate":{"contents":{"items":[{"done":false},{}]}}}"#, begin())
    for index in 1...2 { #expect(page.tree.set(index, "value", to: true)) }
    #expect(page.model() == #"{"items":[{"done":true},{"done":true}]}"#)
  }

  @Test("in a list that came as JSON in a string it goes there, and the string becomes the list")
  func writeInString() {
    let page = Page().push(
      update(list("root", of: "check", at: "/items"), component("check", "CheckBox", #""value":{"path":"/done"}"#)),
      data(entry("items", #"[{\"done\":false},{}]"#)), begin())
    for index in 1...2 { #expect(page.tree.set(index, "value", to: true)) }
    #expect(page.model() == #"{"items":[{"done":true},{"done":true}]}"#)
    #expect(page.tree.bool(2, "value") == true)
  }

  @Test("strings that were asked for stay readable while others are")
  func scratch() throws {
    let escaped = String(repeating: "\\n", count: 20_000)
    let page = Page().push(
      update(
        column("root", "a", "b"), component("a", "Text", #""text":"first\u0021""#),
        component("b", "Text", #""text":"\#(escaped)""#)), begin())
    let first = page.tree.string(1, "text")
    for _ in 0..<20 { #expect(page.string("b")?.utf8.count == 20_000) }
    if let first { #expect(string(first) == "first!") } else { Issue.record("no text") }
    for _ in 0..<100 { #expect(page.string("b")?.utf8.count == 20_000) }
    #expect(page.string("a") == "first!")
  }

  @Test("choices are read from lists, maps and literals, and written as a list")
  func choices() {
    let options = #""options":[{"label":{"literalString":"A"},"value":"a"},{"label":"B","value":"b"}]"#
    let page = Page().push(
      update(component("root", "MultipleChoice", #""selections":{"path":"/s"},\#(options)"#)),
      data(entry("s", map: entry("0", "b"), entry("1", "gone"))), begin())
    #expect(page.tree.selectionCount(0) == 2)
    #expect([0, 1, 2].map { page.tree.isSelected(0, option: $0) } == [false, true, false])
    #expect(page.item(0, "options", 1, "label") == "B")
    #expect(page.tree.select(0, option: 0, true))
    #expect(page.model() == #"{"s":["b","gone","a"]}"#)
    #expect(page.tree.select(0, option: 1, false))
    #expect(page.model() == #"{"s":["gone","a"]}"#)
    #expect(page.tree.select(0, option: 1, true, replacing: true))
    #expect(page.model() == #"{"s":["b"]}"#)
    #expect(!page.tree.select(0, option: 2, true))
    page.push(update(component("root", "MultipleChoice", #""selections":{"literalArray":["a"]},\#(options)"#)))
    #expect(page.tree.isSelected(0, option: 0))
    #expect(!page.tree.select(0, option: 1, true))
    page.push(
      update(component("root", "MultipleChoice", #""selections":{"path":"/t"},\#(options)"#)),
      data(entry(".", #"[\"a\"]"#), at: "/t"))
    #expect(page.tree.isSelected(0, option: 0))
  }
}
