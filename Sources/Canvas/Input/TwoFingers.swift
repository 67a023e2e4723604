import Codec
import Graphics
import Runtime

/// What two fingers did from the moment when both were down to the one when the first was lifted.
public struct TwoFingerMove: Equatable, Sendable {
  /// The place between them, in pixels.
  public var start: Point
  public var end: Point
  /// Their distance at the end as a multiple of that at the start.
  public var scale: Float
  /// They moved apart or together more than they moved along.
  public var isPinch: Bool
}

/// Tells what two fingers do: a pure state machine. A third finger makes it nothing until all are lifted.
public struct TwoFingers {
  private let slop: Float
  private var isDown = InlineArray<10, Bool>(repeating: false)
  private var places = InlineArray<10, Point>(repeating: Point(0, 0))
  private var count = 0
  /// The two fingers, and where they were when the second came down.
  private var pair: (first: Int, second: Int)?
  private var starts: (first: Point, second: Point) = (Point(0, 0), Point(0, 0))
  private var isVoid = false

  /// Nothing is down. `scale` is the interface's: distances grow with it.
  public init(scale: Float) { slop = Float(Budget.tapSlop) * scale }

  /// Takes what a pointer does. Returns what the two did when one of them is lifted; nil: nothing that counts.
  public mutating func feed(_ what: InputEvent.Pointer, id: Int, _ place: Point) -> TwoFingerMove? {
    guard isDown.indices.contains(id) else { return nil }
    switch what {
    case .down: down(id, place)
    case .move: if isDown[id] { places[id] = place }
    case .up:
      guard isDown[id] else { return nil }
      places[id] = place
      let move = result(of: id)
      lift(id)
      return move
    case .cancel:
      guard isDown[id] else { return nil }
      isVoid = true
      lift(id)
    }
    return nil
  }

  private mutating func down(_ id: Int, _ place: Point) {
    places[id] = place
    guard !isDown[id] else { return }
    isDown[id] = true
    count += 1
    guard count == 2, !isVoid else { return isVoid = isVoid || count > 2 }
    for other in 0..<isDown.count where isDown[other] && other != id {
      pair = (other, id)
      starts = (places[other], place)
    }
  }

  private mutating func lift(_ id: Int) {
    isDown[id] = false
    count -= 1
    // The finger that is left may not begin anew with another: people lift both.
    if pair != nil { isVoid = true }
    pair = nil
    if count == 0 { isVoid = false }
  }

  private func result(of id: Int) -> TwoFingerMove? {
    guard let pair, !isVoid, id == pair.first || id == pair.second else { return nil }
    let ends = (first: places[pair.first], second: places[pair.second])
    let (from, to) = (middle(starts.first, starts.second), middle(ends.first, ends.second))
    let (before, after) = (distance(starts.first, starts.second), distance(ends.first, ends.second))
    let (moved, spread) = (distance(from, to), abs(after - before))
    let scale = before > 0 ? after / before : 1
    let isPinch = spread > moved
    guard moved > slop || spread > slop, !isPinch || abs(scale - 1) * 100 >= Budget.pinchPercent else { return nil }
    return TwoFingerMove(start: from, end: to, scale: scale, isPinch: isPinch)
  }

  private func middle(_ one: Point, _ other: Point) -> Point {
    Point(Int32((Int64(one.x) + Int64(other.x)) / 2), Int32((Int64(one.y) + Int64(other.y)) / 2))
  }

  private func distance(_ one: Point, _ other: Point) -> Float {
    let (x, y) = (Float(one.x) - Float(other.x), Float(one.y) - Float(other.y))
    return (x * x + y * y).squareRoot()
  }
}
