/// How long and how often an output was on in the current 24 hours. A board may have no reliable clock, and a power cut
/// must not refill what the owner limits, so a day is 24 hours in which Talon ran, from the first use on.
public struct DayUse: Equatable, Sendable {
  /// Milliseconds of a day.
  static let length: Int64 = 86_400_000

  /// The instant at which the day began; may be before the start of the program.
  private var began: Int64
  /// The last instant that was counted.
  public private(set) var seen: Int64
  /// Milliseconds on, and how often switched on.
  public private(set) var onTime: Int64 = 0
  public private(set) var switches: Int64 = 0

  /// A day that begins.
  public init(at now: Int64) { (began, seen) = (now, now) }

  /// A day of which `passed` milliseconds are over. Values of flash that cannot be are made so that they can.
  public init(passed: Int64, onTime: Int64, switches: Int64, at now: Int64) {
    began = now - min(max(passed, 0), Self.length)
    seen = now
    self.onTime = min(max(onTime, 0), Self.length)
    self.switches = min(max(switches, 0), Int64(Int32.max))
  }

  /// Milliseconds of the day that are over.
  public func passed(at now: Int64) -> Int64 { max(now - began, 0) }

  /// Milliseconds until the next day.
  public func left(at now: Int64) -> Int64 { max(began + Self.length - now, 0) }

  /// Takes the time since the last call, in which the output was on, or off.
  public mutating func advance(to now: Int64, wasOn: Bool) {
    let passed = max(now - seen, 0)
    seen = max(now, seen)
    if now - began >= Self.length {
      began += (now - began) / Self.length * Self.length
      (onTime, switches) = (wasOn ? min(now - began, passed) : 0, 0)
    } else if wasOn {
      onTime += passed
    }
  }

  /// It was switched on.
  public mutating func count() { switches += 1 }
}
