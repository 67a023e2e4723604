import Codec
import Runtime

extension SurfaceStore {
  /// What a JSON string says: where it stands if nothing is escaped, otherwise in the scratch ring. Nil for any other
  /// value, and for strings longer than strings may be.
  func unescaped(_ view: JSONView?) -> Bytes? {
    guard let view, view.kind == .string else { return nil }
    let raw = view.rawText.withUnsafeBufferPointer { $0 }
    guard raw.count >= 2 else { return nil }
    let inner = raw.between(1..<raw.count - 1)
    var isPlain = true
    for byte in inner where byte == UInt8(ascii: "\\") { isPlain = false }
    if isPlain { return inner.count <= Budget.a2uiStringBytes ? inner : nil }
    guard let count = view.copyString(into: scratch.room(Budget.a2uiStringBytes)) else { return nil }
    return scratch.keep(count)
  }

  /// A number in its shortest form.
  func text(_ number: Double) -> Bytes {
    var writer = JSONWriter(into: scratch.room(32))
    writer.double(number)
    return scratch.keep(writer.count)
  }

  /// The same text in the scratch ring, where it stays when arenas move.
  func copied(_ text: Bytes) -> Bytes {
    let room = scratch.room(Budget.a2uiStringBytes)
    let count = min(text.count, room.count)
    if count > 0 { room.baseAddress!.update(from: text.baseAddress!, count: count) }
    return scratch.keep(count)
  }
}
