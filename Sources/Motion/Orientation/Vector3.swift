/// Three components along the board's axes: x forward, y left, z up, when the sensor lies flat.
public struct Vector3: Equatable, Sendable {
  public var x, y, z: Float

  /// The zero vector by default.
  public init(_ x: Float = 0, _ y: Float = 0, _ z: Float = 0) {
    (self.x, self.y, self.z) = (x, y, z)
  }

  /// The length.
  public var magnitude: Float { (x * x + y * y + z * z).squareRoot() }
}
