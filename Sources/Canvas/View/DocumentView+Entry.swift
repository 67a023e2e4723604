import A2UI
import Graphics
import Runtime

// Entering text, and dates.

extension DocumentView {
  // MARK: Fields

  /// A tap on a field: the keys go to it, the caret stands where it was tapped.
  func beginEntry(_ hit: Hit, at point: Point) -> TouchResult {
    guard let (layout, index) = place(hit) else { return .nothing }
    // Where it was moved to shows where it was tapped.
    let isSame = person.focus?.hit.id == hit.id && person.focus?.surface == layout.surface
    let scroll = isSame ? person.fieldScroll : Point(0, 0)
    person.showsRing = false
    setFocus(hit)
    let field = layout.field(index, screenRect(layout, hit.surface, index))
    let place = Point(point.x - field.room.x + scroll.x, point.y - field.room.y - field.inset + scroll.y)
    let text = layout.fieldText(index)
    if layout.tree.isObscured(index) {
      var characters = max(place.x + layout.dotStep / 2, 0) / layout.dotStep
      person.caret = 0
      while characters > 0, person.caret < text.count {
        person.caret += Characters.length(text, person.caret)
        characters -= 1
      }
    } else {
      person.caret = field.lines.caret(at: place, text)
    }
    person.fieldScroll = scroll
    if person.wantsKeyboard { showKeyboard(isSelecting: false) }
    return .changed
  }

  /// Enters a character where the caret is; false when there is no field, or it is full.
  func type(_ scalar: UInt32) -> Bool {
    guard scalar >= 0x20 && scalar != 0x7F || scalar == 0x0A else { return false }
    return change { $0.insert(scalar) }
  }

  /// Changes the text of the focused field.
  private func change(_ body: (TextEdit) -> Bool) -> Bool {
    guard let hit = person.focus?.hit, hit.isText, let (layout, index) = place(hit) else { return false }
    let isObscured = layout.tree.isObscured(index)
    let edit = person.edit
    edit.take(layout.fieldText(index), caret: person.caret)
    let before = edit.caret
    // Nothing of what was entered stays behind.
    defer { edit.clear() }
    guard body(edit) else { return false }
    person.caret = edit.caret
    layout.setField(index, to: edit.span)
    person.wakeCaret(showsSecret: isObscured && edit.caret > before)
    person.mustReveal = true
    invalidate()
    return true
  }

  /// A key in a field: moving, deleting, a new line. False for keys that mean nothing to a text.
  func edit(_ key: Key) -> Bool {
    guard let hit = person.focus?.hit, hit.isText, let (layout, index) = place(hit) else { return false }
    let isLong = layout.fieldType(index) == .longText
    switch key {
    case .backspace: _ = change { $0.backspace() }
    case .delete: _ = change { $0.delete() }
    case .enter where isLong: _ = type(0x0A)
    case .left, .right, .home, .end: return moveCaret(key, layout, index)
    case .up where isLong, .down where isLong: return moveCaret(key, layout, index)
    // As a character it is typed.
    case .space: return true
    default: return false
    }
    return true
  }

  /// False when there is nowhere to go.
  private func moveCaret(_ key: Key, _ layout: SurfaceLayout, _ index: Int) -> Bool {
    let lines = layout.field(index, layout[index].rect).lines
    guard let caret = lines.caret(key, from: person.caret, layout.fieldText(index)) else { return false }
    person.caret = caret
    person.wakeCaret()
    person.mustReveal = true
    return true
  }

  // MARK: The keyboard on the screen

  /// Shows the keys that the focused field wants. `isSelecting`: they are chosen by a few keys.
  func showKeyboard(isSelecting: Bool) {
    guard let hit = person.focus?.hit, hit.isText, let (layout, index) = place(hit) else { return }
    let layer: KeyRows.Layer =
      switch layout.fieldType(index) {
      case .number: .number
      case .date: .date
      default: .letters
      }
    let before = person.keyboard.frame
    person.keyboard.show(layer, isSelecting: isSelecting)
    person.mustReveal = true
    if person.keyboard.frame != before { invalidate() }
  }

  func hideKeyboard() {
    guard person.keyboard.isShown else { return }
    person.keyboard.hide()
    invalidate()
  }

  /// Does what a key of the screen says.
  func take(_ stroke: KeyStroke) {
    switch stroke {
    case .character(let scalar): _ = type(scalar.value)
    case .backspace: _ = edit(.backspace)
    case .enter:
      if edit(.enter) || moveToNextField() { return }
      leaveKeyboard()
    case .hide: leaveKeyboard()
    }
  }

  /// Who operates it by a few keys goes on from the field; who touches it is done.
  private func leaveKeyboard() {
    person.keyboard.selection == nil ? setFocus(nil) : hideKeyboard()
  }

  // MARK: Dates

  func openPicker(_ layout: SurfaceLayout, _ index: Int) {
    var value = DateTimeValue(unixMilliseconds: person.wall())
    value.take(layout.fieldText(index))
    let tree = layout.tree
    person.picker.open(
      value, hasDate: tree.entersDate(index), hasTime: tree.entersTime(index), showsSelection: person.showsRing,
      locale: tree.locale, least: limit(tree, index, "min"), most: limit(tree, index, "max"))
  }

  private func limit(_ tree: InstanceTree, _ index: Int, _ name: StaticString) -> DateTimeLimit? {
    guard let text = tree.string(index, name) else { return nil }
    return DateTimeLimit(text)
  }

  /// Takes over what the picker shows, or nothing at all, or leaves the value as it is.
  func closePicker(_ button: PickerButton) {
    let picker = person.picker
    picker.close()
    guard button != .cancel, let hit = person.focus?.hit, hit.kind == .dateTime, let (layout, index) = place(hit) else {
      return
    }
    let value = button == .clear ? InlineText() : picker.value.value(hasDate: picker.hasDate, hasTime: picker.hasTime)
    layout.setField(index, to: value.span)
    invalidate()
  }
}
