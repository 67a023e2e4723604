import Codec
import Runtime

// Lookup by path (canvas reference 1.6).

extension DataStore {
  /// How a numeric part of a path is interpreted for a map.
  enum NumberReading {
    /// As a key, like any other part.
    case key
    /// As a key, or, if there is no such key, as an index in the order of insertion: lists are sent as maps with any
    /// keys (canvas reference 1.5), and published samples with the keys `item1`, `item2` use the path `/items/0/name`.
    case keyOrPlace
  }

  /// Values of a map that are found by their place: each is counted from the first, which a page of components with
  /// such paths can afford for this many. Elements of an array are all found.
  static let placesOfMap = 2000

  /// The value at a path below `start`; nil when it is absent or null.
  func find(_ path: Bytes, from start: NodeIndex) -> NodeIndex? {
    find(path, from: start, .key) ?? find(path, from: start, .keyOrPlace)
  }

  /// The value for a path of a component: inside a template first below the element, then below the model's root.
  func find(_ path: Bytes, _ scope: DataScope) -> NodeIndex? {
    find(path, scope, .key) ?? find(path, scope, .keyOrPlace)
  }

  private func find(_ path: Bytes, from start: NodeIndex, _ reading: NumberReading) -> NodeIndex? {
    guard start != .none else { return nil }
    var node = start
    var segments = PathSegments(path)
    while let segment = segments.next() {
      guard let child = step(node, segment, reading) else { return nil }
      node = child
    }
    return self[node].kind == .null ? nil : node
  }

  private func find(_ path: Bytes, _ scope: DataScope, _ reading: NumberReading) -> NodeIndex? {
    if scope.isPointer, path.hasPrefix("/") { return find(path, from: scope.root, reading) }
    guard scope.isElement else { return find(path, from: scope.context, reading) }
    if let node = find(path, from: scope.context, reading) { return node }
    if let rest = path.withoutElementWord, let node = find(rest, from: scope.context, reading) { return node }
    return path.hasPrefix("/") ? find(path, from: scope.root, reading) : nil
  }

  /// The value if it is a map or array, or the container that a string has as JSON.
  func container(_ node: NodeIndex) -> NodeIndex? {
    if self[node].isContainer { return node }
    guard let parsed = parsed(node), self[parsed].isContainer else { return nil }
    return parsed
  }

  /// The child of a container by its index.
  private func child(of container: NodeIndex, at index: Int) -> NodeIndex? {
    guard index < Int(self[container].count) else { return nil }
    if self[container].kind == .array {
      return child(of: container, Bytes(start: nil, count: 0), hash: UInt32(truncatingIfNeeded: index))
    }
    // A map's values are counted from the first.
    guard index < Self.placesOfMap else { return nil }
    var child = self[container].first
    for _ in 0..<index { child = self[child].next }
    return child
  }

  /// One part of a path: first as a whole, then split at dots and brackets.
  private func step(_ node: NodeIndex, _ segment: Bytes, _ reading: NumberReading) -> NodeIndex? {
    if segment.equals(".") { return node }
    if let child = plainStep(node, segment, reading) { return child }
    guard segment.isDotted else { return nil }
    var node = node
    var parts = PathSegments(dotted: segment)
    while let part = parts.next() {
      guard let child = plainStep(node, part, reading) else { return nil }
      node = child
    }
    return node
  }

  private func plainStep(_ node: NodeIndex, _ segment: Bytes, _ reading: NumberReading) -> NodeIndex? {
    container(node).flatMap { child(of: $0, named: segment, reading) }
  }

  /// The child of a map or a list for one part of a path as a whole.
  func child(of container: NodeIndex, named segment: Bytes, _ reading: NumberReading) -> NodeIndex? {
    if self[container].kind == .map {
      let key = PathKey(segment)
      if !key.isTooLong, let found = key.withBytes({ child(of: container, $0, hash: key.hash) }) { return found }
      guard reading == .keyOrPlace else { return nil }
    }
    return segment.listIndex.flatMap { child(of: container, at: $0) }
  }

  /// A string's value as JSON, parsed at the first access; nil when it is not a JSON object or array.
  private func parsed(_ node: NodeIndex) -> NodeIndex? {
    guard self[node].kind == .string else { return nil }
    if !self[node].wasParsed {
      self[node].wasParsed = true
      parse(node)
    }
    return self[node].first == .none ? nil : self[node].first
  }

  private func parse(_ node: NodeIndex) {
    guard text(node).looksLikeJSON else { return }
    let source = Span(_unsafeElements: text(node))
    do throws(JSONError) {
      try JSONValidator.check(source, depthLimit: Budget.a2uiJSONDepth)
    } catch {
      if error.kind == .tooDeep { unread += 1 }
      return
    }
    // No text may move while this one is parsed, nor texts returned before, so reserve enough: the shortest strings,
    // `"a",`, grow the most, to three times their size.
    guard texts.room >= 3 * text(node).count + TextArena.cost(1), let root = try? take() else {
      unread += 1
      return
    }
    var room = DataRoom(Budget.a2uiParsedValues)
    fill(root, JSONView(source), depth: 0, &room)
    finish(&room)
    if !room.isEmpty { cutStrings += 1 }
    self[node].first = root
    self[root].parent = node
  }
}

/// The scope of a component's paths.
struct DataScope {
  /// The model's root.
  var root: NodeIndex
  /// The root, or a template's element.
  var context: NodeIndex
  /// Inside a template.
  var isElement: Bool
  /// A path with a leading slash begins at the model's root, also inside a template (v0.9).
  var isPointer = false
  /// Inside a template the place of the element in its list, from 0.
  var place: Int32 = 0

  /// Where a path begins at which a value is created.
  func start(of path: Bytes, _ root: NodeIndex) -> NodeIndex {
    isElement && !(isPointer && path.hasPrefix("/")) ? context : root
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The path after `/item`, `/text` or `/label`, which old streams use for a template's element.
  fileprivate var withoutElementWord: UnsafeBufferPointer<UInt8>? {
    let words: InlineArray<3, StaticString> = ["/item", "/text", "/label"]
    for index in 0..<words.count where hasPrefix(words[index]) {
      return dropping(words[index].utf8CodeUnitCount)
    }
    return nil
  }

  /// True for text in braces or brackets.
  fileprivate var looksLikeJSON: Bool {
    var start = 0
    var end = count
    while start < end, self[start].isSpace { start += 1 }
    while end > start, self[end - 1].isSpace { end -= 1 }
    guard end - start >= 2 else { return false }
    let first = self[start]
    let last = self[end - 1]
    return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
      || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
  }
}

extension UInt8 {
  /// White space of ASCII.
  var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
