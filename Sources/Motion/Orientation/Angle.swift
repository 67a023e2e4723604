/// Angles without the C library's trigonometry, which is slow on small processors.
public enum Angle {
  /// Degrees of a radian.
  public static let degrees: Float = 57.295_78
  static let quarterTurn: Float = 1.570_796_3

  /// The angle of the point (`x`, `y`) in radians, -π to π, accurate to 0.00002; 0 for the origin.
  ///
  /// Abramowitz and Stegun, "Handbook of Mathematical Functions", formula 4.4.49.
  public static func of(y: Float, x: Float) -> Float {
    let (wide, high) = (abs(x), abs(y))
    guard wide > 0 || high > 0 else { return 0 }
    let ratio = min(wide, high) / max(wide, high)
    let square = ratio * ratio
    var angle = ((0.020_835_1 * square - 0.085_133) * square + 0.180_141) * square - 0.330_299_5
    angle = ratio * (angle * square + 0.999_866)
    if high > wide { angle = quarterTurn - angle }
    if x < 0 { angle = 2 * quarterTurn - angle }
    return y < 0 ? -angle : angle
  }
}
