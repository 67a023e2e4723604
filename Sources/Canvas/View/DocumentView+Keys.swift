import A2UI
import Graphics
import Runtime

// Keys: they act on the focus, and move it.

extension DocumentView {
  /// A key went down, or repeats.
  func key(_ key: Key, isRepeat: Bool, _ modifiers: Modifiers) -> TouchResult {
    let isBack = modifiers.contains(.shift)
    if person.picker.isOpen { return pickerKey(key, isBack: isBack) }
    if person.keyboard.isShown, let result = keyboardKey(key) { return result }
    if key == .activate, person.focus?.hit.isText == true { return openKeyboard() }
    if edit(key) { return .changed }
    return navigate(key, isRepeat: isRepeat, isBack: isBack)
  }

  /// A key of a keyboard gave a character.
  func character(_ scalar: Unicode.Scalar) -> TouchResult {
    guard !person.picker.isOpen else { return .nothing }
    return type(scalar.value) ? .changed : .nothing
  }

  private func pickerKey(_ key: Key, isBack: Bool) -> TouchResult {
    switch person.picker.key(key, isBack: isBack) {
    case .nothing: return .nothing
    case .changed: break
    case .closed(let button): closePicker(button)
    }
    return .changed
  }

  /// The keyboard on the screen is operated by next, previous and activate; nil for what goes to the field.
  private func keyboardKey(_ key: Key) -> TouchResult? {
    switch key {
    case .escape: hideKeyboard()
    case .next, .previous: person.keyboard.select(key == .next)
    case .activate:
      guard person.keyboard.selection != nil else {
        person.keyboard.select(true)
        break
      }
      if let stroke = person.keyboard.press(at: person.now) { take(stroke) }
    default: return nil
    }
    return .changed
  }

  private func openKeyboard() -> TouchResult {
    guard person.wantsKeyboard else { return .nothing }
    person.showsRing = true
    showKeyboard(isSelecting: true)
    return .changed
  }

  private func navigate(_ key: Key, isRepeat: Bool, isBack: Bool) -> TouchResult {
    if let result = turn(key) { return result }
    var hasMoved = false
    switch key {
    case .tab: hasMoved = moveFocus(!isBack)
    case .next, .previous: hasMoved = moveFocus(key == .next)
    case .left: hasMoved = moveFocus(x: -1, y: 0)
    case .right: hasMoved = moveFocus(x: 1, y: 0)
    case .up, .down:
      hasMoved = moveFocus(x: 0, y: key == .down ? 1 : -1)
      // No target: scrolls instead.
      if !hasMoved { return scrollPage(key == .down ? theme.target : -theme.target) }
    case .pageUp: return scrollPage(-room.height * 4 / 5)
    case .pageDown: return scrollPage(room.height * 4 / 5)
    case .home: return scrollPage(-wholePage)
    case .end: return scrollPage(wholePage)
    case .enter where person.focus?.hit.isText == true: hasMoved = moveFocus(true)
    case .enter, .space, .activate: return isRepeat ? .nothing : activateFocus()
    case .escape: return escape()
    case .backspace, .delete, .chat: return .nothing
    }
    guard hasMoved else { return .nothing }
    person.showsRing = true
    return .changed
  }

  /// More than anything on the page can be scrolled.
  private var wholePage: Int32 { Budget.farthestPixel }

  private func scrollPage(_ distance: Int32) -> TouchResult {
    let center = Point(size.width / 2, room.height / 2)
    guard let scroller = scroller(at: center, isHorizontal: false) else { return .nothing }
    return scroll(scroller, by: distance) ? .changed : .nothing
  }

  /// A slider by its own keys; nil for what it does not take.
  private func turn(_ key: Key) -> TouchResult? {
    guard let focus = person.focus, focus.hit.kind == .slider else { return nil }
    guard let (layout, index) = place(focus.hit) else { return nil }
    let steps: Double
    switch key {
    case .right: steps = 1
    case .left: steps = -1
    case .next where focus.isTurning: steps = 1
    case .previous where focus.isTurning: steps = -1
    case .activate, .enter, .space:
      person.showsRing = true
      person.focus?.isTurning.toggle()
      return .changed
    case .escape where focus.isTurning:
      person.focus?.isTurning = false
      return .changed
    default: return nil
    }
    person.showsRing = true
    let value = SliderRange(layout, index).value(steps: steps)
    if !layout.tree.set(index, "value", to: value) { layout.keep(index, value) }
    invalidate()
    return .changed
  }

  private func activateFocus() -> TouchResult {
    guard let hit = person.focus?.hit, let (layout, index) = place(hit), let rect = focusRect else { return .nothing }
    person.showsRing = true
    return activate(hit, layout, index, at: Point(rect.x + rect.width / 2, rect.y + rect.height / 2))
  }

  /// Closes the front modal or picker, or clears the focus.
  private func escape() -> TouchResult {
    if let top = topModal {
      let hit = Hit(kind: .closer, surface: top.surface, index: top.modal, id: layout(top.surface).tree[top.modal].id)
      return place(hit).map { activate(hit, $0.0, $0.1, at: Point(0, 0)) } ?? .nothing
    }
    guard person.focus != nil else { return .nothing }
    setFocus(nil)
    return .changed
  }
}
