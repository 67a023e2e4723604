extension Vector3 {
  func plus(_ other: Vector3) -> Vector3 { Vector3(x + other.x, y + other.y, z + other.z) }
  func minus(_ other: Vector3) -> Vector3 { Vector3(x - other.x, y - other.y, z - other.z) }
  func times(_ other: Vector3) -> Vector3 { Vector3(x * other.x, y * other.y, z * other.z) }
  func scaled(by factor: Float) -> Vector3 { Vector3(x * factor, y * factor, z * factor) }

  /// The cross product.
  func cross(_ other: Vector3) -> Vector3 {
    Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  /// The largest absolute value of a component.
  var largest: Float { max(abs(x), abs(y), abs(z)) }
  /// False when a component is infinite or not a number.
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}
