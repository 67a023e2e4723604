import Codec
import Runtime

// From JSON to values (canvas reference 1.5).

extension DataStore {
  /// Fills an empty value with plain JSON.
  /// - Parameters:
  ///   - depth: maps and lists around it.
  ///   - left: number of values that may still be created.
  func fill(_ node: NodeIndex, _ json: JSONView, depth: Int, _ left: inout Int) throws(DataLimit) {
    switch json.kind {
    case .null: break
    case .bool: setBool(node, json.bool == true)
    case .number: if let value = json.double { setNumber(node, value) }
    case .string: try fillText(node, json)
    case .array:
      try open(node, .array, depth)
      var elements = json.elements()
      while let element = elements.next() {
        try fill(try addChild(of: node, &left), element, depth: depth + 1, &left)
      }
    case .object:
      try open(node, .map, depth)
      var members = json.members()
      while let member = members.next() {
        let child = try namedChild(of: node, member.name, &left)
        empty(child)
        try fill(child, member.value, depth: depth + 1, &left)
      }
    }
  }

  /// Fills an empty value from an entry of `contents`, `valueMap` or `valueArray`.
  /// - Returns: false when the entry has no value.
  func fill(_ node: NodeIndex, entry: JSONView, depth: Int, _ left: inout Int) throws(DataLimit) -> Bool {
    if let map = entry.member("valueMap") {
      try fill(node, entries: map, .map, depth: depth, &left)
    } else if let array = entry.member("valueArray") {
      try fill(node, entries: array, .array, depth: depth, &left)
    } else if let value = entry.scalar {
      try fill(node, value, depth: depth, &left)
    } else {
      return false
    }
    return true
  }

  /// Fills an empty value with a list of entries, or with plain JSON where that is given instead.
  private func fill(
    _ node: NodeIndex, entries: JSONView, _ kind: DataNode.Kind, depth: Int, _ left: inout Int
  ) throws(DataLimit) {
    guard entries.kind == .array else { return try fill(node, entries, depth: depth, &left) }
    try open(node, kind, depth)
    var elements = entries.elements()
    while let element = elements.next() {
      if kind == .array {
        let child = try addChild(of: node, &left)
        if try !fill(child, entry: element, depth: depth + 1, &left) {
          try fill(child, element, depth: depth + 1, &left)
        }
        continue
      }
      guard let key = element.member("key"), key.kind == .string else {
        skipped += 1
        continue
      }
      let child = try value(of: node, at: key, depth: depth, &left)
      empty(child.node)
      if try !fill(child.node, entry: element, depth: child.depth, &left) { skipped += 1 }
    }
  }

  /// The value for an entry's key below `node`, created if missing.
  private func value(
    of node: NodeIndex, at keyPath: JSONView, depth: Int, _ left: inout Int
  ) throws(DataLimit) -> (node: NodeIndex, depth: Int) {
    var key = InlineText<256>()
    try key.read(keyPath)
    left -= 1
    guard left >= 0 else { throw .entries }
    var end = depth
    let found = try key.withBytes { path throws(DataLimit) in try self.make(path, from: node, depth: &end) }
    return (found, end)
  }

  private func namedChild(of map: NodeIndex, _ name: JSONView, _ left: inout Int) throws(DataLimit) -> NodeIndex {
    var key = InlineText<256>()
    try key.read(name)
    left -= 1
    guard left >= 0 else { throw .entries }
    return try key.withBytes { bytes throws(DataLimit) in try self.make(key: bytes, in: map) }
  }

  private func addChild(of parent: NodeIndex, _ left: inout Int) throws(DataLimit) -> NodeIndex {
    left -= 1
    guard left >= 0 else { throw .entries }
    let child = try take()
    add(child, to: parent)
    return child
  }

  private func open(_ node: NodeIndex, _ kind: DataNode.Kind, _ depth: Int) throws(DataLimit) {
    guard depth < Budget.a2uiDataDepth else { throw .depth }
    self[node].kind = kind
  }

  private func fillText(_ node: NodeIndex, _ json: JSONView) throws(DataLimit) {
    let buffer = try takeText(node, count: json.stringLength ?? 0)
    _ = json.copyString(into: buffer)
  }

  func setNumber(_ node: NodeIndex, _ value: Double) {
    self[node].kind = .number
    self[node].number = value
  }

  func setBool(_ node: NodeIndex, _ value: Bool) {
    self[node].kind = .bool
    self[node].number = value ? 1 : 0
  }
}

extension InlineText where capacity == 256 {
  /// Reads a key, unescaped.
  mutating func read(_ key: JSONView) throws(DataLimit) {
    guard fill({ key.copyString(into: $0) }) else { throw .key }
  }
}

extension InlineText {
  func withBytes<Result, Failure: Error>(_ body: (Bytes) throws(Failure) -> Result) throws(Failure) -> Result {
    try span.withUnsafeBufferPointer(body)
  }
}

extension JSONView {
  /// The scalar of an entry, from any of its type members.
  fileprivate var scalar: JSONView? {
    @_lifetime(copy self)
    get {
      if let value = member("valueString") { return value }
      if let value = member("valueNumber") { return value }
      if let value = member("valueBoolean") { return value }
      if let value = member("valueBool") { return value }
      return member("value")
    }
  }
}
