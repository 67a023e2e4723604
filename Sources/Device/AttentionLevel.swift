/// How much the gateway's agent wants a person at the board, from the least.
public enum AttentionLevel: Int, CaseIterable, Comparable, Sendable {
  case passive, notify, active, interrupt, urgent

  public static func < (left: AttentionLevel, right: AttentionLevel) -> Bool { left.rawValue < right.rawValue }

  /// The word of `system.notify`.
  public var word: StaticString {
    switch self {
    case .passive: "passive"
    case .notify: "notify"
    case .active: "active"
    case .interrupt: "interrupt"
    case .urgent: "urgent"
    }
  }

  /// Milliseconds after which nobody is asked for any more, unless somebody has come before: a light that blinks for days
  /// is not looked at. What is urgent is so until the next day.
  public var lifetime: Int64 {
    switch self {
    case .passive: 60_000
    case .notify: 600_000
    case .active: 3_600_000
    case .interrupt: 4 * 3_600_000
    case .urgent: 24 * 3_600_000
    }
  }
}
