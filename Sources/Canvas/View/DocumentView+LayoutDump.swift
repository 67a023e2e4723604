import A2UI
import Codec
import Graphics
import Runtime

// The layout dump: what is shown, as JSON.

extension DocumentView {
  /// Writes what is shown, in the order in which it is drawn, as a list of `{id, type, x, y, w, h}` with `text` and
  /// `state` where there are any, in pixels of the screen (canvas reference 2.11). Secrets are left out.
  @export(interface)
  public func writeLayout(to writer: inout JSONWriter) {
    writer.beginArray()
    for index in 0..<surfaceCount {
      let layout = layout(index)
      for place in 0..<layout.count where layout[place].isShown && !layout.isInModal(place) {
        write(place, layout, index, offset(index), to: &writer)
      }
    }
    for index in 0..<surfaceCount {
      let layout = layout(index)
      for place in 0..<layout.count where layout[place].isShown && layout.isInModal(place) {
        write(place, layout, index, Point(0, 0), to: &writer)
      }
    }
    writeKeys(to: &writer)
    writePicker(to: &writer)
    writer.endArray()
  }

  private func write(
    _ index: Int, _ layout: SurfaceLayout, _ surface: Int, _ offset: Point, to writer: inout JSONWriter
  ) {
    guard layout.tree[index].kind != .missing else { return }
    var id = InlineText<1024>()
    id.fill { buffer in
      var text = ByteWriter(into: buffer)
      layout.tree.writeId(index, into: &text)
      return text.isComplete ? text.count : 0
    }
    let rect = layout.screenRect(index).offset(offset.x, offset.y)
    let tree = layout.tree
    let type = tree[index].type
    writer.beginObject()
    writer.key("id")
    writer.string(id.span)
    writer.key("type")
    type == .unknown ? writer.string(tree.typeName(index)) : writer.string(type.name)
    write(rect, to: &writer)
    layout.writeFacts(index, to: &writer)
    writeEntry(index, layout, surface, to: &writer)
    writer.endObject()
  }

  private func write(_ rect: Rect, to writer: inout JSONWriter) {
    writer.key("x")
    writer.int(Int64(rect.x))
    writer.key("y")
    writer.int(Int64(rect.y))
    writer.key("w")
    writer.int(Int64(rect.width))
    writer.key("h")
    writer.int(Int64(rect.height))
  }

  /// The state of interaction with an instance: `focus`, with the `caret` in characters where its text may be known,
  /// `part` of several, `pressed`, `busy`, `press` (waiting, done or failed), `invalid`.
  private func writeEntry(_ index: Int, _ layout: SurfaceLayout, _ surface: Int, to writer: inout JSONWriter) {
    let id = layout.tree[index].id
    func flag(_ name: StaticString, _ isSet: Bool) {
      guard isSet else { return }
      writer.key(name)
      writer.bool(true)
    }
    if let focus = person.focus, focus.hit.id == id, focus.surface == layout.surface {
      flag("focus", true)
      if focus.hit.isText, !layout.tree.isObscured(index) {
        writer.key("caret")
        writer.int(Int64(Characters.count(layout.fieldText(index), before: person.caret)))
      }
      if focus.hit.kind == .option || focus.hit.kind == .tab {
        writer.key("part")
        writer.int(Int64(focus.hit.part))
      }
    }
    if let pressed = person.pressed, pressed.id == id { flag("pressed", pressed.surface == surface) }
    flag("busy", person.marks.isSending(id, layout.surface))
    if let look = person.marks.look(id, layout.surface) {
      writer.key("press")
      writer.string(look.word)
    }
    if layout.tree[index].type == .textField { flag("invalid", layout.isWrong(index)) }
    if layout.tree[index].type == .multipleChoice, layout.isFilterable(index) {
      writer.key("filter")
      writer.string(layout.fieldText(index))
    }
  }

  /// The keys of the keyboard on the screen, as `key:a` of type Key.
  private func writeKeys(to writer: inout JSONWriter) {
    guard person.keyboard.isShown else { return }
    person.keyboard.forEachKey { index, key, rect in
      var text = InlineText<8>()
      if key.name.utf8CodeUnitCount == 0 { key.write(to: &text) }
      var id = InlineText<32>()
      id.fill { buffer in
        var line = ByteWriter(into: buffer)
        line.text("key:")
        text.isEmpty ? line.text(key.name) : line.bytes(text.span)
        return line.count
      }
      self.write(id, "Key", rect, isFocused: person.keyboard.selection == index, to: &writer)
      writer.endObject()
    }
  }

  /// The parts of the picker, as `picker:month` with their values.
  private func writePicker(to writer: inout JSONWriter) {
    let picker = person.picker
    guard picker.isOpen else { return }
    for column in 0..<picker.columns {
      let part = picker.part(column)
      let isFocused = picker.showsSelection && picker.selection == column
      write(InlineText(cutting: part.name), "Picker", picker.column(column).value, isFocused: isFocused, to: &writer)
      writer.key("text")
      writer.string(picker.text(part).span)
      writer.endObject()
    }
    for button in PickerButton.allCases {
      let isFocused = picker.showsSelection && picker.selection == picker.columns + button.rawValue
      write(InlineText(cutting: button.name), "Picker", picker.place(of: button), isFocused: isFocused, to: &writer)
      writer.endObject()
    }
  }

  /// An object without its end.
  private func write(
    _ id: InlineText<32>, _ type: StaticString, _ rect: Rect, isFocused: Bool, to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("id")
    writer.string(id.span)
    writer.key("type")
    writer.string(type)
    write(rect, to: &writer)
    guard isFocused else { return }
    writer.key("focus")
    writer.bool(true)
  }
}

extension DateTimeValue.Part {
  /// Its name in the layout dump.
  fileprivate var name: StaticString {
    switch self {
    case .year: "picker:year"
    case .month: "picker:month"
    case .day: "picker:day"
    case .hour: "picker:hour"
    case .minute: "picker:minute"
    }
  }
}

extension PickerButton {
  /// Its name in the layout dump.
  fileprivate var name: StaticString {
    switch self {
    case .clear: "picker:clear"
    case .cancel: "picker:cancel"
    case .done: "picker:done"
    }
  }
}
