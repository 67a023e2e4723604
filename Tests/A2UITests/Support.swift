import Codec
import Foundation
import Runtime
import TestSupport

@testable import A2UI

typealias Seeded = TestSupport.Seeded

/// A store with one tree, spoken to in strings.
final class Page {
  let store: SurfaceStore
  let tree: InstanceTree
  private(set) var summary = PushSummary()

  init() {
    store = try! SurfaceStore()
    tree = try! InstanceTree(store)
  }

  /// Pushes lines and builds the tree of the surface that was made first, or of `show`.
  @discardableResult
  func push(_ lines: String..., show: String? = nil) -> Page {
    push(text: lines.joined(separator: "\n"), show: show)
  }

  @discardableResult
  func push(text: String, show: String? = nil) -> Page {
    do throws(PushError) { summary = try store.push(jsonl: text.utf8.span) } catch {
      fatalError("refused: \(A2UITests.text(error))")
    }
    update(show)
    return self
  }

  /// Why a text is refused; nil when it is taken.
  func refusal(_ text: String) -> String? {
    do throws(PushError) { _ = try store.push(jsonl: text.utf8.span) } catch { return A2UITests.text(error) }
    return nil
  }

  func update(_ id: String? = nil) {
    let surface = id.map { store.surface(id: $0.utf8.span) } ?? (store.count > 0 ? store.surface(at: 0) : nil)
    if let surface { _ = tree.update(surface) } else { tree.clear() }
  }

  var warnings: [String] { (0..<store.warnings.kept).map { A2UITests.string(store.warnings.line($0).span) } }

  /// The instance by its id.
  func index(_ id: String) -> Int? { (0..<tree.count).first { self.id($0) == id } }

  func id(_ index: Int) -> String {
    written { tree.writeId(index, into: &$0) }
  }

  func string(_ id: String, _ name: StaticString = "text") -> String? {
    guard let index = index(id), let text = tree.string(index, name) else { return nil }
    return A2UITests.string(text)
  }

  func item(_ index: Int, _ name: StaticString, _ item: Int, _ member: StaticString) -> String? {
    guard let text = tree.itemString(index, name, item, member) else { return nil }
    return A2UITests.string(text)
  }

  func enter(_ index: Int, _ text: String) -> Bool { tree.set(index, "text", to: text.utf8.span) }

  func typeName(_ id: String) -> String { index(id).map { A2UITests.string(tree.typeName($0)) } ?? "-" }

  /// Ids of all instances in order, each inside its parent's brackets: `root(a b(c))`.
  var outline: String { tree.count == 0 ? "" : outline(0) }

  private func outline(_ index: Int) -> String {
    let instance = tree[index]
    var name = instance.kind == .missing ? "?" : id(index)
    if instance.kind == .cycle { name += "!" }
    var children: [String] = []
    var child = instance.firstChild
    while let place = child {
      children.append(outline(place))
      child = tree[place].nextSibling
    }
    return children.isEmpty ? name : "\(name)(\(children.joined(separator: " ")))"
  }

  /// What `canvas.a2ui.dump` has under `surfaces`.
  var dump: String { json { store.writeSurfaces(into: &$0) } }

  /// The same with keys sorted, to compare what came in another order.
  var sortedDump: String { sorted(dump) }

  /// The data model of a surface as JSON, secrets and all.
  func model(_ id: String = "main") -> String {
    guard let surface = store.surface(id: id.utf8.span) else { return "" }
    let root = store.records[Int(surface.slot)].model
    return root == .none ? "" : json { store.data.write(root, hiding: .nothing, into: &$0) }
  }
}

func sorted(_ json: String) -> String {
  let object = try! JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
  let data = try! JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .fragmentsAllowed])
  return String(decoding: data, as: UTF8.self)
}

func text(_ error: PushError) -> String { written { error.writeMessage(to: &$0) } }

func string(_ span: Span<UInt8>) -> String { span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

func json(_ write: (inout JSONWriter) -> Void) -> String {
  var counter = JSONWriter()
  write(&counter)
  var bytes = [UInt8](repeating: 0, count: counter.count)
  let count = bytes.withUnsafeMutableBufferPointer { buffer in
    var writer = JSONWriter(into: buffer)
    write(&writer)
    return writer.count
  }
  precondition(count == bytes.count, "written twice, it has another length")
  return String(decoding: bytes, as: UTF8.self)
}

func written(_ write: (inout ByteWriter) -> Void) -> String {
  var counter = ByteWriter()
  write(&counter)
  var bytes = [UInt8](repeating: 0, count: counter.count)
  bytes.withUnsafeMutableBufferPointer { buffer in
    var writer = ByteWriter(into: buffer)
    write(&writer)
  }
  return String(decoding: bytes, as: UTF8.self)
}

// MARK: Messages

func begin(_ root: String = "root", surface: String = "main") -> String {
  #"{"beginRendering":{"surfaceId":"\#(surface)","root":"\#(root)"}}"#
}

/// `component("a", "Text", #""text":{"path":"/x"}"#)`
func component(_ id: String, _ type: String, _ properties: String = "") -> String {
  #"{"id":"\#(id)","component":{"\#(type)":{\#(properties)}}}"#
}

func update(_ components: String..., surface: String = "main") -> String {
  #"{"surfaceUpdate":{"surfaceId":"\#(surface)","components":[\#(components.joined(separator: ","))]}}"#
}

/// `data(#"{"key":"a","valueString":"b"}"#, at: "/x")`
func data(_ entries: String..., at path: String? = nil, surface: String = "main") -> String {
  let place = path.map { #""path":"\#($0)","# } ?? ""
  return #"{"dataModelUpdate":{"surfaceId":"\#(surface)",\#(place)"contents":[\#(entries.joined(separator: ","))]}}"#
}

func entry(_ key: String, _ value: String) -> String { #"{"key":"\#(key)","valueString":"\#(value)"}"# }
func entry(_ key: String, _ value: Double) -> String { #"{"key":"\#(key)","valueNumber":\#(value)}"# }
func entry(_ key: String, map entries: String...) -> String {
  #"{"key":"\#(key)","valueMap":[\#(entries.joined(separator: ","))]}"#
}

/// A text bound to a path.
func bound(_ id: String, _ path: String) -> String { component(id, "Text", #""text":{"path":"\#(path)"}"#) }

/// A text that says its id.
func label(_ id: String) -> String { component(id, "Text", #""text":{"literalString":"\#(id)"}"#) }

func column(_ id: String, _ children: String...) -> String {
  let ids = children.map { "\"\($0)\"" }.joined(separator: ",")
  return component(id, "Column", #""children":{"explicitList":[\#(ids)]}"#)
}

func list(_ id: String, of template: String, at path: String) -> String {
  component(id, "List", #""children":{"template":{"componentId":"\#(template)","dataBinding":"\#(path)"}}"#)
}
