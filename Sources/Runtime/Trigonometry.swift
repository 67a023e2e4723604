import CLinux

/// The functions of the angle, and of growth, from the C library; angles are in radians.
public enum Trigonometry {
  public static let pi = 3.141592653589793

  public static func sine(_ angle: Double) -> Double { tl_sin(angle) }
  public static func cosine(_ angle: Double) -> Double { tl_cos(angle) }
  /// In -pi/2...pi/2.
  public static func arcsine(_ value: Double) -> Double { tl_asin(value) }

  /// e to a power, and the power of e that a number above 0 is.
  public static func exponential(_ value: Double) -> Double { tl_exp(value) }
  public static func logarithm(_ value: Double) -> Double { tl_log(value) }

  /// Radians of `degrees`.
  public static func radians(degrees: Double) -> Double { degrees * (pi / 180) }
}
