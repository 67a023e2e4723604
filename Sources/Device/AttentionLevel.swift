/// How urgently the gateway's agent asks for a person at the board, in ascending order.
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

  /// Milliseconds after which a notification expires unless it was acknowledged: a light that blinks for days is
  /// ignored. Urgent ones last until the next day.
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
