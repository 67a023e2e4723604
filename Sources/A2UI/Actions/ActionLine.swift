import Codec
import Runtime

/// The message to the agent for an action that no instance has: one that a script sends (canvas reference 2.9).
public enum ActionLine {
  /// Writes one line from `{"name", "surfaceId", "sourceComponentId", "context"}`, all but the name optional. A context that would
  /// make it longer than `Budget.a2uiActionCharacters` bytes is left out.
  /// - Returns: the action's name; nil, and nothing is written, when there is none.
  public static func write(_ action: borrowing JSONView, _ tags: ActionTags, into writer: inout ByteWriter) -> InlineText<256>? {
    var name = text(action.member("name"))
    if name.isEmpty { name = text(action.member("action")) }
    guard !name.isEmpty else { return nil }
    var surface = text(action.member("surfaceId"))
    if surface.isEmpty { surface = InlineText(cutting: "main") }
    let before = writer.count
    writer.text("CANVAS_A2UI")
    add(" action=", name.span, to: &writer)
    add(" session=", tags.session, to: &writer)
    add(" surface=", surface.span, to: &writer)
    add(" component=", text(action.member("sourceComponentId")).span, to: &writer)
    add(" host=", tags.host, to: &writer)
    add(" instance=", tags.instance, to: &writer)
    let tail: StaticString = " default=update_canvas"
    if let context = action.member("context"), context.kind == .object, context.rawText.count > 2 {
      let room = Budget.a2uiActionCharacters - (writer.count - before) - tail.utf8CodeUnitCount - 5
      writer.text(" ctx=")
      if context.rawText.count <= room { writer.bytes(context.rawText) } else { writer.text(#"{"_truncated":true}"#) }
    }
    writer.text(tail)
    return name
  }

  private static func text(_ value: JSONView?) -> InlineText<256> {
    var text = InlineText<256>()
    guard let value, value.kind == .string else { return text }
    text.fill { value.copyString(into: $0) }
    return text
  }

  private static func add(_ key: StaticString, _ value: Span<UInt8>, to writer: inout ByteWriter) {
    writer.text(key)
    value.withUnsafeBufferPointer { writer.tag($0) }
  }
}
