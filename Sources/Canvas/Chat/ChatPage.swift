import Runtime

/// Told of what a person wants of the conversation.
public protocol ChatPageOwner: AnyObject {
  /// Says this to the agent; gone when this returns.
  func chatSend(_ text: Span<UInt8>)
  /// Sends a message again that did not arrive: its index in the log.
  func chatRetry(_ index: Int)
  /// Stops the reply that is coming.
  func chatStop()
  /// Goes back to what was there before.
  func chatLeave()
}

/// A conversation with the agent: the last messages, a reply as it comes, a field to write in. Plain data in, what a person
/// wants out; it knows no gateway.
public final class ChatPage: ScreenPage {
  /// What can be touched, and what the keys go to.
  enum Target: Equatable, Sendable {
    case back, field, action, toEnd
    case retry(Int)
  }

  let flow: TextFlow
  /// From milliseconds since 1970 to those that the clock on the wall has.
  let local: (Int64) -> Int64
  /// The draft, its caret, and the keyboard on the screen.
  let person: Interaction
  /// What is shown. Whoever fills it says so with `changed` or `replace`.
  public private(set) var log: ChatLog
  /// Where another one is put together.
  private var spare: ChatLog
  /// Lives as long as the page.
  public unowned(unsafe) var owner: (any ChatPageOwner)?
  /// Why nobody can be talked to now; empty: all is well.
  private(set) var notice = InlineText<256>()
  /// A reply comes, and can be stopped.
  private(set) var isReplying = false
  private(set) var title = InlineText<64>()

  private(set) var size = Size(0, 0)
  private(set) var theme = Theme()
  var scrolling = PageScroll()
  /// The reader is at the end, and stays there while it grows.
  private var sticks = true
  /// Height of all messages.
  private(set) var height: Int32 = 0
  private(set) var focus = Target.field
  private(set) var pressed: Target?
  private var gestures = PointerGestures(scale: 1)
  /// Fingers that went down on the keyboard.
  private var onKeyboard = InlineArray<10, Bool>(repeating: false)
  private var dotsAt: Int64?
  private(set) var dots = 0

  /// An empty conversation, whose text is set with `flow`. `wall`: milliseconds since 1970; `local`: from those to what the clock
  /// on the wall has. Throws when the address space is full.
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

  // MARK: What it shows

  /// Says who is talked to, and whether anybody can be; true when it looks different.
  public func say(title: Span<UInt8>, notice: Span<UInt8>, isReplying: Bool) -> Bool {
    guard !self.title.equals(title) || !self.notice.equals(notice) || self.isReplying != isReplying else { return false }
    self.title = InlineText(cutting: title)
    self.notice = InlineText(cutting: notice)
    self.isReplying = isReplying
    if focus == .action, !isReplying { focus = .field }
    arrange()
    return true
  }

  /// The log has changed.
  public func changed(at now: Int64) {
    think(at: now)
    arrange()
  }

  /// Another conversation takes the place of this one: the log to fill, while `log` is still there. `endReplacing` follows.
  public func beginReplacing() -> ChatLog {
    spare.removeAll()
    return spare
  }

  /// Shows what `beginReplacing` gave. Who reads above the end goes on reading there, when it is still there.
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

  /// The messages that can be seen begin with this one, this far above the upper edge.
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

  /// What a person has written and not sent.
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

  /// When the keyboard on the screen comes up, and its letters.
  public func setKeyboard(_ use: ScreenKeyboardUse, _ layout: KeyboardLayout) {
    person.keyboardUse = use
    person.keyboard.layout = layout
  }

  /// Devices came or went; true when it looks different.
  public func devicesChanged(hasKeyboard: Bool) -> Bool {
    person.hasKeyboard = hasKeyboard
    guard person.keyboard.isShown, !person.wantsKeyboard else { return false }
    person.keyboard.hide()
    arrange()
    return true
  }

  /// Measures what is new, and keeps the reader where they are: at the end, or at what they read.
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
    // What was dropped was above: the rest stays where it is.
    scrolling.setLimit(max(height + dropped + 2 * margin - list.height, 0))
    if dropped > 0 { _ = scrolling.move(by: -dropped) }
    scrolling.setLimit(height + 2 * margin - list.height)
  }

  func canRetry(_ index: Int) -> Bool { log[index].role == .person && log[index].state == .failed }

  // MARK: Focus

  /// The page comes to the front: the keys go to the field.
  public func open(at now: Int64) {
    person.now = max(person.now, now)
    focus = .field
    person.showsRing = false
    person.wakeCaret()
    think(at: now)
    arrange()
  }

  /// Something else comes to the front. The draft and the place stay.
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

  /// To the next of what can be touched, or the one before.
  func moveFocus(_ isForward: Bool) {
    var targets = InlineList<8, Target>()
    targets.append(.field)
    targets.append(.action)
    targets.append(.back)
    if !sticks { targets.append(.toEnd) }
    var index = log.count - 1
    // The last few: one after the other they are sent again.
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

  /// The points move while nothing of a reply has come yet.
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
      // Together with these a key is an order to something else.
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

  /// Does what a touch of a target does; nil: a key did it.
  func activate(_ target: Target, at place: Point?) {
    switch target {
    case .back: owner?.chatLeave()
    case .field: beginEntry(at: place)
    case .action: isReplying ? owner?.chatStop() : send()
    case .toEnd: move(by: scrolling.limit - scrolling.offset)
    case .retry(let index): owner?.chatRetry(index)
    }
  }
}
