import Codec
import Graphics
import Runtime

// The draft: what keys and the keyboard on the screen do to it.

extension ChatPage {
  // MARK: Keys

  func key(_ key: Key, isRepeat: Bool, isShifted: Bool) -> Bool {
    if chooser.isOpen { return chooserKey(key, isRepeat: isRepeat) }
    if person.keyboard.isShown, let result = keyboardKey(key) { return result }
    switch key {
    case .chat where !isRepeat, .escape where !isRepeat: delegate?.chatLeave()
    case .chat, .escape: return false
    case .pageUp: return move(by: -listRect.height * 4 / 5)
    case .pageDown: return move(by: listRect.height * 4 / 5)
    case .tab: moveFocus(!isShifted)
    case .next, .previous: moveFocus(key == .next)
    default:
      return focus == .field
        ? fieldKey(key, isRepeat: isRepeat, isShifted: isShifted) : targetKey(key, isRepeat: isRepeat)
    }
    return true
  }

  private func fieldKey(_ key: Key, isRepeat: Bool, isShifted: Bool) -> Bool {
    switch key {
    case .enter where isShifted: return change { $0.insert(0x0A) }
    case .enter:
      if !isRepeat { send() }
      return !isRepeat
    case .backspace: return change { $0.backspace() }
    case .delete: return change { $0.delete() }
    case .activate:
      guard person.wantsKeyboard else {
        send()
        return true
      }
      person.showsRing = true
      person.keyboard.show(.letters, isSelecting: true)
      arrange()
      return true
    case .left, .right, .home, .end, .up, .down:
      guard let caret = lines.caret(key, from: person.edit.caret, draft) else {
        return move(by: key == .down ? theme.target : -theme.target)
      }
      person.edit.move(to: caret)
      person.wakeCaret()
      revealCaret()
      return true
    // Typed as a character.
    default: return false
    }
  }

  private func targetKey(_ key: Key, isRepeat: Bool) -> Bool {
    switch key {
    case .enter, .space, .activate:
      guard !isRepeat else { return false }
      person.showsRing = true
      activate(focus, at: nil)
      return true
    case .up: return move(by: -theme.target)
    case .down: return move(by: theme.target)
    case .home: return move(by: -scrolling.offset)
    case .end: return move(by: scrolling.limit - scrolling.offset)
    default: return false
    }
  }

  /// The keyboard on the screen is operated by next, previous and activate; nil for what goes to the draft.
  private func keyboardKey(_ key: Key) -> Bool? {
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
    return true
  }

  /// A typed character goes to the field, whatever has the focus.
  func character(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x20, scalar.value != 0x7F, focus == .field || scalar != " " else { return false }
    if focus != .field { setFocus(.field) }
    return change { $0.insert(scalar.value) }
  }

  /// Executes a key of the on-screen keyboard.
  func take(_ stroke: KeyStroke) {
    switch stroke {
    case .character(let scalar): _ = change { $0.insert(scalar.value) }
    case .backspace: _ = change { $0.backspace() }
    case .enter: send()
    case .hide: hideKeyboard()
    }
  }

  func hideKeyboard() {
    person.keyboard.hide()
    arrange()
  }

  // MARK: The draft

  /// False when nothing has changed: the field is full, or there was nothing to delete.
  private func change(_ body: (TextEdit) -> Bool) -> Bool {
    guard body(person.edit) else { return false }
    person.wakeCaret()
    arrange()
    return true
  }

  /// A tap on the field, or a key: the keys go to it.
  func beginEntry(at place: Point?) {
    setFocus(.field)
    if let place {
      let room = fieldRoom
      let point = Point(place.x - room.x, place.y - room.y + person.fieldScroll.y)
      person.edit.move(to: lines.caret(at: point, draft))
    }
    if person.wantsKeyboard { person.keyboard.show(.letters, isSelecting: place == nil) }
    arrange()
  }

  /// Sends the draft, if there is one.
  func send() {
    let text = draft
    var (start, end) = (0, text.count)
    while start < end, text[start] <= 0x20 { start += 1 }
    while end > start, text[end - 1] <= 0x20 { end -= 1 }
    guard end > start else { return }
    move(by: scrolling.limit - scrolling.offset)
    delegate?.chatSend(text.extracting(start..<end))
    person.edit.clear()
    person.wakeCaret()
    arrange()
  }

  /// Sends the draft, or a few words, with a photo.
  func sendPhoto() {
    let text = draft
    let words: StaticString = "Look at this photo."
    move(by: scrolling.limit - scrolling.offset)
    delegate?.chatSendPhoto(text.isEmpty ? words.utf8Bytes : text)
    person.edit.clear()
    person.wakeCaret()
    arrange()
  }

  // MARK: Places

  /// Layout of the draft.
  var lines: FieldLines {
    FieldLines(measurer: flow.measurer, font: theme.font(.body), width: fieldRoom.width, isBroken: true)
  }

  /// Scrolls the line of the caret into view.
  func revealCaret() {
    let lines = lines
    let place = lines.place(of: person.edit.caret, draft)
    let (height, room) = (Int32(lines.count(draft)) * lines.lineHeight, fieldRoom.height)
    var scroll = person.fieldScroll.y
    if place.y < scroll { scroll = place.y }
    if place.y + lines.lineHeight > scroll + room { scroll = place.y + lines.lineHeight - room }
    person.fieldScroll = Point(0, min(max(scroll, 0), max(height - room, 0)))
  }
}
