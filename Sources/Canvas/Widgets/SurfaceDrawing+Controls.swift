import A2UI
import Codec
import Graphics
import Runtime

// What a person operates.

extension SurfaceDrawing {
  func drawButton(_ index: Int, _ rect: Rect) {
    var inside = self
    switch tree.buttonVariant(index) {
    case .standard:
      list.add(.fill(rect, radius: theme.buttonRadius, .solid(theme.secondaryButton)))
      list.add(.border(rect, radius: theme.buttonRadius, width: theme.hairline, theme.fieldBorder))
      inside.ink = theme.text
    case .primary:
      list.add(.fill(rect, radius: theme.buttonRadius, theme.button))
      inside.ink = theme.onAccent
    case .borderless: inside.ink = theme.accentText
    }
    inside.drawMark(of: index)
    inside.drawChildren(index)
    drawPressed(index, rect, theme.buttonRadius)
    drawFocus(index, rect, theme.buttonRadius)
    // Its checks do not allow its action.
    if tree.failedCheck(index) != nil {
      list.add(.fill(rect, radius: theme.buttonRadius, .solid(theme.page.opacity(0x90))))
    }
  }

  /// How far a press is stands before what the button shows, which makes room for it.
  private mutating func drawMark(of index: Int) {
    guard let look = person.marks.look(tree[index].id, layout.surface), let child = tree[index].firstChild else {
      return
    }
    let (side, gap) = (theme.px(14), theme.px(4))
    offset.x += (side + gap) / 2
    let content = rect(child)
    let place = Rect(content.x - gap - side, content.y + (content.height - side) / 2, side, side)
    switch look {
    case .waiting:
      list.add(.arc(place, start: 0, sweep: 360, width: Int16(theme.px(2)), ink.opacity(0x40)))
      list.add(.arc(place, start: person.marks.turn * 30, sweep: 90, width: Int16(theme.px(2)), ink))
    case .done: list.add(.icon(.check, place, ink))
    case .failed: list.add(.icon(.error, place, ink))
    }
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
    let mark = theme.onAccent
    guard isRadio else { return list.add(.icon(.check, rect.inset(by: theme.px(3)), mark)) }
    let point = rect.inset(by: rect.width * 3 / 10)
    list.add(.fill(point, radius: Int16(point.width / 2), .solid(mark)))
  }

  func drawCheckBox(_ index: Int, _ rect: Rect) {
    let side = theme.px(22)
    let hasLabel = layout.take(index, "label", theme.font(.body))
    let inset = hasLabel ? 0 : (min(rect.width, theme.target) - side) / 2
    let box = Rect(rect.x + inset, rect.y + (rect.height - side) / 2, side, side)
    drawPressed(index, rect, theme.fieldRadius)
    drawMark(box, isOn: layout.isChecked(index), isRadio: false)
    drawFocus(index, rect, theme.fieldRadius)
    guard hasLabel else { return }
    let start = box.maxX + theme.gap
    drawFlow(in: Rect(start, rect.y, rect.maxX - start, rect.height), ink)
  }

  func drawChoice(_ index: Int, _ place: Rect) {
    let rect = place.offset(person.shakeOffset(tree[index].id, layout.surface, reach: theme.px(8)), 0)
    _ = drawLabel(index, rect)
    if layout.isFilterable(index) { drawFilter(index, rect) }
    let isRadio = tree.mostSelections(index) == 1
    let isChips = layout.isChips(index)
    layout.forEachOption(index, rect) { option, place in
      guard !place.intersection(visible).isEmpty else { return }
      let isOn = layout.isChosen(index, option)
      isChips ? drawChip(index, option, place, isOn) : drawOption(index, option, place, isOn, isRadio)
    }
  }

  private func drawFilter(_ index: Int, _ rect: Rect) {
    let field = layout.field(index, rect)
    drawField(field.box, isFocused: isFocused(index, .filter))
    let side = theme.px(20)
    let icon = Rect(rect.x + theme.px(12), field.box.y + (theme.target - side) / 2, side, side)
    list.add(.icon(.search, icon, theme.mutedText))
    drawEntry(index, field)
  }

  private func drawOption(_ index: Int, _ option: Int, _ rect: Rect, _ isOn: Bool, _ isRadio: Bool) {
    let side = theme.px(22)
    let box = Rect(rect.x, rect.y + (rect.height - side) / 2, side, side)
    drawPressed(index, rect, theme.fieldRadius, .option, Int32(option))
    drawMark(box, isOn: isOn, isRadio: isRadio)
    drawFocus(index, rect, theme.fieldRadius, .option, Int32(option))
    guard let label = layout.optionLabel(index, option) else { return }
    layout.flow.take(label, theme.font(.body), isMarkdown: false)
    let start = box.maxX + theme.gap
    drawFlow(in: Rect(start, rect.y, rect.maxX - start, rect.height), ink)
  }

  private func drawChip(_ index: Int, _ option: Int, _ rect: Rect, _ isOn: Bool) {
    let radius = Int16(rect.height / 2)
    list.add(.fill(rect, radius: radius, .solid(isOn ? theme.accent : theme.secondaryButton)))
    if !isOn { list.add(.border(rect, radius: radius, width: theme.hairline, theme.fieldBorder)) }
    drawPressed(index, rect, radius, .option, Int32(option))
    drawFocus(index, rect.inset(by: -theme.px(3)), radius + Int16(theme.px(3)), .option, Int32(option))
    guard let label = layout.optionLabel(index, option) else { return }
    drawLine(label, theme.font(.body), in: rect, isOn ? theme.onAccent : theme.text, .center)
  }

  // MARK: Sliders

  func drawSlider(_ index: Int, _ rect: Rect) {
    let range = SliderRange(layout, index)
    var value = InlineText<64>()
    value.fill { range.writeValue(into: $0, tree.locale) }
    let labelHeight = layout.sliderLabelHeight(index)
    if labelHeight > 0 {
      let row = Rect(rect.x, rect.y, rect.width, labelHeight)
      if layout.take(index, "label", theme.font(.caption)) { drawFlow(in: row, theme.mutedText, mostLines: 1) }
      drawLine(value.span, theme.font(.caption), in: row, theme.mutedText, .end)
    }
    let knob = theme.px(20)
    let track = theme.px(6)
    let middle = rect.y + labelHeight + (rect.height - labelHeight) / 2
    let bar = Rect(rect.x, middle - track / 2, rect.width, track)
    list.add(.fill(bar, radius: Int16(track / 2), .solid(theme.fieldBorder)))
    let x = rect.x + Int32(clamping: range.share * Double(max(rect.width - knob, 0)))
    list.add(.fill(Rect(bar.x, bar.y, x - bar.x + knob / 2, track), radius: Int16(track / 2), .solid(theme.accent)))
    let place = Rect(x, middle - knob / 2, knob, knob)
    list.add(.fill(place, radius: Int16(knob / 2), .solid(.white)))
    // Around white a bright color is not seen.
    let ring = theme.accent.contrast(with: .white) < Palette.controlContrast ? theme.page : theme.accent
    list.add(.border(place, radius: Int16(knob / 2), width: Int16(theme.px(2)), ring))
    drawFocus(
      index, place.inset(by: -theme.px(4)), Int16(knob / 2 + theme.px(4)),
      width: person.focus?.isTurning == true ? 4 : 2)
  }
}
