import Runtime

@testable import Canvas
@testable import Graphics

/// Any events of any device: every place is on the canvas, every finger that goes down was up and comes up or is
/// cancelled, and what follows of it are gestures that begin and end. The input says what the device is, and then for
/// each event its type, code, value and how much later it comes; some say that events were lost.
func checkEvdev(_ bytes: [UInt8]) {
  guard bytes.count >= 4 else { return }
  let turns = [Rotation.none, .quarter, .half, .threeQuarters]
  let size = Size(Int32(bytes[0]) + 1, Int32(bytes[1]) + 1)
  let layout = KeyboardLayout.allCases[Int(bytes[3] >> 4) % KeyboardLayout.allCases.count]
  var decoder = EventDecoder(traits(bytes[2]), size: size, rotation: turns[Int(bytes[3] & 3)], layout: layout)
  var judge = InputJudge(size)
  var time = Int64(1_000)
  var index = 4
  while index + 5 <= bytes.count {
    let (type, code, value) = event(bytes[index], bytes[index + 1], bytes[index + 2], bytes[index + 3])
    time += Int64(bytes[index + 4])
    index += 5
    decoder.feed(RawInput(type: type, code: code, value: value, time: time)) { judge.take($0, $1) }
    expect(judge.taken <= 64, "\(judge.taken) outputs of one event")
    judge.taken = 0
    guard decoder.needsState else { continue }
    decoder.restore(state(bytes[index - 1]), at: time) { judge.take($0, $1) }
    judge.taken = 0
  }
  decoder.end(at: time) { judge.take($0, $1) }
  judge.finish(time)
}

private func traits(_ kind: UInt8) -> InputTraits {
  var traits = InputTraits()
  traits.types = 0xF
  func key(_ code: UInt16) { traits.keys[Int(code) / 8] |= 1 << (code % 8) }
  func axis(_ code: UInt16) { traits.absolute |= 1 << UInt64(code) }
  let range = AxisRange(Int32(kind) - 100, kind > 250 ? .max : Int32(kind) * 16)
  (traits.x, traits.y, traits.touchX, traits.touchY) = (range, range, range, range)
  switch kind % 10 {
  case 0, 1:
    traits.properties = 2
    axis(AbsoluteCode.touchX)
    axis(AbsoluteCode.touchY)
    if kind % 10 == 0 { axis(AbsoluteCode.slot) }
  case 2, 3:
    key(ButtonCode.touch)
    axis(AbsoluteCode.x)
    axis(AbsoluteCode.y)
    if kind % 10 == 2 { axis(AbsoluteCode.pressure) }
  case 4:
    key(ButtonCode.left)
    axis(AbsoluteCode.x)
    axis(AbsoluteCode.y)
  case 5:
    key(ButtonCode.left)
    traits.relative = 0x103
  case 6: for code in UInt16(1)...111 { key(code) }
  case 7: traits.relative = 1 << 7
  case 8: axis(AbsoluteCode.x)
  default: key(KeyCode.enter)
  }
  return traits
}

/// Codes that mean something come often.
private func event(_ kind: UInt8, _ code: UInt8, _ high: UInt8, _ low: UInt8) -> (UInt16, UInt16, Int32) {
  let value = high == 0xFF ? Int32.max : high == 0xFE ? Int32.min : Int32(high) << 8 | Int32(low)
  let finger = low == 0xFF ? Int32(-1) : Int32(low)
  switch kind % 12 {
  case 0, 1: return (EventType.sync, SyncCode.report, 0)
  case 2: return (EventType.sync, SyncCode.contact, 0)
  case 3: return (EventType.sync, code < 8 ? SyncCode.dropped : SyncCode.report, 0)
  case 4: return (EventType.absolute, AbsoluteCode.slot, finger)
  case 5: return (EventType.absolute, AbsoluteCode.trackingID, finger)
  case 6: return (EventType.absolute, code % 2 == 0 ? AbsoluteCode.touchX : AbsoluteCode.touchY, value)
  case 7: return (EventType.absolute, code % 2 == 0 ? AbsoluteCode.x : AbsoluteCode.y, value)
  case 8: return (EventType.key, code % 2 == 0 ? ButtonCode.touch : ButtonCode.left, Int32(low % 3))
  case 9: return (EventType.key, UInt16(code), Int32(low % 4))
  case 10: return (EventType.relative, UInt16(code % 16), value &- 0x4000)
  default: return (UInt16(code), UInt16(high) << 8 | UInt16(low), value)
  }
}

private func state(_ seed: UInt8) -> InputState? {
  guard seed & 1 == 0 else { return nil }
  var state = InputState()
  for index in 0..<16 {
    state.fingers[index] = seed >> UInt8(index % 8) & 1 == 1 ? Int32(index) : -1
    (state.xs[index], state.ys[index]) = (Int32(seed), Int32(index))
  }
  state.keys[41] = seed
  state.keys[34] = seed
  return state
}

/// Keeps what was told, and what gestures make of it.
private struct InputJudge {
  let size: Size
  var taken = 0
  private var down: Set<Int> = []
  private var gestures = PointerGestures(scale: 1)
  private var isOpen = false

  init(_ size: Size) { self.size = size }

  mutating func take(_ output: EventDecoder.Output, _ time: Int64) {
    taken += 1
    guard case .event(let event) = output else { return }
    switch event {
    case .pointer(let what, let id, let place):
      check(place)
      expect((0..<Budget.touchPoints).contains(id), "finger \(id)")
      switch what {
      case .down: expect(down.insert(id).inserted, "finger \(id) is down twice")
      case .move: expect(down.contains(id), "finger \(id) moves and is not down")
      case .up, .cancel: expect(down.remove(id) != nil, "finger \(id) is lifted twice")
      }
      let gesturesNow = gather { gestures, tell in gestures.feed(what, id: id, place, at: time, tell) }
      for gesture in gesturesNow { judge(gesture) }
    case .hover(let place): check(place)
    case .wheel(let place, let x, let y):
      check(place)
      expect(abs(x) <= 48 * Budget.inputSteps && abs(y) <= 48 * Budget.inputSteps, "a wheel by \(x),\(y)")
    case .key, .character: break
    }
  }

  mutating func finish(_ time: Int64) {
    expect(down.isEmpty, "\(down) are still down")
    for gesture in gather({ $0.advance(to: time + 100_000, $1) }) { judge(gesture) }
    expect(!isOpen && gestures.nextDeadline == nil, "a gesture has no end")
  }

  private mutating func gather(
    _ body: (inout PointerGestures, (PointerGesture) -> Void) -> Void
  ) -> [PointerGesture] {
    var list: [PointerGesture] = []
    body(&gestures) { list.append($0) }
    return list
  }

  private mutating func judge(_ gesture: PointerGesture) {
    switch gesture {
    case .down:
      expect(!isOpen, "two gestures at once")
      isOpen = true
    case .tap, .cancel, .release:
      expect(isOpen, "\(gesture) of nothing")
      isOpen = false
    case .notTap, .longPress, .drag: expect(isOpen, "\(gesture) of nothing")
    case .panic: break
    }
  }

  private func check(_ place: Point) {
    expect(Rect(0, 0, size.width, size.height).contains(place), "\(place) is outside \(size)")
  }
}
