import Runtime

/// Blanks the screen when it is not used. The first input event unblanks it and has no other effect, because the person
/// cannot see what is touched on a blanked screen.
public struct ScreenBlanker: Sendable {
  /// Milliseconds without use; nil: it is never blanked.
  private let after: Int64?
  private var since: Int64
  /// True when the screen is blanked.
  public private(set) var isBlanked = false
  /// What woke it and is still down: fingers by their numbers, a key, and what came in the same report.
  private var fingers: UInt32 = 0
  private var key: Key?
  private var wokenAt: Int64?

  /// An unblanked screen at a monotonic instant.
  public init(after: Int64?, at now: Int64) {
    self.after = after
    since = now
  }

  /// When `advance` has to be called.
  public var nextDeadline: Int64? { isBlanked ? nil : after.map { since + $0 } }

  /// Advances time; true when the screen goes dark now.
  public mutating func advance(to now: Int64) -> Bool {
    guard let instant = nextDeadline, now >= instant else { return false }
    isBlanked = true
    return true
  }

  /// Unblanks the screen because its contents changed; true when it was blanked.
  public mutating func wake(at now: Int64) -> Bool {
    since = now
    guard isBlanked else { return false }
    isBlanked = false
    (fingers, key, wokenAt) = (0, nil, nil)
    return true
  }

  /// Handles an input event: whether the screen was blanked, and whether the event is to be ignored otherwise.
  public mutating func take(_ event: InputEvent, at instant: Int64) -> (wakes: Bool, isSpent: Bool) {
    guard after != nil else { return (false, false) }
    let wakes = wake(at: max(instant, since))
    if wakes { wokenAt = instant }
    return (wakes, isSpent(event, wakes, instant))
  }

  private mutating func isSpent(_ event: InputEvent, _ wakes: Bool, _ instant: Int64) -> Bool {
    let isOfWaking = wakes || wokenAt == instant
    switch event {
    case .pointer(let what, let id, _):
      let finger = UInt32(1) << UInt32(id & 31)
      // Another finger beside one that woke it belongs to it.
      if what == .down, isOfWaking || fingers != 0 { fingers |= finger }
      guard wakes || fingers & finger != 0 else { return false }
      if what == .up || what == .cancel { fingers &= ~finger }
      return true
    case .key(let code, let isDown, _, _):
      if isOfWaking, isDown { key = code }
      guard wakes || key == code else { return false }
      if !isDown { key = nil }
      return true
    case .hover, .wheel, .character: return isOfWaking
    }
  }
}
