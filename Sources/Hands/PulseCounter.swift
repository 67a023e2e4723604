import Runtime

/// Counts the pulses of a contact: each time that it closes, debounced by the stamps of its edges. Instants and times
/// in milliseconds.
public struct PulseCounter: Sendable {
  private let settings: CounterSettings
  private let partLength: Int64
  private var contact: Debouncer
  /// Pulses since the very first start.
  public private(set) var total: UInt64
  /// Pulses in the parts of the window, of which `partNumber` is the last.
  private var parts = InlineArray<12, UInt32>(repeating: 0)
  private var partNumber: Int64
  private let startedAt: Int64

  /// A counter that goes on at `total`.
  public init(_ settings: CounterSettings, total: UInt64, at now: Int64) {
    self.settings = settings
    self.total = total
    partLength = max(settings.window / Int64(Budget.counterWindowParts), 1)
    contact = Debouncer(settings.debounce)
    partNumber = now / partLength
    startedAt = now
  }

  /// The contact at the start: one that is closed has been counted before.
  public mutating func begin(_ isOn: Bool) { contact.begin(isOn) }

  /// Takes an edge. True when there are new pulses.
  public mutating func edge(_ isOn: Bool, at instant: Int64) -> Bool {
    let isNew = settle(by: instant)
    contact.edge(isOn, at: instant)
    return settings.debounce == 0 ? settle(by: instant) || isNew : isNew
  }

  /// Counts a level that is stable by now. True when that was a pulse.
  public mutating func settle(by now: Int64) -> Bool {
    guard let instant = contact.settled(by: now), contact.isPressed else { return false }
    total &+= 1
    move(to: instant)
    let place = Int(partNumber % Int64(Budget.counterWindowParts))
    parts[place] = parts[place] &+ 1
    return true
  }

  /// When an edge that came last may be settled.
  public var deadline: Int64? { contact.deadline }

  /// Empties the parts of the window that are over.
  private mutating func move(to now: Int64) {
    let number = now / partLength
    guard number > partNumber else { return }
    let steps = min(number - partNumber, Int64(Budget.counterWindowParts))
    for step in 0..<steps { parts[Int((number - step) % Int64(Budget.counterWindowParts))] = 0 }
    partNumber = number
  }

  /// The total in units.
  public var amount: Double { Double(total) * settings.scale }

  /// Units for each period, over the window, or the time since the start when that is shorter.
  public mutating func rate(at now: Int64) -> Double {
    _ = settle(by: now)
    move(to: now)
    var pulses: UInt64 = 0
    for index in 0..<Budget.counterWindowParts { pulses += UInt64(parts[index]) }
    // The last part has only begun.
    let counted = partLength * Int64(Budget.counterWindowParts - 1) + now % partLength
    let time = max(min(counted, now - startedAt), 1)
    return Double(pulses) * settings.scale * Double(settings.period.rawValue) / Double(time)
  }
}
