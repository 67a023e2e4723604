import Codec
import Runtime

extension SurfaceStore {
  /// The root of a surface's data model, created if there is none.
  func model(_ surface: Surface) throws(DataLimit) -> NodeIndex {
    let slot = Int(surface.slot)
    if records[slot].model == .none {
      let root = try data.take()
      data[root].kind = .map
      records[slot].model = root
    }
    return records[slot].model
  }

  /// The value at a path of a component, created if it is absent. The whole model is no place for a value.
  func place(_ path: Bytes, _ scope: DataScope, _ surface: Surface) throws(DataLimit) -> NodeIndex {
    let root = try model(surface)
    var place = data.find(path, scope)
    if place == nil {
      var depth = 0
      place = try data.make(path, from: scope.start(of: path, root), depth: &depth, .keyOrPlace)
    }
    guard place! != root else { throw .index }
    data.unfold(around: place!)
    return place!
  }

  /// Whether `place` would find or create a value, as long as there is room.
  func hasPlace(_ path: Bytes, _ scope: DataScope, _ surface: Surface) -> Bool {
    let root = records[Int(surface.slot)].model
    if let node = data.find(path, scope) { return node != root }
    return data.canMake(path, from: scope.start(of: path, root), within: root)
  }

  /// Writes a literal at a path of a component.
  /// - Returns: whether anything changed; nil when there is no room.
  func write(_ literal: JSONView, at path: Bytes, _ scope: DataScope, _ surface: Surface) -> Bool? {
    guard let value = try? data.take() else { return nil }
    var room = DataRoom(Budget.a2uiEntries)
    data.fill(value, literal, depth: 0, &room)
    guard room.isEmpty else {
      data.free(value)
      return nil
    }
    do throws(DataLimit) {
      let place = try place(path, scope, surface)
      guard data.replace(place, with: value) else { return false }
    } catch {
      data.free(value)
      return nil
    }
    touch(Int(surface.slot))
    return true
  }
}
