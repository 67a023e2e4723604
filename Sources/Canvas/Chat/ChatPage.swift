import Graphics
import Locales
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
  /// The list of agents and conversations is open: it wants its rows.
  func chatChooserOpened()
  /// Show the conversation of this row.
  func chatChoose(_ index: Int)
  /// Take a photo with the board's camera, and send it with this text; valid during the call.
  func chatSendPhoto(_ text: Span<UInt8>)
}

/// A conversation with the agent: the last messages, a reply while it is received, an input field. It gets plain data
/// and reports the person's actions; it knows no gateway.
public final class ChatPage: ScreenPage {
  /// Targets of touches and of the focus.
  enum Target: Equatable, Sendable {
    case back, field, action, toEnd
    case retry(Int)
    /// A tool or a thought, to unfold or fold.
    case fold(Int)
    /// The title, which opens the list of conversations; a row of that list; what is beside it.
    case title, choice(Int), away
    /// The button that takes a photo.
    case camera
  }

  let flow: TextFlow
  /// Converts milliseconds since 1970 to local time.
  let local: (Int64) -> Int64
  /// How times are written.
  public var locale = Locale.plain
  /// The draft, its caret, and the keyboard on the screen.
  let person: Interaction
  /// The shown messages. Call `changed` after changing them.
  public private(set) var log: ChatLog
  /// The log that is filled to replace it.
  private var spare: ChatLog
  /// The pictures of the messages, and who has them decoded; nil: none are shown. It outlives the page.
  public let pictures: ChatPictures
  public unowned(unsafe) var shelf: (any PictureShelf)?
  /// The list of agents and conversations.
  let chooser = ChatChooser()
  /// True when there are others to choose, and a camera for photos.
  private(set) var canChoose = false
  private(set) var hasCamera = false
  /// Outlives the page.
  public unowned(unsafe) var delegate: (any ChatPageDelegate)?
  /// Why no message can be sent now; empty: it can.
  private(set) var notice = InlineText<256>()
  /// True while a reply is received that can be stopped.
  var isReplying = false
  private(set) var title = InlineText<64>()

  var size = Size(0, 0)
  private(set) var theme = Theme()
  var scrolling = PageScroll()
  /// True when the end is shown and followed as messages arrive.
  var sticks = true
  /// Height of all messages.
  private(set) var height: Int32 = 0
  var focus = Target.field
  var pressed: Target?
  var gestures = PointerGestures(scale: 1)
  /// Fingers that touched the keyboard first.
  var onKeyboard = InlineArray<10, Bool>(repeating: false)
  private var dotsAt: Int64?
  private(set) var dots = 0

