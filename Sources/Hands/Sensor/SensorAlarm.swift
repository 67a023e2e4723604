/// Tells when a value leaves the range that the owner wants, and when it is back: once for each, with a hysteresis, so
/// that a value at the limit does not tell all the time.
public struct SensorAlarm: Sendable {
  /// What is to be told.
  public enum Event: Equatable, Sendable {
    case above(limit: Double)
    case below(limit: Double)
    /// Within the limits again.
    case back
  }

  private enum State { case normal, above, below }

  /// The highest and the lowest value that is normal; nil for any.
  public var above: Double?
  public var below: Double?
  /// How far within the limit a value must be to count as back.
  public var hysteresis: Double
  /// Milliseconds that must be between two events.
  public var pause: Int64

  private var state = State.normal
  /// The state that was told last.
  private var told = State.normal
  private var tellAgainAt: Int64 = .min

  /// An alarm that has told nothing.
  public init(above: Double?, below: Double?, hysteresis: Double, pause: Int64) {
    self.above = above
    self.below = below
    self.hysteresis = hysteresis
    self.pause = pause
  }

  /// True while the value is out of its range.
  public var isRaised: Bool { state != .normal }

  /// Takes a value at `now`, in milliseconds of the monotonic clock. What happens within `pause` of an event is told
  /// afterwards, if it is still true then.
  public mutating func take(_ value: Double, at now: Int64) -> Event? {
    state = next(value)
    guard state != told, now >= tellAgainAt else { return nil }
    told = state
    tellAgainAt = now.addingReportingOverflow(pause).partialValue
    switch state {
    case .above: return .above(limit: above ?? value)
    case .below: return .below(limit: below ?? value)
    case .normal: return .back
    }
  }

  private func next(_ value: Double) -> State {
    if let above, value > above { return .above }
    if let below, value < below { return .below }
    switch state {
    case .above where value > (above ?? value) - hysteresis: return .above
    case .below where value < (below ?? value) + hysteresis: return .below
    default: return .normal
    }
  }
}
