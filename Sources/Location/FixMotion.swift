/// Plausibility checks of a receiver's motion and height; nil for implausible values.
enum FixMotion {
  /// Highest plausible speed in m/s: civil receivers must stop at 1000 knots (export limit).
  private static let speedMax = 515.0
  /// Speed in m/s below which the course is noise: a standing receiver's position drifts about that fast.
  private static let standingMax = 0.5
  /// Plausible altitudes in meters above sea level.
  private static let altitudes = -1_000.0...100_000.0

  static func speed(_ metersPerSecond: Double) -> Double? {
    metersPerSecond >= 0 && metersPerSecond <= speedMax ? metersPerSecond : nil
  }

  static func altitude(_ meters: Double) -> Double? { altitudes.contains(meters) ? meters : nil }

  /// A course in degrees, 360 as 0.
  static func course(_ degrees: Double) -> Double? {
    guard degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }

  /// True when the course is meaningful at this speed.
  static func isMoving(_ speed: Double?) -> Bool { (speed ?? 0) >= standingMax }
}
