import Graphics
import Runtime

/// The mouse pointer: shown while a mouse is moved, and hidden by a touch or after some time without movement. Drawn in
/// front of everything.
public struct MouseCursor: Sendable {
  private var place: Point?
  private var hideAt: Int64 = 0

  /// No mouse has been moved.
  public init() {}

  /// Handles an input event at a monotonic instant; true when the pointer has moved.
  public mutating func take(_ event: InputEvent, at time: Int64) -> Bool {
    let before = place
    switch event {
    case .hover(let point), .wheel(let point, _, _): place = point
    // A mouse is pressed where it was moved to; a finger comes down anywhere.
    case .pointer(.down, _, let point): if point != place { place = nil }
    case .pointer(.move, _, let point): if place != nil { place = point }
    case .pointer, .key, .character: return false
    }
    hideAt = time + Budget.cursorMilliseconds
    return place != before
  }

  /// True for a press of the mouse: fingers come down elsewhere.
  public func isAt(_ point: Point) -> Bool { place == point }

  /// When `advance` has to be called; nil: there is no arrow.
  public var nextDeadline: Int64? { place == nil ? nil : hideAt }

  /// Advances time; true when the arrow has gone.
  public mutating func advance(to time: Int64) -> Bool {
    guard place != nil, time >= hideAt else { return false }
    place = nil
    return true
  }

  /// Draws it, white with a dark edge.
  public func draw(into list: DisplayList, _ theme: Theme) {
    guard let place else { return }
    let side = theme.px(22)
    // The tip is at 4,3 of the icon's 24 units.
    let rect = Rect(place.x - side * 4 / 24, place.y - side * 3 / 24, side, side)
    let edge = theme.px(1)
    let dark = Color(0x0B0F17)
    list.add(.icon(.cursor, rect.offset(-edge, 0), dark))
    list.add(.icon(.cursor, rect.offset(edge, 0), dark))
    list.add(.icon(.cursor, rect.offset(0, -edge), dark))
    list.add(.icon(.cursor, rect.offset(0, edge), dark))
    list.add(.icon(.cursor, rect, .white))
  }
}
