import Codec
import Graphics
import Runtime

/// Three short taps of one finger on one place where nothing reacts to taps: a pure state machine over the gestures of
/// `PointerGestures`.
///
/// Typing, buttons that are pressed quickly, sliders and scrolling are none, because they meet something that reacts,
/// or move. What is left to tell apart is a person who taps impatiently on a text; nothing can, so this is off unless
/// the owner wants it.
public struct TripleTap {
  private let reach: Int64
  private var count = 0
  /// The first tap, and when its finger came down.
  private var place = Point(0, 0)
  private var start: Int64 = 0
  /// When the finger that is down came down, if nothing reacts at its place.
  private var touched: Int64?

  /// Nothing was tapped. `scale` is the interface's: distances grow with it.
  public init(scale: Float) { reach = Int64(clamping: Float(Budget.panicTapReach) * scale) }

  /// Takes a gesture at a monotonic instant in milliseconds.
  /// - Parameter isFree: whether nothing reacts to a tap at a place; asked before anything has reacted
  /// - Returns: true for the third tap
  public mutating func take(_ gesture: PointerGesture, at time: Int64, isFree: (Point) -> Bool) -> Bool {
    switch gesture {
    case .down(let place):
      guard isFree(place) else {
        reset()
        return false
      }
      touched = time
      return false
    case .tap(let place):
      guard let touched, time - touched <= Budget.panicTapMilliseconds, isFree(place) else {
        reset()
        return false
      }
      return tapped(place, touched, time)
    case .notTap, .longPress, .drag, .release, .cancel, .panic:
      reset()
      return false
    }
  }

  private mutating func tapped(_ place: Point, _ down: Int64, _ time: Int64) -> Bool {
    touched = nil
    // A tap that does not go with the last ones is the first of others.
    if count == 0 || !isNear(place) || time - start > Budget.panicTapsMilliseconds {
      (count, self.place, start) = (1, place, down)
      return false
    }
    count += 1
    guard count == Budget.panicTaps else { return false }
    reset()
    return true
  }

  private func isNear(_ other: Point) -> Bool {
    let (x, y) = (Int64(other.x) - Int64(place.x), Int64(other.y) - Int64(place.y))
    return x * x + y * y <= reach * reach
  }

  private mutating func reset() { (count, touched) = (0, nil) }
}
