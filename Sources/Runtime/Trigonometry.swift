import CLinux

/// Trigonometric and exponential functions of the C library; angles are in radians.
public enum Trigonometry {
  /// As exact as a Double is.
  public static let pi = 3.141592653589793

  public static func sine(_ angle: Double) -> Double { tl_sin(angle) }
  public static func cosine(_ angle: Double) -> Double { tl_cos(angle) }
  /// Returns -pi/2...pi/2.
  public static func arcsine(_ value: Double) -> Double { tl_asin(value) }

  /// e to the power of `value`.
  public static func exponential(_ value: Double) -> Double { tl_exp(value) }
  public static func logarithm(_ value: Double) -> Double { tl_log(value) }

  /// Radians of `degrees`.
  public static func radians(degrees: Double) -> Double { degrees * (pi / 180) }
}
