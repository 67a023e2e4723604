import Foundation
import Runtime
import Testing

@testable import A2UI

/// What agents get wrong: each member of a document is taken away, moved, nested and misnamed. Either somebody is told,
/// or what is shown is the same.
@Suite("Documents with one mistake")
struct MutationTests {
  /// All kinds of components and members, as lines.
  private static let documents: [String: [String]] = [
    "v0.8": old,
    "v0.9": flat("v0.9", theme: "theme", inline: false), "v0.10": flat("v0.10", theme: "theme", inline: false),
    "v1.0": flat("v1.0", theme: "surfaceProperties", inline: true),
  ]

  private static let old: [String] = [
    ##"{"beginRendering":{"surfaceId":"s","root":"root","catalogId":"c","styles":{"primaryColor":"#112233"}}}"##,
    [
      #"{"surfaceUpdate":{"surfaceId":"s","components":["#,
      #"{"id":"root","component":{"Column":{"children":{"explicitList":["t","i","n","row","list","tabs","modal","#,
      #""card","b","box","field","date","choice","slider","video","audio","line"]},"distribution":"center","#,
      #""alignment":"end"}}},"#,
      #"{"id":"t","weight":2,"component":{"Text":{"text":{"literalString":"Title"},"usageHint":"h1"}}},"#,
      #"{"id":"i","component":{"Image":{"url":{"path":"/url"},"altText":{"literalString":"alt"},"fit":"cover","#,
      #""usageHint":"icon"}}},{"id":"n","component":{"Icon":{"name":{"literalString":"home"}}}},"#,
      #"{"id":"row","component":{"Row":{"children":{"explicitList":["t"]},"alignment":"center"}}},"#,
      #"{"id":"list","component":{"List":{"children":{"template":{"componentId":"item","dataBinding":"/items"}},"#,
      #""direction":"horizontal"}}},{"id":"item","component":{"Text":{"text":{"path":"name"}}}},"#,
      #"{"id":"tabs","component":{"Tabs":{"tabItems":[{"title":{"literalString":"One"},"child":"t"}]}}},"#,
      #"{"id":"modal","component":{"Modal":{"entryPointChild":"t","contentChild":"n"}}},"#,
      #"{"id":"card","component":{"Card":{"child":"t"}}},"#,
      #"{"id":"b","component":{"Button":{"child":"t","primary":true,"action":{"name":"go","#,
      #""context":[{"key":"k","value":{"path":"/url"}}]}}}},"#,
      #"{"id":"box","component":{"CheckBox":{"label":{"literalString":"l"},"value":{"literalBoolean":true}}}},"#,
      #"{"id":"field","component":{"TextField":{"label":{"literalString":"l"},"text":{"path":"/text"},"#,
      #""textFieldType":"number","validationRegexp":"a"}}},"#,
      #"{"id":"date","component":{"DateTimeInput":{"value":{"literalString":"2026-03-01"},"enableDate":true,"#,
      #""enableTime":false}}},"#,
      #"{"id":"choice","component":{"MultipleChoice":{"selections":{"path":"/chosen"},"#,
      #""options":[{"label":{"literalString":"A"},"value":"a"}],"maxAllowedSelections":1,"variant":"chips","#,
      #""filterable":true}}},"#,
      #"{"id":"slider","component":{"Slider":{"value":{"literalNumber":3},"minValue":1,"maxValue":5}}},"#,
      #"{"id":"video","component":{"Video":{"url":{"literalString":"u"}}}},"#,
      #"{"id":"audio","component":{"AudioPlayer":{"url":{"literalString":"u"},"description":{"literalString":"d"}}}},"#,
      #"{"id":"line","component":{"Divider":{"axis":"vertical"}}}]}}"#,
    ].joined(),
    [
      #"{"dataModelUpdate":{"surfaceId":"s","path":"/","contents":[{"key":"url","valueString":"http://x/y"},"#,
      #"{"key":"text","valueNumber":4},{"key":"chosen","valueMap":[{"key":"0","valueString":"a"}]},"#,
      #"{"key":"items","valueMap":[{"key":"x","valueMap":[{"key":"name","valueString":"N"}]}]}]}}"#,
    ].joined(),
  ]

