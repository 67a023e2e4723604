import A2UI
import Graphics
import Runtime

// The focus: every target in reading order.

extension DocumentView {
  /// Calls `body` with each target that can have the focus and its rectangle on the screen; with an open modal only
  /// those inside it.
  func forEachTarget(_ body: (Hit, Rect) -> Void) {
    guard let top = topModal else {
      for surface in 0..<surfaceCount {
        let layout = layout(surface)
        for index in 0..<layout.count where layout[index].isShown && !layout.isInModal(index) {
          layout.forEachTarget(index, surface, screenRect(layout, surface, index), body)
        }
      }
      return
    }
    let layout = layout(top.surface)
    for index in top.content..<layout.count
    where layout[index].isShown && (index == top.content || layout.isInside(index, top.content)) {
      layout.forEachTarget(index, top.surface, screenRect(layout, top.surface, index), body)
    }
    let closer = Hit(kind: .closer, surface: top.surface, index: top.modal, id: layout.tree[top.modal].id)
    body(closer, layout.modalCloser(layout.modalFrame(top.content, on: room)))
  }

  /// Where an instance stands on the screen.
  func screenRect(_ layout: SurfaceLayout, _ surface: Int, _ index: Int) -> Rect {
    let rect = layout.screenRect(index)
    if layout.isInModal(index) { return rect }
    let offset = offset(surface)
    return rect.offset(offset.x, offset.y)
  }

  /// Where something that was hit stands now; nil when it is gone.
  func place(_ hit: Hit) -> (SurfaceLayout, Int)? {
    guard hit.surface < surfaceCount else { return nil }
    let layout = layout(hit.surface)
    guard let index = layout.tree.index(of: hit.id) else { return nil }
    return (layout, index)
  }

  /// Sets the focus, or clears it.
  func setFocus(_ hit: Hit?) {
    guard let hit, let (layout, index) = place(hit) else {
      person.focus = nil
      person.hideCaret()
      return hideKeyboard()
    }
    person.focus = Focus(hit: hit, surface: layout.surface)
    person.mustReveal = true
    guard hit.isText else {
      person.hideCaret()
      return hideKeyboard()
    }
    person.caret = layout.fieldText(index).count
    person.fieldScroll = Point(0, 0)
    person.wakeCaret()
    if person.keyboard.isShown { showKeyboard(isSelecting: person.keyboard.selection != nil) }
  }

  /// After a push: keeps the focus when its target still exists.
  func followFocus() {
    guard var focus = person.focus else { return }
    for surface in 0..<surfaceCount where layout(surface).surface == focus.surface {
      let layout = layout(surface)
      guard let index = layout.tree.index(of: focus.hit.id), layout[index].isShown else { break }
      guard layout.has(focus.hit.kind, index) else { break }
      (focus.hit.surface, focus.hit.index) = (surface, index)
      person.focus = focus
      if focus.hit.isText { person.caret = Characters.boundary(layout.fieldText(index), person.caret) }
      return
    }
    setFocus(nil)
    if person.picker.isOpen { person.picker.close() }
    // The keyboard has gone, and there is more room.
    arrange()
  }

  // MARK: Going around

  /// Moves to the next or previous target, with wrap-around; false when there is none.
  func moveFocus(_ isForward: Bool) -> Bool {
    var (first, last, before, after, previous): (Hit?, Hit?, Hit?, Hit?, Hit?)
    var isFound = false
    forEachTarget { hit, _ in
      if first == nil { first = hit }
      if isFocus(hit) {
        (isFound, before) = (true, previous)
      } else if isFound, after == nil {
        after = hit
      }
      (previous, last) = (hit, hit)
    }
    guard let next = isForward ? after ?? first : before ?? last else { return false }
    setFocus(next)
    return true
  }

  /// To the next field into which text is entered; false when there is none after this one.
  func moveToNextField() -> Bool {
    var isFound = false
    var next: Hit?
    forEachTarget { hit, _ in
      if isFocus(hit) { isFound = true } else if isFound, next == nil, hit.isText { next = hit }
    }
    guard let next else { return false }
    setFocus(next)
    return true
  }

