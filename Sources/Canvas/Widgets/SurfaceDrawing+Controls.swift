import A2UI
import Runtime

// What a person operates.

extension SurfaceDrawing {
  /// A ring around what the keys go to.
  private func drawFocus(_ index: Int, _ rect: Rect, _ radius: Int16) {
    guard focus != 0, tree[index].id == focus else { return }
    list.add(.border(rect, radius: radius, width: Int16(theme.px(2)), theme.accent))
  }

  func drawButton(_ index: Int, _ rect: Rect) {
    let isPrimary = tree.bool(index, "primary") ?? false
    let fill = isPrimary ? theme.button : .solid(theme.secondaryButton)
    list.add(.fill(rect, radius: theme.buttonRadius, fill))
    var inside = self
    inside.ink = isPrimary ? Theme.text(on: theme.hasOwnPrimary ? theme.primary : Color(0x14BE91)) : theme.text
    inside.drawChildren(index)
    drawFocus(index, rect, theme.buttonRadius)
  }

  // MARK: Marks

  /// A box with a check mark, or a ring with a point among options of which one can be chosen.
  private func drawMark(_ rect: Rect, isOn: Bool, isRadio: Bool) {
    let radius = isRadio ? Int16(rect.width / 2) : Int16(theme.px(6))
    guard isOn else {
      list.add(.fill(rect, radius: radius, .solid(theme.field)))
      return list.add(.border(rect, radius: radius, width: Int16(theme.px(2)), theme.fieldBorder))
    }
    list.add(.fill(rect, radius: radius, .solid(theme.accent)))
    let mark = Theme.text(on: theme.accent)
    guard isRadio else { return list.add(.icon(.check, rect.inset(by: theme.px(3)), mark)) }
    let point = rect.inset(by: rect.width * 3 / 10)
    list.add(.fill(point, radius: Int16(point.width / 2), .solid(mark)))
  }

  func drawCheckBox(_ index: Int, _ rect: Rect) {
    let side = theme.px(22)
    let box = Rect(rect.x, rect.y + (rect.height - side) / 2, side, side)
    drawMark(box, isOn: layout.isChecked(index), isRadio: false)
    drawFocus(index, rect, theme.fieldRadius)
    guard layout.take(index, "label", theme.font(.body)) else { return }
    let start = box.maxX + theme.gap
    drawFlow(in: Rect(start, rect.y, rect.maxX - start, rect.height), ink)
  }

  func drawChoice(_ index: Int, _ rect: Rect) {
    if layout.filterHeight(index) > 0 {
      drawField(Rect(rect.x, rect.y, rect.width, theme.target), isFocused: focus == tree[index].id)
      let side = theme.px(20)
      list.add(.icon(.search, Rect(rect.x + theme.px(12), rect.y + (theme.target - side) / 2, side, side), theme.mutedText))
    }
    let isRadio = tree.number(index, "maxAllowedSelections") == 1
    let isChips = layout.isChips(index)
    layout.forEachOption(index, rect) { option, place in
      guard !place.intersection(visible).isEmpty else { return }
      let isOn = layout.isChosen(index, option)
      isChips ? drawChip(index, option, place, isOn) : drawOption(index, option, place, isOn, isRadio)
    }
  }

  private func drawOption(_ index: Int, _ option: Int, _ rect: Rect, _ isOn: Bool, _ isRadio: Bool) {
    let side = theme.px(22)
    let box = Rect(rect.x, rect.y + (rect.height - side) / 2, side, side)
    drawMark(box, isOn: isOn, isRadio: isRadio)
    guard let label = tree.itemString(index, "options", option, "label") else { return }
    layout.flow.take(label, theme.font(.body), isMarkdown: false)
    let start = box.maxX + theme.gap
    drawFlow(in: Rect(start, rect.y, rect.maxX - start, rect.height), ink)
  }

  private func drawChip(_ index: Int, _ option: Int, _ rect: Rect, _ isOn: Bool) {
    let radius = Int16(rect.height / 2)
    list.add(.fill(rect, radius: radius, .solid(isOn ? theme.accent : theme.secondaryButton)))
    guard let label = tree.itemString(index, "options", option, "label") else { return }
    drawLine(label, theme.font(.body), in: rect, isOn ? Theme.text(on: theme.accent) : theme.text, .center)
  }

  // MARK: Fields

