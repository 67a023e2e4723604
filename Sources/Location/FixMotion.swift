/// What is believed of a receiver's motion and height; nil is what is not.
enum FixMotion {
  /// Where civil receivers must give up, in metres a second (1000 knots, the export limit): nothing faster is believed.
  private static let speedMax = 515.0
  /// Below this the course is noise, in metres a second: a standing receiver's position wanders about so fast.
  private static let standingMax = 0.5
  /// Metres above sea level that are believed.
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

  /// True when a course means anything at this speed.
  static func isMoving(_ speed: Double?) -> Bool { (speed ?? 0) >= standingMax }
}
