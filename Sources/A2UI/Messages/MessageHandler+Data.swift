import Codec
import Runtime

// `dataModelUpdate` (canvas reference 1.5), and `updateDataModel` of v0.9 and later. An update is read before anything
// is changed. What is beyond a limit is left out with a warning, and the rest is applied; a value for which there is no
// room at all leaves the one before.

extension MessageHandler {
  func updateData(_ surface: Surface, _ body: JSONView) {
    guard let contents = body.member("contents"), contents.kind == .array || contents.kind == .object else {
      return store.warnings.add(place, "dataModelUpdate without contents")
    }
    var path = Bytes(start: nil, count: 0)
    if let text = body.member("path") {
      guard let bytes = store.unescaped(text), bytes.count <= Budget.a2uiPathBytes else {
        return store.warnings.add(place, "the path is no string or too long")
      }
      path = bytes
    }
    guard let update = try? store.data.take() else { return stop(DataLimit.full.sentence) }
    store.data.skipped = 0
    store.data.surplus = 0
    var room = DataRoom(Budget.a2uiEntries)
    let isPlain = store.data.read(contents, into: update, &room)
    report(room, path)
    var late = DataRoom(0)
    do throws(DataLimit) {
      if try write(update, isPlain, at: path, surface, &late) { store.touch(Int(surface.slot)) }
    } catch {
      late.record(error)
    }
    for _ in 0..<store.data.skipped { store.warnings.add(place, "an entry without a key or value") }
    if store.data.surplus > 0 {
      store.warnings.add(place, "an entry has a member that is not read, or a value of another type than it says")
    }
    store.data.free(update)
    report(late, path)
  }

  /// Warns of what a data update has beyond limits.
  private func report(_ room: DataRoom, _ path: Bytes) {
    if room.total > 0 {
      store.warnings.stopped += 1
      let reason: StaticString =
        room.has(.full) ? " entries: the memory for data is full" : " entries: too many entries in a data update"
      let name = room.list == .none ? Bytes(start: nil, count: 0) : store.data.key(room.list)
      store.warnings.add(place, cut: name.isEmpty ? path : name, kept: room.kept, of: room.total, reason)
    }
    let all: InlineArray<6, DataLimit> = [.entries, .depth, .key, .string, .full, .index]
    for index in 0..<all.count where room.has(all[index]) {
      if room.total > 0, all[index] == .entries || all[index] == .full { continue }
      stop(all[index].sentence)
    }
  }

  /// `updateDataModel` of v0.9 and later: plain JSON replaces what is at the path; without a value, that is gone.
  func setData(_ surface: Surface, _ given: JSONView?, _ value: JSONView?) {
    var path = Bytes(start: nil, count: 0)
    if let text = given {
      guard let bytes = store.unescaped(text), bytes.count <= Budget.a2uiPathBytes else {
        return store.warnings.add(place, "the path is no string or too long")
      }
      path = bytes
    }
    if value == nil, removeData(surface, path) { return }
    guard let new = try? store.data.take() else { return stop(DataLimit.full.sentence) }
    var room = DataRoom(Budget.a2uiEntries)
    if let value {
      store.data.fill(new, value, depth: 0, &room)
      store.data.finish(&room)
    }
    // The list has its name at its place, unless it is all of the value.
    report(room, path)
    // Of a value for which there is no room the model keeps the one before.
    if let value, value.kind != .null, room.has(.full), store.data[new].kind == .null || store.data[new].first == .none
    {
      return store.data.free(new)
    }
    do throws(DataLimit) {
      let model = try store.model(surface)
      var segments = PathSegments(path)
      if segments.next() == nil {
        if store.data[new].kind == .null { store.data[new].kind = .map }
        guard store.data[new].kind == .map else {
          store.data.free(new)
          return store.warnings.add(place, "the whole data model is no object, ignored")
        }
        if store.data.replace(model, with: new) { store.touch(Int(surface.slot)) }
        return
      }
      var depth = 0
      let before = store.data.made
      let target = try store.data.make(path, from: model, depth: &depth)
      let isNew = store.data.made != before
      if store.data.replace(target, with: new) || isNew { store.touch(Int(surface.slot)) }
    } catch {
      store.data.free(new)
      stop(error.sentence)
    }
  }

  /// Removes a value of a map, if it is there. False at any other place: elements of a list stay where they are and
  /// become null, as do values of obscured fields, which remain marked, and those in a string with JSON.
  private func removeData(_ surface: Surface, _ path: Bytes) -> Bool {
    var (map, node) = (NodeIndex.none, store.records[Int(surface.slot)].model)
    guard node != .none else { return true }
    var segments = PathSegments(path)
    while let segment = segments.next() {
      guard store.data[node].isContainer else { return store.data[node].kind != .string }
      guard let child = store.data.child(of: node, named: segment, .key) else { return !segment.isDotted }
      (map, node) = (node, child)
    }
    guard map != .none, store.data[map].kind == .map, !store.data[node].isSecret else { return false }
    store.data.remove(node, from: map)
    store.touch(Int(surface.slot))
    return true
  }