  /// To the nearest target in a direction; false when there is none.
  func moveFocus(x: Int32, y: Int32) -> Bool {
    guard person.focus != nil, let from = focusRect else { return moveFocus(x + y > 0) }
    var best: (hit: Hit, distance: Int32)?
    forEachTarget { hit, rect in
      let along = x != 0 ? (rect.center.x - from.center.x) * x : (rect.center.y - from.center.y) * y
      guard along > 0, !isFocus(hit) else { return }
      let across = x != 0 ? from.gap(below: rect) : from.gap(beside: rect)
      // Targets in the same row or column count as nearer than others.
      let distance = along + 3 * across
      if let best, best.distance <= distance { return }
      best = (hit, distance)
    }
    guard let best else { return false }
    setFocus(best.hit)
    return true
  }

  private func isFocus(_ hit: Hit) -> Bool {
    guard let focus = person.focus?.hit else { return false }
    return focus.id == hit.id && focus.surface == hit.surface && focus.kind == hit.kind && focus.part == hit.part
  }

  /// Where what has the focus stands on the screen.
  var focusRect: Rect? {
    guard let hit = person.focus?.hit, let (layout, index) = place(hit) else { return nil }
    var found: Rect?
    layout.forEachTarget(index, hit.surface, screenRect(layout, hit.surface, index)) { target, rect in
      if isFocus(target) { found = rect }
    }
    if hit.kind == .closer, let top = topModal {
      found = layout.modalCloser(layout.modalFrame(top.content, on: room))
    }
    return found
  }
}

extension Rect {
  fileprivate var center: Point { Point(x + width / 2, y + height / 2) }

  /// Pixels between two, up and down; 0 when one is beside the other.
  fileprivate func gap(below other: Rect) -> Int32 { max(other.y - maxY, y - other.maxY, 0) }

  /// Pixels between two, to the left and right; 0 when one is below the other.
  fileprivate func gap(beside other: Rect) -> Int32 { max(other.x - maxX, x - other.maxX, 0) }
}

extension SurfaceLayout {
  /// Goes over what can have the focus of one instance, which has `rect` on the screen.
  func forEachTarget(_ index: Int, _ surface: Int, _ rect: Rect, _ body: (Hit, Rect) -> Void) {
    guard tree[index].kind == .component else { return }
    let id = tree[index].id
    func visit(_ kind: Hit.Kind, _ rect: Rect, _ part: Int32 = 0) {
      body(Hit(kind: kind, surface: surface, index: index, part: part, id: id), rect)
    }
    switch tree[index].type {
    case .button: visit(.button, rect)
    case .checkBox: visit(.checkBox, rect)
    case .slider: visit(.slider, rect)
    case .textField: visit(.textField, rect)
    case .dateTimeInput: visit(.dateTime, rect)
    case .modal: if !state(index).isOpen, !hasButton(index) { visit(.opener, rect) }
    case .tabs:
      var x = rect.x - state(index).scroll
      for item in 0..<tree.itemCount(index, "tabItems") {
        let width = tabWidth(index, item)
        visit(.tab, Rect(x, rect.y, width, tabBarHeight), Int32(item))
        x += width
      }
    case .multipleChoice:
      if isFilterable(index) { visit(.filter, field(index, rect).box) }
      forEachOption(index, rect) { option, place in visit(.option, place, Int32(option)) }
    default: break
    }
  }

  /// Whether the entry of a modal has something that opens it by itself.
  private func hasButton(_ modal: Int) -> Bool {
    guard let entry = tree[modal].firstChild else { return false }
    for index in entry..<count where index == entry || isInside(index, entry) {
      if tree[index].type == .button { return true }
    }
    return false
  }

  /// Whether an instance is of the type that this kind of hit is on.
  func has(_ kind: Hit.Kind, _ index: Int) -> Bool {
    switch (kind, tree[index].type) {
    case (.button, .button), (.checkBox, .checkBox), (.slider, .slider), (.textField, .textField),
      (.dateTime, .dateTimeInput), (.tab, .tabs), (.option, .multipleChoice), (.opener, .modal):
      true
    case (.filter, .multipleChoice): isFilterable(index)
    case (.closer, .modal): state(index).isOpen
    default: false
    }
  }
}
