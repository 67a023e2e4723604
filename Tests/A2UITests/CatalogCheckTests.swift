import Runtime
import Testing

@testable import A2UI

/// What is read is not told to be wrong, and what is told is so.
@Suite("Checks by the catalogs")
struct CatalogCheckTests {
  private func old(_ type: String, _ properties: String) -> [String] {
    Page().push(update(component("root", type, properties), label("a"), label("b")), begin()).warnings
  }

  private func new(_ type: String, _ properties: String) -> [String] {
    Page().push(
      create(),
      define(
        flat("root", type, properties), flat("a", "Text", #""text":"x""#), flat("b", "Text", #""text":"y""#))
    ).warnings
  }

  // MARK: What is right

  @Test(
    "members of v0.8 that are read beside its catalog",
    arguments: [
      ("TextField", #""label":"l","placeholder":"p""#), ("Slider", #""value":3,"steps":5,"label":"l""#),
      ("Button", #""child":"a","action":{"name":"go"},"variant":"borderless""#),
      ("MultipleChoice", #""options":[],"selections":{"path":"/c"},"type":"checkbox","filterable":true"#),
      ("DateTimeInput", #""value":{"path":"/d"},"label":"l","min":"2026-01-01""#),
    ])
  func oldMembers(type: String, properties: String) { #expect(old(type, properties) == []) }

  @Test(
    "members of v0.9 by the names of v0.8 that drafts had",
    arguments: [
      ("Modal", #""entryPointChild":"a","contentChild":"b""#), ("Slider", #""value":3,"minValue":1,"maxValue":5"#),
      ("Tabs", #""tabItems":[{"title":"T","child":"a"}]"#), ("Row", #""children":["a"],"distribution":"center""#),
    ])
  func drafts(type: String, properties: String) { #expect(new(type, properties) == []) }

  @Test(
    "values of a context as they are sent",
    arguments: [
      #"{"a":["x",1,true]}"#, #"{"a":[{"path":"/x"},{"call":"now"}]}"#, #"{"a":[{"literalString":"x"}]}"#,
      #"{"call":"help","path":"/x","args":"y","a":{"path":"/b"}}"#, #"{"a":{"not":{"path":"/x"}},"b":[]}"#,
    ])
  func context(json: String) {
    #expect(new("Button", #""child":"a","action":{"event":{"name":"go","context":\#(json)}}"#) == [])
  }

  @Test("catalogs and metadata of v1.0 stand where they may", arguments: ["v0.10", "v1.0"])
  func later(version: String) {
    let components = [
      #"{"id":"root","component":"Column","catalogId":"c","metadata":{"call":"x","from":[1]},"#
        + #""children":{"componentId":"t","path":"/rows","catalogId":"c","metadata":{}}}"#,
      #"{"id":"t","component":"Text","text":{"call":"capitalize","catalogId":"c","args":{"value":{"path":"n"}}}}"#,
      #"{"id":"f","component":"TextField","label":"l","value":{"path":"/f"},"checks":[{"condition":{"call":"required","#
        + #""catalogId":"c","args":{"value":{"path":"/f"}}},"message":"m"}]}"#,
    ].joined(separator: ",")
    let page = Page().push(
      #"{"version":"\#(version)","createSurface":{"surfaceId":"main","catalogId":"c","metadata":{"x":1}}}"#,
      #"{"version":"\#(version)","updateComponents":{"surfaceId":"main","components":[\#(components)]}}"#,
      #"{"version":"\#(version)","updateDataModel":{"surfaceId":"main","value":{"rows":[{"n":"ann"}],"f":"x"}}}"#)
    #expect(page.warnings == [] && page.outline == "root(t:0)")
  }

  @Test("booleans that agents write as texts and numbers are read, bound and literal; others are told")
  func booleans() {
    for (value, isOn) in [
      ("true", true), ("1", true), (#""true""#, true), (#""True""#, true), (#""FALSE""#, false), ("0", false),
      (#""yes""#, nil), ("2", nil), ("\"\"", nil),
    ] as [(String, Bool?)] {
      let literal = Page().push(create(), define(flat("root", "CheckBox", #""label":"l","value":\#(value)"#)))
      #expect(literal.tree.bool(0, "value") == isOn, "\(value)")
      #expect(literal.warnings == (isOn == nil ? [#"line 2: component "root" has a "value" that cannot be read"#] : []))
      let bound = Page().push(
        create(), define(flat("root", "CheckBox", #""label":"l","value":{"path":"/on"}"#)), put(#"{"on":\#(value)}"#))
      #expect(bound.tree.bool(0, "value") == isOn, "\(value)")
    }
  }

  // MARK: What is wrong

  @Test("a child for children, and children for a child, are drawn and told for what they are")
  func standIns() {
    func told(_ name: String) -> String {
      #"component "root" has "\#(name)" for its content, which the catalog names otherwise"#
    }
    for type in ["Row", "Column", "List"] {
      #expect(old(type, #""child":"a""#) == ["line 1: \(told("child"))"])
      #expect(new(type, #""child":"a""#) == ["line 2: \(told("child"))"])
    }
    #expect(old("Card", #""children":{"explicitList":["a"]}"#) == ["line 1: \(told("children"))"])
    #expect(new("Card", #""children":["a","b"]"#) == ["line 2: \(told("children"))"])
    let both = new("Card", #""child":"a","children":["b"]"#)
    #expect(both == [#"line 2: component "root" has "children", which is not read"#])
    #expect(new("Card", "") == [#"line 2: component "root" has no "child", which it needs"#])
    let page = Page().push(update(component("root", "Card", #""children":["a","b"]"#), label("a"), label("b")), begin())
    #expect(page.outline == "root(a b)")
  }

  @Test("what is sent as null from a context is told")
  func wrongContext() {
    for json in [#"{"a":[{"x":1}]}"#, #"{"a":{"catalogId":"c"}}"#, #"{"a":{"returnType":"string"}}"#] {
      let warnings = new("Button", #""child":"a","action":{"event":{"name":"go","context":\#(json)}}"#)
      #expect(warnings.contains { $0.hasSuffix(#"has a "a" that cannot be read"#) }, "\(json): \(warnings)")
    }
  }

  @Test("a member that stands twice is told, in messages, components and what is in them; the last one counts")
  func twice() {
    let sentence = #"more than once, the last one counts"#
    #expect(old("Text", #""text":"x","text":"y""#) == [#"line 1: component "root" has "text" \#(sentence)"#])
    #expect(new("Text", #""text":"x","text":"y""#) == [#"line 2: component "root" has "text" \#(sentence)"#])
    #expect(
      new("Column", #""children":["a"],"weight":1,"children":["b"],"weight":2,"children":["a","b"]"#)
        == ["children", "weight", "children"].map { #"line 2: component "root" has "\#($0)" \#(sentence)"# })
    #expect(
      new("ChoicePicker", #""value":[],"options":[{"label":"A","label":"B","value":"a"}]"#)
        == [#"line 2: component "root" has "label" \#(sentence)"#])
    let page = Page().push(
      #"{"surfaceUpdate":{"surfaceId":"main","components":[\#(label("x"))],"components":[\#(label("root"))]}}"#,
      begin())
    #expect(page.outline == "root" && page.warnings == [#"line 1: surfaceUpdate has "components" \#(sentence)"#])
  }

  @Test("checks beyond those that are made are told with how many are")
  func many() {
    func warnings(_ count: Int) -> [String] {
      let checks = Array(repeating: #"{"condition":true,"message":"m"}"#, count: count).joined(separator: ",")
      return new("TextField", #""label":"l","value":{"path":"/v"},"checks":[\#(checks)]"#)
    }
    #expect(warnings(Budget.a2uiChecks) == [])
    #expect(
      warnings(Budget.a2uiChecks + 1) == [#"line 2: component "root" has more "checks" than are read: 16"#])
  }
}
