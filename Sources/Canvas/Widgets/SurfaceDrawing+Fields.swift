import A2UI
import Graphics
import Runtime

// Fields with text, and the caret in the one that the keys go to.

extension SurfaceDrawing {
  func drawField(_ rect: Rect, isFocused: Bool, isWrong: Bool = false) {
    list.add(.fill(rect, radius: theme.fieldRadius, .solid(theme.field)))
    let color = isWrong ? theme.error : isFocused ? theme.accent : theme.fieldBorder
    list.add(
      .border(
        rect, radius: theme.fieldRadius, width: isFocused || isWrong ? Int16(theme.px(2)) : theme.hairline, color))
  }

  /// Below an input what is found fault with; the rest of the rectangle.
  func drawFault(_ index: Int, _ rect: Rect) -> Rect {
    let height = layout.faultHeight(index, rect.width)
    guard height > 0, let fault = layout.fault(index) else { return rect }
    let text = height - theme.px(4)
    layout.flow.take(fault, theme.font(.caption), isMarkdown: false)
    drawFlow(in: Rect(rect.x, rect.maxY - text, rect.width, text), theme.error)
    return Rect(rect.x, rect.y, rect.width, rect.height - height)
  }

  /// The label above a field; the rest of the rectangle.
  func drawLabel(_ index: Int, _ rect: Rect) -> Rect {
    let height = layout.fieldLabelHeight(index, rect.width)
    guard height > 0, layout.take(index, "label", theme.font(.caption)) else { return rect }
    layout.flow.arrange(width: rect.width)
    layout.flow.draw(into: list, at: Point(rect.x, rect.y), width: rect.width, theme.mutedText)
    return Rect(rect.x, rect.y + height, rect.width, rect.height - height)
  }

  func drawTextField(_ index: Int, _ rect: Rect) {
    _ = drawLabel(index, rect)
    let field = layout.field(index, rect)
    drawField(field.box, isFocused: isFocused(index), isWrong: layout.isWrong(index))
    drawEntry(index, field)
    drawPressed(index, field.box, theme.fieldRadius)
  }

  /// What stands in a field, and the caret.
  func drawEntry(_ index: Int, _ field: FieldPlace) {
    let isFocused = isFocused(index, .textField) || isFocused(index, .filter)
    let text = layout.fieldText(index)
    let scroll = isFocused ? person.fieldScroll : Point(0, 0)
    let origin = Point(field.room.x - scroll.x, field.room.y + field.inset - scroll.y)
    list.add(.clip(field.room, radius: 0))
    if text.isEmpty, let hint = tree.string(index, "placeholder") {
      field.lines.draw(hint, at: origin, in: field.room, theme.mutedText, into: list)
    }
    var caret = Point(0, 0)
    if tree.isObscured(index) {
      caret.x = drawDots(text, field, origin, readable: isFocused && person.secretUntil != nil ? person.caret : nil)
    } else {
      field.lines.draw(text, at: origin, in: field.room, ink, into: list)
      if isFocused { caret = field.lines.place(of: person.caret, text) }
    }
    if isFocused, person.isCaretOn {
      list.add(
        .fill(
          Rect(origin.x + caret.x, origin.y + caret.y, theme.px(2), field.lines.lineHeight), radius: 0,
          .solid(theme.accent)))
    }
    list.add(.endClip)
  }

  /// A point for each character of a secret; the one before `readable` can be read. Where the caret stands, to the
  /// right of the origin.
  private func drawDots(_ text: Span<UInt8>, _ field: FieldPlace, _ origin: Point, readable: Int?) -> Int32 {
    let (side, step) = (theme.px(7), layout.dotStep)
    let shown = readable.map { Characters.previous(text, $0) } ?? text.count
    var (place, x, caret): (Int, Int32, Int32) = (0, 0, 0)
    while place < text.count, origin.x + x < field.room.maxX || place <= person.caret {
      if place == person.caret { caret = x }
      if place == shown {
        drawGlyph(text, place, field, Point(origin.x + x, origin.y))
      } else {
        let y = field.room.y + (field.room.height - side) / 2
        list.add(.fill(Rect(origin.x + x, y, side, side), radius: Int16(side / 2), .solid(ink)))
      }
      x += step
      place += Characters.length(text, place)
    }
    return place <= person.caret ? x : caret
  }

  private func drawGlyph(_ text: Span<UInt8>, _ place: Int, _ field: FieldPlace, _ origin: Point) {
    let glyph = text.extracting(place..<place + Characters.length(text, place))
    let start = Point(origin.x, origin.y + field.lines.baseline)
    list.add(.text(list.add(glyph), field.lines.font, start: start, advance: layout.dotStep, ink))
  }

  func drawDateTime(_ index: Int, _ rect: Rect) {
    let field = drawLabel(index, rect)
    let box = Rect(field.x, field.y, field.width, theme.target)
    drawField(box, isFocused: isFocused(index) && person.showsRing)
    let side = theme.px(20)
    let icon = Rect(field.maxX - side - theme.px(12), field.y + (theme.target - side) / 2, side, side)
    list.add(.icon(.event, icon, theme.mutedText))
    drawPressed(index, box, theme.fieldRadius)
    let value = layout.fieldText(index)
    guard !value.isEmpty else { return }
    let room = Rect(field.x + theme.px(12), field.y, icon.x - field.x - theme.px(20), theme.target)
    let parts = DateTimeParts(
      value, tree.locale, hasDate: tree.entersDate(index), hasTime: tree.entersTime(index))
    drawLine(parts.span, theme.font(.body), in: room, ink)
  }
}
