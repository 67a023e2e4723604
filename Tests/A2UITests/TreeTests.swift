import Testing

@testable import A2UI

@Suite("What is drawn")
struct TreeTests {
  @Test("the first thing that every user tries: a column with a text")
  func first() {
    let page = Page().push(
      update(column("root", "text"), component("text", "Text", #""text":{"literalString":"Hi"},"usageHint":"body""#)),
      begin())
    #expect(page.outline == "root(text)")
    #expect(page.string("text") == "Hi")
    #expect(page.tree.word(1, "usageHint", otherwise: TextUsage.h1) == .body)
  }

  @Test("nothing is drawn before beginRendering, nor without the root")
  func nothing() {
    let page = Page().push(update(label("root")))
    #expect(page.tree.count == 0)
    page.push(begin("other"))
    #expect(page.tree.count == 0)
    page.push(update(label("other")))
    #expect(page.outline == "other")
  }

  @Test("a child that is not defined yet is nothing, and appears when it is")
  func missing() {
    let page = Page().push(update(column("root", "a", "b")), begin())
    #expect(page.outline == "root")
    page.push(update(label("b")))
    #expect(page.outline == "root(b)")
    page.push(update(label("a")))
    #expect(page.outline == "root(a b)")
  }

  @Test("a component that contains itself is a placeholder there, and its siblings stay")
  func cycle() {
    let page = Page().push(update(column("root", "a", "root", "b"), column("a", "b", "a"), label("b")), begin())
    #expect(page.outline == "root(a(b a!) root! b)")
  }

  @Test("the same component in several places has an id for each, which stays")
  func shared() {
    let page = Page().push(
      update(column("root", "line", "a", "line"), component("line", "Divider"), label("a")), begin())
    let ids = (0..<page.tree.count).map { page.tree[$0].id }
    #expect(Set(ids).count == 4)
    page.push(update(label("a"), column("root", "line", "a", "line", "a")))
    #expect((0..<4).map { page.tree[$0].id } == ids)
    #expect(page.tree.index(of: ids[3]) == 3)
    #expect(page.tree.index(of: 1) == nil)
  }

  @Test("items are found when texts have moved, and another list stands where the last one stood")
  func movedItems() {
    func tabs(_ id: String, _ titles: String...) -> String {
      let items = titles.map { #"{"title":"\#($0)","child":"t"}"# }.joined(separator: ",")
      return component(id, "Tabs", #""tabItems":[\#(items)]"#)
    }
    let (left, right) = (tabs("a", "x", "yyyy"), tabs("c", "xxxx", "y"))
    // A text that leaves as much room as one of them takes with its id.
    let definition = left.utf8.count - component("a", "Tabs").utf8.count + #"{"Tabs":{}}"#.utf8.count
    let wanted = TextArena.cost(1) + TextArena.cost(definition) - TextArena.cost(#"{"Text":{"text":""}}"#.utf8.count)
    let text = String(repeating: "x", count: wanted)
    let page = Page().push(
      update(component("g", "Text", #""text":"\#(text)""#), left, right, column("root", "a", "c"), label("t")), begin())
    page.push(update(component("g", "Text", #""text":"""#)))
    let (first, second) = (page.index("a")!, page.index("c")!)
    #expect(page.item(first, "tabItems", 1, "title") == "yyyy")
    page.store.compact()
    #expect(page.item(second, "tabItems", 1, "title") == "y")
  }

  @Test("tabs and modals keep the places of children that are not defined")
  func places() {
    let page = Page().push(
      update(
        column("root", "tabs", "modal"),
        component(
          "tabs", "Tabs",
          #""tabItems":[{"title":{"literalString":"A"},"child":"none"},{"title":"B","child":"b"},{"title":{"path":"/t"}}]"#
        ),
        component("modal", "Modal", #""entryPointChild":"none","contentChild":"b""#), label("b")),
      data(entry("t", "C")), begin())
    #expect(page.outline == "root(tabs(? b ?) modal(? b))")
    let tabs = page.index("tabs")!
    #expect(page.tree.itemCount(tabs, "tabItems") == 3)
    let titles = (0..<4).map { page.item(tabs, "tabItems", $0, "title") }
    #expect(titles == ["A", "B", "C", nil])
  }

  @Test("an unknown type draws what it mentions underneath")
  func unknown() {
    let page = Page().push(
      update(
        column("root", "x", "y", "z"),
        component("x", "Carousel", #""child":"a","children":{"explicitList":["b"]}"#),
        #"{"id":"y","component":{"Text":{},"Icon":{}}}"#, #"{"id":"z","component":7}"#,
        label("a"), label("b")),
      begin())
    #expect(page.outline == "root(x(a b) y z)")
    #expect(page.typeName("x") == "Carousel")
    #expect(page.typeName("y") == "")
    for id in ["x", "y", "z"] { #expect(page.tree[page.index(id)!].type == .unknown) }
    #expect(page.warnings.count == 3)
  }

  @Test("a card takes children, a column a child, and lists of ids come bare")
  func liberalChildren() {
    let page = Page().push(
      update(
        component("root", "Column", #""children":["card","column"]"#),
        component("card", "Card", #""children":{"explicitList":["a","b"]}"#),
        component("column", "Column", #""child":"a""#), label("a"), label("b")),
      begin())
    #expect(page.outline == "root(card(a b) column(a))")
  }

  @Test("any type may be the root, and a weight is kept")
  func root() {
    let page = Page().push(
      #"{"surfaceUpdate":{"surfaceId":"main","components":[{"id":"r","weight":2.5,"component":{"Icon":{"name":"home"}}}]}}"#,
      begin("r"))
    #expect(page.tree[0].type == .icon)
    #expect(page.tree[0].weight == 2.5)
    #expect(page.tree[0].parent == nil)
    #expect(page.string("r", "name") == "home")
  }

  @Test(
    "every type of the catalog stands in a tree, and of what it lacks is told",
    arguments: ComponentType.allCases.dropLast())
  func bare(type: ComponentType) {
    let page = Page().push(update(component("root", "\(type.name)")), begin())
    #expect(page.tree[0].type == type)
    #expect(page.tree[0].kind == .component)
    #expect(page.warnings.isEmpty == (type == .divider))
    for name: StaticString in ["text", "value", "children", "label"] { #expect(page.string("root", name) == nil) }
    #expect(page.tree.itemCount(0, "options") == 0)
    #expect(page.tree.selectionCount(0) == 0)
    #expect(page.tree.count == (type == .modal ? 3 : 1))
  }

  @Test("parents, children and siblings lead everywhere")
  func links() {
    let page = Page().push(
      update(column("root", "a", "b"), column("a", "c"), label("b"), label("c")), begin())
    let tree = page.tree
    #expect(tree[0].firstChild == 1)
    #expect(tree[1].firstChild == 2)
    #expect(tree[1].nextSibling == 3)
    #expect(tree[2].parent == 1)
    #expect(tree[3].nextSibling == nil)
  }
}