  /// Applies an update.
  /// - Returns: whether anything changed.
  private func write(
    _ update: NodeIndex, _ isPlain: Bool, at path: Bytes, _ surface: Surface, _ room: inout DataRoom
  ) throws(DataLimit) -> Bool {
    let model = try store.model(surface)
    var segments = PathSegments(path)
    if segments.next() == nil { return try store.data.replace(model, withEntries: update, isPlain, &room) }
    var depth = 0
    let before = store.data.made
    let target = try store.data.make(path, from: model, depth: &depth)
    let isNew = store.data.made != before
    return store.data.merge(update, into: target, isPlain, depth: depth, &room) || isNew
  }
}

extension DataLimit {
  fileprivate var sentence: StaticString {
    switch self {
    case .entries: "too many entries in a data update, the rest is left out"
    case .depth: "maps nested too deeply in a data update, the inner ones are left out"
    case .key: "a key is too long in a data update, its value is left out"
    case .string: "a string is too long in a data update, its end is cut off"
    case .full: "the memory for data is full"
    case .index: "an index beyond the end of a list"
    }
  }
}

extension DataStore {
  /// Reads `contents` into a list of named values; the name is the key as it was written.
  /// - Returns: whether the keys are plain keys of a JSON object, and not paths.
  func read(_ contents: JSONView, into update: NodeIndex, _ room: inout DataRoom) -> Bool {
    self[update].kind = .map
    defer { finish(&room) }
    if contents.kind == .object {
      fill(update, contents, depth: 0, &room)
      return true
    }
    var elements = contents.elements()
    while let entry = elements.next() {
      guard let key = entry.member("key"), key.kind == .string else {
        skipped += 1
        continue
      }
      guard let child = create(&room) else {
        room.cut(update, kept: Int(self[update].count), of: Int(self[update].count) + 1 + elements.rest)
        break
      }
      var text = InlineText<256>()
      do throws(DataLimit) {
        try text.read(key)
        try text.withBytes { bytes throws(DataLimit) in try self.setKey(child, bytes) }
      } catch {
        free(child)
        room.record(error)
        if room.isOver { break }
        continue
      }
      enqueue(child, in: update)
      if !fill(child, entry: entry, depth: 1, &room) { skipped += 1 }
      if room.isOver {
        let kept = Int(self[update].count) - 1
        room.cut(update, kept: kept, of: kept + 1 + elements.rest, dropping: child)
        break
      }
    }
    return false
  }

  /// Replaces a model by an update.
  func replace(
    _ model: NodeIndex, withEntries update: NodeIndex, _ isPlain: Bool, _ room: inout DataRoom
  ) throws(DataLimit) -> Bool {
    let new = try take()
    self[new].kind = .map
    _ = merge(update, into: new, isPlain, depth: 0, &room)
    // A `.` that says a text, for instance.
    guard self[new].kind == .map else {
      free(new)
      skipped += 1
      return false
    }
    return replace(model, with: new)
  }

  /// Replaces each named value; other values stay. The values are moved out of the update.
  /// - Returns: whether anything changed.
  func merge(
    _ update: NodeIndex, into target: NodeIndex, _ isPlain: Bool, depth: Int, _ room: inout DataRoom
  ) -> Bool {
    var hasChanged = false
    if self[target].kind == .null || isPlain && self[target].kind != .map {
      empty(target)
      self[target].kind = .map
      hasChanged = true
    }
    while self[update].first != .none {
      let child = self[update].first
      self[update].first = self[child].next
      self[child].next = .none
      do throws(DataLimit) {
        if try put(child, into: target, isPlain, depth) { hasChanged = true }
      } catch {
        free(child)
        room.record(error)
      }
    }
    return hasChanged
  }

  private func put(_ child: NodeIndex, into target: NodeIndex, _ isPlain: Bool, _ depth: Int) throws(DataLimit) -> Bool
  {
    var key = InlineText<256>()
    key.set(Span(_unsafeElements: self.key(child)))
    let before = made
    let place = try key.withBytes { bytes throws(DataLimit) in
      var depth = depth
      return isPlain ? try self.make(key: bytes, in: target) : try self.make(bytes, from: target, depth: &depth)
    }
    guard place != target || key.isDot else {
      free(child)
      skipped += 1
      return false
    }
    let isNew = made != before
    return replace(place, with: child) || isNew
  }
}
