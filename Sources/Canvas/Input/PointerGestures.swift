import Codec
import Graphics
import Runtime

/// Gestures of fingers. The caller finds the target at a place: a tap counts when `down` and `tap` are on the same
/// target.
public enum PointerGesture: Equatable, Sendable {
  /// Touched: the target may look pressed.
  case down(Point)
  /// Not a tap: it moved too far, took too long, or another finger came.
  case notTap
  case tap(Point)
  case longPress(Point)
  /// Moves since it moved too far for a tap: where it is, and by how much since the last.
  case drag(Point, x: Int32, y: Int32)
  /// A drag has ended, with its speed in pixels a second; 0 when it rested.
  case release(Point, velocityX: Float, velocityY: Float)
  /// The finger was cancelled.
  case cancel
  /// Three fingers rested for `Budget.panicTouchMilliseconds`.
  case panic
}

/// Makes gestures of pointers: a pure state machine. The first finger leads, others only make it no tap.
public struct PointerGestures {
  private struct Sample: Sendable {
    var place = Point(0, 0)
    var time: Int64 = 0
  }

  private let slop: Int64
  private let scale: Float
  private var isDown = InlineArray<10, Bool>(repeating: false)
  private var starts = InlineArray<10, Point>(repeating: Point(0, 0))
  private var count = 0
  /// The finger that leads; nil when none does, also while others are still down.
  private var leader: Int?
  private var start = Sample()
  private var last = Point(0, 0)
  private var canTap = false
  private var isDragged = false
  private var longPressAt: Int64?
  private var panicAt: Int64?
  private var samples = InlineArray<8, Sample>(repeating: Sample())
  private var sampleCount = 0

  /// Nothing is down. `scale` is the interface's: distances and speeds grow with it.
  public init(scale: Float) {
    self.scale = scale
    slop = Int64(clamping: Float(Budget.tapSlop) * scale)
  }

  /// When `advance` has to be called, in monotonic milliseconds; nil: not before the next pointer event.
  public var nextDeadline: Int64? {
    guard let longPressAt else { return panicAt }
    return panicAt.map { min($0, longPressAt) } ?? longPressAt
  }

  /// Takes what a pointer does.
  public mutating func feed(
    _ what: InputEvent.Pointer, id: Int, _ place: Point, at time: Int64, _ emit: (PointerGesture) -> Void
  ) {
    guard (0..<isDown.count).contains(id) else { return }
    advance(to: time, emit)
    switch what {
    case .down: down(id, place, time, emit)
    case .move: move(id, place, time, emit)
    case .up: up(id, place, time, emit)
    case .cancel: cancel(id, emit)
    }
  }

  /// Time has passed.
  public mutating func advance(to time: Int64, _ emit: (PointerGesture) -> Void) {
    if let at = longPressAt, time >= at {
      longPressAt = nil
      if canTap {
        canTap = false
        emit(.notTap)
        emit(.longPress(start.place))
      }
    }
    if let at = panicAt, time >= at {
      panicAt = nil
      emit(.panic)
    }
  }

  private mutating func down(_ id: Int, _ place: Point, _ time: Int64, _ emit: (PointerGesture) -> Void) {
    guard !isDown[id] else { return move(id, place, time, emit) }
    isDown[id] = true
    starts[id] = place
    count += 1
    if count == 1 {
      leader = id
      start = Sample(place: place, time: time)
      last = place
      canTap = true
      isDragged = false
      longPressAt = time + Budget.longPressMilliseconds
      sampleCount = 0
      keep(place, time)
      emit(.down(place))
    } else {
      noTap(emit)
    }
    panicAt = count == Budget.panicFingers ? time + Budget.panicTouchMilliseconds : nil
  }

  private mutating func move(_ id: Int, _ place: Point, _ time: Int64, _ emit: (PointerGesture) -> Void) {
    guard isDown[id] else { return }
    if isFar(place, starts[id]) { panicAt = nil }
    guard id == leader else { return }
    keep(place, time)
    if !isDragged {
      guard isFar(place, start.place) else { return }
      noTap(emit)
      isDragged = true
    }
    guard place != last else { return }
    emit(.drag(place, x: place.x - last.x, y: place.y - last.y))
    last = place
  }

