import A2UI
import Graphics
import Runtime

// What has the focus comes into sight: its page, the lists around it, and the text within its field.

extension DocumentView {
  /// Moves the text of the focused field so that the caret is seen, and the page so that the focus is.
  func settle() {
    followCaret()
    if person.mustShowEnd {
      person.mustShowEnd = false
      scroll(to: .max)
    }
    guard person.mustReveal else { return }
    person.mustReveal = false
    reveal()
  }

  /// Brings the end of the page into sight, once everything is arranged: what was added last stands there.
  public func showEnd() {
    person.mustShowEnd = true
    if !isPending { settle() }
  }

  private func followCaret() {
    guard let hit = person.focus?.hit, hit.isText, let (layout, index) = place(hit) else { return }
    let text = layout.fieldText(index)
    let field = layout.field(index, layout[index].rect)
    var caret = field.lines.place(of: person.caret, text)
    if layout.tree.isObscured(index) {
      caret = Point(Int32(Characters.count(text, before: person.caret)) * layout.dotStep, 0)
    }
    let mark = layout.theme.px(2)
    person.fieldScroll.x = person.fieldScroll.x.moved(toShow: caret.x, caret.x + mark, in: field.room.width)
    let height = field.room.height - 2 * field.inset
    person.fieldScroll.y = person.fieldScroll.y.moved(toShow: caret.y, caret.y + field.lines.lineHeight, in: height)
  }

  private func reveal() {
    guard let hit = person.focus?.hit, hit.kind != .closer, let (layout, index) = place(hit) else { return }
    var at: Int? = index
    while let place = at {
      // Of tabs only the titles scroll.
      let counts = (layout.tree[place].type == .tabs) == (place == index)
      if counts, layout[place].isScrolling, let isHorizontal = layout.scrolls(place),
        let view = viewport(layout, hit.surface, place), let rect = shownRect
      {
        let scroller = Scroller(surface: hit.surface, id: layout.tree[place].id, isHorizontal: isHorizontal)
        let distance =
          isHorizontal
          ? Int32(0).moved(toShow: rect.x - view.x, rect.maxX - view.x, in: view.width)
          : Int32(0).moved(toShow: rect.y - view.y, rect.maxY - view.y, in: view.height)
        _ = scroll(scroller, by: distance)
      }
      at = layout.tree[place].parent
    }
    guard !layout.isInModal(index), let rect = shownRect else { return }
    let margin = theme.px(8)
    let distance = Int32(0).moved(toShow: rect.y - margin, rect.maxY + margin, in: room.height)
    if distance != 0 { scroll(to: scroll + distance) }
  }

  /// What has to be seen: the focus, or the line of its caret where it is larger than the room.
  private var shownRect: Rect? {
    guard let rect = focusRect else { return nil }
    guard let hit = person.focus?.hit, hit.isText, let (layout, index) = place(hit) else { return rect }
    let field = layout.field(index, screenRect(layout, hit.surface, index))
    if field.box.height + theme.px(16) <= room.height { return field.box }
    let caret = field.lines.place(of: person.caret, layout.fieldText(index))
    let top = field.room.y + field.inset + caret.y - person.fieldScroll.y
    return Rect(field.room.x, top, field.room.width, field.lines.lineHeight)
  }

  private func viewport(_ layout: SurfaceLayout, _ surface: Int, _ index: Int) -> Rect? {
    switch layout.tree[index].type {
    case .modal: layout.modalContent(index).map { layout.modalInside(layout.modalFrame($0, on: room), $0) }
    default: screenRect(layout, surface, index)
    }
  }
}

extension Int32 {
  /// How far something has to be scrolled that it shows from `start` to `end`: no farther than it must. What is too
  /// long shows its start.
  fileprivate func moved(toShow start: Int32, _ end: Int32, in room: Int32) -> Int32 {
    Swift.min(Swift.max(self, end - room), start)
  }
}
