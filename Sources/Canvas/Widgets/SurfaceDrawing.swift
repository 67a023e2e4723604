import A2UI
import Codec
import Graphics
import Runtime

/// Draws an arranged surface into a display list.
struct SurfaceDrawing {
  let layout: SurfaceLayout
  /// Which of the surfaces that are drawn.
  let surface: Int
  let list: DisplayList
  let pictures: any PictureShelf
  /// What is on the screen: nothing outside of it is drawn.
  var visible: Rect
  /// From the surface to the screen: where the surface stands, and what is scrolled.
  var offset: Point
  /// Of text and icons.
  var ink: Color
  /// What is pressed, focused and entered.
  let person: Interaction

  var theme: Theme { layout.theme }
  var tree: InstanceTree { layout.tree }

  /// Where an instance stands on the screen.
  func rect(_ index: Int) -> Rect { layout[index].rect.offset(offset.x, offset.y) }

  /// Draws an instance and everything in it.
  func draw(_ index: Int) {
    guard layout[index].isShown else { return }
    let whole = rect(index)
    guard !whole.intersection(visible.inset(by: -theme.px(40))).isEmpty else { return }
    let instance = tree[index]
    guard instance.kind == .component else { return drawPlaceholder(index, whole) }
    let rect = drawFault(index, whole)
    switch instance.type {
    case .row, .column: drawChildren(index)
    case .list: drawList(index, rect)
    case .card: drawCard(index, rect)
    case .button: drawButton(index, rect)
    case .tabs: drawTabs(index, rect)
    case .modal:
      layout.openChild(index).map { draw($0) }
      drawPressed(index, rect, theme.fieldRadius, .opener)
      drawFocus(index, rect.inset(by: -theme.px(3)), theme.fieldRadius, .opener)
    case .text: drawText(index, rect)
    case .icon: drawIcon(index, rect)
    case .image: drawPicture(index, rect)
    case .divider: drawDivider(index, rect)
    case .video: drawVideo(index, rect)
    case .audioPlayer: drawAudio(index, rect)
    case .checkBox: drawCheckBox(index, rect)
    case .textField: drawTextField(index, rect)
    case .dateTimeInput: drawDateTime(index, rect)
    case .slider: drawSlider(index, rect)
    case .multipleChoice: drawChoice(index, rect)
    case .unknown: drawUnknown(index, rect)
    }
  }

  func drawChildren(_ index: Int) { layout.forEachChild(index) { draw($0) } }

  private func drawList(_ index: Int, _ rect: Rect) {
    guard layout[index].isScrolling else { return drawChildren(index) }
    let isHorizontal = layout.isHorizontal(index)
    let scroll = layout.state(index).scroll
    let edge = listEdge(rect, content: layout[index].content, scroll: scroll, isHorizontal: isHorizontal)
    list.add(.clip(edge, radius: 0))
    var inside = self
    inside.visible = visible.intersection(edge)
    if isHorizontal { inside.offset.x -= scroll } else { inside.offset.y -= scroll }
    inside.drawChildren(index)
    list.add(.endClip)
    drawScrollMark(rect, content: layout[index].content, scroll: scroll, isHorizontal: isHorizontal)
  }

  /// What of a list is shown: shadows reach beyond it where nothing of it is scrolled away.
  private func listEdge(_ rect: Rect, content: Int32, scroll: Int32, isHorizontal: Bool) -> Rect {
    let reach = theme.px(24)
    let before = scroll <= 0 ? reach : 0
    let after = scroll >= content - (isHorizontal ? rect.width : rect.height) ? reach : 0
    if isHorizontal {
      return Rect(rect.x - before, rect.y - reach, rect.width + before + after, rect.height + 2 * reach)
    }
    return Rect(rect.x - reach, rect.y - before, rect.width + 2 * reach, rect.height + before + after)
  }

