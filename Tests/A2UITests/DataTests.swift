import Testing

@testable import A2UI

@Suite("Data models")
struct DataTests {
  private let nested =
    #"{"key":"m","valueMap":[{"key":"n","valueMap":[{"key":"o","valueMap":[{"key":"p","valueBoolean":true}]}]}]}"#

  @Test("strings, numbers, booleans and maps in order")
  func types() {
    let page = Page().push(data(entry("b", "x"), entry("a", 1.5), #"{"key":"c","valueBoolean":false}"#, nested))
    #expect(page.model() == #"{"b":"x","a":1.5,"c":false,"m":{"n":{"o":{"p":true}}}}"#)
  }

  @Test("an update without a path, at an empty one and at / replaces the model", arguments: [nil, "", "/"])
  func replace(path: String?) {
    let page = Page().push(data(entry("a", "1"), entry("b", "2")))
    page.push(data(entry("b", "3"), at: path))
    #expect(page.model() == #"{"b":"3"}"#)
  }

  @Test("an update below the root overwrites the named keys whole, and siblings stay", arguments: ["/u", "u", "u/"])
  func merge(path: String) {
    let page = Page().push(data(entry("u", map: entry("a", "1"), entry("b", map: entry("c", "2"))), entry("z", "9")))
    page.push(data(entry("b", map: entry("d", "3")), entry("e", "4"), at: path))
    #expect(page.model() == #"{"u":{"a":"1","b":{"d":"3"},"e":"4"},"z":"9"}"#)
  }

  @Test("a path makes maps on its way")
  func makes() {
    let page = Page().push(data(entry("c", "1"), at: "/a/b"), data(entry("d", "2"), at: "a"))
    #expect(page.model() == #"{"a":{"b":{"c":"1"},"d":"2"}}"#)
  }

  @Test("keys with dots and brackets are paths")
  func dotted() {
    let page = Page().push(data(entry("chart.items[0].label", "x"), entry("chart.items[0].value", 3)))
    #expect(page.model() == #"{"chart":{"items":{"0":{"label":"x","value":3}}}}"#)
    page.push(data(entry("items[0].label", "y"), at: "/chart"))
    #expect(page.model() == #"{"chart":{"items":{"0":{"label":"y","value":3}}}}"#)
  }

  @Test("the key . stores the value at the path itself")
  func dot() {
    let page = Page().push(data(entry("a", "1")), data(entry(".", "hello"), at: "/messages/123"))
    #expect(page.model() == #"{"a":"1","messages":{"123":"hello"}}"#)
  }

  @Test(
    "a key that names no child is passed over, and what stands beside it stays",
    arguments: ["", "/", "//", "[]", ".."])
  func noKey(key: String) {
    let page = Page().push(data(entry("a", "1")), data(entry("b", "2"), entry(key, "x"), entry("c", "3")))
    #expect(page.model() == #"{"b":"2","c":"3"}"# && page.warnings == ["line 2: an entry without a key or value"])
    page.push(data(entry("m", map: entry("b", "2"), entry(key, "x"), entry("c", "3"))))
    #expect(page.model() == #"{"m":{"b":"2","c":"3"}}"#)
    page.push(data(entry(key, "x"), at: "/m"))
    #expect(page.model() == #"{"m":{"b":"2","c":"3"}}"#)
    #expect(page.warnings == ["line 1: an entry without a key or value"])
  }

  @Test("the whole model stays a map, whoever writes a text in its place")
  func wholeModel() {
    let page = Page().push(data(entry("a", "1")), data(entry(".", "x")))
    #expect(page.model() == #"{"a":"1"}"# && page.warnings.count == 1)
    page.push(data(#"{"key":".","valueMap":[{"key":"b","valueString":"2"}]}"#))
    #expect(page.model() == #"{"b":"2"}"# && page.warnings == [])
    for path in ["/", "", ".", "/."] {
      page.push(update(component("root", "TextField", #""label":"l","text":{"path":"\#(path)"}"#)), begin())
      #expect(!page.enter(0, "x") && page.model() == #"{"b":"2"}"#, "\(path)")
    }
    // The value of an element is a place, and one that is null is, too.
    page.push(
      update(list("root", of: "f", at: "/l"), component("f", "TextField", #""label":"l","text":{"path":"."}"#)),
      #"{"dataModelUpdate":{"surfaceId":"main","contents":{"l":["a",null]}}}"#)
    #expect(page.enter(page.index("f:0")!, "x") && page.model() == #"{"l":["x",null]}"#)
    page.update()
    #expect(page.enter(page.index("f:1")!, "y") && page.model() == #"{"l":["x","y"]}"#)
  }

  @Test("lists come as valueArray and as plain JSON")
  func arrays() {
    let page = Page().push(
      data(
        #"{"key":"a","valueArray":[{"valueString":"x"},{"valueNumber":2},{"valueMap":[{"key":"k","valueString":"v"}]},7]}"#
      ),
      #"{"dataModelUpdate":{"surfaceId":"main","path":"/p","contents":{"x.y":[1,"2",{"z":null}],"q":true}}}"#)
    #expect(page.model() == #"{"a":["x",2,{"k":"v"},7],"p":{"x.y":[1,"2",{"z":null}],"q":true}}"#)
    page.push(data(entry("1", "second"), at: "/a"))
    #expect(page.model().hasPrefix(#"{"a":["x","second","#))
  }

  @Test("an empty map is a map, and absent entries are reported")
  func empty() {
    let page = Page().push(data(#"{"key":"a","valueMap":[]}"#, #"{"valueString":"x"}"#, #"{"key":"b"}"#))
    #expect(page.model().hasPrefix(#"{"a":{}"#))
    #expect(page.warnings.count == 2)
    page.push(
      data(
        #"{"key":"m","valueMap":[{"valueString":"x"},{"key":"k"},{"key":1,"valueNumber":2},{"key":"n","valueNumber":3}]}"#
      ))
    #expect(page.warnings == Array(repeating: "line 1: an entry without a key or value", count: 3))
  }

  @Test("a string that looks like JSON shows as it is, and can be stepped into")
  func json() {
    let page = Page().push(
      update(
        column("root", "whole", "part", "list"), bound("whole", "/j"), bound("part", "/j/a/1"),
        list("list", of: "item", at: "/l"), bound("item", ".")),
      data(entry("j", #"{\"a\": [1, 2]}"#), entry("l", #" [\"x\",\"y\"]"#)), begin())
    #expect(page.string("whole") == #"{"a": [1, 2]}"#)
    #expect(page.string("part") == "2")
    #expect(page.outline == "root(whole part list(item:0 item:1))")
    #expect(page.string("item:1") == "y")
    page.push(data(entry("b", "3"), at: "/j"))
    #expect(page.model().hasPrefix(#"{"j":{"a":[1,2],"b":"3"}"#))
  }

  @Test("what only looks like JSON stays a string")
  func almostJSON() {
    let page = Page().push(
      update(column("root", "a", "b"), bound("a", "/x"), bound("b", "/x/y")), data(entry("x", "{not json}")), begin())
    #expect(page.string("a") == "{not json}")
    #expect(page.string("b") == nil)
  }

  @Test("an update that says what is there changes nothing")
  func same() {
    let page = Page().push(data(entry("a", map: entry("b", "1"), entry("c", 2))), begin())
    let revision = page.store.revision
    page.push(data(entry("a", map: entry("b", "1"), entry("c", 2))), data(entry("b", "1"), at: "/a"), begin())
    #expect(page.store.revision == revision)
    #expect(!page.summary.hasChanged)
    page.push(data(entry("b", "2"), at: "/a"))
    #expect(page.store.revision > revision)
    #expect(page.summary.hasChanged)
  }

  @Test("what a freed model held is used again")
  func memory() {
    let page = Page()
    for round in 0..<200 {
      page.push(data(entry("a", String(repeating: "x", count: 30_000)), entry("r", Double(round))))
    }
    #expect(page.store.data.count < 10)
    page.push(#"{"deleteSurface":{"surfaceId":"main"}}"#)
    #expect(page.store.data.count == 0)
    #expect(page.store.data.texts.end == 0)
  }
}
