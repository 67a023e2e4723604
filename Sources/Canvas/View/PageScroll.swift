import Codec
import Graphics
import Runtime

/// How far a page is scrolled, with fingers, keys and inertia. A state machine without timers: the owner calls
/// `advance` at `nextDeadline`.
struct PageScroll {
  private(set) var offset: Int32 = 0
  /// How far it can be.
  private(set) var limit: Int32 = 0
  private var kinetic: KineticScroll?
  private var travelled: Int32 = 0
  private(set) var nextDeadline: Int64?

  var isAtEnd: Bool { offset >= limit }

  /// The content is longer or shorter; what is beyond its end goes back to it.
  mutating func setLimit(_ limit: Int32) {
    self.limit = max(limit, 0)
    offset = min(offset, self.limit)
  }

  /// Moves; false when it stands at its end.
  mutating func move(by distance: Int32) -> Bool {
    let before = offset
    offset = min(max(offset + min(max(distance, -1 << 20), 1 << 20), 0), limit)
    return offset != before
  }

  /// A finger touches it: stops the inertia.
  mutating func stop() { (kinetic, nextDeadline) = (nil, nil) }

  /// Starts inertia with a speed in pixels per second.
  mutating func fling(_ velocity: Float, at time: Int64, scale: Int32) {
    let next = KineticScroll(velocity: velocity, at: time, scale: Float(scale) / 100)
    guard !next.isOver(at: time) else { return }
    (kinetic, travelled, nextDeadline) = (next, 0, time + Budget.scrollFrameMilliseconds)
  }

  /// Advances time; true when it has moved.
  mutating func advance(to now: Int64) -> Bool {
    guard let frame = nextDeadline, now >= frame, let kinetic else { return false }
    let place = Int32(clamping: kinetic.offset(at: now))
    let isNew = move(by: place - travelled)
    travelled = place
    let isOver = kinetic.isOver(at: now) || place != 0 && !isNew
    nextDeadline = isOver ? nil : now + Budget.scrollFrameMilliseconds
    if isOver { self.kinetic = nil }
    return isNew
  }

  /// How far along it is, at the right edge of `room`; `content` is the height of all.
  func drawBar(into list: DisplayList, _ room: Rect, content: Int32, _ theme: Theme) {
    guard limit > 0 else { return }
    let height = room.height - theme.px(8)
    let length = max(Int32(Int64(height) * Int64(room.height) / Int64(max(content, 1))), theme.px(24))
    let y = room.y + theme.px(4) + Int32(Int64(height - length) * Int64(offset) / Int64(limit))
    let rect = Rect(room.maxX - theme.px(7), y, theme.px(4), length)
    list.add(.fill(rect, radius: Int16(theme.px(2)), .solid(theme.mutedText.opacity(150))))
  }
}
