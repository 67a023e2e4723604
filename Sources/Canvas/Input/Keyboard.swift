import Runtime

/// A keyboard: function keys, and characters by its layout.
struct Keyboard {
  private struct Held: OptionSet {
    let rawValue: UInt8
    static let leftShift = Held(rawValue: 1), rightShift = Held(rawValue: 2)
    static let leftControl = Held(rawValue: 4), rightControl = Held(rawValue: 8)
    static let alt = Held(rawValue: 16), third = Held(rawValue: 32)
  }

  private let layout: KeyboardLayout
  private var held: Held = []
  private var isCaps = false
  private var dead: DeadKey?

  init(_ layout: KeyboardLayout) { self.layout = layout }

  private var isShift: Bool { !held.isDisjoint(with: Held(rawValue: 3)) }
  private var isControl: Bool { !held.isDisjoint(with: Held(rawValue: 12)) }
  private var modifiers: Modifiers {
    var modifiers: Modifiers = []
    if isShift { modifiers.insert(.shift) }
    if isControl { modifiers.insert(.control) }
    if held.contains(.alt) { modifiers.insert(.alt) }
    return modifiers
  }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    guard raw.type == EventType.key, (0...2).contains(raw.value) else { return }
    let isDown = raw.value != 0
    if let modifier = modifier(raw.code) {
      if isDown { held.insert(modifier) } else { held.remove(modifier) }
      return
    }
    if raw.code == KeyCode.capsLock {
      if raw.value == 1 { isCaps.toggle() }
      return
    }
    if let number = Self.functionKey(raw.code) {
      if raw.value == 1, isControl, held.contains(.alt) { return emit(.console(number), raw.time) }
    }
    if let key = Self.key(raw.code) {
      emit(.event(.key(key, isDown: isDown, isRepeat: raw.value == 2, modifiers)), raw.time)
    }
    // With these modifiers a key is a shortcut and no character.
    guard isDown, !isControl, !held.contains(.alt) else { return }
    type(raw.code, raw.time, emit)
  }

  private mutating func type(_ code: UInt16, _ time: Int64, _ emit: Emit) {
    let isThird = held.contains(.third)
    let found = code == KeyCode.space ? " " : layout.character(code, isShift: isShift, isThird: isThird, isCaps: isCaps)
    guard let scalar = found else { return }
    guard let waiting = dead else {
      dead = DeadKey(scalar)
      if dead == nil { emit(.event(.character(scalar)), time) }
      return
    }
    dead = nil
    if let marked = waiting.mark(scalar) { return emit(.event(.character(marked)), time) }
    emit(.event(.character(waiting.alone)), time)
    // The mark twice, or before a space, is the mark; before anything else both stand.
    if scalar != " ", DeadKey(scalar) != waiting { emit(.event(.character(DeadKey(scalar)?.alone ?? scalar)), time) }
  }

  private func modifier(_ code: UInt16) -> Held? {
    switch code {
    case KeyCode.leftShift: .leftShift
    case KeyCode.rightShift: .rightShift
    case KeyCode.leftControl: .leftControl
    case KeyCode.rightControl: .rightControl
    case KeyCode.leftAlt: .alt
    case KeyCode.rightAlt: layout.hasThirdLevel ? .third : .alt
    default: nil
    }
  }

  private static func functionKey(_ code: UInt16) -> Int? {
    switch code {
    case KeyCode.f1...KeyCode.f10: Int(code - KeyCode.f1) + 1
    case KeyCode.f11: 11
    case KeyCode.f12: 12
    default: nil
    }
  }

  static func key(_ code: UInt16) -> Key? {
    switch code {
    case KeyCode.enter, KeyCode.keypadEnter: .enter
    case KeyCode.escape: .escape
    case KeyCode.tab: .tab
    case KeyCode.backspace: .backspace
    case KeyCode.delete: .delete
    case KeyCode.space: .space
    case KeyCode.left: .left
    case KeyCode.right: .right
    case KeyCode.up: .up
    case KeyCode.down: .down
    case KeyCode.home: .home
    case KeyCode.end: .end
    case KeyCode.pageUp: .pageUp
    case KeyCode.pageDown: .pageDown
    case KeyCode.f2, KeyCode.compose, KeyCode.menu, KeyCode.chat: .chat
    default: nil
    }
  }

  mutating func restore(_ state: InputState) {
    held = []
    dead = nil
    for code in [
      KeyCode.leftShift, KeyCode.rightShift, KeyCode.leftControl, KeyCode.rightControl, KeyCode.leftAlt,
      KeyCode.rightAlt,
    ] {
      if state.hasKey(code), let modifier = modifier(code) { held.insert(modifier) }
    }
  }
}
