/// Keeps track of the sensor's orientation.
///
/// The explicit complementary filter of R. Mahony, T. Hamel and J.-M. Pflimlin, "Nonlinear Complementary Filters on the
/// Special Orthogonal Group", IEEE Transactions on Automatic Control 53(5), 2008, equations 32 and 34: the gyroscope is
/// integrated, and slowly corrected towards the accelerometer's direction of up; a constant correction is the
/// gyroscope's bias. Without a gyroscope, up follows the smoothed accelerometer.
struct OrientationFilter {
  /// Gains in 1/s and 1/s². The paper's experiments use 1 and 0.3; the second is smaller here, because the bias is
  /// estimated at rest.
  private static let correction: Float = 1
  private static let integral: Float = 0.05
  private static let small: Float = 0.1
  /// The same without a gyroscope: up follows within a third of a second.
  private static let correctionAlone: Float = 6
  /// Accelerations in g that are used for up; others mean that the sensor is being moved.
  private static let trusted: ClosedRange<Float> = 0.8...1.2

  private(set) var orientation = Orientation()
  private var bias = Vector3()
  private var hasBegun = false
  private let interval: Float
  private let hasGyroscope: Bool

  /// - Parameter rate: samples a second
  init(rate: Float, hasGyroscope: Bool) {
    interval = 1 / rate
    self.hasGyroscope = hasGyroscope
  }

  /// Takes in the next sample.
  mutating func update(_ sample: MotionSample) {
    let strength = sample.acceleration.magnitude
    guard strength > 0 else { return turn(by: sample.rotation) }
    let felt = sample.acceleration.scaled(by: 1 / strength)
    guard hasBegun else {
      hasBegun = true
      orientation.attitude = Quaternion(upright: felt)
      return
    }
    guard Self.trusted.contains(strength) else { return turn(by: sample.rotation.minus(bias)) }
    let error = felt.cross(orientation.gravity)
    // A large error is a wrong start or a long turn, and does not come from the bias.
    if hasGyroscope, error.largest < Self.small {
      bias = bias.minus(error.scaled(by: Self.integral * interval))
    }
    let gain = hasGyroscope ? Self.correction : Self.correctionAlone
    turn(by: sample.rotation.minus(bias).plus(error.scaled(by: gain)))
  }

  private mutating func turn(by rate: Vector3) {
    let q = orientation.attitude
    let (x, y, z) = (rate.x * interval / 2, rate.y * interval / 2, rate.z * interval / 2)
    orientation.attitude = Quaternion(
      q.w - q.x * x - q.y * y - q.z * z, q.x + q.w * x + q.y * z - q.z * y,
      q.y + q.w * y - q.x * z + q.z * x, q.z + q.w * z + q.x * y - q.y * x)
    orientation.attitude.normalize()
  }
}