  /// Where in its content a list stands: a thin bar at its edge.
  func drawScrollMark(_ rect: Rect, content: Int32, scroll: Int32, isHorizontal: Bool) {
    let room = isHorizontal ? rect.width : rect.height
    guard content > room, room > 0 else { return }
    let length = max(Int32(Int64(room) * Int64(room) / Int64(content)), theme.px(16))
    let start = Int32(Int64(room - length) * Int64(min(max(scroll, 0), content - room)) / Int64(content - room))
    let width = theme.px(3)
    let bar =
      isHorizontal
      ? Rect(rect.x + start, rect.maxY - width, length, width)
      : Rect(rect.maxX - width, rect.y + start, width, length)
    list.add(.fill(bar, radius: Int16(width / 2), .solid(theme.mutedText.opacity(0x80))))
  }

  // MARK: Containers

  private func drawCard(_ index: Int, _ rect: Rect) {
    list.add(.shadow(rect, radius: theme.cardRadius, blur: Int16(theme.px(16)), down: Int16(theme.px(6)), theme.shadow))
    list.add(.fill(rect, radius: theme.cardRadius, theme.card))
    list.add(.border(rect, radius: theme.cardRadius, width: theme.hairline, theme.cardBorder))
    drawChildren(index)
  }

  private func drawTabs(_ index: Int, _ rect: Rect) {
    let open = Int(layout.state(index).tab)
    let bar = Rect(rect.x, rect.y, rect.width, layout.tabBarHeight)
    let line = Rect(bar.x, bar.maxY - Int32(theme.hairline), bar.width, Int32(theme.hairline))
    list.add(.fill(line, radius: 0, .solid(theme.divider)))
    list.add(.clip(bar, radius: 0))
    var x = bar.x - layout.state(index).scroll
    for item in 0..<tree.itemCount(index, "tabItems") {
      let tab = Rect(x, bar.y, layout.tabWidth(index, item), bar.height)
      if let title = layout.title(index, item) {
        drawLine(title, theme.font(.h5), in: tab, item == open ? ink : theme.mutedText, .center)
      }
      if item == open {
        let mark = theme.px(3)
        list.add(.fill(Rect(tab.x, tab.maxY - mark, tab.width, mark), radius: Int16(mark / 2), .solid(theme.accent)))
      }
      drawPressed(index, tab, theme.fieldRadius, .tab, Int32(item))
      drawFocus(index, tab.inset(by: theme.px(2)), theme.fieldRadius, .tab, Int32(item))
      x = tab.maxX
    }
    list.add(.endClip)
    layout.openChild(index).map { draw($0) }
  }

  private func drawUnknown(_ index: Int, _ rect: Rect) {
    list.add(.border(rect, radius: theme.fieldRadius, width: theme.hairline, theme.fieldBorder))
    let font = theme.font(.caption)
    let title = Rect(rect.x + theme.px(8), rect.y + theme.px(8), rect.width - theme.px(16), Int32(font.size) * 3 / 2)
    drawLine(tree.typeName(index), font, in: title, theme.mutedText)
    drawChildren(index)
  }

  private func drawPlaceholder(_ index: Int, _ rect: Rect) {
    guard tree[index].kind == .cycle else { return }
    list.add(.border(rect, radius: theme.fieldRadius, width: theme.hairline, theme.fieldBorder))
    drawLine(StaticString("cycle").utf8Bytes, theme.font(.caption), in: rect, theme.mutedText, .center)
  }

  // MARK: Parts that many draw

  /// One line of text in the middle of a rectangle's height, cut off where it is too long.
  func drawLine(
    _ text: Span<UInt8>, _ font: Font, in rect: Rect, _ color: Color, _ alignment: TextFlow.Alignment = .start
  ) {
    // No line of a screen has more characters.
    let shown = Characters.boundary(text, min(text.count, Budget.longTextBytes))
    layout.flow.take(text.extracting(0..<shown), font, isMarkdown: false)
    drawFlow(in: rect, color, alignment, mostLines: 1)
  }

  /// What the flow has, in the middle of a rectangle's height.
  func drawFlow(
    in rect: Rect, _ color: Color, _ alignment: TextFlow.Alignment = .start, mostLines: Int = Budget.flowLines
  ) {
    let height = layout.flow.arrange(width: max(rect.width, 1), mostLines: mostLines)
    let y = rect.y + max((rect.height - height) / 2, 0)
    layout.flow.draw(into: list, at: Point(rect.x, y), width: rect.width, color, alignment: alignment)
  }
}
