/// A turn in space as a unit quaternion (W. R. Hamilton's order: w + xi + yj + zk).
public struct Quaternion: Equatable, Sendable {
  public var w, x, y, z: Float

  /// No turn, unless components are given.
  public init(_ w: Float = 1, _ x: Float = 0, _ y: Float = 0, _ z: Float = 0) {
    (self.w, self.x, self.y, self.z) = (w, x, y, z)
  }

  /// The turn that takes the direction `up` as the sensor sees it to the z axis of the world, by the shortest way.
  init(upright up: Vector3) {
    // Straight upside down there are many; turn about x.
    guard up.z > -0.9999 else {
      self.init(0, 1, 0, 0)
      return
    }
    self.init(1 + up.z, up.y, -up.x, 0)
    normalize()
  }

  mutating func normalize() {
    let length = (w * w + x * x + y * y + z * z).squareRoot()
    guard length > 0 else { return self = Quaternion() }
    (w, x, y, z) = (w / length, x / length, y / length, z / length)
  }

  /// Where up is in the sensor's axes: what an accelerometer at rest feels, in g.
  public var up: Vector3 {
    Vector3(2 * (x * z - w * y), 2 * (w * x + y * z), w * w - x * x - y * y + z * z)
  }
}

/// How the sensor is turned.
public struct Orientation: Equatable, Sendable {
  /// Takes the sensor's axes to the world's, z up; the heading is that of the start, as no compass tells it.
  public var attitude = Quaternion()

  /// Gravity's reaction in the sensor's axes, in g: (0, 0, 1) when it lies flat.
  public var gravity: Vector3 { attitude.up }
  /// Rise of the x axis over the horizon, in degrees, -90 to 90.
  public var pitch: Float {
    let up = gravity
    return Angle.of(y: up.x, x: (up.y * up.y + up.z * up.z).squareRoot()) * Angle.degrees
  }
  /// Turn about the x axis in degrees, -180 to 180: 0 when it lies flat, positive when its left side rises.
  public var roll: Float {
    let up = gravity
    return Angle.of(y: up.y, x: up.z) * Angle.degrees
  }

  /// Lying flat.
  public init() {}
}
