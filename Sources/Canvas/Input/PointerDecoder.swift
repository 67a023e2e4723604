import Codec
import Graphics
import Runtime

/// A mouse, a tablet that says where it is, or a touchpad that moves the pointer.
struct MousePointer {
  /// Pixels by which one step of a wheel moves the content: three lines of text.
  private static let wheelPixels: Int32 = 48
  /// Widths of the canvas for the width of a touchpad.
  private static let padGain: Float = 1.5

  private let mapping: InputMapping
  private let place: (x: AxisRange, y: AxisRange)?
  private let isPad: Bool
  private var pointer: Point
  private var moveX: Int32 = 0, moveY: Int32 = 0
  private var absoluteX: Int32 = 0, absoluteY: Int32 = 0
  private var isMoved = false
  private var wheelX: Int32 = 0, wheelY: Int32 = 0
  private var isPressed = false, wasPressed = false
  /// Where a finger on the touchpad was; nil when none was.
  private var padBefore: (x: Int32, y: Int32)?
  private var isOnPad = false

  init(_ mapping: InputMapping, place: (AxisRange, AxisRange)?, isPad: Bool) {
    self.mapping = mapping
    self.place = place.map { (x: $0.0, y: $0.1) }
    self.isPad = isPad
    pointer = Point(mapping.size.width / 2, mapping.size.height / 2)
  }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    switch (raw.type, raw.code) {
    case (EventType.relative, RelativeCode.x): moveX = Self.sum(moveX, raw.value)
    case (EventType.relative, RelativeCode.y): moveY = Self.sum(moveY, raw.value)
    // Away from the person is positive (kernel: Documentation/input/event-codes.rst), and the content comes down.
    case (EventType.relative, RelativeCode.wheel): wheelY = Self.sum(wheelY, raw.value)
    // To the right is positive: the content goes to the left.
    case (EventType.relative, RelativeCode.hWheel): wheelX = Self.sum(wheelX, 0 &- raw.value)
    case (EventType.absolute, AbsoluteCode.x): (absoluteX, isMoved) = (raw.value, true)
    case (EventType.absolute, AbsoluteCode.y): (absoluteY, isMoved) = (raw.value, true)
    case (EventType.key, ButtonCode.left): isPressed = raw.value != 0
    case (EventType.key, ButtonCode.touch):
      isOnPad = raw.value != 0
      padBefore = nil
    case (EventType.sync, SyncCode.report): report(raw.time, emit)
    default: break
    }
  }

  /// What a mouse moves in one report is small; what is not is no mouse's.
  private static func sum(_ value: Int32, _ more: Int32) -> Int32 {
    min(max(value, -32768), 32767) + min(max(more, -32768), 32767)
  }

  private mutating func report(_ time: Int64, _ emit: Emit) {
    let before = pointer
    move()
    if pointer != before {
      emit(.event(wasPressed ? .pointer(.move, id: 0, pointer) : .hover(pointer)), time)
    }
    if isPressed != wasPressed {
      emit(.event(.pointer(isPressed ? .down : .up, id: 0, pointer)), time)
      wasPressed = isPressed
    }
    if wheelX != 0 || wheelY != 0 {
      let most = Budget.inputSteps
      let x = min(max(wheelX, -most), most) * Self.wheelPixels
      let y = min(max(wheelY, -most), most) * Self.wheelPixels
      emit(.event(.wheel(pointer, x: x, y: y)), time)
      (wheelX, wheelY) = (0, 0)
    }
  }

  private mutating func move() {
    defer { (moveX, moveY, isMoved) = (0, 0, false) }
    guard let place else {
      pointer = mapping.clamped(pointer.x + moveX, pointer.y + moveY)
      return
    }
    guard isMoved else { return }
    guard isPad else {
      pointer = mapping.place(place.x.part(absoluteX), place.y.part(absoluteY))
      return
    }
    guard isOnPad else { return }
    if let before = padBefore {
      let width = Float(mapping.size.width) * Self.padGain
      let x = (place.x.part(absoluteX) - place.x.part(before.x)) * width
      let y = (place.y.part(absoluteY) - place.y.part(before.y)) * width
      let (limit, far) = (Float(32767), Float(-32768))
      pointer = mapping.clamped(
        pointer.x + Int32(clamping: x.bounded(far, limit)), pointer.y + Int32(clamping: y.bounded(far, limit)))
    }
    padBefore = (absoluteX, absoluteY)
  }

  mutating func restore(_ state: InputState, _ time: Int64, _ emit: Emit) {
    (moveX, moveY, wheelX, wheelY) = (0, 0, 0, 0)
    padBefore = nil
    isOnPad = state.hasKey(ButtonCode.touch)
    isPressed = state.hasKey(ButtonCode.left)
    if place != nil { (absoluteX, absoluteY, isMoved) = (state.x, state.y, !isPad) }
    report(time, emit)
  }

  mutating func cancel(_ time: Int64, _ emit: Emit) {
    if wasPressed { emit(.event(.pointer(.cancel, id: 0, pointer)), time) }
    (isPressed, wasPressed) = (false, false)
  }
}