  func drawField(_ rect: Rect, isFocused: Bool, isWrong: Bool = false) {
    list.add(.fill(rect, radius: theme.fieldRadius, .solid(theme.field)))
    let color = isWrong ? theme.error : isFocused ? theme.accent : theme.fieldBorder
    list.add(
      .border(rect, radius: theme.fieldRadius, width: isFocused ? Int16(theme.px(2)) : theme.hairline, color))
  }

  /// The label above a field; the rest of the rectangle.
  private func drawLabel(_ index: Int, _ rect: Rect) -> Rect {
    let height = layout.fieldLabelHeight(index, rect.width)
    guard height > 0 else { return rect }
    layout.flow.arrange(width: rect.width)
    layout.flow.draw(into: list, at: Point(rect.x, rect.y), width: rect.width, theme.mutedText)
    return Rect(rect.x, rect.y + height, rect.width, rect.height - height)
  }

  func drawTextField(_ index: Int, _ rect: Rect) {
    let below = drawLabel(index, rect)
    let field = Rect(below.x, below.y, below.width, layout.fieldHeight(index))
    drawField(field, isFocused: focus != 0 && tree[index].id == focus)
    guard layout.take(index, "text", theme.font(.body)) else { return }
    let room = Rect(field.x + theme.px(12), field.y, max(field.width - theme.px(24), 1), field.height)
    list.add(.clip(room, radius: 0))
    if tree.isObscured(index) {
      drawDots(index, room)
    } else if tree.word(index, "textFieldType", otherwise: TextFieldType.shortText) == .longText {
      layout.flow.arrange(width: room.width)
      layout.flow.draw(into: list, at: Point(room.x, room.y + theme.px(10)), width: room.width, ink)
    } else {
      drawFlow(in: room, ink, mostLines: 1)
    }
    list.add(.endClip)
  }

  /// A point for each character of a secret.
  private func drawDots(_ index: Int, _ room: Rect) {
    guard let text = tree.string(index, "text") else { return }
    var characters: Int32 = 0
    for place in 0..<text.count where text[place] & 0xC0 != 0x80 { characters += 1 }
    let side = theme.px(7)
    let step = side + theme.px(4)
    for place in 0..<min(characters, room.width / step) {
      let dot = Rect(room.x + place * step, room.y + (room.height - side) / 2, side, side)
      list.add(.fill(dot, radius: Int16(side / 2), .solid(ink)))
    }
  }

  func drawDateTime(_ index: Int, _ rect: Rect) {
    let field = drawLabel(index, rect)
    drawField(Rect(field.x, field.y, field.width, theme.target), isFocused: focus != 0 && tree[index].id == focus)
    let side = theme.px(20)
    let icon = Rect(field.maxX - side - theme.px(12), field.y + (theme.target - side) / 2, side, side)
    list.add(.icon(.event, icon, theme.mutedText))
    guard let value = tree.string(index, "value"), !value.isEmpty else { return }
    let room = Rect(field.x + theme.px(12), field.y, icon.x - field.x - theme.px(20), theme.target)
    let parts = DateTimeParts(
      value, hasDate: tree.bool(index, "enableDate") ?? true, hasTime: tree.bool(index, "enableTime") ?? true)
    drawLine(parts.span, theme.font(.body), in: room, ink)
  }

  func drawSlider(_ index: Int, _ rect: Rect) {
    let range = SliderRange(layout, index)
    var value = InlineText<32>()
    value.fill { range.writeValue(into: $0) }
    let labelHeight = layout.sliderLabelHeight(index)
    if labelHeight > 0 {
      let row = Rect(rect.x, rect.y, rect.width, labelHeight)
      drawFlow(in: row, theme.mutedText, mostLines: 1)
      drawLine(value.span, theme.font(.caption), in: row, theme.mutedText, .end)
    }
    let knob = theme.px(20)
    let track = theme.px(6)
    let middle = rect.y + labelHeight + (rect.height - labelHeight) / 2
    let bar = Rect(rect.x, middle - track / 2, rect.width, track)
    list.add(.fill(bar, radius: Int16(track / 2), .solid(theme.fieldBorder)))
    let x = rect.x + Int32(range.share * Double(max(rect.width - knob, 0)))
    list.add(.fill(Rect(bar.x, bar.y, x - bar.x + knob / 2, track), radius: Int16(track / 2), .solid(theme.accent)))
    let place = Rect(x, middle - knob / 2, knob, knob)
    list.add(.fill(place, radius: Int16(knob / 2), .solid(.white)))
    list.add(.border(place, radius: Int16(knob / 2), width: Int16(theme.px(2)), theme.accent))
    drawFocus(index, place.inset(by: -theme.px(4)), Int16(knob / 2 + theme.px(4)))
  }
}
