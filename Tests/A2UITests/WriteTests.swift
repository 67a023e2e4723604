import Runtime
import TestSupport
import Testing

@testable import A2UI

/// A data model of the test's own: plain lists of children, searched from the start.
private final class Plain {
  enum Kind { case null, string, number, bool, map, array }

  var kind = Kind.null
  var text = ""
  var children: [(key: String, value: Plain)] = []

  init(_ kind: Kind = .null, _ text: String = "", _ children: [(String, Plain)] = []) {
    (self.kind, self.text, self.children) = (kind, text, children)
  }

  static func list(_ texts: [String]) -> Plain { Plain(.array, "", texts.map { ("", Plain(.string, $0)) }) }

  var json: String {
    switch kind {
    case .null: "null"
    case .string: "\"" + text.replacing("\"", with: "\\\"") + "\""
    case .number, .bool: text
    case .map: "{" + children.map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",") + "}"
    case .array: "[" + children.map(\.value.json).joined(separator: ",") + "]"
    }
  }

  /// Itself, or the list that its text says as JSON.
  var container: Plain? {
    if kind == .map || kind == .array { return self }
    return kind == .string && text == WriteTests.listText ? .list(["x", "y"]) : nil
  }

  func become(_ other: Plain) { (kind, text, children) = (other.kind, other.text, other.children) }

  func child(_ name: Substring, byPlace: Bool) -> Plain? {
    if kind == .map {
      if let found = children.first(where: { $0.key == name }) { return found.value }
      guard byPlace else { return nil }
    }
    guard let place = Int(name), place < children.count else { return nil }
    return children[place].value
  }

  func find(_ path: String) -> Plain? { find(path, byPlace: false) ?? find(path, byPlace: true) }

  private func find(_ path: String, byPlace: Bool) -> Plain? {
    var node = self
    for name in path.split(separator: "/") {
      guard let child = node.container?.child(name, byPlace: byPlace) else { return nil }
      node = child
    }
    return node.kind == .null ? nil : node
  }

  /// The value at a path, made where there is none; nil beyond the end of a list.
  func make(_ path: String, byPlace: Bool) -> Plain? {
    var node = self
    for name in path.split(separator: "/") {
      if node.kind != .map && node.kind != .array { node.become(node.container ?? Plain(.map)) }
      if let child = node.child(name, byPlace: byPlace) {
        node = child
        continue
      }
      if node.kind == .array, Int(name) != node.children.count { return nil }
      let child = Plain()
      node.children.append((node.kind == .array ? "" : String(name), child))
      node = child
    }
    return node
  }

  /// What a person enters.
  func enter(_ value: Plain, at path: String) {
    let byPlace = find(path, byPlace: false) == nil
    make(path, byPlace: byPlace)?.become(value)
  }

  var selections: [String] {
    switch kind {
    case .string where container == nil: text.isEmpty ? [] : [text]
    case .string, .map, .array:
      (container?.children ?? []).compactMap {
        [.string, .number, .bool].contains($0.value.kind) ? $0.value.text : nil
      }
    default: []
    }
  }

  /// All paths with their values, by keys and indices, and by the places of a map.
  func forEachPath(_ prefix: String = "", _ body: (String, Plain) -> Void) {
    guard let container else { return }
    for (place, child) in container.children.enumerated() {
      let path = prefix + "/" + (container.kind == .array ? "\(place)" : child.key)
      body(path, child.value)
      body(prefix + "/\(place)", child.value)
      child.value.forEachPath(path, body)
    }
  }
}

/// However a value came into a data model, every path to it finds it.
@Suite("Writes to a data model")
struct WriteTests {
  fileprivate static let listText = #"["x","y"]"#
  private let paths = ["/a", "/b/c", "/c", "/c/0", "/c/1", "/list", "/list/0", "/list/2", "/deep/x/y", "/s", "/s/1"]

