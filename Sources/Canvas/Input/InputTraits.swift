/// From where to where an axis goes.
public struct AxisRange: Equatable, Sendable {
  public var minimum: Int32
  public var maximum: Int32

  /// A range; see the properties.
  public init(_ minimum: Int32, _ maximum: Int32) {
    self.minimum = minimum
    self.maximum = maximum
  }

  /// A value as a part of the range: 0...1 for what is inside.
  func part(_ value: Int32) -> Float {
    let length = Float(maximum) - Float(minimum)
    return length > 0 ? (Float(value) - Float(minimum)) / length : 0
  }
}

/// The capabilities of an input device (EVIOCGBIT, EVIOCGPROP, EVIOCGABS): a bit for each code.
public struct InputTraits: Sendable {
  /// INPUT_PROP_DIRECT: it is touched where it shows.
  private static let direct: UInt32 = 1 << 1
  /// INPUT_PROP_ACCELEROMETER.
  private static let accelerometer: UInt32 = 1 << 6

  public var types: UInt32 = 0
  public var properties: UInt32 = 0
  public var relative: UInt32 = 0
  public var absolute: UInt64 = 0
  public var keys = InlineArray<96, UInt8>(repeating: 0)
  /// Of ABS_X and ABS_Y, and of ABS_MT_POSITION_X and _Y.
  public var x = AxisRange(0, 0), y = AxisRange(0, 0)
  public var touchX = AxisRange(0, 0), touchY = AxisRange(0, 0)

  /// No capabilities.
  public init() {}

  /// The kind of a device.
  public enum Kind: Equatable, Sendable {
    /// Fingers by slots (protocol B), by rows of contacts (protocol A), or one finger.
    case touchSlots, touchContacts, touchSingle
    /// An absolute pointer: a tablet, a virtual machine's mouse.
    case pointer
    case mouse
    case touchPad
    case keyboard
    /// A few keys.
    case keys
    /// A rotary control, with relative steps or absolute positions.
    case encoder, dial
    /// Not used by the canvas.
    case none
  }

  private func has(_ type: UInt16) -> Bool { types >> UInt32(type) & 1 == 1 }
  func hasKey(_ code: UInt16) -> Bool { keys[Int(code) / 8] >> (code % 8) & 1 == 1 }
  private func hasRelative(_ code: UInt16) -> Bool { relative >> UInt32(code) & 1 == 1 }
  func hasAbsolute(_ code: UInt16) -> Bool { absolute >> UInt64(code) & 1 == 1 }

  /// What it is. The order matters: a keyboard with a wheel is a keyboard.
  public var kind: Kind {
    if properties & Self.accelerometer != 0 { return .none }
    if has(EventType.absolute), let kind = absoluteKind { return kind }
    if has(EventType.relative), hasRelative(RelativeCode.x), hasRelative(RelativeCode.y), hasKey(ButtonCode.left) {
      return .mouse
    }
    if has(EventType.key), isKeyboard { return .keyboard }
    if has(EventType.relative), relative & Self.turned != 0 { return .encoder }
    let hasPlaces = hasAbsolute(AbsoluteCode.x) || hasAbsolute(AbsoluteCode.wheel)
    if has(EventType.absolute), hasPlaces, !hasAbsolute(AbsoluteCode.y) { return .dial }
    return has(EventType.key) && hasUsefulKey ? .keys : .none
  }

  private var absoluteKind: Kind? {
    let hasFingers = hasAbsolute(AbsoluteCode.touchX) && hasAbsolute(AbsoluteCode.touchY)
    let hasPlace = hasAbsolute(AbsoluteCode.x) && hasAbsolute(AbsoluteCode.y)
    let isDirect = properties & Self.direct != 0
    // Old drivers set no property; a touch panel has no button.
    let isTouched = hasKey(ButtonCode.touch) && !hasKey(ButtonCode.left)
    if hasFingers, isDirect || isTouched || !hasKey(ButtonCode.left) {
      return hasAbsolute(AbsoluteCode.slot) ? .touchSlots : .touchContacts
    }
    if hasFingers || hasPlace && hasKey(ButtonCode.touch) && hasKey(ButtonCode.left) && !isDirect { return .touchPad }
    if hasPlace, isTouched || isDirect { return .touchSingle }
    return hasPlace && hasKey(ButtonCode.left) ? .pointer : nil
  }

  /// The first row of letters and space.
  private var isKeyboard: Bool {
    for code in KeyCode.q...KeyCode.q + 9 where !hasKey(code) { return false }
    return hasKey(KeyCode.space)
  }

  private static let turned: UInt32 =
    1 << UInt32(RelativeCode.x) | 1 << UInt32(RelativeCode.y) | 1 << UInt32(RelativeCode.hWheel)
    | 1 << UInt32(RelativeCode.dial) | 1 << UInt32(RelativeCode.wheel) | 1 << UInt32(RelativeCode.misc)

  private var hasUsefulKey: Bool {
    for code in UInt16(1)..<768 where hasKey(code) && FewKeys.key(code, hasCross: hasCross) != nil { return true }
    return false
  }

  /// True with all four arrow keys: then they move the focus in their direction.
  var hasCross: Bool {
    hasKey(KeyCode.up) && hasKey(KeyCode.down) && hasKey(KeyCode.left) && hasKey(KeyCode.right)
  }

  /// Resistive panels report the pressure of one finger, and noisy positions.
  var isNoisy: Bool { kind == .touchSingle && hasAbsolute(AbsoluteCode.pressure) }
}

/// The state of a device, read from the kernel after it dropped events.
public struct InputState: Sendable {
  public var keys = InlineArray<96, UInt8>(repeating: 0)
  public var x: Int32 = 0
  public var y: Int32 = 0
  /// Each finger's number (-1: none) and place, by slots.
  public var fingers = InlineArray<16, Int32>(repeating: -1)
  public var xs = InlineArray<16, Int32>(repeating: 0)
  public var ys = InlineArray<16, Int32>(repeating: 0)
  public var slot: Int32 = 0

  /// Nothing is down.
  public init() {}

  func hasKey(_ code: UInt16) -> Bool { keys[Int(code) / 8] >> (code % 8) & 1 == 1 }
}