/// Something to turn: each step goes to the next thing, or to the one before. Its button comes with it, or as a device
/// of its own.
struct Turned {
  /// Of a dial that says where it is around a circle.
  private let circle: AxisRange?
  private var steps: Int32 = 0
  private var last: Int32?

  init(_ circle: AxisRange?) { self.circle = circle }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    switch raw.type {
    case EventType.relative:
      if (circle == nil) { steps = limited(steps &+ limited(raw.value)) }
    case EventType.absolute where raw.code == AbsoluteCode.x || raw.code == AbsoluteCode.wheel: turn(to: raw.value)
    case EventType.key where raw.value != 0 && raw.value != 2:
      if FewKeys.key(raw.code, hasCross: false) == .activate { FewKeys.press(.activate, raw.time, emit) }
    case EventType.sync where raw.code == SyncCode.report:
      for _ in 0..<abs(steps) { FewKeys.press(steps > 0 ? .next : .previous, raw.time, emit) }
      steps = 0
    default: break
    }
  }

  private func limited(_ value: Int32) -> Int32 { min(max(value, -Budget.inputSteps), Budget.inputSteps) }

  /// The shorter way around.
  private mutating func turn(to value: Int32) {
    guard let circle else { return }
    defer { last = value }
    guard let last else { return }
    let count = Int64(circle.maximum) - Int64(circle.minimum) + 1
    var way = Int64(value) - Int64(last)
    if count > 1 {
      way %= count
      if way > count / 2 { way -= count }
      if way < -(count / 2) { way += count }
    }
    steps = limited(steps &+ limited(Int32(clamping: way)))
  }
}

/// A few keys: what a person without a pointer needs.
struct FewKeys {
  private let hasCross: Bool

  init(hasCross: Bool) { self.hasCross = hasCross }

  func feed(_ raw: RawInput, _ emit: Emit) {
    guard raw.type == EventType.key, (0...2).contains(raw.value), let key = Self.key(raw.code, hasCross: hasCross)
    else {
      return
    }
    emit(.event(.key(key, isDown: raw.value != 0, isRepeat: raw.value == 2, [])), raw.time)
  }

  static func press(_ key: Key, _ time: Int64, _ emit: Emit) {
    emit(.event(.key(key, isDown: true, isRepeat: false, [])), time)
    emit(.event(.key(key, isDown: false, isRepeat: false, [])), time)
  }

  /// nil for a key that says nothing to a canvas. Buttons without a name press what has the focus.
  static func key(_ code: UInt16, hasCross: Bool) -> Key? {
    switch code {
    case KeyCode.up: hasCross ? .up : .previous
    case KeyCode.left: hasCross ? .left : .previous
    case KeyCode.down: hasCross ? .down : .next
    case KeyCode.right: hasCross ? .right : .next
    case KeyCode.previous, KeyCode.volumeUp, KeyCode.channelUp, KeyCode.pageUp: .previous
    case KeyCode.next, KeyCode.volumeDown, KeyCode.channelDown, KeyCode.pageDown, KeyCode.tab: .next
    case KeyCode.enter, KeyCode.keypadEnter, KeyCode.space, KeyCode.ok, KeyCode.select: .activate
    case KeyCode.escape, KeyCode.back, KeyCode.backspace: .escape
    case KeyCode.menu, KeyCode.chat: .chat
    case ButtonCode.left, ButtonCode.right, ButtonCode.middle: .activate
    case KeyCode.buttonsFirst..<ButtonCode.left: .activate
    default: nil
    }
  }
}
