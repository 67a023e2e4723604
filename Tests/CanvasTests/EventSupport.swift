import Runtime

@testable import Canvas
@testable import Graphics

extension InputTraits {
  mutating func add(type: UInt16) { types |= 1 << UInt32(type) }
  mutating func add(key: UInt16) {
    add(type: EventType.key)
    keys[Int(key) / 8] |= 1 << (key % 8)
  }
  mutating func add(relative code: UInt16) {
    add(type: EventType.relative)
    relative |= 1 << UInt32(code)
  }
  mutating func add(absolute code: UInt16) {
    add(type: EventType.absolute)
    absolute |= 1 << UInt64(code)
  }

  static func touch(slots: Bool) -> InputTraits {
    var traits = InputTraits()
    traits.properties = 2
    traits.add(key: ButtonCode.touch)
    for code in [AbsoluteCode.touchX, AbsoluteCode.touchY] { traits.add(absolute: code) }
    if slots { traits.add(absolute: AbsoluteCode.slot) }
    (traits.touchX, traits.touchY) = (AxisRange(0, 999), AxisRange(0, 999))
    return traits
  }

  static func single(isNoisy: Bool) -> InputTraits {
    var traits = InputTraits()
    traits.add(key: ButtonCode.touch)
    for code in [AbsoluteCode.x, AbsoluteCode.y] { traits.add(absolute: code) }
    if isNoisy { traits.add(absolute: AbsoluteCode.pressure) }
    (traits.x, traits.y) = (AxisRange(100, 1099), AxisRange(100, 1099))
    return traits
  }

  static let tablet: InputTraits = {
    var traits = InputTraits()
    traits.add(key: ButtonCode.left)
    for code in [AbsoluteCode.x, AbsoluteCode.y] { traits.add(absolute: code) }
    (traits.x, traits.y) = (AxisRange(0, 999), AxisRange(0, 999))
    return traits
  }()

  static let mouse: InputTraits = {
    var traits = InputTraits()
    for code in [ButtonCode.left, ButtonCode.right] { traits.add(key: code) }
    for code in [RelativeCode.x, RelativeCode.y, RelativeCode.wheel] { traits.add(relative: code) }
    return traits
  }()

  static let keyboard: InputTraits = {
    var traits = InputTraits()
    for code in UInt16(1)...111 { traits.add(key: code) }
    return traits
  }()

  static let encoder: InputTraits = {
    var traits = InputTraits()
    traits.add(relative: RelativeCode.dial)
    traits.add(key: KeyCode.enter)
    return traits
  }()

  static let dial: InputTraits = {
    var traits = InputTraits()
    traits.add(absolute: AbsoluteCode.x)
    traits.x = AxisRange(0, 23)
    return traits
  }()

  static func keys(_ codes: UInt16...) -> InputTraits {
    var traits = InputTraits()
    for code in codes { traits.add(key: code) }
    return traits
  }
}

/// A device on a canvas of 100 x 50, and what it told.
struct Device {
  var decoder: EventDecoder
  private(set) var told: [EventDecoder.Output] = []
  private(set) var times: [Int64] = []
  private var time: Int64 = 1000

  init(
    _ traits: InputTraits, rotation: Rotation = .none, size: Size = Size(100, 50),
    calibration: TouchCalibration = .none,
    layout: KeyboardLayout = .us
  ) {
    decoder = EventDecoder(traits, size: size, rotation: rotation, calibration: calibration, layout: layout)
  }

  mutating func send(_ type: UInt16, _ code: UInt16, _ value: Int32) {
    decoder.feed(RawInput(type: type, code: code, value: value, time: time)) { output, time in
      told.append(output)
      times.append(time)
    }
  }

  /// Absolute axes, and the end of the report.
  mutating func place(_ axes: (UInt16, Int32)...) {
    for (code, value) in axes { send(EventType.absolute, code, value) }
    report()
  }

  mutating func report() {
    send(EventType.sync, SyncCode.report, 0)
    time += 10
  }

  mutating func key(_ code: UInt16, _ values: Int32...) {
    for value in values {
      send(EventType.key, code, value)
      report()
    }
  }

  mutating func restore(_ state: InputState?) {
    decoder.restore(state, at: time) { output, time in
      told.append(output)
      times.append(time)
    }
  }

  mutating func end() {
    decoder.end(at: time) { output, time in told.append(output) }
  }

  /// What was told since the last look.
  mutating func take() -> [InputEvent] {
    defer { told = [] }
    return told.compactMap { if case .event(let event) = $0 { event } else { nil } }
  }

  /// What was typed since the last look.
  mutating func text() -> String {
    var text = ""
    for case .character(let scalar) in take() { text.unicodeScalars.append(scalar) }
    return text
  }
}
