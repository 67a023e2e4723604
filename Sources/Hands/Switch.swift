import Runtime

/// The rules of an output: what may be switched when, and what ends by itself. Instants and times in milliseconds.
public struct Switch: Sendable {
  private let settings: GPIOSettings
  public private(set) var isOn: Bool
  /// When it was switched last, or the start: what it was before that is not known.
  public private(set) var changedAt: Int64
  /// When it goes off by itself.
  public private(set) var endsAt: Int64?
  public private(set) var day: DayUse

  /// An output in this state. `day`: of flash, or a new one.
  public init(_ settings: GPIOSettings, isOn: Bool, day: DayUse, at now: Int64) {
    self.settings = settings
    self.isOn = isOn
    self.day = day
    changedAt = now
    limit(nil)
  }

  /// Milliseconds for which it may be on today; nil without a limit.
  private var onTimeLeft: Int64? { settings.maxOnPerDay.map { max($0 - day.onTime, 0) } }

  /// Throws why it may not be switched. `length`: of a pulse.
  public mutating func check(_ isOn: Bool, length: Int64? = nil, at now: Int64) throws(HandRefusal) {
    day.advance(to: now, wasOn: self.isOn)
    if let length {
      let range =
        max(settings.minOn, Budget.shortestPulse)...max(settings.maxPulse, settings.minOn, Budget.shortestPulse)
      guard range.contains(length) else { throw .outside("seconds", range) }
    }
    guard isOn != self.isOn else { return }
    let passed = now - changedAt
    guard isOn else {
      if passed < settings.minOn { throw .mustStayOn(wait: settings.minOn - passed) }
      return
    }
    if passed < settings.minOff { throw .mustStayOff(wait: settings.minOff - passed) }
    if let most = settings.maxSwitchesPerDay, day.switches >= most { throw .daySwitches(wait: day.left(at: now)) }
    if let left = onTimeLeft, left < max(settings.minOn, 1) { throw .dayOnTime(wait: day.left(at: now)) }
  }

  /// It was switched. `length`: of a pulse.
  public mutating func switched(_ isOn: Bool, length: Int64? = nil, at now: Int64) {
    day.advance(to: now, wasOn: self.isOn)
    if isOn != self.isOn {
      changedAt = now
      if isOn { day.count() }
    }
    self.isOn = isOn
    limit(length.map { now + $0 })
  }

  /// Counts the time until now.
  public mutating func settle(at now: Int64) { day.advance(to: now, wasOn: isOn) }

  /// Its end: that of a pulse, and what the limits of one time and of the day allow.
  private mutating func limit(_ end: Int64?) {
    guard isOn else { return endsAt = nil }
    var end = end ?? .max
    if let most = settings.maxOn { end = min(end, changedAt + most) }
    endsAt = end == .max ? nil : end
  }

  /// When `isOver` may become true.
  public func nextDeadline(at now: Int64) -> Int64? {
    guard isOn else { return nil }
    let dayEnd = onTimeLeft.map { min(day.seen + $0, day.seen + day.left(at: day.seen)) }
    return earliest(endsAt, dayEnd)
  }

  /// True when it has to go off by now.
  public mutating func isOver(at now: Int64) -> Bool {
    day.advance(to: now, wasOn: isOn)
    guard isOn else { return false }
    if let endsAt, now >= endsAt { return true }
    return onTimeLeft == 0
  }
}
