import Codec
import Locales
import Runtime
import TestSupport
import Testing

@testable import A2UI

/// `create(theme: ...)`, `flat("a", "Text", #""text":"x""#)`, `put(#"{"a":1}"#, at: "/x")`: messages of v0.9.
func create(_ surface: String = "main", theme: String? = nil) -> String {
  let theme = theme.map { #","theme":\#($0)"# } ?? ""
  return #"{"version":"v0.9","createSurface":{"surfaceId":"\#(surface)","catalogId":"c"\#(theme)}}"#
}

func flat(_ id: String, _ type: String, _ properties: String = "") -> String {
  #"{"id":"\#(id)","component":"\#(type)"\#(properties.isEmpty ? "" : ",")\#(properties)}"#
}

func define(_ components: String..., surface: String = "main") -> String {
  #"{"version":"v0.9","updateComponents":{"surfaceId":"\#(surface)","components":[\#(components.joined(separator: ","))]}}"#
}

func put(_ value: String?, at path: String? = nil, surface: String = "main") -> String {
  let place = path.map { #","path":"\#($0)""# } ?? ""
  let value = value.map { #","value":\#($0)"# } ?? ""
  return #"{"version":"v0.9","updateDataModel":{"surfaceId":"\#(surface)"\#(place)\#(value)}}"#
}

@Suite("A2UI v0.9")
struct NewVersionTests {
  @Test("a surface is created, its components stand flat, and its root is root")
  func surface() {
    let page = Page().push(
      create(theme: ##"{"primaryColor":"#112233"}"##),
      define(
        flat("root", "Column", #""children":["a","b"],"justify":"center","align":"end""#),
        flat("a", "Text", #""text":"Hello","variant":"h2""#), flat("b", "Image", #""url":"u","fit":"scaleDown""#)))
    #expect(page.outline == "root(a b)" && page.warnings.isEmpty)
    #expect(page.string("a") == "Hello")
    #expect(page.tree.word(1, "usageHint", otherwise: TextUsage.body) == .h2)
    #expect(page.tree.word(0, "distribution", otherwise: Distribution.start) == .center)
    #expect(page.tree.word(0, "alignment", otherwise: Alignment.stretch) == .end)
    #expect(page.tree.word(2, "fit", otherwise: ImageFit.fill) == .scaleDown)
    #expect(page.typeName("b") == "Image")
  }

  @Test("components of both versions stand beside each other, and a surface that was not created is shown")
  func both() {
    let page = Page().push(
      define(flat("root", "Row", #""children":["a","b"]"#), flat("a", "Text", #""text":"new""#)),
      update(component("b", "Text", #""text":{"literalString":"old"}"#)))
    #expect(page.outline == "root(a b)" && page.string("a") == "new" && page.string("b") == "old")
    #expect(page.warnings == [#"line 1: the surface was not created, so its root is "root""#])
    page.push(#"{"deleteSurface":{"surfaceId":"main"}}"#)
    #expect(page.store.count == 0)
  }

  @Test("the old names that drafts had are read as well")
  func drafts() {
    let page = Page().push(
      create(), define(flat("root", "Text", #""text":"x","usageHint":"h1""#)))
    #expect(page.tree.word(0, "usageHint", otherwise: TextUsage.body) == .h1)
  }

  @Test("data is plain JSON, replaced, added and removed at its path")
  func data() {
    let page = Page().push(create(), put(#"{"user":{"name":"Ann"},"list":[1,2]}"#))
    #expect(page.model() == #"{"user":{"name":"Ann"},"list":[1,2]}"#)
    page.push(put(#""Bob""#, at: "/user/name"), put("3", at: "/list/2"), put(#"{"a":true}"#, at: "/new/deep"))
    #expect(page.model() == #"{"user":{"name":"Bob"},"list":[1,2,3],"new":{"deep":{"a":true}}}"#)
    page.push(put(nil, at: "/user/name"), put("null", at: "/new"))
    #expect(page.model() == #"{"user":{},"list":[1,2,3],"new":null}"#)
    // What is not there is no new value, and elements of a list keep their places.
    page.push(put(nil, at: "/absent/deep"), put(nil, at: "/list/1"))
    #expect(page.model() == #"{"user":{},"list":[1,null,3],"new":null}"#)
    page.push(put(nil))
    #expect(page.model() == "{}")
    #expect(!page.push(put(nil)).summary.hasChanged)
  }

  @Test("data under the name of the other version are read, with a warning, and delete nothing")
  func otherData() {
    let page = Page().push(create(), put(#"{"user":{"name":"Ann"}}"#))
    page.push(
      #"{"version":"v0.9","updateDataModel":{"surfaceId":"main","path":"/user","contents":[\#(entry("age", 7))]}}"#)
    #expect(page.model() == #"{"user":{"name":"Ann","age":7}}"#)
    #expect(page.warnings == [#"line 1: the message has "contents" for its data, as another version has"#])
    page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/user","value":{"name":"Bob"}}}"#)
    #expect(page.model() == #"{"user":{"name":"Bob"}}"#)
    #expect(page.warnings == [#"line 1: the message has "value" for its data, as another version has"#])
    page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"/user","contents":{"name":"Eve"},"value":1}}"#)
    #expect(page.model() == #"{"user":{"name":"Eve"}}"#)
    #expect(page.warnings == [#"line 1: the message has "value" of another version, which is not read"#])
  }

  @Test("a surface that is created twice keeps what it has, and that is told")
  func createdTwice() {
    let page = Page().push(create(), define(flat("root", "Text", #""text":{"path":"/a"}"#)), put(#"{"a":"x"}"#))
    #expect(page.warnings == [])
    page.push(create())
    #expect(page.string("root") == "x")
    #expect(
      page.warnings == [#"line 1: surface "main" is there already: what is not sent again stays as it is"#])
    page.push(#"{"deleteSurface":{"surfaceId":"main"}}"#, create())
    #expect(page.warnings == [] && page.outline == "")
    let both = create("s", theme: "{}").replacing(#""theme""#, with: #""surfaceProperties":{},"theme""#)
    #expect(
      page.push(both).warnings
        == [#"line 1: createSurface has "surfaceProperties" beside "theme", which are not read"#])
  }

  @Test("what cannot be data is told and changes nothing")
  func refusedData() {
    let page = Page().push(create(), put(#"{"a":[1]}"#))
    let before = page.model()
    page.push(put("7"), put("1", at: "/a/5"), #"{"updateDataModel":{"surfaceId":"main","path":7,"value":1}}"#)
    #expect(page.warnings.count == 3 && page.model() == before)
    let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
    page.push(put(#"{"x":\#(deep)}"#))
    #expect(page.model().hasPrefix(#"{"x":[[["#) && page.store.warnings.stopped == 1)
  }

  @Test("a template stands where its children do; its paths are relative, and absolute ones begin at the root")
  func template() {
    let page = Page().push(
      create(),
      define(
        flat("root", "List", #""children":{"componentId":"item","path":"/people"}"#),
        flat("item", "Text", #""text":{"path":"name"}"#)),
      put(#"{"name":"root's","people":[{"name":"Ann"},{"name":"Bob"}]}"#))
    #expect(page.outline == "root(item:0 item:1)")
    #expect(page.string("item:0") == "Ann" && page.string("item:1") == "Bob")
    page.push(define(flat("item", "Text", #""text":{"path":"/name"}"#)))
    #expect(page.string("item:1") == "root's")
  }

  @Test("what is entered goes to the path, also to one that begins at the root inside a template")
  func entered() throws {
    let page = Page().push(
      create(),
      define(
        flat("root", "Column", #""children":{"componentId":"field","path":"/rows"}"#),
        flat("field", "TextField", #""label":"l","value":{"path":"/shared"},"variant":"obscured""#)),
      put(#"{"rows":[{},{}]}"#))
    let index = try #require(page.index("field:1"))
    #expect(page.tree.isObscured(index) && page.enter(index, "secret"))
    #expect(page.model() == #"{"rows":[{},{}],"shared":"secret"}"#)
    page.update()
    #expect(page.dump.contains(#""shared":"[redacted]""#))
  }

  @Test("a button tells its event with its context; its variant says how it looks")
  func event() throws {
    let page = Page().push(
      create(),
      define(
        flat(
          "root", "Button",
          #""child":"t","variant":"primary","action":{"event":{"name":"go","context":{"a":{"path":"/a"},"b":2}}}"#),
        flat("t", "Text", #""text":"Go""#)), put(#"{"a":"x"}"#))
    #expect(page.tree.hasAction(0) && page.tree.buttonVariant(0) == .primary)
    let line = json {
      _ = page.tree.writeAction(0, id: "".utf8.span, at: 0, sendsObscured: false, into: &$0)
    }
    #expect(line.contains(#""name":"go""#) && line.contains(#""context":{"a":"x","b":2}"#))
    page.push(define(flat("root", "Button", #""child":"t","variant":"borderless","action":{"functionCall":{}}"#)))
    #expect(!page.tree.hasAction(0) && page.tree.buttonVariant(0) == .borderless)
  }

  @Test("choices, tabs, modals and sliders are read by their new names")
  func renamed() {
    let page = Page().push(
      create(),
      define(
        flat("root", "Column", #""children":["c","m","t","o","s"]"#),
        flat(
          "c", "ChoicePicker",
          #""options":[{"label":"A","value":"a"},{"label":"B","value":"b"}],"value":{"path":"/c"},"displayStyle":"chips""#
        ),
        flat("m", "ChoicePicker", #""variant":"multipleSelection","options":[],"value":["x"]"#),
        flat("t", "Tabs", #""tabs":[{"title":"One","child":"x"}]"#),
        flat("o", "Modal", #""trigger":"x","content":"y""#),
        flat("s", "Slider", #""min":2,"max":5,"value":3"#), flat("x", "Text", #""text":"x""#),
        flat("y", "Text", #""text":"y""#)),
      put(#"{"c":["b"]}"#))
    let (choice, many) = (page.index("c")!, page.index("m")!)
    #expect(page.tree.mostSelections(choice) == 1 && page.tree.mostSelections(many) == .max)
    #expect(page.tree.isSelected(choice, option: 1) && !page.tree.isSelected(choice, option: 0))
    #expect(page.tree.word(choice, "variant", otherwise: ChoiceVariant.checkbox) == .chips)
    #expect(page.tree.word(many, "variant", otherwise: ChoiceVariant.checkbox) == .checkbox)
    #expect(page.tree.select(choice, option: 0, true, replacing: true) && page.model() == #"{"c":["a"]}"#)
    #expect(page.item(page.index("t")!, "tabItems", 0, "title") == "One")
    #expect(page.outline.contains("o(x y)") || page.outline.contains("o(x"))
    #expect(page.tree.number(page.index("s")!, "minValue") == 2 && page.tree.number(page.index("s")!, "maxValue") == 5)
  }

  @Test("the dump has components as they were sent, without secrets")
  func dump() {
    let page = Page().push(
      create(), define(flat("root", "TextField", #""label":"l","variant":"obscured","value":"secret","weight":2"#)))
    #expect(
      page.dump.contains(
        #""root":{"id":"root","component":"TextField","label":"l","variant":"obscured","value":"[redacted]","weight":2}"#
      ))
  }

  @Test("any keys are removed in any order, and those that stay are found")
  func removal() {
    let page = Page().push(create())
    var names = (0..<300).map { "key\($0 * 7919 % 1009)" }
    page.push(put("{" + names.map { #""\#($0)":1"# }.joined(separator: ",") + "}"))
    var state: UInt32 = 7
    while !names.isEmpty {
      state = state &* 1_664_525 &+ 1_013_904_223
      page.push(put(nil, at: "/" + names.remove(at: Int(state >> 8) % names.count)))
      guard names.count % 37 == 0 else { continue }
      for name in names { page.push(put("2", at: "/" + name)) }
      #expect(page.model() == "{" + names.map { #""\#($0)":2"# }.joined(separator: ",") + "}")
    }
    #expect(page.model() == "{}" && page.warnings.isEmpty)
  }

  @Test("an action takes the data model with it where the surface wants that, as much as fits")
  func sentData() {
    func line(_ surface: String, _ model: String) -> String {
      let page = Page().push(
        #"{"version":"v0.9","createSurface":{"surfaceId":"main","catalogId":"c"\#(surface)}}"#,
        define(
          flat("root", "Column", #""children":["b","f"]"#),
          flat("b", "Button", #""child":"t","action":{"event":{"name":"go"}}"#), flat("t", "Text", #""text":"Go""#),
          flat("f", "TextField", #""label":"l","variant":"obscured","value":{"path":"/secret"}"#)), put(model))
      return written {
        let tags = ActionTags(session: "main".utf8.span, host: "pi".utf8.span, instance: "i".utf8.span)
        _ = page.tree.writeLine(page.index("b")!, tags, sendsObscured: false, into: &$0)
      }
    }
    let model = #"{"a":1,"secret":"x"}"#
    #expect(!line("", model).contains("data="))
    #expect(line(#","sendDataModel":true"#, model).hasSuffix(#" data={"a":1} default=update_canvas"#))
    #expect(!line(#","sendDataModel":false"#, model).contains("data="))
    let long = #"{"a":"\#(String(repeating: "x", count: Budget.a2uiActionCharacters))"}"#
    #expect(line(#","sendDataModel":true"#, long).hasSuffix(" default=update_canvas"))
    #expect(!line(#","sendDataModel":true"#, long).contains("data="))
  }

  @Test("a button opens an address, which may be made of data; other functions do nothing")
  func openUrl() {
    func opened(_ action: String) -> String? {
      let page = Page().push(
        create(),
        define(flat("root", "Button", #""child":"t","action":\#(action)"#), flat("t", "Text", #""text":"x""#)),
        put(#"{"id":7}"#))
      #expect(!page.tree.hasAction(0))
      guard let address = page.tree.openedAddress(0) else { return nil }
      return string(address)
    }
    #expect(
      opened(#"{"functionCall":{"call":"openUrl","args":{"url":"https://a.example/"}}}"#) == "https://a.example/")
    let made = #"{"call":"formatString","args":{"value":"https://a.example/${/id}"}}"#
    #expect(opened(#"{"functionCall":{"call":"openUrl","args":{"url":\#(made)}}}"#) == "https://a.example/7")
    #expect(opened(#"{"functionCall":{"call":"now"}}"#) == nil && opened("{}") == nil && opened("7") == nil)
    #expect(opened(#"{"functionCall":{"call":"openUrl","args":{"url":""}}}"#) == nil)
  }

  @Test("what is not known is told: functions, and parts of a theme")
  func unknown() {
    let page = Page().push(
      create(theme: ##"{"primaryColor":"#112233","agentDisplayName":"Bot"}"##),
      define(
        flat("root", "Text", #""text":{"call":"formatString","args":{"value":{"call":"shout","args":{}}}}"#)))
    #expect(
      page.warnings == [
        #"line 1: style "agentDisplayName" is not used: only primaryColor is, as #RRGGBB"#,
        #"line 2: function "shout" is not known, so what it gives is left out"#,
      ])
  }

  @Test("an icon may have a path of its own, which is drawn as a picture")
  func icons() {
    func address(_ name: String, color: UInt32 = 0x102030) -> String? {
      let page = Page().push(create(), define(flat("root", "Icon", #""name":\#(name)"#)))
      guard let address = page.tree.iconAddress(0, color: color) else { return nil }
      return string(address)
    }
    #expect(
      address(#"{"svgPath":"M1 2L3,4Z"}"#)
        == "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath "
        + "fill='rgb(16,32,48)' d='M1%202L3,4Z'/%3E%3C/svg%3E")
    #expect(address(#""home""#) == nil && address(#"{"svgPath":"M1'/><script>"}"#) == nil)
    #expect(address(#"{"path":"M1 2L3,4Z"}"#) == address(#"{"svgPath":"M1 2L3,4Z"}"#))
    #expect(address(#"{"path":"/menu"}"#) == nil)
    let most = String(repeating: "z", count: Budget.a2uiIconBytes)
    #expect(address(#"{"svgPath":"\#(most)"}"#) != nil && address(#"{"svgPath":"\#(most)z"}"#) == nil)
  }

  @Test("a field of dates has what it says; nothing said is both in either version")
  func dates() {
    func has(_ more: String) -> (Bool, Bool) {
      let page = Page().push(create(), define(flat("root", "DateTimeInput", #""value":"""# + more)))
      return (page.tree.entersDate(0), page.tree.entersTime(0))
    }
    #expect(has(#","enableDate":true"#) == (true, false) && has(#","enableTime":true"#) == (false, true))
    #expect(has("") == (true, true) && has(#","enableDate":true,"enableTime":true"#) == (true, true))
    let old = Page().push(
      update(component("a", "DateTimeInput", #""enableTime":{"literalBoolean":false}"#)), begin("a"))
    #expect(old.tree.entersDate(0) && !old.tree.entersTime(0))
  }

  @Test("another version is refused by its name", arguments: ["v0.11", "1.1", "v0.91", "v1", "v0.101", "v2.0"])
  func otherVersion(version: String) {
    let page = Page()
    #expect(
      page.refusal(#"{"version":"\#(version)","createSurface":{"surfaceId":"main"}}"#)
        == "INVALID_A2UI_JSONL: line 1: A2UI \(version) is not supported here, send v0.8, v0.9, v0.10 or v1.0")
  }
}
