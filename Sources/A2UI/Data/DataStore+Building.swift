import Codec
import Runtime

// From JSON to values (canvas reference 1.5).

/// Room for the values of one update, and what of it was left out. What is beyond a limit is dropped, and the rest is
/// kept: of a list that ends early the number of elements is known.
struct DataRoom {
  /// Values that may still be created.
  private var left: Int
  /// Limits that were met, a bit each.
  private var limits: UInt8 = 0
  /// Nothing more can be created.
  private(set) var isOver = false
  /// The longest list or map around what could not be created, with how many of how many children are kept.
  private(set) var list = NodeIndex.none
  private(set) var (kept, total) = (0, 0)
  /// Its last child, of which only a part was read.
  fileprivate var part = NodeIndex.none

  init(_ count: Int) { left = count }

  /// Everything had room.
  var isEmpty: Bool { limits == 0 }

  func has(_ limit: DataLimit) -> Bool { limits >> limit.rawValue & 1 == 1 }

  /// Records a limit that was met.
  mutating func record(_ limit: DataLimit) {
    limits |= 1 << limit.rawValue
    if limit == .full || limit == .entries { isOver = true }
  }

  /// Reserves room for one value; false when there is none.
  fileprivate mutating func reserveValue() -> Bool {
    left -= 1
    if left < 0 { record(.entries) }
    return left >= 0
  }

  /// Records that a list or a map ends early. The longest one is cut there, and what was begun of its next child is
  /// dropped, so that no half row is shown.
  mutating func cut(_ list: NodeIndex, kept: Int, of total: Int, dropping part: NodeIndex = .none) {
    guard self.list == .none || kept > self.kept else { return }
    (self.list, self.kept, self.total, self.part) = (list, kept, total, part)
  }
}

extension DataStore {
  /// Fills an empty value with plain JSON, as far as there is room.
  /// - Parameter depth: maps and lists around it.
  func fill(_ node: NodeIndex, _ json: JSONView, depth: Int, _ room: inout DataRoom) {
    switch json.kind {
    case .null: break
    case .bool: setBool(node, json.bool == true)
    case .number: if let value = json.double { setNumber(node, value) }
    case .string: fillText(node, json, &room)
    case .array:
      guard open(node, .array, depth, &room) else { return }
      var elements = json.elements()
      while let element = elements.next() {
        guard let child = addChild(of: node, &room) else { return end(node, elements.rest + 1, &room) }
        fill(child, element, depth: depth + 1, &room)
        if room.isOver { return end(node, elements.rest, dropping: child, &room) }
      }
    case .object:
      guard open(node, .map, depth, &room) else { return }
      var members = json.members()
      while let member = members.next() {
        guard let child = namedChild(of: node, member.name, &room) else {
          if room.isOver { return end(node, members.rest + 1, &room) }
          continue
        }
        empty(child)
        fill(child, member.value, depth: depth + 1, &room)
        if room.isOver { return end(node, members.rest, dropping: child, &room) }
      }
    }
  }

  /// Fills an empty value from an entry of `contents`, `valueMap` or `valueArray`.
  /// - Returns: false when the entry has no value.
  func fill(_ node: NodeIndex, entry: JSONView, depth: Int, _ room: inout DataRoom) -> Bool {
    countSurplus(entry)
    if let map = entry.member("valueMap") {
      fill(node, entries: map, .map, depth: depth, &room)
    } else if let array = entry.member("valueArray") {
      fill(node, entries: array, .array, depth: depth, &room)
    } else if let value = entry.scalar {
      fill(node, value, depth: depth, &room)
    } else {
      return false
    }
    return true
  }

  /// Counts members of an entry that are not read.
  private func countSurplus(_ entry: JSONView) {
    var (count, keys) = (0, 0)
    var members = entry.members()
    while let member = members.next() {
      count += 1
      if member.name.equals("key") { keys += 1 }
      let isPlain = member.value.kind != .object && member.value.kind != .array
      let isList = member.name.equals("valueMap") || member.name.equals("valueArray")
      if !isPlain && member.isScalar || isList && member.value.kind != .array { keys = -1 }
    }
    if count > keys + 1 { surplus += 1 }
  }

  /// Fills an empty value with a list of entries, or with plain JSON where that is given instead.
  private func fill(
    _ node: NodeIndex, entries: JSONView, _ kind: DataNode.Kind, depth: Int, _ room: inout DataRoom
  ) {
    guard entries.kind == .array else { return fill(node, entries, depth: depth, &room) }
    guard open(node, kind, depth, &room) else { return }
    var elements = entries.elements()
    while let element = elements.next() {
      if kind == .array {
        guard let child = addChild(of: node, &room) else { return end(node, elements.rest + 1, &room) }
        if !fill(child, entry: element, depth: depth + 1, &room) { fill(child, element, depth: depth + 1, &room) }
        if room.isOver { return end(node, elements.rest, dropping: child, &room) }
        continue
      }
      guard let key = element.member("key"), key.kind == .string else {
        skipped += 1
        continue
      }
      guard let child = value(of: node, at: key, depth: depth, &room) else {
        if room.isOver { return end(node, elements.rest + 1, &room) }
        continue
      }
      empty(child.node)
      if !fill(child.node, entry: element, depth: child.depth, &room) { skipped += 1 }
      if room.isOver { return end(node, elements.rest, dropping: last(of: node), &room) }
    }
  }

