import Graphics
import Runtime

typealias Emit = (EventDecoder.Output, Int64) -> Void

/// The fingers that are down, and what became of each in a report.
struct Fingers {
  private struct Finger {
    var isDown = false
    var place = Point(0, 0)
  }

  private var fingers = InlineArray<10, Finger>(repeating: Finger())

  func isDown(_ id: Int) -> Bool { fingers[id].isDown }
  func place(_ id: Int) -> Point { fingers[id].place }

  /// A finger is there: down when it was not, moved when it is elsewhere.
  mutating func put(_ id: Int, _ place: Point, _ time: Int64, _ emit: Emit) {
    let was = fingers[id]
    fingers[id] = Finger(isDown: true, place: place)
    if !was.isDown {
      emit(.event(.pointer(.down, id: id, place)), time)
    } else if was.place != place {
      emit(.event(.pointer(.move, id: id, place)), time)
    }
  }

  /// A finger is not there any more.
  mutating func lift(_ id: Int, _ time: Int64, _ how: InputEvent.Pointer = .up, _ emit: Emit) {
    guard fingers[id].isDown else { return }
    fingers[id].isDown = false
    emit(.event(.pointer(how, id: id, fingers[id].place)), time)
  }

  mutating func cancel(_ time: Int64, _ emit: Emit) {
    for id in 0..<fingers.count { lift(id, time, .cancel, emit) }
  }
}

/// Protocol B: a slot for each finger, with a number as long as it is down.
struct SlotTouch {
  private let rangeX: AxisRange, rangeY: AxisRange
  private let mapping: InputMapping
  private var slot = 0
  private var isThere = InlineArray<10, Bool>(repeating: false)
  /// The slot got another finger in one report: the one before was lifted.
  private var isOther = InlineArray<10, Bool>(repeating: false)
  private var xs = InlineArray<10, Int32>(repeating: 0)
  private var ys = InlineArray<10, Int32>(repeating: 0)
  private var fingers = Fingers()

  init(_ x: AxisRange, _ y: AxisRange, _ mapping: InputMapping) {
    (rangeX, rangeY) = (x, y)
    self.mapping = mapping
  }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    if raw.type == EventType.sync, raw.code == SyncCode.report { return report(raw.time, emit) }
    guard raw.type == EventType.absolute else { return }
    if raw.code == AbsoluteCode.slot {
      slot = Int(raw.value)
      return
    }
    // More fingers than are told apart.
    guard (0..<xs.count).contains(slot) else { return }
    switch raw.code {
    case AbsoluteCode.trackingID:
      if raw.value >= 0, fingers.isDown(slot) { isOther[slot] = true }
      isThere[slot] = raw.value >= 0
    case AbsoluteCode.touchX: xs[slot] = raw.value
    case AbsoluteCode.touchY: ys[slot] = raw.value
    default: break
    }
  }

  private mutating func report(_ time: Int64, _ emit: Emit) {
    for id in 0..<xs.count {
      if isOther[id] || !isThere[id] { fingers.lift(id, time, .up, emit) }
      isOther[id] = false
      if isThere[id] { fingers.put(id, mapping.place(rangeX.part(xs[id]), rangeY.part(ys[id])), time, emit) }
    }
  }

  mutating func restore(_ state: InputState, _ time: Int64, _ emit: Emit) {
    // Whether a finger that is there is the same one is not known: it begins anew.
    fingers.cancel(time, emit)
    slot = Int(state.slot)
    for id in 0..<xs.count {
      isOther[id] = false
      isThere[id] = state.fingers[id] >= 0
      (xs[id], ys[id]) = (state.xs[id], state.ys[id])
    }
    report(time, emit)
  }

  mutating func cancel(_ time: Int64, _ emit: Emit) {
    for id in 0..<isThere.count { isThere[id] = false }
    fingers.cancel(time, emit)
  }
}

/// Protocol A: each report lists the contacts that there are, in any order, without saying which finger is which.
struct ContactTouch {
  private struct Contact: Sendable {
    var x: Int32 = 0
    var y: Int32 = 0
  }

  private let rangeX: AxisRange, rangeY: AxisRange
  private let mapping: InputMapping
  private var current = Contact()
  private var hasX = false, hasY = false
  private var contacts = InlineList<16, Contact>()
  private var fingers = Fingers()

