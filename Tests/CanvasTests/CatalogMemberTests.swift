import Runtime
import Testing

@testable import A2UI
@testable import Canvas
@testable import Graphics

/// Each member of both catalogs (canvas reference 1.8; the basic catalog of v0.9 and v0.10): it changes the picture, or
/// what an agent pushed it for is told.
@Suite("Members of the catalogs")
struct CatalogMemberTests {
  /// A member with a value, and what stands there without it.
  struct Member: CustomTestStringConvertible, Sendable {
    var type: String
    var isFlat: Bool
    var name: String
    var value: String
    /// Its other value; empty: it is left out.
    var other = ""
    /// The members that the type needs besides.
    var base = ""

    var testDescription: String { "\(isFlat ? "v0.9" : "v0.8") \(type).\(name)" }
  }

  private static func old(_ type: String, _ base: String, _ members: [(String, String, String)]) -> [Member] {
    members.map { Member(type: type, isFlat: false, name: $0.0, value: $0.1, other: $0.2, base: base) }
  }

  private static func new(_ type: String, _ base: String, _ members: [(String, String, String)]) -> [Member] {
    members.map { Member(type: type, isFlat: true, name: $0.0, value: $0.1, other: $0.2, base: base) }
  }

  private static let text = #"{"literalString":"word"}"#
  private static let options = #"[{"label":"One","value":"1"},{"label":"Two","value":"2"}]"#
  private static let kids = #"["a","b"]"#

