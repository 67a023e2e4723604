import Graphics
import Runtime

/// When the on-screen keyboard is shown for a field.
public enum ScreenKeyboardUse: Sendable {
  /// While no other keyboard is there.
  case automatic
  case always, never
}

/// The focus.
struct Focus: Equatable {
  var hit: Hit
  /// Number of its surface, which stays when others come and go.
  var surface: UInt32
  /// True while next and previous change its value instead of moving the focus.
  var isTurning = false
}

/// The state of interaction with the page: the focus, the pressed target, the text being entered. Times are monotonic
/// milliseconds.
final class Interaction {
  private struct Widget: Equatable, Sendable {
    var surface: UInt32
    var id: UInt64
  }

  let edit: TextEdit
  let keyboard = KeyboardPanel()
  let picker = DatePicker()

  var focus: Focus? { didSet { if focus?.hit != oldValue?.hit { secretUntil = nil } } }
  /// True when a key was used last: the focus is shown.
  var showsRing = false
  /// What a finger is on.
  var pressed: Hit?
  /// The focus may be beyond the screen's edge.
  var mustReveal = false
  /// The end of the page has to come into sight.
  var mustShowEnd = false

  /// Bytes before the caret in the text of what has the focus, and how far that text is moved within its field.
  var caret = 0
  var fieldScroll = Point(0, 0)
  private(set) var isCaretOn = false
  private var caretAt: Int64?
  private var lastKey: Int64 = 0
  /// Until when the last character of a secret is readable.
  private(set) var secretUntil: Int64?

  /// How far presses are.
  var marks = PressMarks()
  /// A modal slides in: the one that was opened last.
  var slide = Motion(length: Budget.slideMilliseconds)
  var slidModal: (surface: UInt32, id: UInt64) = (0, 0)
  /// What is pressed is filled from where the finger is.
  var ripple = Motion(length: Budget.rippleMilliseconds)
  var pressedAt = Point(0, 0)
  /// Nothing moves that does not have to (`[canvas] motion = reduced`).
  var isStill = false
  private var shaking: Widget?
  private var shakeUntil: Int64 = 0
  private var shakeAt: Int64?

  /// When the last event came.
  var now: Int64 = 0
  /// Local time in milliseconds since 1970: the start value of a date that is not set.
  var wall: () -> Int64 = { 0 }
  /// When the on-screen keyboard is shown, and whether there is a physical one.
  var keyboardUse = ScreenKeyboardUse.automatic
  var hasKeyboard = false

  var wantsKeyboard: Bool {
    switch keyboardUse {
    case .automatic: !hasKeyboard
    case .always: true
    case .never: false
    }
  }

  /// Reserves its memory; throws when the address space is full.
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

  /// Starts the shake animation of a widget.
  func shake(_ id: UInt64, _ surface: UInt32) {
    shaking = Widget(surface: surface, id: id)
    (shakeUntil, shakeAt) = (now + Budget.shakeMilliseconds, now + Budget.scrollFrameMilliseconds)
  }

  /// The horizontal offset of a shaking widget; `reach` is the amplitude.
  func shakeOffset(_ id: UInt64, _ surface: UInt32, reach: Int32) -> Int32 {
    guard shaking == Widget(surface: surface, id: id), shakeUntil > now else { return 0 }
    let left = shakeUntil - now
    let distance = Int32(Int64(reach) * left / Budget.shakeMilliseconds)
    return left / 60 % 2 == 0 ? distance : -distance
  }

  // MARK: Time

  /// When `advance` has to be called; nil: nothing moves.
  var nextDeadline: Int64? {
    earliest(
      earliest(earliest(caretAt, secretUntil), earliest(marks.nextDeadline, nextFrame)),
      earliest(shakeAt, earliest(keyboard.repeatAt, picker.repeatAt)))
  }

  private var nextFrame: Int64? { earliest(slide.nextFrame(after: now), ripple.nextFrame(after: now)) }

  /// Advances time; true when something looks different. Keys that are held are the owner's.
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
    if marks.advance(to: time, isStill: isStill) { hasChanged = true }
    if slide.advance(to: time) { hasChanged = true }
    if ripple.advance(to: time) { hasChanged = true }
    return hasChanged
  }
}
