import Graphics
import Runtime

/// Gets the actions of the person in the conversation.
public protocol ChatPageDelegate: AnyObject {
  /// Send this text to the agent; valid during the call.
  func chatSend(_ text: Span<UInt8>)
  /// Send a failed message again: its index in the log.
  func chatRetry(_ index: Int)
  /// Stop the running reply.
  func chatStop()
  /// Return to the previous page.
  func chatLeave()
}

/// A conversation with the agent: the last messages, a reply while it is received, an input field. It gets plain data
/// and reports the person's actions; it knows no gateway.
public final class ChatPage: ScreenPage {
  /// Targets of touches and of the focus.
  enum Target: Equatable, Sendable {
    case back, field, action, toEnd
    case retry(Int)
  }

  let flow: TextFlow
  /// Converts milliseconds since 1970 to local time.
  let local: (Int64) -> Int64
  /// The draft, its caret, and the keyboard on the screen.
  let person: Interaction
  /// The shown messages. Call `changed` after changing them.
  public private(set) var log: ChatLog
  /// The log that is filled to replace it.
  private var spare: ChatLog
  /// Outlives the page.
  public unowned(unsafe) var delegate: (any ChatPageDelegate)?
  /// Why no message can be sent now; empty: it can.
  private(set) var notice = InlineText<256>()
  /// True while a reply is received that can be stopped.
  private(set) var isReplying = false
  private(set) var title = InlineText<64>()

  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  var scrolling = PageScroll()
  /// True when the end is shown and followed as messages arrive.
  private var sticks = true
  /// Height of all messages.
  private(set) var height: Int32 = 0
  private(set) var focus = Target.field
  private(set) var pressed: Target?
  private var gestures = PointerGestures(scale: 1)
  /// Fingers that touched the keyboard first.
  private var onKeyboard = InlineArray<10, Bool>(repeating: false)
  private var dotsAt: Int64?
  private(set) var dots = 0

  /// An empty conversation, whose text is set with `flow`. `wall`: milliseconds since 1970; `local`: converts those to
  /// local time. Throws when the address space is full.
  public init(
    flow: TextFlow, wall: @escaping () -> Int64 = { 0 }, local: @escaping (Int64) -> Int64 = { $0 }
  ) throws(Errno) {
    self.flow = flow
    self.local = local
    person = try Interaction()
    log = try ChatLog()
    spare = try ChatLog()
    person.wall = wall
  }

  // MARK: Contents

  /// Sets the title, and whether messages can be sent; true when the page looks different.
  public func say(title: Span<UInt8>, notice: Span<UInt8>, isReplying: Bool) -> Bool {
    guard !self.title.equals(title) || !self.notice.equals(notice) || self.isReplying != isReplying else {
      return false
    }
    self.title = InlineText(cutting: title)
    self.notice = InlineText(cutting: notice)
    self.isReplying = isReplying
    if focus == .action, !isReplying { focus = .field }
    arrange()
    return true
  }

  /// Call after the log has changed.
  public func changed(at now: Int64) {
    think(at: now)
    arrange()
  }

  /// Begins to replace the conversation: returns the log to fill, while `log` stays. `endReplacing` has to follow.
  public func beginReplacing() -> ChatLog {
    spare.removeAll()
    return spare
  }

  /// Shows the log of `beginReplacing`. Keeps the scroll position when its message still exists.
  public func endReplacing(at now: Int64) {
    let place = sticks ? nil : topMessage
    let old = log
    log = spare
    spare = old
    think(at: now)
    measure()
    if let place {
      scrolling.stop()
      stay(at: place, old)
    }
    old.removeAll()
    arrange()
  }

  /// The first visible message, and how far it extends above the upper edge.
  private var topMessage: (index: Int, above: Int32)? {
    var top: Int32 = 0
    for index in 0..<log.count {
      let bottom = top + log.height(index)
      if bottom > scrolling.offset { return (index, scrolling.offset - top) }
      top = bottom
    }
    return nil
  }

  private func stay(at place: (index: Int, above: Int32), _ old: ChatLog) {
    var top = height
    var index = log.count - 1
    while index >= 0 {
      top -= log.height(index)
      if log[index].role == old[place.index].role, log.says(index, as: old, place.index) {
        _ = scrolling.move(by: top + place.above - scrolling.offset)
        return
      }
      index -= 1
    }
  }

