/// A motion sensor's measurement at one instant.
public struct MotionSample: Equatable, Sendable {
  /// Specific force in g (1 g = 9.80665 m/s², the standard gravity of ISO 80000-3): at rest, 1 upwards.
  public var acceleration: Vector3
  /// Angular rate in radians per second, right-handed; zero from a sensor without gyroscope.
  public var rotation: Vector3

  /// A sample; see the properties.
  public init(acceleration: Vector3, rotation: Vector3 = Vector3()) {
    self.acceleration = acceleration
    self.rotation = rotation
  }
}
