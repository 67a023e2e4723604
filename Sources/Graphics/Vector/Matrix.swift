import Runtime

/// A transformation of the plane: x' = a x + c y + e, y' = b x + d y + f.
public struct Matrix: Equatable, Sendable {
  public var a, b, c, d, e, f: Double

  /// From the six numbers in the order of CSS's `matrix()`.
  public init(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double, _ f: Double) {
    (self.a, self.b, self.c, self.d, self.e, self.f) = (a, b, c, d, e, f)
  }

  public static let identity = Matrix(1, 0, 0, 1, 0, 0)

  static func translation(_ x: Double, _ y: Double) -> Matrix { Matrix(1, 0, 0, 1, x, y) }
  static func scaling(_ x: Double, _ y: Double) -> Matrix { Matrix(x, 0, 0, y, 0, 0) }
  static func rotation(_ angle: Double) -> Matrix {
    let (sine, cosine) = (Trigonometry.sine(angle), Trigonometry.cosine(angle))
    return Matrix(cosine, sine, -sine, cosine, 0, 0)
  }

  /// The other one first, then this.
  func applied(after other: Matrix) -> Matrix {
    Matrix(
      a * other.a + c * other.b, b * other.a + d * other.b, a * other.c + c * other.d, b * other.c + d * other.d,
      a * other.e + c * other.f + e, b * other.e + d * other.f + f)
  }

  @inline(__always)
  func apply(_ x: Double, _ y: Double) -> Place { Place(a * x + c * y + e, b * x + d * y + f) }

  var determinant: Double { a * d - b * c }

  var isFinite: Bool {
    a.isFinite && b.isFinite && c.isFinite && d.isFinite && e.isFinite && f.isFinite
  }

  /// Nil when it makes a line or a point of the plane.
  var inverse: Matrix? {
    let determinant = self.determinant
    guard isFinite, abs(determinant) > 1e-30, determinant.isFinite else { return nil }
    let scale = 1 / determinant
    let inverse = Matrix(
      d * scale, -b * scale, -c * scale, a * scale, (c * f - d * e) * scale, (b * e - a * f) * scale)
    return inverse.isFinite ? inverse : nil
  }

  /// How much longer lengths become, on average of all directions.
  var meanScale: Double { abs(determinant).squareRoot() }
}

/// A place of the plane.
struct Place: Equatable, BitwiseCopyable {
  var x, y: Double

  @inline(__always)
  init(_ x: Double, _ y: Double) { (self.x, self.y) = (x, y) }
}