  /// Records that a list or a map ends early.
  /// - Parameters:
  ///   - rest: children that were not begun.
  ///   - part: the last child, when it was begun.
  private func end(_ node: NodeIndex, _ rest: Int, dropping part: NodeIndex = .none, _ room: inout DataRoom) {
    let begun = Int(self[node].count)
    room.cut(node, kept: begun - (part == .none ? 0 : 1), of: begun + rest, dropping: part)
  }

  /// Drops what was read in part.
  func finish(_ room: inout DataRoom) {
    guard room.part != .none, last(of: room.list) == room.part else { return }
    remove(room.part, from: room.list)
    room.part = .none
  }

  /// The value for an entry's key below `node`, created if missing; nil when there is no room, or the key is none.
  private func value(
    of node: NodeIndex, at keyPath: JSONView, depth: Int, _ room: inout DataRoom
  ) -> (node: NodeIndex, depth: Int)? {
    guard hasRoom(Budget.a2uiKeyBytes, &room) else { return nil }
    var key = InlineText<256>()
    var end = depth
    do throws(DataLimit) {
      try key.read(keyPath)
      let found = try key.withBytes { path throws(DataLimit) in try self.make(path, from: node, depth: &end) }
      guard found != node || key.isDot else {
        skipped += 1
        return nil
      }
      return (found, end)
    } catch {
      room.record(error)
      return nil
    }
  }

  private func namedChild(of map: NodeIndex, _ name: JSONView, _ room: inout DataRoom) -> NodeIndex? {
    guard hasRoom(Budget.a2uiKeyBytes, &room) else { return nil }
    var key = InlineText<256>()
    do throws(DataLimit) {
      try key.read(name)
      return try key.withBytes { bytes throws(DataLimit) in try self.make(key: bytes, in: map) }
    } catch {
      room.record(error)
      return nil
    }
  }

  private func addChild(of parent: NodeIndex, _ room: inout DataRoom) -> NodeIndex? {
    guard let child = create(&room) else { return nil }
    add(child, to: parent)
    return child
  }

  /// Memory that an update leaves free, so that what was read of it finds its place: values along its path, and their
  /// keys.
  private static let reserve = (values: 64, bytes: 16 * 1024)

  /// Whether an update may take one more value, with so many bytes of text.
  private func hasRoom(_ bytes: Int, _ room: inout DataRoom) -> Bool {
    guard room.reserveValue() else { return false }
    if count < nodes.capacity - Self.reserve.values,
      texts.room + texts.garbage >= TextArena.cost(bytes) + Self.reserve.bytes
    {
      return true
    }
    room.record(.full)
    return false
  }

  /// A new value, if there is room.
  func create(_ room: inout DataRoom) -> NodeIndex? {
    guard hasRoom(0, &room) else { return nil }
    if let child = try? take() { return child }
    room.record(.full)
    return nil
  }

  private func open(_ node: NodeIndex, _ kind: DataNode.Kind, _ depth: Int, _ room: inout DataRoom) -> Bool {
    guard depth < Budget.a2uiDataDepth else {
      room.record(.depth)
      return false
    }
    self[node].kind = kind
    return true
  }

  /// A string that is too long is cut at a character.
  private func fillText(_ node: NodeIndex, _ json: JSONView, _ room: inout DataRoom) {
    do throws(DataLimit) {
      let count = min(json.stringLength ?? 0, Budget.a2uiStringBytes)
      guard texts.room + texts.garbage >= TextArena.cost(count) + Self.reserve.bytes else { throw .full }
      let buffer = try takeText(node, count: count)
      guard json.copyString(into: buffer) == nil else { return }
      room.record(.string)
      let whole = Bytes(buffer).withoutPartialEnd.count
      for index in whole..<buffer.count { buffer[index] = UInt8(ascii: " ") }
    } catch { room.record(error) }
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

  /// The key whose value stands at the path itself. Others that name no child, as an empty one, would take the place of
  /// what stands beside them.
  var isDot: Bool { withBytes { $0.equals(".") } }
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

extension JSONMember {
  /// The member of an entry that says a text, a number or a boolean.
  fileprivate var isScalar: Bool {
    name.equals("valueString") || name.equals("valueNumber") || name.equals("valueBoolean")
      || name.equals("valueBool")
  }
}

extension JSONElements {
  /// How many elements follow. The walk is over afterwards.
  var rest: Int {
    mutating get {
      var count = 0
      while next() != nil { count += 1 }
      return count
    }
  }
}

extension JSONMembers {
  /// How many members follow. The walk is over afterwards.
  fileprivate var rest: Int {
    mutating get {
      var count = 0
      while next() != nil { count += 1 }
      return count
    }
  }
}