  private mutating func up(_ id: Int, _ place: Point, _ time: Int64, _ emit: (PointerGesture) -> Void) {
    guard isDown[id] else { return }
    move(id, place, time, emit)
    lift(id)
    guard id == leader else { return }
    leader = nil
    longPressAt = nil
    if isDragged {
      let (x, y) = velocity(at: time)
      emit(.release(place, velocityX: x, velocityY: y))
    } else if canTap, time - start.time <= Budget.tapMilliseconds {
      emit(.tap(place))
    } else {
      emit(.cancel)
    }
    canTap = false
  }

  private mutating func cancel(_ id: Int, _ emit: (PointerGesture) -> Void) {
    guard isDown[id] else { return }
    lift(id)
    guard id == leader else { return }
    leader = nil
    longPressAt = nil
    canTap = false
    emit(.cancel)
  }

  private mutating func lift(_ id: Int) {
    isDown[id] = false
    count -= 1
    panicAt = nil
  }

  private mutating func noTap(_ emit: (PointerGesture) -> Void) {
    longPressAt = nil
    guard canTap else { return }
    canTap = false
    emit(.notTap)
  }

  private func isFar(_ place: Point, _ from: Point) -> Bool {
    let (x, y) = (Int64(place.x) - Int64(from.x), Int64(place.y) - Int64(from.y))
    return x * x + y * y > slop * slop
  }

  // MARK: Speed

  private mutating func keep(_ place: Point, _ time: Int64) {
    if sampleCount == samples.count {
      for index in 1..<samples.count { samples[index - 1] = samples[index] }
      sampleCount -= 1
    }
    samples[sampleCount] = Sample(place: place, time: time)
    sampleCount += 1
  }

  /// Of the last `Budget.velocityMilliseconds`; 0 when it rested, or was too slow for a fling.
  private func velocity(at time: Int64) -> (x: Float, y: Float) {
    var first = sampleCount - 1
    while first > 0, time - samples[first - 1].time <= Budget.velocityMilliseconds { first -= 1 }
    guard first >= 0, sampleCount > 0 else { return (0, 0) }
    let (begin, end) = (samples[first], samples[sampleCount - 1])
    // Until now, so that a finger that stopped is slow.
    let milliseconds = Float(max(time - begin.time, 1))
    guard end.time > begin.time || time > begin.time else { return (0, 0) }
    let x = Float(end.place.x - begin.place.x) * 1000 / milliseconds
    let y = Float(end.place.y - begin.place.y) * 1000 / milliseconds
    let (least, most) = (Budget.flingMinimum * scale, Budget.flingMaximum * scale)
    guard x * x + y * y >= least * least else { return (0, 0) }
    return (min(max(x, -most), most), min(max(y, -most), most))
  }
}

/// Movement of content after a fling, with exponentially falling speed. A pure function of time.
public struct KineticScroll: Equatable, Sendable {
  /// Milliseconds in which the speed falls to 37 %.
  private static let timeConstant: Float = 325
  /// Pixels a second (before scale) at which it stands.
  private static let slowest: Float = 12

  public let start: Int64
  /// Pixels a second at the start.
  public let velocity: Float
  private let scale: Float

  /// Content that is let go at a monotonic instant in milliseconds.
  public init(velocity: Float, at start: Int64, scale: Float) {
    self.velocity = velocity
    self.start = start
    self.scale = scale
  }

  /// Milliseconds until it stands.
  public var duration: Int64 {
    let ratio = abs(velocity) / (Self.slowest * scale)
    return ratio > 1 ? Int64(clamping: Self.timeConstant * Float(Trigonometry.logarithm(Double(ratio)))) : 0
  }

  /// True when it stands.
  public func isOver(at time: Int64) -> Bool { time - start >= duration }

  /// Pixels since it was let go.
  public func offset(at time: Int64) -> Float {
    let passed = Float(min(max(time - start, 0), duration))
    let left = Float(Trigonometry.exponential(Double(-passed / Self.timeConstant)))
    return velocity * Self.timeConstant / 1000 * (1 - left)
  }
}