  @Test("a text bound to an element of a choice shows it after it was chosen, in both versions")
  func chosen() throws {
    let options = #""options":[{"label":"A","value":"1"},{"label":"B","value":"2"}]"#
    let old = Page().push(
      update(
        column("root", "choice", "text"),
        component("choice", "MultipleChoice", #""selections":{"path":"/c"},\#(options)"#), bound("text", "/c/0")),
      #"{"dataModelUpdate":{"surfaceId":"main","contents":{"c":["1"]}}}"#, begin())
    let new = Page().push(
      create(),
      define(
        flat("root", "Column", #""children":["choice","text"]"#),
        flat("choice", "ChoicePicker", #""value":{"path":"/c"},\#(options)"#),
        flat("text", "Text", #""text":{"path":"/c/0"}"#)),
      put(#"{"c":["1"]}"#))
    for page in [old, new] {
      #expect(page.string("text") == "1")
      let choice = try #require(page.index("choice"))
      #expect(page.tree.select(choice, option: 1, true, replacing: true))
      page.update()
      #expect(page.string("text") == "2")
    }
  }

  @Test("after every kind of write each path has what a search from the start finds", arguments: 0..<24)
  func everyPath(seed: Int) throws {
    var random = Seeded(UInt64(seed) &* 7919 &+ 1)
    let page = Page()
    let plain = Plain(.map)
    page.push(create(), put("{}"))
    for step in 0..<60 {
      let path = paths.randomElement(using: &random)!
      let told = try write(at: path, page, plain, &random)
      #expect(page.model() == plain.json, "seed \(seed), step \(step): \(told) at \(path)")
      check(page, plain, "seed \(seed), step \(step): \(told) at \(path)")
    }
  }

  private func check(_ page: Page, _ plain: Plain, _ told: String) {
    guard let surface = page.store.surface(id: "main".utf8.span) else { return }
    let root = page.store.records[Int(surface.slot)].model
    func found(_ path: String) -> String? {
      let bytes = Array(path.utf8)
      let node = bytes.withUnsafeBufferPointer { page.store.data.find($0, from: root) }
      guard let node else { return nil }
      return json { page.store.data.write(node, hiding: .nothing, into: &$0) }
    }
    plain.forEachPath { path, _ in
      let (answer, expected) = (found(path), plain.find(path)?.json)
      #expect(answer == expected, "\(told): \(path)")
    }
    for path in paths {
      let (answer, expected) = (found(path), plain.find(path)?.json)
      #expect(answer == expected, "\(told): \(path)")
      let (beyond, nothing) = (found(path + "/7"), plain.find(path + "/7")?.json)
      #expect(beyond == nothing, "\(told): \(path)/7")
    }
  }

  /// Writes in one of all ways, to both.
  private func write(at path: String, _ page: Page, _ plain: Plain, _ random: inout Seeded) throws -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      page.push(update(component("f", "TextField", #""text":{"path":"\#(path)"}"#)), begin("f"))
      let text = ["", "t", Self.listText].randomElement(using: &random)!
      if page.tree.set(0, "text", to: text.utf8.span) { plain.enter(Plain(.string, text), at: path) }
      return "text"
    case 1:
      page.push(define(flat("f", "Slider", #""value":{"path":"\#(path)"},"max":9"#)), begin("f"))
      if page.tree.set(0, "value", to: 7) { plain.enter(Plain(.number, "7"), at: path) }
      return "number"
    case 2:
      page.push(update(component("f", "CheckBox", #""value":{"path":"\#(path)"}"#)), begin("f"))
      if page.tree.set(0, "value", to: true) { plain.enter(Plain(.bool, "true"), at: path) }
      return "bool"
    case 3, 4: return choose(at: path, page, plain, &random)
    case 5:
      let (value, new) = value(&random)
      page.push(put(value, at: path))
      plain.make(path, byPlace: false)?.become(new)
      return "updateDataModel"
    case 6:
      let (value, new) = value(&random)
      page.push(#"{"dataModelUpdate":{"surfaceId":"main","path":"\#(path)","contents":{"k":\#(value)}}}"#)
      guard let target = plain.make(path, byPlace: false) else { return "contents" }
      if target.kind != .map { target.become(Plain(.map)) }
      target.make("k", byPlace: false)?.become(new)
      return "contents"
    case 7:
      page.push(data(#"{"key":"m","valueMap":[{"key":"p","valueNumber":1},{"key":"q","valueString":"z"}]}"#, at: path))
      guard let target = plain.make(path, byPlace: false) else { return "entries" }
      if target.kind == .null { target.become(Plain(.map)) }
      target.make("m", byPlace: false)?
        .become(Plain(.map, "", [("p", Plain(.number, "1")), ("q", Plain(.string, "z"))]))
      return "entries"
    case 8:
      guard let parts = Optional(path.split(separator: "/")), plain.find(path) != nil else { return "nothing" }
      let parent = plain.make(parts.dropLast().joined(separator: "/"), byPlace: false)
      guard let parent, parent.kind == .map, parent.children.contains(where: { $0.key == parts.last! }) else {
        return "nothing"
      }
      page.push(put(nil, at: path))
      parent.children.removeAll { $0.key == parts.last! }
      return "removal"
    default:
      let (value, new) = value(&random)
      page.push(put(#"{"a":\#(value),"list":[1,2],"s":"[\"x\",\"y\"]"}"#))
      let list = Plain(.array, "", [("", Plain(.number, "1")), ("", Plain(.number, "2"))])
      plain.become(Plain(.map, "", [("a", new), ("list", list), ("s", Plain(.string, Self.listText))]))
      return "the whole"
    }
  }

  private func choose(at path: String, _ page: Page, _ plain: Plain, _ random: inout Seeded) -> String {
    let options = ["1", "2", "x"]
    let list = options.map { #"{"label":"\#($0)","value":"\#($0)"}"# }.joined(separator: ",")
    page.push(
      update(component("f", "MultipleChoice", #""selections":{"path":"\#(path)"},"options":[\#(list)]"#)), begin("f"))
    let option = Int.random(in: 0..<3, using: &random)
    let (isOn, isAlone) = (Bool.random(using: &random), Bool.random(using: &random))
    var chosen = isAlone ? [] : (plain.find(path)?.selections ?? []).filter { $0 != options[option] }
    if isOn { chosen.append(options[option]) }
    if page.tree.select(0, option: option, isOn, replacing: isAlone) { plain.enter(.list(chosen), at: path) }
    return "choice \(option) \(isOn) \(isAlone)"
  }

  private func value(_ random: inout Seeded) -> (json: String, Plain) {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: ("5", Plain(.number, "5"))
    case 1: (#""w""#, Plain(.string, "w"))
    case 2: (#"["x","y"]"#, .list(["x", "y"]))
    case 3: (#"{"0":"zero","n":null}"#, Plain(.map, "", [("0", Plain(.string, "zero")), ("n", Plain())]))
    default: (#""[\"x\",\"y\"]""#, Plain(.string, Self.listText))
    }
  }
}
