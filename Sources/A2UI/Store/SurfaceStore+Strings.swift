import Codec
import Runtime

extension SurfaceStore {
  /// A JSON string, unescaped: in place if it has no escapes, otherwise in the scratch ring. One above the limit is cut
  /// at a character. Nil for any other value.
  func unescaped(_ view: JSONView?) -> Bytes? {
    guard let view, view.kind == .string else { return nil }
    let raw = view.rawText.withUnsafeBufferPointer { $0 }
    guard raw.count >= 2 else { return nil }
    let inner = raw.between(1..<raw.count - 1)
    var isPlain = true
    for byte in inner where byte == UInt8(ascii: "\\") { isPlain = false }
    if isPlain { return inner.cut(to: Budget.a2uiStringBytes) }
    let room = scratch.room(Budget.a2uiStringBytes)
    if let count = view.copyString(into: room) { return scratch.keep(count) }
    return scratch.keep(Bytes(room).withoutPartialEnd.count)
  }

  /// Writes the ids of a surface's components.
  private func listIds(_ surface: Surface, most: Int, into list: inout InlineText<80>) {
    let record = records[Int(surface.slot)]
    var index = record.first
    writeIds(Int(record.count), most: most, into: &list) {
      let id = id(of: index)
      index = component(index).nextInSurface
      return id
    }
  }

  /// Writes ids as `"a", "b" and 7 more`, as many as fit; `none` where there is none.
  /// - Parameter next: gives the next one
  private func writeIds(_ count: Int, most: Int, into list: inout InlineText<80>, _ next: () -> Bytes) {
    list.fill { buffer in
      let most = min(most, buffer.count)
      var writer = ByteWriter(into: buffer)
      var left = count
      while left > 0 {
        let id = next().cut(to: 32)
        // Two quotes, a comma, a blank, and room for the rest.
        guard writer.count + id.count + 4 + 14 <= most else { break }
        if writer.count > 0 { writer.text(", ") }
        writer.text("\"")
        writer.bytes(Span(_unsafeElements: id))
        writer.text("\"")
        left -= 1
      }
      if count == 0 { writer.text("none") }
      if left > 0 {
        writer.text(" and ")
        writer.decimal(Int64(left))
        writer.text(" more")
      }
      return writer.count
    }
  }

  /// Adds a sentence about a surface that shows nothing, with the ids that it has: as many as the warning has room for.
  func warn(
    _ surface: Surface, _ before: StaticString, _ name: Bytes = Bytes(start: nil, count: 0), _ after: StaticString = ""
  ) {
    let id = bytes(surface, .id)
    var ids = InlineText<80>()
    listIds(surface, most: Warnings.room(surface: id, before, name, after), into: &ids)
    warnings.add(surface: id, before, name, after, ids.span.withUnsafeBufferPointer { $0 })
  }

  /// Warns of a surface that has data and nothing else: its id may be another's that is misspelled.
  private func warnOfData(_ surface: Surface) {
    var (shown, index) = (0, 0)
    for place in 0..<count where isRendering(self.surface(at: place)) { shown += 1 }
    warn(surface, "has data, and no components; surfaces that are shown: ", shown) {
      while !isRendering(self.surface(at: index)) { index += 1 }
      index += 1
      return bytes(self.surface(at: index - 1), .id)
    }
  }

  /// Adds a sentence about a surface, with so many ids.
  /// - Parameter next: gives the next one
  func warn(_ surface: Surface, _ before: StaticString, _ count: Int, _ next: () -> Bytes) {
    let id = bytes(surface, .id)
    var ids = InlineText<80>()
    writeIds(count, most: Warnings.room(surface: id, before, .empty, ""), into: &ids, next)
    warnings.add(surface: id, before, .empty, "", ids.span.withUnsafeBufferPointer { $0 })
  }

  /// Warns of surfaces that the last push named and of which nothing is drawn: they were not begun, or their root is
  /// not defined. With the ids that there are.
  func reportHidden() {
    for index in 0..<count {
      let surface = surface(at: index)
      if isRendering(surface) || !isPushed(surface) { continue }
      let record = records[Int(surface.slot)]
      if !record.isRendering, record.count == 0 {
        if record.model != .none { warnOfData(surface) }
        continue
      }
      if record.isRendering {
        warn(surface, "its root \"", bytes(surface, .root), "\" is not defined; there are ")
      } else {
        warn(surface, "not shown before beginRendering names its root; there are ")
      }
    }
  }

  /// A number in its shortest form.
  func text(_ number: Double) -> Bytes {
    var writer = JSONWriter(into: scratch.room(32))
    writer.double(number)
    return scratch.keep(writer.count)
  }

  /// A copy of the text in the scratch ring, which stays when arenas are compacted.
  func copied(_ text: Bytes) -> Bytes {
    let room = scratch.room(Budget.a2uiStringBytes)
    let count = min(text.count, room.count)
    if count > 0 { room.baseAddress!.update(from: text.baseAddress!, count: count) }
    return scratch.keep(count)
  }
}
