import Codec
import Runtime

/// The value of a property with its binding resolved.
enum Value {
  case absent
  case text(Bytes)
  case number(Double)
  case bool(Bool)
  /// A map or a list of the data model, or a JSON string of one.
  case node(NodeIndex)
  /// `literalArray`, or a bare array.
  case array(Bytes)
}

extension InstanceTree {
  /// The JSON text of a property; nil when there is none.
  func property(_ index: Int, _ name: StaticString) -> Bytes? {
    let instance = self[index]
    guard instance.kind == .component else { return nil }
    return store.property(instance.component, name)
  }

  func scope(_ index: Int) -> DataScope {
    let instance = self[index]
    let root = surface.map { store.records[Int($0.slot)].model } ?? .none
    // The model may have been created after the tree was built.
    var scope = DataScope(
      root: root, context: instance.scope < 0 ? root : instance.context, isElement: instance.scope >= 0)
    scope.isPointer = instance.component != .none && store.component(instance.component).isFlat
    if instance.scope >= 0 { scope.place = self[Int(instance.scope)].element }
    return scope
  }

  func value(_ index: Int, _ name: StaticString) -> Value {
    guard let json = property(index, name) else { return .absent }
    let view = JSONView(Span(_unsafeElements: json))
    let found = value(view, scope(index))
    // In v0.10 the path of an icon's own picture has the name of a data path.
    if case .absent = found, self[index].type == .icon, let path = drawing(view, scope(index)) { return .text(path) }
    return found
  }

  /// The value at a path, or else a literal, plain or in an object (canvas reference 1.4), or what a call of v0.9
  /// gives.
  /// - Parameter depth: how many calls are around it
  @export(interface)
  func value(_ json: JSONView?, _ scope: DataScope, depth: Int = 0) -> Value {
    guard let json else { return .absent }
    switch json.kind {
    case .null: return .absent
    case .string: return store.unescaped(json).map { .text($0) } ?? .absent
    case .number: return json.double.map { .number($0) } ?? .absent
    case .bool: return .bool(json.bool == true)
    case .array: return .array(json.rawText.withUnsafeBufferPointer { $0 })
    case .object: break
    }
    if depth == 0 { beginWork() }
    if let path = store.unescaped(json.member("path")) {
      if let node = store.data.find(path, scope) { return value(node) }
    }
    if let literal = json.literal, literal.kind != .object { return value(literal, scope) }
    // An icon of its own, by whose path it is found again (`iconAddress`).
    if let path = store.unescaped(json.member("svgPath")) { return .text(path) }
    return called(json, scope, depth: depth) ?? .absent
  }

  func value(_ node: NodeIndex) -> Value {
    switch store.data[node].kind {
    case .null: .absent
    case .string: .text(store.data.text(node))
    case .number: .number(store.data[node].number)
    case .bool: .bool(store.data[node].number != 0)
    case .map, .array: .node(node)
    }
  }

  /// A value as text; nil for maps and lists.
  func text(_ value: Value) -> Bytes? {
    switch value {
    case .absent, .node, .array: nil
    case .text(let text): text
    case .number(let number): store.text(number)
    case .bool(let bool): bool ? StaticString("true").asBytes : StaticString("false").asBytes
    }
  }
}

extension JSONView {
  /// The literal of a bound value.
  var literal: JSONView? {
    @_lifetime(copy self)
    get {
      if let value = member("literalString") { return value }
      if let value = member("literalNumber") { return value }
      if let value = member("literalBoolean") { return value }
      if let value = member("literalArray") { return value }
      return member("literal")
    }
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The boolean that a text says, in letters of any case, as agents in Python write it.
  var boolean: Bool? { isWord("true") ? true : isWord("false") ? false : nil }

  /// - Parameter word: has small letters.
  private func isWord(_ word: StaticString) -> Bool {
    let word = word.asBytes
    guard count == word.count else { return false }
    for index in 0..<count where self[index] | 0x20 != word[index] { return false }
    return true
  }
}

extension Double {
  /// The boolean that a number says.
  var boolean: Bool? { self == 1 ? true : self == 0 ? false : nil }
}

extension StaticString {
  var asBytes: Bytes { Bytes(start: utf8Start, count: utf8CodeUnitCount) }
}
