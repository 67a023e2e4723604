import Codec
import Runtime

// The action of a pressed button (canvas reference 1.12, 2.9). The tree must be up to date.

extension InstanceTree {
  /// True for a button with a named action; others send nothing.
  public func hasAction(_ index: Int) -> Bool { action(index) != nil }

  /// The action's name.
  @_lifetime(immortal)
  public func actionName(_ index: Int) -> Span<UInt8>? {
    guard let action = action(index), let name = name(action) else { return nil }
    return span(name)
  }

  /// Writes `{"id":...,"name":...,"surfaceId":...,"sourceComponentId":...,"timestamp":...,"context":{...}}`, the value
  /// of `userAction`.
  /// - Parameters:
  ///   - id: the id of this press; left out when empty.
  ///   - wall: milliseconds since the Unix epoch.
  ///   - sendsObscured: send values of obscured fields where the action has their path. Inside of maps they are never
  ///     sent.
  /// - Returns: false, and nothing is written, when there is no action.
  public func writeAction(
    _ index: Int, id: Span<UInt8>, at wall: Int64, sendsObscured: Bool, into writer: inout JSONWriter
  ) -> Bool {
    guard let surface, let action = action(index), let name = name(action) else { return false }
    writer.beginObject()
    if !id.isEmpty {
      writer.key("id")
      writer.string(id)
    }
    writer.key("name")
    writer.string(Span(_unsafeElements: name))
    writer.key("surfaceId")
    writer.string(Span(_unsafeElements: store.bytes(surface, .id)))
    writer.key("sourceComponentId")
    writer.string(Span(_unsafeElements: idText(index)))
    writer.key("timestamp")
    let time = ISO8601(unixMilliseconds: wall)
    writer.string(time.text)
    writer.key("context")
    var choice = ContextChoice(sendsObscured: sendsObscured)
    // The length is not limited here, but the number of entries is.
    _ = shorten(index, action, &choice, to: .max)
    writeContext(index, action, choice, into: &writer)
    if let model = sentModel {
      writer.key("dataModel")
      store.data.write(model, hiding: .obscured, into: &writer)
    }
    writer.endObject()
    return true
  }

  /// Writes the message to the agent, one line. If the line would exceed `Budget.a2uiActionCharacters` bytes, the
  /// longest values of the context are left out and `"_truncated":true` is added; the same beyond
  /// `Budget.a2uiContextEntries`. What is left of the bytes is for the data model, where the surface wants it sent.
  /// - Returns: the key of the first value that was left out because of its length, empty when none was; nil, and
  ///   nothing is written, when there is no action.
  public func writeLine(
    _ index: Int, _ tags: ActionTags, sendsObscured: Bool, into writer: inout ByteWriter
  ) -> InlineText<64>? {
    guard let surface, let action = action(index), let name = name(action) else { return nil }
    var leftOut = InlineText<64>()
    let before = writer.count
    let tail: StaticString = " default=update_canvas"
    writer.text("CANVAS_A2UI")
    let surfaceId = store.bytes(surface, .id)
    let session = tags.session.withUnsafeBufferPointer { $0 }
    if tags.isShort {
      writer.shortTag(" action=", name, otherwise: "unknown")
      writer.shortTag(" session=", session, otherwise: "main")
      writer.shortTag(" surface=", surfaceId, otherwise: "unknown")
      writer.shortTag(" component=", idText(index), otherwise: "node")
    } else {
      writer.tag(" action=", name)
      writer.tag(" session=", session)
      writer.tag(" surface=", surfaceId)
      writer.tag(" component=", idText(index))
      writer.tag(" host=", tags.host.withUnsafeBufferPointer { $0 })
      writer.tag(" instance=", tags.instance.withUnsafeBufferPointer { $0 })
    }
    var choice = ContextChoice(sendsObscured: sendsObscured)
    if tags.isShort ? hasContext(action) : contextCount(index, action, choice) > 0 {
      writer.text(" ctx=")
      let room = Budget.a2uiActionCharacters - (writer.count - before) - tail.utf8CodeUnitCount
      leftOut = shorten(index, action, &choice, to: room)
      var json = JSONWriter(continuing: writer)
      writeContext(index, action, choice, into: &json)
      writer = json.finish()
    }
    let room = Budget.a2uiActionCharacters - (writer.count - before) - tail.utf8CodeUnitCount
    if !writeModel(into: &writer, room), leftOut.isEmpty { leftOut = InlineText(cutting: "data") }
    writer.text(tail)
    return leftOut
  }

  /// The data model, where the surface wants it to be sent with every action.
  private var sentModel: NodeIndex? {
    guard let surface else { return nil }
    let record = store.records[Int(surface.slot)]
    return record.sendsData && record.model != .none ? record.model : nil
  }

  /// ` data={...}`, without values of obscured fields. False when it does not fit; then nothing is written.
  private func writeModel(into writer: inout ByteWriter, _ room: Int) -> Bool {
    guard let model = sentModel else { return true }
    var measure = JSONWriter()
    store.data.write(model, hiding: .obscured, into: &measure)
    let key: StaticString = " data="
    guard measure.count + key.utf8CodeUnitCount <= room else { return false }
    writer.text(key)
    var json = JSONWriter(continuing: writer)
    store.data.write(model, hiding: .obscured, into: &json)
    writer = json.finish()
    return true
  }

  /// The address that a button opens: the `openUrl` of its `functionCall`; nil for any other.
  @_lifetime(immortal)
  public func openedAddress(_ index: Int) -> Span<UInt8>? {
    guard let json = property(index, "action"),
      let call = JSONView(Span(_unsafeElements: json)).member("functionCall"),
      let name = store.unescaped(call.member("call")), FunctionName(name) == .openUrl,
      let address = text(value(call.member("args")?.member("url"), scope(index))), !address.isEmpty
    else { return nil }
    return span(address)
  }

  private func name(_ action: Bytes) -> Bytes? {
    store.unescaped(JSONView(Span(_unsafeElements: action)).member("name"))
  }

  /// The instance's id, valid until as many texts are read as the scratch ring has room for.
  @_lifetime(immortal)
  public func id(_ index: Int) -> Span<UInt8> { span(idText(index)) }

  /// The instance's id in the scratch ring.
  private func idText(_ index: Int) -> Bytes {
    let room = store.scratch.room(Budget.a2uiInstanceIdBytes)
    var writer = ByteWriter(into: room)
    writeId(index, into: &writer)
    return store.scratch.keep(min(writer.count, room.count))
  }
}

extension ByteWriter {
  fileprivate mutating func tag(_ key: StaticString, _ value: Bytes) {
    text(key)
    tag(value)
  }

  fileprivate mutating func shortTag(_ key: StaticString, _ value: Bytes, otherwise: StaticString) {
    text(key)
    shortTag(value, otherwise: otherwise)
  }
}
