/// An impact on the sensor.
public struct Impact: Equatable, Sendable {
  /// The kind of an impact.
  public enum Kind: UInt8, Sendable {
    /// A strong acceleration, without free fall before it.
    case bump
    /// Free fall before it, and rest after it.
    case fall
  }

  public var kind: Kind
  /// The greatest acceleration in g.
  public var peak: Float
  /// Duration of the free fall before it, in milliseconds.
  public var weightless: Int64
  /// When, in microseconds of the monotonic clock.
  public var time: Int64
}

/// Thresholds for impacts.
public struct ImpactThresholds: Sendable {
  /// Least acceleration of a bump, in g.
  public var bump: Float = 2.5
  /// Least acceleration where a fall ends, in g.
  public var fall: Float = 1.8

  /// The defaults.
  public init() {}
}

/// Finds bumps and falls.
///
/// A fall is detected as chips do it in hardware (Analog Devices, application note AN-1023, "Fall Detection Application
/// by Using 3-Axis Accelerometer ADXL345"): free fall, a strike, then rest.
struct ImpactDetector {
  /// Accelerations below this many g are free fall.
  private static let weightlessBelow: Float = 0.45
  /// Shortest fall in microseconds: 8 cm.
  private static let shortestFall: Int64 = 120_000
  /// Longest time in microseconds between the fall and the strike.
  private static let strikeWithin: Int64 = 400_000
  /// Microseconds after a strike in which its peak is searched, and in which rebounds are ignored.
  private static let blow: Int64 = 100_000
  private static let rebound: Int64 = 1_000_000
  /// Microseconds of rest that confirm a fall, and the time within which they must be complete.
  private static let rest: Int64 = 1_500_000
  private static let restWithin: Int64 = 6_000_000
  /// At rest, accelerations differ by at most this from 1 g.
  private static let restless: Float = 0.12

  private enum Phase {
    case idle
    /// In free fall since this time.
    case falling(Int64)
    /// A free fall of this length ended at this time.
    case fallen(Int64, Int64)
    /// An impact is in progress.
    case struck(Impact)
    /// An impact after a free fall: waiting for rest, which has lasted since this time.
    case waiting(Impact, Int64)
  }

  private var phase = Phase.idle
  private let thresholds: ImpactThresholds
  /// Bumps are ignored until then, because the last one rebounds.
  private var quietUntil = Int64.min

  init(_ thresholds: ImpactThresholds) { self.thresholds = thresholds }

  /// Takes an acceleration's magnitude in g; returns an impact that has ended.
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

  /// Waits for rest; without rest the impact was a bump, if it was strong enough.
  private mutating func settle(_ impact: Impact, _ since: Int64, _ magnitude: Float, _ now: Int64) -> Impact? {
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
