import Runtime

/// When the keyboard on the screen comes up for a field.
public enum ScreenKeyboardUse: Sendable {
  /// While no other keyboard is there.
  case automatic
  case always, never
}

/// What the keys go to.
struct Focus: Equatable {
  var hit: Hit
  /// Number of its surface, which stays when others come and go.
  var surface: UInt32
  /// Next and previous change its value, and do not go elsewhere.
  var isTurning = false
}

/// What a person is doing on the page: what the keys go to, what a finger is on, what is being entered. Times are
/// monotonic, in milliseconds.
final class Interaction {
  private struct Widget: Equatable, Sendable {
    var surface: UInt32
    var id: UInt64
  }

  let edit: TextEdit
  let keyboard = KeyboardPanel()
  let picker = DatePicker()

  var focus: Focus? { didSet { if focus?.hit != oldValue?.hit { secretUntil = nil } } }
  /// A key was used last: what has the focus shows it.
  var showsRing = false
  /// What a finger is on.
  var pressed: Hit?
  /// The focus may be beyond the screen's edge.
  var mustReveal = false

  /// Bytes before the caret in the text of what has the focus, and how far that text is moved within its field.
  var caret = 0
  var fieldScroll = Point(0, 0)
  private(set) var isCaretOn = false
  private var caretAt: Int64?
  private var lastKey: Int64 = 0
  /// Until when the character before the caret of a secret can be read.
  private(set) var secretUntil: Int64?

  private var busy = InlineList<8, Widget>()
  private var shaking: Widget?
  private var shakeUntil: Int64 = 0
  private var shakeAt: Int64?

  /// When the last event came.
  var now: Int64 = 0
  /// What the clock on the wall says: a date that is not set yet begins there. Milliseconds since 1970, of whichever
  /// zone.
  var wall: () -> Int64 = { 0 }
  /// When the keyboard comes up on the screen, and whether there is one of plastic.
  var keyboardUse = ScreenKeyboardUse.automatic
  var hasKeyboard = false

  var wantsKeyboard: Bool {
    switch keyboardUse {
    case .automatic: !hasKeyboard
    case .always: true
    case .never: false
    }
  }

  /// Reserves what it needs; throws when the address space is full.
  init() throws(Errno) { edit = try TextEdit() }

  // MARK: The caret

  /// Something was entered: the caret is seen, and begins to blink.
  func wakeCaret(showsSecret: Bool = false) {
    (isCaretOn, caretAt, lastKey) = (true, now + Budget.caretMilliseconds, now)
    secretUntil = showsSecret ? now + Budget.secretMilliseconds : nil
  }

  func hideCaret() { (isCaretOn, caretAt, secretUntil) = (false, nil, nil) }

  private func blink(to time: Int64) -> Bool {
    guard let at = caretAt, time >= at else { return false }
    guard time - lastKey < Budget.caretRestMilliseconds else {
      caretAt = nil
      defer { isCaretOn = true }
      return !isCaretOn
    }
    isCaretOn.toggle()
    caretAt = time + Budget.caretMilliseconds
    return true
  }

  // MARK: Marks

  /// Whether a widget waits for its action to be told.
  func isBusy(_ id: UInt64, _ surface: UInt32) -> Bool {
    for index in 0..<busy.count where busy[index] == Widget(surface: surface, id: id) { return true }
    return false
  }

  func setBusy(_ isBusy: Bool, _ id: UInt64, _ surface: UInt32) {
    let widget = Widget(surface: surface, id: id)
    var others = InlineList<8, Widget>()
    for index in 0..<busy.count where busy[index] != widget { others.append(busy[index]) }
    if isBusy { others.append(widget) }
    busy = others
  }

  func endBusy() { busy = InlineList() }

  /// A widget shakes its head.
  func shake(_ id: UInt64, _ surface: UInt32) {
    shaking = Widget(surface: surface, id: id)
    (shakeUntil, shakeAt) = (now + Budget.shakeMilliseconds, now + Budget.scrollFrameMilliseconds)
  }

  /// How far a widget stands beside its place; `reach` is the farthest.
  func shakeOffset(_ id: UInt64, _ surface: UInt32, reach: Int32) -> Int32 {
    guard shaking == Widget(surface: surface, id: id), shakeUntil > now else { return 0 }
    let left = shakeUntil - now
    let distance = Int32(Int64(reach) * left / Budget.shakeMilliseconds)
    return left / 60 % 2 == 0 ? distance : -distance
  }

  // MARK: Time

  /// When `advance` wants to be called; nil: nothing moves.
  var nextDeadline: Int64? {
    earliest(earliest(caretAt, secretUntil), earliest(shakeAt, earliest(keyboard.repeatAt, picker.repeatAt)))
  }

  private func earliest(_ one: Int64?, _ other: Int64?) -> Int64? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// Lets time pass; true when something looks different. Keys that are held are the owner's.
  func advance(to time: Int64) -> Bool {
    now = max(now, time)
    var hasChanged = blink(to: time)
    if let until = secretUntil, time >= until {
      secretUntil = nil
      hasChanged = true
    }
    if let at = shakeAt, time >= at {
      shakeAt = time < shakeUntil ? time + Budget.scrollFrameMilliseconds : nil
      hasChanged = true
    }
    if picker.advance(to: time) { hasChanged = true }
    return hasChanged
  }
}