  /// The text that was entered and not sent.
  public var draft: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let edit = person.edit
      return _overrideLifetime(edit.span, borrowing: self)
    }
  }

  // MARK: Places

  public func fit(_ size: Size, _ theme: Theme) {
    (self.size, self.theme) = (size, theme)
    gestures = PointerGestures(scale: Float(theme.scale) / 100)
    for finger in 0..<onKeyboard.count { onKeyboard[finger] = false }
    scrolling.stop()
    pressed = nil
    person.keyboard.fit(size, theme)
    log.forgetHeights()
    arrange()
  }

  /// When the on-screen keyboard is shown, and its layout.
  public func setKeyboard(_ use: ScreenKeyboardUse, _ layout: KeyboardLayout) {
    person.keyboardUse = use
    person.keyboard.layout = layout
  }

  /// Input devices have changed; true when the page looks different.
  public func devicesChanged(hasKeyboard: Bool) -> Bool {
    person.hasKeyboard = hasKeyboard
    guard person.keyboard.isShown, !person.wantsKeyboard else { return false }
    person.keyboard.hide()
    arrange()
    return true
  }

  /// Measures new messages and keeps the scroll position: at the end, or at the same message.
  func arrange() {
    guard size.width > 0 else { return }
    measure()
    if sticks { _ = scrolling.move(by: scrolling.limit - scrolling.offset) }
    if focus == .toEnd, sticks { focus = .field }
    if case .retry(let index) = focus, index >= log.count || !canRetry(index) { focus = .field }
    revealCaret()
  }

  private func measure() {
    guard size.width > 0 else { return }
    var sum: Int32 = 0
    for index in 0..<log.count {
      if log.height(index) < 0 { log.setHeight(index, messageHeight(index)) }
      sum += log.height(index)
    }
    height = sum
    let dropped = log.droppedHeight
    log.droppedHeight = 0
    let list = listRect
    // Dropped messages were above: the rest keeps its position.
    scrolling.setLimit(max(height + dropped + 2 * margin - list.height, 0))
    if dropped > 0 { _ = scrolling.move(by: -dropped) }
    scrolling.setLimit(height + 2 * margin - list.height)
  }

  func canRetry(_ index: Int) -> Bool { log[index].role == .person && log[index].state == .failed }

  // MARK: Focus

  /// The page is shown: the field gets the focus.
  public func open(at now: Int64) {
    person.now = max(person.now, now)
    focus = .field
    person.showsRing = false
    person.wakeCaret()
    think(at: now)
    arrange()
  }

  /// The page is hidden. The draft and the scroll position are kept.
  public func close() {
    person.hideCaret()
    person.keyboard.hide()
    scrolling.stop()
    (pressed, dotsAt) = (nil, nil)
    gestures = PointerGestures(scale: Float(theme.scale) / 100)
    for finger in 0..<onKeyboard.count { onKeyboard[finger] = false }
    arrange()
  }

  func setFocus(_ target: Target) {
    focus = target
    if target == .field { person.wakeCaret() } else { person.hideCaret() }
  }

  /// Moves the focus to the next or the previous target.
  func moveFocus(_ isForward: Bool) {
    var targets = InlineList<8, Target>()
    targets.append(.field)
    targets.append(.action)
    targets.append(.back)
    if !sticks { targets.append(.toEnd) }
    var index = log.count - 1
    // Only the last few failed messages are targets.
    while index >= 0 {
      if canRetry(index) { targets.append(.retry(index)) }
      index -= 1
    }
    var place = 0
    for index in 0..<targets.count where targets[index] == focus { place = index }
    setFocus(targets[(place + (isForward ? 1 : targets.count - 1)) % targets.count])
    if case .retry(let index) = focus { reveal(index) }
    person.showsRing = true
  }

  private func reveal(_ index: Int) {
    var top: Int32 = 0
    for above in 0..<index { top += log.height(above) }
    let bottom = top + log.height(index) + 2 * margin
    if top < scrolling.offset { move(by: top - scrolling.offset) }
    if bottom > scrolling.offset + listRect.height { move(by: bottom - scrolling.offset - listRect.height) }
  }

  /// See `ScreenPage`.
  public var scrolled: Int32 {
    get { scrolling.offset }
    set { move(by: newValue - scrolling.offset) }
  }

  /// Scrolls; true when it has moved.
  @discardableResult
  func move(by distance: Int32) -> Bool {
    let hasMoved = scrolling.move(by: distance)
    settle()
    return hasMoved
  }

  private func settle() {
    sticks = scrolling.isAtEnd
    if sticks, focus == .toEnd { setFocus(.field) }
  }

  var isAtEnd: Bool { sticks }

  // MARK: Time

  /// The dots move until the first text of a reply arrives.
  private func think(at now: Int64) {
    var isThinking = false
    for index in 0..<log.count where log[index].state == .streaming && log.isBlank(index) { isThinking = true }
    if !isThinking { dotsAt = nil } else if dotsAt == nil { dotsAt = now + Budget.chatDotMilliseconds }
  }

  public var nextDeadline: Int64? {
    var earliest = Int64.max
    if let instant = scrolling.nextDeadline { earliest = min(earliest, instant) }
    if let instant = gestures.nextDeadline { earliest = min(earliest, instant) }
    if let instant = person.nextDeadline { earliest = min(earliest, instant) }
    if let dotsAt { earliest = min(earliest, dotsAt) }
    return earliest == .max ? nil : earliest
  }

  public func advance(to now: Int64) -> Bool {
    var isNew = false
    gestures.advance(to: now) { if take($0, now) { isNew = true } }
    if scrolling.advance(to: now) {
      settle()
      isNew = true
    }
    if person.advance(to: now) { isNew = true }
    if let stroke = person.keyboard.advance(to: now) {
      take(stroke)
      isNew = true
    }
    if let at = dotsAt, now >= at {
      dots = (dots + 1) % 3
      dotsAt = now + Budget.chatDotMilliseconds
      isNew = true
    }
    return isNew
  }

  // MARK: Fingers and keys

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

  private func take(_ gesture: PointerGesture, _ now: Int64) -> Bool {
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
    case .drag(let place, _, let y): return listRect.contains(place) && move(by: -y)
    case .release(_, _, let velocity): scrolling.fling(-velocity, at: now, scale: theme.scale)
    case .longPress, .panic: break
    }
    return false
  }

  private func press(_ target: Target?) -> Bool {
    guard target != pressed else { return false }
    pressed = target
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
    }
  }
}
