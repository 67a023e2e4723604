import Codec
import Runtime

extension SurfaceStore {
  /// A JSON string, unescaped: in place if it has no escapes, otherwise in the scratch ring. Nil for any other value,
  /// and for strings above the limit.
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

  /// A copy of the text in the scratch ring, which stays when arenas are compacted.
  func copied(_ text: Bytes) -> Bytes {
    let room = scratch.room(Budget.a2uiStringBytes)
    let count = min(text.count, room.count)
    if count > 0 { room.baseAddress!.update(from: text.baseAddress!, count: count) }
    return scratch.keep(count)
  }
}