  private static func flat(_ version: String, theme: String, inline: Bool) -> [String] {
    let parts: [String] =
      [
        #"[{"id":"root","component":"Column","children":["t","i","row","list","tabs","modal","card","b","open","box","#,
        #""field","date","choice","slider"],"justify":"center","align":"end"},"#,
        #"{"id":"t","component":"Text","weight":2,"variant":"h1","text":{"call":"formatNumber","args":{"#,
        #""value":{"path":"/n"},"decimals":1}}},"#,
        #"{"id":"i","component":"Image","url":{"path":"/url"},"description":"d","fit":"cover","variant":"icon"},"#,
        #"{"id":"row","component":"Row","children":["t"],"align":"center"},"#,
        #"{"id":"list","component":"List","children":{"componentId":"item","path":"/items"},"direction":"horizontal"},"#,
        #"{"id":"item","component":"Text","text":{"path":"name"}},"#,
        #"{"id":"tabs","component":"Tabs","tabs":[{"title":"One","child":"t"}]},"#,
        #"{"id":"modal","component":"Modal","trigger":"t","content":"i"},"#,
        #"{"id":"card","component":"Card","child":"t"},"#,
        #"{"id":"b","component":"Button","child":"t","variant":"primary","action":{"event":{"name":"go","#,
        #""context":{"k":{"path":"/url"}}}},"checks":[{"condition":{"call":"required","args":{"#,
        #""value":{"path":"/url"}}},"message":"m"}]},"#,
        #"{"id":"open","component":"Button","child":"t","action":{"functionCall":{"call":"openUrl","#,
        #""args":{"url":"http://x"}}}},"#,
        #"{"id":"box","component":"CheckBox","label":"l","value":{"path":"/on"}},"#,
        #"{"id":"field","component":"TextField","label":"l","value":{"path":"/text"},"placeholder":"p","#,
        #""variant":"number"},{"id":"date","component":"DateTimeInput","label":"l","value":"2026-03-01","#,
        #""enableDate":true,"min":"2026-01-01","max":"2026-12-31"},"#,
        #"{"id":"choice","component":"ChoicePicker","label":"l","value":{"path":"/chosen"},"#,
        #""options":[{"label":"A","value":"a"}],"variant":"multipleSelection","displayStyle":"chips","#,
        #""filterable":true},{"id":"slider","component":"Slider","label":"l","value":3,"min":1,"max":5,"steps":2}]"#,
      ]
    let components = parts.joined()
    let model = #"{"n":2,"url":"u","on":true,"text":"x","chosen":["a"],"items":[{"name":"N"}]}"#
    let head = ##""surfaceId":"s","catalogId":"c","\##(theme)":{"primaryColor":"#112233"},"sendDataModel":true"##
    let start = #"{"version":"\#(version)","#
    if inline { return [start + #""createSurface":{\#(head),"components":\#(components),"dataModel":\#(model)}}"#] }
    return [
      start + #""createSurface":{\#(head)}}"#,
      start + #""updateComponents":{"surfaceId":"s","components":\#(components)}}"#,
      start + #""updateDataModel":{"surfaceId":"s","path":"/","value":\#(model)}}"#,
    ]
  }

  // MARK: What is shown

  private static let names: [StaticString] = [
    "text", "usageHint", "url", "altText", "fit", "name", "distribution", "alignment", "direction", "label", "value",
    "primary", "variant", "textFieldType", "validationRegexp", "enableDate", "enableTime", "maxAllowedSelections",
    "filterable", "minValue", "maxValue", "description", "axis", "placeholder", "min", "max", "steps",
  ]

  /// What a page shows, and what is told of it; what is refused is told as well.
  private func shown(_ lines: [String]) -> (picture: String, warnings: [String]) {
    let page = Page()
    do throws(PushError) { _ = try page.store.push(jsonl: lines.joined(separator: "\n").utf8.span) } catch {
      return ("", [text(error)])
    }
    page.update("s")
    page.tree.reportOmissions()
    page.store.reportUnread()
    var picture = page.outline + "\(page.store.count)"
    for index in 0..<page.tree.count {
      picture += "\n\(page.tree[index].weight)"
      for name in Self.names {
        if let text = page.tree.string(index, name) { picture += " " + string(text) } else { picture += " -" }
      }
      for item in 0..<page.tree.itemCount(index, "options") {
        picture += " " + (page.item(index, "options", item, "label") ?? "-")
        picture += page.tree.isSelected(index, option: item) ? "+" : "-"
      }
      for item in 0..<page.tree.itemCount(index, "tabItems") {
        picture += " " + (page.item(index, "tabItems", item, "title") ?? "-")
      }
      picture +=
        " "
        + json {
          if !page.tree.writeAction(index, id: "".utf8.span, at: 0, sendsObscured: true, into: &$0) { $0.null() }
        }
      if let address = page.tree.openedAddress(index) { picture += string(address) }
      picture += page.tree.failedCheck(index) == nil ? "" : "failed"
    }
    if let surface = page.store.surface(id: "s".utf8.span) {
      picture += "\n\(page.store.primaryColor(surface) ?? 0)"
    }
    return (picture, page.warnings)
  }

  // MARK: Mistakes

  /// A member of an object somewhere in a line.
  private struct Member {
    var line: Int
    var path: [PathStep]
    var name: String
  }

  private enum PathStep: Equatable {
    case key(String)
    case index(Int)
  }

  private func members(_ value: Any, _ line: Int, _ path: [PathStep] = []) -> [Member] {
    if let list = value as? [Any] {
      return list.indices.flatMap { members(list[$0], line, path + [.index($0)]) }
    }
    guard let object = value as? [String: Any] else { return [] }
    // What agents name as they like: data, and the values of an action's context.
    let isFree = path.last == .key("dataModel") || path.last == .key("context") || path.last == .key("value")
    if isFree, path.count == 2 || path.last == .key("context") || path.last == .key("dataModel") { return [] }
    return object.keys.sorted().flatMap { name in
      [Member(line: line, path: path, name: name)] + members(object[name]!, line, path + [.key(name)])
    }
  }

  /// The value with what is at a path replaced.
  private func changed(_ value: Any, _ path: ArraySlice<PathStep>, _ body: (Any) -> Any) -> Any {
    switch path.first {
    case nil: return body(value)
    case .key(let name):
      var object = value as! [String: Any]
      object[name] = changed(object[name]!, path.dropFirst(), body)
      return object
    case .index(let index):
      var list = value as! [Any]
      list[index] = changed(list[index], path.dropFirst(), body)
      return list
    }
  }

  private enum Mistake: CaseIterable {
    case away, misnamed, shouted, nested, moved
  }

  private func make(_ mistake: Mistake, _ member: Member, _ value: Any) -> Any? {
    func edit(_ body: (inout [String: Any]) -> Void) -> Any {
      changed(value, member.path[...]) {
        var object = $0 as! [String: Any]
        body(&object)
        return object
      }
    }
    switch mistake {
    case .away: return edit { $0[member.name] = nil }
    case .misnamed: return edit { $0[member.name + "_"] = $0.removeValue(forKey: member.name) }
    case .shouted: return edit { $0[member.name.uppercased()] = $0.removeValue(forKey: member.name) }
    case .nested: return edit { $0[member.name] = [member.name: $0[member.name]!] }
    case .moved:
      // To the next object around it.
      var found = member.path[...]
      repeat { if found.popLast() == nil { return nil } } while !(at(value, found) is [String: Any])
      guard let moved = (at(value, member.path[...]) as? [String: Any])?[member.name] else { return nil }
      let without = edit { $0[member.name] = nil }
      return changed(without, found) {
        var object = $0 as! [String: Any]
        object[member.name] = object[member.name] ?? moved
        return object
      }
    }
  }

  private func component(_ value: Any) -> String? { (value as? [String: Any])?["component"] as? String }

  private func at(_ value: Any, _ path: ArraySlice<PathStep>) -> Any {
    var value = value
    for step in path {
      switch step {
      case .key(let name): value = (value as! [String: Any])[name]!
      case .index(let index): value = (value as! [Any])[index]
      }
    }
    return value
  }

  /// Members without which a document is another one, and no wrong one (of the schemas: not required, with no effect on
  /// what is read otherwise).
  private static let optional: Set<String> = [
    "weight", "usageHint", "variant", "altText", "description", "fit", "distribution", "alignment", "justify", "align",
    "direction", "primary", "textFieldType", "validationRegexp", "enableDate", "enableTime", "maxAllowedSelections",
    "filterable", "minValue", "maxValue", "min", "axis", "placeholder", "steps", "label", "context", "checks", "styles",
    "theme", "surfaceProperties", "primaryColor", "sendDataModel", "decimals", "dataModel", "displayStyle", "max",
  ]

  @Test("a document without a mistake has no warning", arguments: ["v0.8", "v0.9", "v0.10", "v1.0"])
  func right(version: String) {
    let (picture, warnings) = shown(Self.documents[version]!)
    #expect(warnings == [])
    #expect(picture.contains("item:") && picture.count > 1000)
  }

  @Test(
    "a member that is away, misnamed, nested or moved is told, or the same is shown",
    arguments: ["v0.8", "v0.9", "v0.10", "v1.0"])
  func mistakes(version: String) throws {
    let lines = Self.documents[version]!
    let values = try lines.map { try JSONSerialization.jsonObject(with: Data($0.utf8)) }
    // Members in the order in which the changed lines have them.
    let sorted = try values.map {
      String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
    }
    let right = shown(sorted).picture
    var count = 0
    for (line, value) in values.enumerated() {
      for member in members(value, line) {
        for mistake in Mistake.allCases {
          guard let wrong = make(mistake, member, value) else { continue }
          if mistake == .away, Self.optional.contains(member.name) { continue }
          // A field may be empty.
          let type = member.path.last == .key("TextField") ? "TextField" : component(at(value, member.path[...]))
          if mistake == .away, type == "TextField", member.name == "value" || member.name == "text" { continue }
          let data = try JSONSerialization.data(withJSONObject: wrong, options: .sortedKeys)
          var changed = sorted
          changed[line] = String(decoding: data, as: UTF8.self)
          let (picture, warnings) = shown(changed)
          count += 1
          #expect(!warnings.isEmpty || picture == right, "\(mistake) \(member.name) at \(member.path)")
        }
      }
    }
    #expect(count > 200)
  }

  // MARK: Empty surfaces

  @Test("a push after which nothing can be seen says why, with the ids that there are")
  func empty() {
    func told(_ lines: String...) -> String { shown(lines).warnings.joined(separator: "\n") }
    let main = #"{"id":"main","component":"Text","text":"x"}"#
    let new = told(
      #"{"version":"v0.9","createSurface":{"surfaceId":"s","catalogId":"c"}}"#,
      #"{"version":"v0.9","updateComponents":{"surfaceId":"s","components":[\#(main)]}}"#)
    #expect(new == #"surface "s": its root "root" is not defined; there are "main""#)
    let old = update(label("a"), label("b"), surface: "s")
    #expect(told(old) == #"surface "s": not shown before beginRendering names its root; there are "a", "b""#)
    #expect(told(old, begin("c", surface: "s")) == #"surface "s": its root "c" is not defined; there are "a", "b""#)
    #expect(told(begin("c", surface: "s")) == #"surface "s": its root "c" is not defined; there are none"#)
    let children = told(update(column("root", "x", "y"), surface: "s"), begin(surface: "s"))
    #expect(children.contains(#"nothing of it can be seen; its components are "root""#))
    #expect(children.contains(#"component "root" names a child that is not defined: "x""#))
    let items = told(update(list("root", of: "t", at: "/i"), label("t"), surface: "s"), begin(surface: "s"))
    #expect(items.contains("nothing of it can be seen") && items.contains("there is no list at its path"))
    let text = told(update(bound("root", "/x"), surface: "s"), begin(surface: "s"))
    #expect(text.contains("nothing of it can be seen") && text.contains("there is no text at its path"))
    for (type, properties) in [
      ("Text", #""text":" \n ""#), ("Tabs", #""tabItems":[]"#), ("Icon", #""name":{"path":"/none"}"#),
      ("MultipleChoice", #""selections":{"path":"/c"},"options":[]"#),
    ] {
      let blank = told(update(A2UITests.component("root", type, properties), surface: "s"), begin(surface: "s"))
      #expect(blank.contains(#"nothing of it can be seen; its components are "root""#), "\(type): \(blank)")
    }
    let many = (0..<40).map { label("component number \($0)") }.joined(separator: ",")
    let long = told(#"{"surfaceUpdate":{"surfaceId":"s","components":[\#(many)]}}"#, begin(surface: "s"))
    #expect(long.hasSuffix(#""component number 1", "component number 2" and 37 more"#), "\(long)")
  }
}
