import Codec
import Locales
import Runtime

// What components of v0.9 have besides those of v0.8.

extension InstanceTree {
  /// How dates and numbers are written.
  public var locale: Locale { store.locale }

  /// Whether a date is entered, or a time of day. What is not said is true in v0.8, and false in v0.9; a field of
  /// neither is one of both.
  public func entersDate(_ index: Int) -> Bool { enters(index, "enableDate", or: "enableTime") }
  public func entersTime(_ index: Int) -> Bool { enters(index, "enableTime", or: "enableDate") }

  private func enters(_ index: Int, _ name: StaticString, or other: StaticString) -> Bool {
    let otherwise = !isFlat(index)
    return bool(index, name) ?? otherwise || !(bool(index, other) ?? otherwise)
  }

  private func isFlat(_ index: Int) -> Bool {
    let component = self[index].component
    return component != .none && store.component(component).isFlat
  }

  /// The picture of an Icon that has a path of its own (`name: {"svgPath": ...}`, in v0.10 `{"path": ...}`): an address
  /// with an SVG in it, 24 units wide, in a color as 0xRRGGBB. Nil for an icon by its name, and for a path that is too
  /// long or none.
  @_lifetime(immortal)
  public func iconAddress(_ index: Int, color: UInt32) -> Span<UInt8>? {
    guard let json = property(index, "name"),
      let path = drawing(JSONView(Span(_unsafeElements: json)), scope(index)), !path.isEmpty,
      path.count <= Budget.a2uiIconBytes, path.isPathData
    else { return nil }
    let room = store.scratch.room(3 * Budget.a2uiIconBytes + 256)
    var writer = ByteWriter(into: room)
    writer.text("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24'%3E%3Cpath fill='rgb(")
    writer.decimal(Int64(color >> 16 & 0xFF))
    writer.text(",")
    writer.decimal(Int64(color >> 8 & 0xFF))
    writer.text(",")
    writer.decimal(Int64(color & 0xFF))
    writer.text(")' d='")
    for byte in path { byte.isSpace ? writer.text("%20") : writer.byte(byte) }
    writer.text("'/%3E%3C/svg%3E")
    return writer.isComplete ? span(store.scratch.keep(writer.count)) : nil
  }

  /// The path of an icon's own picture; one in `path` only where no data are found at it.
  func drawing(_ name: JSONView, _ scope: DataScope) -> Bytes? {
    if let path = store.unescaped(name.member("svgPath")) { return path }
    guard let path = store.unescaped(name.member("path")), path.isDrawing, store.data.find(path, scope) == nil else {
      return nil
    }
    return path
  }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// True for a path of SVG, which begins by moving to a place; few paths of a data model look like one (`month-12`).
  var isDrawing: Bool {
    guard count > 5, self[0] | 0x20 == UInt8(ascii: "m"), isPathData else { return false }
    var (digits, gaps) = (0, 0)
    for byte in self {
      if byte.isDigit { digits += 1 }
      if byte.isSpace || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "-") { gaps += 1 }
    }
    return digits >= 2 && gaps >= 1
  }

  /// True for what the paths of SVG are written with: letters of commands, numbers, and what separates them.
  fileprivate var isPathData: Bool {
    for byte in self {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x0A, 0x09: break
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "+"): break
      default: return false
      }
    }
    return true
  }
}