  init(_ x: AxisRange, _ y: AxisRange, _ mapping: InputMapping) {
    (rangeX, rangeY) = (x, y)
    self.mapping = mapping
  }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    switch (raw.type, raw.code) {
    case (EventType.absolute, AbsoluteCode.touchX): (current.x, hasX) = (raw.value, true)
    case (EventType.absolute, AbsoluteCode.touchY): (current.y, hasY) = (raw.value, true)
    case (EventType.sync, SyncCode.contact):
      if hasX, hasY { contacts.append(current) }
      (hasX, hasY) = (false, false)
    case (EventType.sync, SyncCode.report): report(raw.time, emit)
    default: break
    }
  }

  /// Each finger that was down goes to the contact nearest to it that is left; contacts left over are new fingers.
  private mutating func report(_ time: Int64, _ emit: Emit) {
    var places = InlineList<16, Point>()
    for index in 0..<contacts.count {
      places.append(mapping.place(rangeX.part(contacts[index].x), rangeY.part(contacts[index].y)))
    }
    contacts.removeAll()
    (hasX, hasY) = (false, false)
    var isTaken = InlineArray<16, Bool>(repeating: false)
    var target = InlineArray<10, Int>(repeating: -1)
    for _ in 0..<min(places.count, target.count) {
      guard let (id, index) = nearest(places, isTaken, target) else { break }
      target[id] = index
      isTaken[index] = true
    }
    for id in 0..<target.count where target[id] < 0 { fingers.lift(id, time, .up, emit) }
    for id in 0..<target.count where target[id] >= 0 { fingers.put(id, places[target[id]], time, emit) }
    for index in 0..<places.count where !isTaken[index] {
      for id in 0..<target.count where !fingers.isDown(id) {
        fingers.put(id, places[index], time, emit)
        break
      }
    }
  }

  private func nearest(
    _ places: InlineList<16, Point>, _ isTaken: InlineArray<16, Bool>, _ target: InlineArray<10, Int>
  ) -> (id: Int, index: Int)? {
    var best: (id: Int, index: Int)?
    var least = Int.max
    for id in 0..<target.count where fingers.isDown(id) && target[id] < 0 {
      let was = fingers.place(id)
      for index in 0..<places.count where !isTaken[index] {
        let (x, y) = (Int(places[index].x - was.x), Int(places[index].y - was.y))
        guard x * x + y * y < least else { continue }
        least = x * x + y * y
        best = (id, index)
      }
    }
    return best
  }

  mutating func cancel(_ time: Int64, _ emit: Emit) {
    contacts.removeAll()
    fingers.cancel(time, emit)
  }
}

/// One finger. A noisy panel's first place is not believed, and then the middle one of three.
struct SingleTouch {
  private let rangeX: AxisRange, rangeY: AxisRange
  private let mapping: InputMapping
  private let isNoisy: Bool
  private var x: Int32 = 0
  private var y: Int32 = 0
  private var isTouched = false
  private var isMoved = false
  /// Places since it is touched, and the last three of them.
  private var samples = 0
  private var lastX = InlineArray<3, Int32>(repeating: 0)
  private var lastY = InlineArray<3, Int32>(repeating: 0)
  private var fingers = Fingers()

  init(_ x: AxisRange, _ y: AxisRange, _ mapping: InputMapping, isNoisy: Bool) {
    (rangeX, rangeY) = (x, y)
    self.mapping = mapping
    self.isNoisy = isNoisy
  }

  mutating func feed(_ raw: RawInput, _ emit: Emit) {
    switch (raw.type, raw.code) {
    case (EventType.absolute, AbsoluteCode.x): (x, isMoved) = (raw.value, true)
    case (EventType.absolute, AbsoluteCode.y): (y, isMoved) = (raw.value, true)
    case (EventType.key, ButtonCode.touch):
      if raw.value != 0, !isTouched { samples = 0 }
      if raw.value != 0 { isMoved = true }
      isTouched = raw.value != 0
    case (EventType.sync, SyncCode.report): report(raw.time, emit)
    default: break
    }
  }

  private mutating func report(_ time: Int64, _ emit: Emit) {
    guard isTouched else { return fingers.lift(0, time, .up, emit) }
    guard isMoved else { return }
    isMoved = false
    if !isNoisy { return fingers.put(0, mapping.place(rangeX.part(x), rangeY.part(y)), time, emit) }
    samples = min(samples + 1, 1000)
    if samples == 1 { return }
    (lastX[0], lastX[1], lastX[2]) = (lastX[1], lastX[2], x)
    (lastY[0], lastY[1], lastY[2]) = (lastY[1], lastY[2], y)
    if samples == 2 {
      for index in 0..<2 { (lastX[index], lastY[index]) = (x, y) }
    }
    let place = mapping.place(rangeX.part(Self.middle(lastX)), rangeY.part(Self.middle(lastY)))
    fingers.put(0, place, time, emit)
  }

  private static func middle(_ values: InlineArray<3, Int32>) -> Int32 {
    let (a, b, c) = (values[0], values[1], values[2])
    return max(min(a, b), min(max(a, b), c))
  }

  mutating func cancel(_ time: Int64, _ emit: Emit) {
    isTouched = false
    fingers.cancel(time, emit)
  }
}