  static let members: [Member] = {
    var all: [Member] = []
    all += old("Text", "", [("text", text, "")])
    all += old("Text", #""text":"x""#, [("usageHint", #""h1""#, "")])
    all += old("Image", "", [("url", text, "")])
    all += old("Image", #""url":"http://x/y""#, [("altText", text, ""), ("usageHint", #""header""#, "")])
    all += old("Icon", "", [("name", #""home""#, "")])
    all += old("Video", "", [("url", text, "")])
    all += old("AudioPlayer", "", [("url", text, "")])
    all += old("AudioPlayer", #""url":"http://x/y""#, [("description", text, "")])
    all += old("Divider", "", [("axis", #""vertical""#, "")])
    all += old("Row", "", [("children", #"{"explicitList":\#(kids)}"#, "")])
    all += old(
      "Row", #""children":{"explicitList":["a","tall"]}"#, [("alignment", #""end""#, #""start""#)])
    all += old("Row", #""children":{"explicitList":\#(kids)}"#, [("distribution", #""end""#, "")])
    all += old(
      "Column", #""children":{"explicitList":\#(kids)}"#,
      [("distribution", #""end""#, ""), ("alignment", #""end""#, #""start""#)])
    all += old(
      "List", #""children":{"explicitList":\#(kids)}"#,
      [("direction", #""horizontal""#, ""), ("alignment", #""end""#, #""start""#)])
    all += old("Card", "", [("child", #""a""#, "")])
    all += old("Tabs", "", [("tabItems", #"[{"title":"T","child":"a"}]"#, "")])
    all += old("Modal", #""contentChild":"b""#, [("entryPointChild", #""a""#, "")])
    all += old("Modal", #""entryPointChild":"none""#, [("contentChild", #""b""#, "")])
    all += old("Button", #""action":{"name":"go"}"#, [("child", #""a""#, "")])
    all += old(
      "Button", #""child":"a","action":{"name":"go"}"#, [("primary", "true", ""), ("variant", #""borderless""#, "")])
    all += old("CheckBox", #""value":false"#, [("label", text, "")])
    all += old("CheckBox", #""label":"l""#, [("value", "true", "false")])
    all += old("TextField", "", [("label", text, "")])
    all += old(
      "TextField", #""label":"l""#,
      [("text", text, ""), ("placeholder", text, ""), ("textFieldType", #""longText""#, "")])
    all += old("TextField", #""label":"l","text":"12""#, [("validationRegexp", #""^[a-z]+$""#, "")])
    all += old("DateTimeInput", "", [("value", #""2026-03-01T10:00""#, "")])
    all += old(
      "DateTimeInput", #""value":"2026-03-01T10:00""#,
      [("enableDate", "false", ""), ("enableTime", "false", ""), ("outputFormat", #""y""#, "")])
    all += old("MultipleChoice", #""selections":{"literalArray":["1"]}"#, [("options", options, "[]")])
    all += old("MultipleChoice", #""options":\#(options)"#, [("selections", #"{"literalArray":["1"]}"#, "")])
    all += old(
      "MultipleChoice", #""options":\#(options),"selections":{"literalArray":["1"]}"#,
      [
        ("maxAllowedSelections", "1", ""), ("variant", #""chips""#, ""), ("filterable", "true", ""),
        ("label", text, ""), ("description", text, ""),
      ])
    all += old("Slider", #""maxValue":10"#, [("value", "5", "")])
    all += old("Slider", #""value":5"#, [("label", text, ""), ("minValue", "2", ""), ("maxValue", "10", "")])
    all += new("Text", #""text":"x""#, [("variant", #""h1""#, ""), ("accessibility", #"{"label":"l"}"#, "")])
    all += new("Image", #""url":"http://x/y""#, [("description", #""word""#, ""), ("variant", #""header""#, "")])
    all += new("Video", #""url":"http://x/y""#, [("posterUrl", #""http://x/z""#, "")])
    all += new("AudioPlayer", #""url":"http://x/y""#, [("description", #""word""#, "")])
    all += new("Divider", "", [("axis", #""vertical""#, "")])
    all += new(
      "Row", #""children":["a","tall"]"#, [("align", #""end""#, #""start""#)])
    all += new("Row", #""children":\#(kids)"#, [("justify", #""spaceBetween""#, "")])
    all += new("Column", #""children":\#(kids)"#, [("justify", #""end""#, ""), ("align", #""center""#, "")])
    all += new("List", #""children":\#(kids)"#, [("direction", #""horizontal""#, ""), ("align", #""center""#, "")])
    all += new("Card", "", [("child", #""a""#, "")])
    all += new("Tabs", "", [("tabs", #"[{"title":"T","child":"a"}]"#, "")])
    all += new("Modal", #""content":"b""#, [("trigger", #""a""#, "")])
    all += new("Modal", #""trigger":"none""#, [("content", #""b""#, "")])
    all += new(
      "Button", #""child":"a","action":{"event":{"name":"go"}}"#,
      [
        ("variant", #""primary""#, ""), ("variant", #""borderless""#, ""),
        ("checks", #"[{"condition":false,"message":"no"}]"#, ""),
      ])
    all += new("CheckBox", #""value":false"#, [("label", #""word""#, "")])
    all += new(
      "TextField", #""label":"l""#,
      [("value", #""v""#, ""), ("placeholder", #""word""#, ""), ("variant", #""longText""#, "")])
    all += new(
      "ChoicePicker", #""options":\#(options),"value":["1"]"#,
      [
        ("label", #""word""#, ""), ("variant", #""multipleSelection""#, ""), ("displayStyle", #""chips""#, ""),
        ("filterable", "true", ""),
      ])
    all += new("Slider", #""value":5,"max":10"#, [("label", #""word""#, ""), ("min", "2", "")])
    all += new(
      "DateTimeInput", #""value":"2026-03-01T10:00""#,
      [("label", #""word""#, ""), ("enableDate", "true", ""), ("enableTime", "true", "")])
    return all
  }()

  /// What is drawn, and what is told.
  private func shown(_ member: Member, _ value: String) throws -> (picture: String, warnings: [String]) {
    var properties = member.base
    if !value.isEmpty { properties += (properties.isEmpty ? "" : ",") + #""\#(member.name)":\#(value)"# }
    let page = try Page(800, 480)
    func component(_ id: String, _ type: String, _ properties: String) -> String {
      member.isFlat
        ? #"{"id":"\#(id)","component":"\#(type)"\#(properties.isEmpty ? "" : ",")\#(properties)}"#
        : #"{"id":"\#(id)","component":{"\#(type)":{\#(properties)}}}"#
    }
    let list = [
      component("root", member.type, properties), component("a", "Text", #""text":"first""#),
      component("b", "Text", #""text":"second and last""#),
      component("tall", "Image", #""url":"http://x/y","\#(member.isFlat ? "variant" : "usageHint")":"largeFeature""#),
    ].joined(separator: ",")
    if member.isFlat {
      try page.push(#"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}"#)
      try page.push(#"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\#(list)]}}"#)
    } else {
      try page.push(#"{"beginRendering":{"surfaceId":"s","root":"root"}}"#)
      try page.push(#"{"surfaceUpdate":{"surfaceId":"s","components":[\#(list)]}}"#)
    }
    let warnings = page.view.store.warnings
    let told = (0..<warnings.kept).map { Talk.text(warnings.line($0).span) }
    let drawn = DisplayList()
    page.view.draw(into: drawn)
    var picture = page.texts.joined(separator: "|")
    for index in 0..<drawn.count { picture += "\n\(drawn[index])" }
    return (picture, told)
  }

  @Test("a member changes what is drawn, or is told", arguments: members)
  func member(_ member: Member) throws {
    let with = try shown(member, member.value)
    let without = try shown(member, member.other)
    let isTold = with.warnings.contains { $0.contains("\"\(member.name)\"") }
    #expect(with.picture != without.picture || isTold, "\(with.warnings)")
    #expect(!isTold || with.picture == without.picture, "drawn, and told that it is not: \(with.warnings)")
  }

  @Test("every member of the tables of the catalogs stands here, but for those that are seen once somebody acts")
  func complete() {
    let acting: Set<String> = [
      "action", "checks", "validationRegexp", "min", "max", "steps", "fit", "enableDate", "enableTime", "value",
      "name", "url", "text", "children", "child", "options", "label", "weight",
      // Of a MultipleChoice of v0.8 it says what its other members say.
      "type",
    ]
    for type in ComponentType.allCases where type != .unknown {
      for isFlat in [false, true] {
        var table = CatalogMembers(CatalogTable.members(type, isFlat: isFlat))
        while let member = table.next() {
          let name = String(decoding: member.name, as: UTF8.self)
          if acting.contains(name) { continue }
          let isHere = Self.members.contains { found in
            let isOfType =
              found.type == "\(type.name)" || type == .multipleChoice && found.type == "ChoicePicker"
              || type == .column && found.type == "Row"
            return isOfType && found.name == name
          }
          #expect(isHere, "\(type.name).\(name) of \(isFlat ? "v0.9" : "v0.8")")
        }
      }
    }
  }
}

/// Rows with the same weights have the same columns.
@Suite("Columns of rows")
struct RowColumnTests {
  @Test(
    "columns of a header and of a template's rows with equal weights line up, whatever stands in them",
    arguments: [(800, 480), (480, 320), (320, 240)], [[2, 1, 1], [1, 1, 1], [1, 3, 2], [5, 1, 1]])
  func columns(size: (Int, Int), weights: [Int]) throws {
    let page = try Page(Int32(size.0), Int32(size.1))
    func cell(_ id: String, _ text: String, _ weight: Int) -> String {
      Page.component(id, #"{"Text":{"text":\#(text)}}"#, weight: "\(weight)")
    }
    func row(_ id: String, _ cells: String) -> String {
      Page.component(id, #"{"Row":{"children":{"explicitList":[\#(cells)]}}}"#)
    }
    try page.show(
      Page.column("head", "list"), row("head", #""h0","h1","h2""#), row("row", #""c0","c1","c2""#),
      Page.component("list", #"{"List":{"children":{"template":{"componentId":"row","dataBinding":"/rows"}}}}"#),
      cell("h0", #""Name""#, weights[0]), cell("h1", #""Temperature""#, weights[1]),
      cell("h2", #""State""#, weights[2]), cell("c0", #"{"path":"a"}"#, weights[0]),
      cell("c1", #"{"path":"b"}"#, weights[1]), cell("c2", #"{"path":"c"}"#, weights[2]),
      data: #"{"rows":[{"a":"x","b":"1","c":"Unavailability"},{"a":"Hydroelectricity plant","b":"21.5","c":"ok"}]}"#)
    for column in 0..<3 {
      let head = page.rect("h\(column)")
      for line in 0..<2 {
        let cell = page.rect("c\(column):\(line)")
        #expect(cell.x == head.x && cell.width == head.width, "column \(column), row \(line): \(cell) \(head)")
      }
    }
  }
}
