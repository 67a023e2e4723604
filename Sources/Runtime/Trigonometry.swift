import CLinux

/// The functions of the angle, from the C library; angles are in radians.
public enum Trigonometry {
  public static let pi = 3.141592653589793

  public static func sine(_ angle: Double) -> Double { tl_sin(angle) }
  public static func cosine(_ angle: Double) -> Double { tl_cos(angle) }
  /// In -pi/2...pi/2.
  public static func arcsine(_ value: Double) -> Double { tl_asin(value) }

  /// Radians of `degrees`.
  public static func radians(degrees: Double) -> Double { degrees * (pi / 180) }
}
