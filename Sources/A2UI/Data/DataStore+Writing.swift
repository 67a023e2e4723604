import Runtime

// Writing at paths, and comparing.

extension DataStore {
  /// The value at a path below `start`; maps are created on the way where there is nothing or a scalar.
  /// - Parameters:
  ///   - depth: maps and lists around `start`; afterwards around the value.
  ///   - reading: data updates use keys; a component's path may also use an index, as in lookups.
  func make(
    _ path: Bytes, from start: NodeIndex, depth: inout Int, _ reading: NumberReading = .key
  ) throws(DataLimit) -> NodeIndex {
    var node = start
    var segments = PathSegments(path)
    while let segment = segments.next() {
      if segment.equals(".") { continue }
      if let child = existing(node, segment, reading) {
        node = child
        depth += 1
      } else if segment.isDotted {
        var parts = PathSegments(dotted: segment)
        while let part = parts.next() { node = try makeChild(of: node, part, &depth, reading) }
      } else {
        node = try makeChild(of: node, segment, &depth, reading)
      }
    }
    return node
  }

  /// Whether `make` can create a value at a path of a component: not in place of the whole model, and in a list at its
  /// end at most.
  func canMake(_ path: Bytes, from start: NodeIndex, within root: NodeIndex) -> Bool {
    var node = start
    var isModel = start == root
    var segments = PathSegments(path)
    while let segment = segments.next() {
      if segment.equals(".") { continue }
      isModel = false
      guard node != .none, let around = container(node) else { continue }
      let child = child(of: around, named: segment, .keyOrPlace)
      if child == nil, self[around].kind == .array, segment.listIndex != Int(self[around].count) { return false }
      node = child ?? .none
    }
    return !isModel
  }

  /// The child for a part of a path as a whole.
  private func existing(_ node: NodeIndex, _ segment: Bytes, _ reading: NumberReading) -> NodeIndex? {
    self[node].isContainer ? child(of: node, named: segment, reading) : nil
  }

  private func makeChild(
    of parent: NodeIndex, _ segment: Bytes, _ depth: inout Int, _ reading: NumberReading
  ) throws(DataLimit) -> NodeIndex {
    guard depth < Budget.a2uiDataDepth else { throw .depth }
    depth += 1
    becomeContainer(parent)
    if let child = existing(parent, segment, reading) { return child }
    let isArray = self[parent].kind == .array
    if isArray, segment.listIndex != Int(self[parent].count) { throw .index }
    let key = PathKey(segment)
    if key.isTooLong { throw .key }
    if !isArray { return try key.withBytes { bytes throws(DataLimit) in try self.make(key: bytes, in: parent) } }
    let child = try take()
    made += 1
    add(child, to: parent)
    return child
  }

  /// The value of a map for this key, created if missing. The key must not be in the arena.
  func make(key: Bytes, in map: NodeIndex) throws(DataLimit) -> NodeIndex {
    if let child = child(of: map, key, hash: UInt32(truncatingIfNeeded: key.hash)) { return child }
    let child = try take()
    do throws(DataLimit) { try setKey(child, key) } catch {
      free(child)
      throw error
    }
    made += 1
    add(child, to: map)
    return child
  }

  /// Turns a string with a JSON map or list into that, and anything else except a container into an empty map.
  private func becomeContainer(_ node: NodeIndex) {
    if self[node].isContainer { return }
    made += 1
    guard let parsed = container(node) else {
      empty(node)
      self[node].kind = .map
      return
    }
    self[node].first = .none
    move(parsed, to: node)
  }

  /// Replaces JSON strings around a value by what they say, so that the value can be changed in place.
  func unfold(around value: NodeIndex) {
    var node = self[value].parent
    while node != .none {
      // The child of a string is what it says, which takes its place.
      if self[node].kind == .string { becomeContainer(node) }
      node = self[node].parent
    }
  }

  /// True when two values are the same, keys of maps in the same order.
  func isEqual(_ left: NodeIndex, _ right: NodeIndex) -> Bool {
    let (one, other) = (self[left], self[right])
    guard one.kind == other.kind else { return false }
    switch one.kind {
    case .null: return true
    case .string: return text(left).equals(text(right))
    case .number, .bool: return one.number == other.number
    case .map, .array:
      guard one.count == other.count else { return false }
      var (a, b) = (one.first, other.first)
      while a != .none {
        guard self[a].keyHash == self[b].keyHash, key(a).equals(key(b)), isEqual(a, b) else { return false }
        (a, b) = (self[a].next, self[b].next)
      }
      return true
    }
  }

  /// Replaces a value by another, unless they are equal. Frees the source.
  /// - Returns: whether anything changed.
  func replace(_ destination: NodeIndex, with source: NodeIndex) -> Bool {
    if isEqual(destination, source) {
      free(source)
      return false
    }
    move(source, to: destination)
    return true
  }
}
