import Graphics
import Runtime

// What fingers, keys and buttons do.

extension ChatPage {
  @export(interface)
  public func input(_ event: InputEvent, at instant: Int64) -> Bool {
    person.now = max(person.now, instant)
    switch event {
    case .pointer(let what, let id, let place): return pointer(what, id, place, instant)
    case .wheel(let place, _, let y): return listRect.contains(place) && move(by: -y)
    case .hover: return false
    case .key(let key, let isDown, let isRepeat, let modifiers):
      // With these modifiers a key is a shortcut, not text.
      guard isDown, !modifiers.contains(.control), !modifiers.contains(.alt) else { return false }
      return self.key(key, isRepeat: isRepeat, isShifted: modifiers.contains(.shift))
    case .character(let scalar): return character(scalar)
    }
  }

  /// While the keyboard is shown a tap beside it hides it.
  public func reacts(at place: Point) -> Bool { person.keyboard.isShown || chooser.isOpen || target(at: place) != nil }

  private func pointer(_ what: InputEvent.Pointer, _ id: Int, _ place: Point, _ now: Int64) -> Bool {
    guard onKeyboard.indices.contains(id) else { return false }
    if what == .down { onKeyboard[id] = person.keyboard.frame.contains(place) }
    guard onKeyboard[id] else {
      var isNew = false
      gestures.feed(what, id: id, place, at: now) { if take($0, now) { isNew = true } }
      return isNew
    }
    var stroke: KeyStroke?
    switch what {
    case .down: stroke = person.keyboard.down(place, finger: id, at: now)
    case .move: return false
    case .up: stroke = person.keyboard.up(place, finger: id, at: now)
    case .cancel: person.keyboard.cancel(finger: id)
    }
    if what == .up || what == .cancel { onKeyboard[id] = false }
    if let stroke { take(stroke) }
    return true
  }

  func take(_ gesture: PointerGesture, _ now: Int64) -> Bool {
    switch gesture {
    case .down(let place):
      scrolling.stop()
      return press(target(at: place))
    case .notTap, .cancel: return press(nil)
    case .tap(let place):
      let (hit, wanted) = (target(at: place), pressed)
      let isNew = press(nil)
      if let hit, hit == wanted {
        person.showsRing = false
        activate(hit, at: place)
        return true
      }
      guard hit == nil, person.keyboard.isShown else { return isNew }
      hideKeyboard()
      return true
    case .drag(_, _, let y) where chooser.isOpen: return chooser.scrolling.move(by: -y)
    case .drag(let place, _, let y): return listRect.contains(place) && move(by: -y)
    case .release where chooser.isOpen: break
    case .release(_, _, let velocity): scrolling.fling(-velocity, at: now, scale: theme.scale)
    case .longPress, .panic: break
    }
    return false
  }

  private func press(_ target: Target?) -> Bool {
    guard target != pressed else { return false }
    pressed = target
    if case .choice(let row) = target { chooser.pressed = row } else { chooser.pressed = nil }
    return true
  }

  /// Activates a target; `nil`: by a key.
  func activate(_ target: Target, at place: Point?) {
    switch target {
    case .back: delegate?.chatLeave()
    case .field: beginEntry(at: place)
    case .action: isReplying ? delegate?.chatStop() : send()
    case .toEnd: move(by: scrolling.limit - scrolling.offset)
    case .retry(let index): delegate?.chatRetry(index)
    case .fold(let index):
      log.toggle(index)
      sticks = false
      arrange()
      settle()
    case .title: openChooser()
    case .choice(let row):
      chooser.close()
      delegate?.chatChoose(row)
    case .away: chooser.close()
    case .camera: sendPhoto()
    }
  }

  // MARK: The list of conversations

  private func openChooser() {
    hideKeyboard()
    chooser.open()
    delegate?.chatChooserOpened()
    chooser.arrange(chooserFrame, theme)
  }

  /// A key while the list is open.
  func chooserKey(_ key: Key, isRepeat: Bool) -> Bool {
    switch key {
    case .up, .previous: chooser.select(false)
    case .down, .next, .tab: chooser.select(true)
    case .enter, .space, .activate:
      guard !isRepeat, chooser.choices.indices.contains(chooser.selected) else { return false }
      activate(.choice(chooser.selected), at: nil)
    case .escape, .chat: chooser.close()
    default: return false
    }
    person.showsRing = true
    return true
  }
}
