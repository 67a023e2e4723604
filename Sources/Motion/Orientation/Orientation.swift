/// A rotation as a unit quaternion (W. R. Hamilton's order: w + xi + yj + zk).
public struct Quaternion: Equatable, Sendable {
  public var w, x, y, z: Float

  /// The identity by default.
  public init(_ w: Float = 1, _ x: Float = 0, _ y: Float = 0, _ z: Float = 0) {
    (self.w, self.x, self.y, self.z) = (w, x, y, z)
  }

  /// The shortest rotation that takes the direction `up` in the sensor's axes to the z axis of the world.
  init(upright up: Vector3) {
    // Upside down there are many; use the one about x.
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

  /// The direction of up in the sensor's axes: the output of an accelerometer at rest, in g.
  public var up: Vector3 {
    Vector3(2 * (x * z - w * y), 2 * (w * x + y * z), w * w - x * x - y * y + z * z)
  }
}

/// The orientation of the sensor.
public struct Orientation: Equatable, Sendable {
  /// Rotates the sensor's axes to the world's, z up; the heading is relative to the start, because there is no compass.
  public var attitude = Quaternion()

  /// Gravity's reaction in the sensor's axes, in g: (0, 0, 1) when it lies flat.
  public var gravity: Vector3 { attitude.up }
  /// Angle of the x axis above the horizon, in degrees, -90 to 90.
  public var pitch: Float {
    let up = gravity
    return Angle.of(y: up.x, x: (up.y * up.y + up.z * up.z).squareRoot()) * Angle.degrees
  }
  /// Rotation about the x axis in degrees, -180 to 180: 0 when it lies flat, positive when its left side rises.
  public var roll: Float {
    let up = gravity
    return Angle.of(y: up.y, x: up.z) * Angle.degrees
  }

  /// Flat.
  public init() {}
}
