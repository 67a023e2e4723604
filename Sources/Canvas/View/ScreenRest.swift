import Runtime

/// When the screen goes dark because nobody uses it. What a person does first lights it again and does nothing else: whoever
/// touches a dark screen does not know what is under the finger.
public struct ScreenRest: Sendable {
  /// Milliseconds without use; nil: it never rests.
  private let after: Int64?
  private var since: Int64
  /// The screen is dark.
  public private(set) var isResting = false
  /// What woke it and is still down: fingers by their numbers, a key, and what came in the same report.
  private var fingers: UInt32 = 0
  private var key: Key?
  private var wokenAt: Int64?

  /// A screen that is lit at a monotonic instant.
  public init(after: Int64?, at now: Int64) {
    self.after = after
    since = now
  }

  /// When `advance` wants to be called.
  public var nextDeadline: Int64? { isResting ? nil : after.map { since + $0 } }

  /// Lets time pass; true when the screen goes dark now.
  public mutating func advance(to now: Int64) -> Bool {
    guard let instant = nextDeadline, now >= instant else { return false }
    isResting = true
    return true
  }

  /// There is something to see; true when the screen was dark.
  public mutating func wake(at now: Int64) -> Bool {
    since = now
    guard isResting else { return false }
    isResting = false
    (fingers, key, wokenAt) = (0, nil, nil)
    return true
  }

  /// A person does something. Whether the screen was dark, and whether this is to do nothing else.
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