  /// An empty conversation, whose text is set with `flow`. `wall`: milliseconds since 1970; `local`: converts those to
  /// local time. Throws when the address space is full.
  @export(interface)
  public init(
    flow: TextFlow, wall: @escaping () -> Int64 = { 0 }, local: @escaping (Int64) -> Int64 = { $0 }
  ) throws(Errno) {
    self.flow = flow
    self.local = local
    person = try Interaction()
    log = try ChatLog()
    spare = try ChatLog()
    pictures = try ChatPictures()
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

  /// Sets whether there are other conversations, and a camera; true when the page looks different.
  public func offer(choice: Bool, camera: Bool) -> Bool {
    guard choice != canChoose || camera != hasCamera else { return false }
    (canChoose, hasCamera) = (choice, camera)
    if !choice { chooser.close() }
    if focus == .title || focus == .camera { focus = .field }
    arrange()
    return true
  }

  /// Replaces the rows of the list of conversations.
  public func setChoices(_ fill: (_ add: (ChatChoice) -> Void) -> Void) {
    chooser.removeAll()
    fill { chooser.add($0) }
    chooser.arrange(chooserFrame, theme)
  }

  /// Another conversation is shown from here on: nothing of the one before stays.
  public func forgetConversation(at now: Int64) {
    log.removeAll()
    pictures.removeAll()
    sticks = true
    changed(at: now)
  }

  /// Pictures may have arrived, whose size is known now.
  public func picturesArrived() {
    log.forgetPictureHeights()
    arrange()
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
    keepHeights(of: old)
    if let place {
      measure()
      scrolling.stop()
      stay(at: place, old)
    }
    old.removeAll()
    arrange()
  }

  /// Messages that the log before had too are not measured again.
  private func keepHeights(of old: ChatLog) {
    var (index, end) = (log.count, old.count)
    while index > 0 {
      index -= 1
      var other = end - 1
      while other >= 0, !log.looks(index, as: old, other) { other -= 1 }
      // A text is compared with one at most, for hashes differ where texts do.
      guard other >= 0, log.says(index, as: old, other) else { continue }
      end = other
      if old.isMeasured(other), hasMark(index, in: log) == hasMark(other, in: old) {
        log.setHeight(index, old.height(other))
      }
    }
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
    measure(atMost: .max)
    arrange()
  }

  /// When the on-screen keyboard is shown, and its layout.
  public func setKeyboard(_ use: ScreenKeyboardUse, _ letters: ScreenLetters) {
    person.keyboardUse = use
    person.keyboard.letters = letters
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
    if case .fold(let index) = focus, index >= log.count || !canUnfold(index) { focus = .field }
    revealCaret()
  }

  /// Measures messages, the last ones first: so many bytes of their texts, but one message at least.
  private func measure(atMost work: Int = Budget.arrangedBytes) {
    guard size.width > 0 else { return }
    var (left, sum): (Int, Int32) = (work, 0)
    var index = log.count
    while index > 0 {
      index -= 1
      if !log.isMeasured(index) {
        let cost = log.byteCount(index) + Budget.arrangedStep
        if left == work || cost <= left { log.setHeight(index, messageHeight(index)) }
        // The ones before it come after it.
        left = max(left - cost, 0)
      }
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

  /// False while some of the oldest messages are not measured: they have no place yet.
  private var isMeasured: Bool { log.isAllMeasured }

  /// Measures more of them; what is seen stays where it is. True when the page looks different.
  private func measureMore() -> Bool {
    let (place, wasShort) = (topMessage, height < listRect.height)
    arrange()
    if !sticks, let place {
      var top: Int32 = 0
      for index in 0..<place.index { top += log.height(index) }
      _ = scrolling.move(by: top + place.above - scrolling.offset)
    }
    return wasShort || isMeasured
  }

  /// A reply of which nothing has come.
  private func isWaiting(_ index: Int) -> Bool {
    log[index].role == .agent && log[index].state == .streaming && log.isBlank(index)
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
    chooser.close()
    scrolling.stop()
    (pressed, dotsAt) = (nil, nil)
    gestures = PointerGestures(scale: Float(theme.scale) / 100)
    for finger in 0..<onKeyboard.count { onKeyboard[finger] = false }
    arrange()
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

  func settle() {
    sticks = scrolling.isAtEnd
    if sticks, focus == .toEnd { setFocus(.field) }
  }

  var isAtEnd: Bool { sticks }

  // MARK: Time

  /// The dots move until the first text of a reply arrives.
  private func think(at now: Int64) {
    var isThinking = false
    for index in 0..<log.count where isWaiting(index) { isThinking = true }
    if !isThinking { dotsAt = nil } else if dotsAt == nil { dotsAt = now + Budget.chatDotMilliseconds }
  }

  public var nextDeadline: Int64? {
    // At once: more of the messages.
    if size.width > 0, !isMeasured { return 0 }
    var earliest = Int64.max
    if let instant = scrolling.nextDeadline { earliest = min(earliest, instant) }
    if let instant = gestures.nextDeadline { earliest = min(earliest, instant) }
    if let instant = person.nextDeadline { earliest = min(earliest, instant) }
    if let dotsAt { earliest = min(earliest, dotsAt) }
    return earliest == .max ? nil : earliest
  }

  @export(interface)
  public func advance(to now: Int64) -> Bool {
    var isNew = isMeasured ? false : measureMore()
    gestures.advance(to: now) { if take($0, now) { isNew = true } }
    if scrolling.advance(to: now) {
      settle()
      isNew = true
    }
    if person.advance(to: now) { isNew = true }
    let (stroke, hasTurned) = person.keyboard.advance(to: now)
    if let stroke { take(stroke) }
    if hasTurned { isNew = true }
    if let at = dotsAt, now >= at {
      dots = (dots + 1) % 3
      dotsAt = now + Budget.chatDotMilliseconds
      isNew = true
    }
    return isNew
  }
}
