/// A blow that the sensor took.
public struct Impact: Equatable, Sendable {
  /// What kind of a blow.
  public enum Kind: UInt8, Sendable {
    /// Hard, and nothing before or after it tells more.
    case bump
    /// Weightlessness before it and rest after it.
    case fall
  }

  public var kind: Kind
  /// The greatest acceleration in g.
  public var peak: Float
  /// How long it was weightless before, in milliseconds.
  public var weightless: Int64
  /// When, in microseconds of the monotonic clock.
  public var time: Int64
}

/// What counts as an impact.
public struct ImpactThresholds: Sendable {
  /// Least acceleration of a bump, in g.
  public var bump: Float = 2.5
  /// Least acceleration where a fall ends, in g.
  public var fall: Float = 1.8

  /// The usual ones.
  public init() {}
}

/// Finds bumps and falls.
///
/// A fall is what the chips' makers find in hardware (Analog Devices, application note AN-1023, "Fall Detection
/// Application by Using 3-Axis Accelerometer ADXL345"): weightlessness, a strike, then rest.
struct ImpactDetector {
  /// Below this many g it falls.
  private static let weightlessBelow: Float = 0.45
  /// Microseconds that it falls at least: 8 cm.
  private static let shortestFall: Int64 = 120_000
  /// Microseconds between the end of the fall and the blow, at most.
  private static let strikeWithin: Int64 = 400_000
  /// Microseconds in which a blow's greatest acceleration is looked for, and in which it rebounds.
  private static let blow: Int64 = 100_000
  private static let rebound: Int64 = 1_000_000
  /// Microseconds of rest that make a fall of it, and how long they may take to come.
  private static let rest: Int64 = 1_500_000
  private static let restWithin: Int64 = 6_000_000
  /// At rest, accelerations stay this near to 1 g.
  private static let restless: Float = 0.12

  private enum Phase {
    case idle
    /// Weightless since.
    case falling(Int64)
    /// Weightless for so long, until then.
    case fallen(Int64, Int64)
    /// A blow is being felt.
    case struck(Impact)
    /// A blow after weightlessness: rest is waited for, and has lasted since.
    case waiting(Impact, Int64)
  }

  private var phase = Phase.idle
  private let thresholds: ImpactThresholds
  /// No bump before then: the last rebounds.
  private var quietUntil = Int64.min

  init(_ thresholds: ImpactThresholds) { self.thresholds = thresholds }

  /// Takes an acceleration's magnitude in g; an impact that is over by now.
  mutating func update(_ magnitude: Float, _ now: Int64) -> Impact? {
    switch phase {
    case .idle, .falling, .fallen: return listen(magnitude, now)
    case .struck(var impact):
      impact.peak = max(impact.peak, magnitude)
      phase = .struck(impact)
      guard now - impact.time >= Self.blow else { return nil }
      quietUntil = now + Self.rebound
      phase = .idle
      if impact.weightless > 0 {
        phase = .waiting(impact, now)
      } else if impact.peak >= thresholds.bump {
        return impact
      }
      return nil
    case .waiting(let impact, let since): return settle(impact, since, magnitude, now)
    }
  }

  private mutating func listen(_ magnitude: Float, _ now: Int64) -> Impact? {
    if magnitude < Self.weightlessBelow {
      if case .falling = phase { return nil }
      phase = .falling(now)
      return nil
    }
    if case .falling(let since) = phase {
      phase = now - since >= Self.shortestFall ? .fallen(now - since, now) : .idle
    }
    if case .fallen(let duration, let end) = phase {
      if magnitude >= thresholds.fall {
        phase = .struck(Impact(kind: .bump, peak: magnitude, weightless: duration / 1000, time: now))
      } else if now - end > Self.strikeWithin {
        phase = .idle
      }
      return nil
    }
    if magnitude >= thresholds.bump, now >= quietUntil {
      phase = .struck(Impact(kind: .bump, peak: magnitude, weightless: 0, time: now))
    }
    return nil
  }

  /// Waits for rest; without, the blow was a bump, if it was hard enough for one.
  private mutating func settle(_ impact: Impact, _ since: Int64, _ magnitude: Float, _ now: Int64) -> Impact?
  {
    var impact = impact
    if now - impact.time > Self.restWithin {
      phase = .idle
      return impact.peak >= thresholds.bump ? impact : nil
    }
    if abs(magnitude - 1) > Self.restless {
      phase = .waiting(impact, now)
      return nil
    }
    guard now - since >= Self.rest else { return nil }
    phase = .idle
    impact.kind = .fall
    return impact
  }
}
