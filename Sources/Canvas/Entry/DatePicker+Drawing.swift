import Graphics
import Locales
import Runtime

extension DatePicker {
  func draw(into list: DisplayList, _ flow: TextFlow, _ screen: Rect, _ theme: Theme) {
    guard isOpen else { return }
    list.add(.fill(screen, radius: 0, .solid(theme.backdrop)))
    list.add(.fill(frame, radius: theme.cardRadius, .solid(theme.modal)))
    list.add(.border(frame, radius: theme.cardRadius, width: theme.hairline, theme.cardBorder))
    for index in 0..<columns { draw(column: index, into: list, flow, theme) }
    for button in PickerButton.allCases { draw(button, into: list, flow, theme) }
  }

  private func draw(column: Int, into list: DisplayList, _ flow: TextFlow, _ theme: Theme) {
    let places = self.column(column)
    draw(.expandLess, places.up, isPressed: pressed == .up(part(column)), into: list, theme)
    draw(.expandMore, places.down, isPressed: pressed == .down(part(column)), into: list, theme)
    let box = places.value.inset(by: theme.px(2))
    list.add(.fill(box, radius: theme.fieldRadius, .solid(theme.field)))
    if showsSelection, selection == column {
      list.add(.border(box, radius: theme.fieldRadius, width: Int16(theme.px(isTurning ? 4 : 2)), theme.accent))
    }
    let part = part(column)
    if let field = Locale.Field(rawValue: part.rawValue) {
      write(locale.caption(field), theme.font(.caption), caption(column), theme.mutedText, list, flow)
    }
    let font = theme.font(part == .month || part == .hour ? .h4 : .h3)
    var text = text(part)
    flow.take(text.span, font, isMarkdown: false)
    if flow.widths().max > box.width { text = self.text(part, isShort: true) }
    write(text.span, font, box, theme.text, list, flow)
  }

  private func draw(_ icon: Icon, _ rect: Rect, isPressed: Bool, into list: DisplayList, _ theme: Theme) {
    let cell = rect.inset(by: theme.px(2))
    if isPressed { list.add(.fill(cell, radius: theme.fieldRadius, .solid(theme.accent))) }
    let side = min(theme.iconSize, cell.height, cell.width)
    list.add(
      .icon(
        icon, Rect(cell.x + (cell.width - side) / 2, cell.y + (cell.height - side) / 2, side, side),
        isPressed ? theme.onAccent : theme.text))
  }

  private func draw(_ button: PickerButton, into list: DisplayList, _ flow: TextFlow, _ theme: Theme) {
    let rect = place(of: button)
    let isLit = (button == .done) != (pressed == .button(button))
    let fill = isLit ? theme.accent : theme.secondaryButton
    list.add(.fill(rect, radius: theme.buttonRadius, .solid(fill)))
    if showsSelection, selection == columns + button.rawValue {
      let ring = rect.inset(by: -theme.px(3))
      list.add(.border(ring, radius: theme.buttonRadius, width: Int16(theme.px(2)), theme.accent))
    }
    let text = InlineText<16>(cutting: button.label)
    let ink = isLit ? theme.onAccent : theme.text
    write(text.span, theme.font(.body), rect, ink, list, flow)
  }

  private func write(
    _ text: Span<UInt8>, _ font: Font, _ rect: Rect, _ color: Color, _ list: DisplayList, _ flow: TextFlow
  ) {
    flow.take(text, font, isMarkdown: false)
    let height = flow.arrange(width: max(rect.width, 1), mostLines: 1)
    flow.draw(
      into: list, at: Point(rect.x, rect.y + (rect.height - height) / 2), width: rect.width, color, alignment: .center)
  }
}
