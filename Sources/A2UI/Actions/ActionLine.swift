import Codec
import Runtime

/// The message to the agent for an action without an instance, which a script sends (canvas reference 2.9).
public enum ActionLine {
  /// The result of `write`.
  public struct Written {
    /// The action's name.
    public var name: InlineText<256>
    /// The key of the first value that was left out because of its length; empty when none was.
    public var leftOut = InlineText<64>()
  }

  /// Writes one line from `{"name", "surfaceId", "sourceComponentId", "context"}`, all optional except the name. If the
  /// line would exceed `Budget.a2uiActionCharacters` bytes, the longest values of the context are left out and
  /// `"_truncated":true` is added; the same beyond `Budget.a2uiContextEntries`.
  /// - Returns: nil, and nothing is written, when there is no name.
  public static func write(_ action: borrowing JSONView, _ tags: ActionTags, into writer: inout ByteWriter) -> Written?
  {
    guard let name = name(of: action) else { return nil }
    let surface = surface(of: action)
    let before = writer.count
    writer.text("CANVAS_A2UI")
    add(" action=", name.span, to: &writer)
    add(" session=", tags.session, to: &writer)
    add(" surface=", surface.span, to: &writer)
    add(" component=", text(action.member("sourceComponentId")).span, to: &writer)
    add(" host=", tags.host, to: &writer)
    add(" instance=", tags.instance, to: &writer)
    let tail: StaticString = " default=update_canvas"
    var written = Written(name: name)
    if let context = action.member("context"), context.kind == .object, context.rawText.count > 2 {
      writer.text(" ctx=")
      let room = Budget.a2uiActionCharacters - (writer.count - before) - tail.utf8CodeUnitCount
      written.leftOut = write(context: context, room, into: &writer)
    }
    writer.text(tail)
    return written
  }

  /// Writes as many members of a context as fit.
  /// - Returns: the key of the first that does not; empty when all do.
  private static func write(context: JSONView, _ room: Int, into writer: inout ByteWriter) -> InlineText<64> {
    var fit = ContextFit()
    var (place, members) = (0, context.members())
    while let member = members.next() {
      guard place < Budget.a2uiContextEntries else {
        fit.hasMore()
        break
      }
      // A brace or a comma before the name, and a colon after it.
      fit.set(place, length: member.name.rawText.count + member.value.rawText.count + 2)
      place += 1
    }
    fit.fit(into: room)
    var leftOut = InlineText<64>()
    var separator: StaticString = "{"
    (place, members) = (0, context.members())
    while place < Budget.a2uiContextEntries, let member = members.next() {
      if fit.isKept(place) {
        writer.text(separator)
        writer.bytes(member.name.rawText)
        writer.text(":")
        writer.bytes(member.value.rawText)
        separator = ","
      } else if place == fit.firstLeftOut {
        // A key that does not fit is not reported.
        leftOut.fill { member.name.copyString(into: $0) }
      }
      place += 1
    }
    if fit.isTruncated {
      writer.text(separator)
      writer.text(#""_truncated":true"#)
    }
    writer.text("}")
    return leftOut
  }

  /// The name of an action; nil: it has none.
  public static func name(of action: borrowing JSONView) -> InlineText<256>? {
    var name = text(action.member("name"))
    if name.isEmpty { name = text(action.member("action")) }
    return name.isEmpty ? nil : name
  }

  private static func surface(of action: borrowing JSONView) -> InlineText<256> {
    let surface = text(action.member("surfaceId"))
    return surface.isEmpty ? InlineText(cutting: "main") : surface
  }

  /// Writes the action as an object for a program at the board, as `InstanceTree.writeAction` writes that of a press
  /// (canvas reference 2.8).
  /// - Parameters:
  ///   - id: the id of this press.
  ///   - wall: milliseconds since the Unix epoch.
  /// - Returns: false, and nothing is written, when the action has no name.
  public static func writeObject(
    _ action: borrowing JSONView, id: Span<UInt8>, at wall: Int64, into writer: inout JSONWriter
  ) -> Bool {
    guard let name = name(of: action) else { return false }
    writer.beginObject()
    writer.key("id")
    writer.string(id)
    writer.key("name")
    writer.string(name.span)
    writer.key("surfaceId")
    writer.string(surface(of: action).span)
    writer.key("sourceComponentId")
    writer.string(text(action.member("sourceComponentId")).span)
    writer.key("timestamp")
    let time = ISO8601(unixMilliseconds: wall)
    writer.string(time.text)
    writer.key("context")
    if let context = action.member("context"), context.kind == .object {
      writer.raw(context.rawText)
    } else {
      writer.beginObject()
      writer.endObject()
    }
    writer.endObject()
    return true
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
