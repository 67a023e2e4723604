import Codec

/// Estimates the gyroscope's bias: its output at rest.
struct GyroscopeBias {
  /// Noise of a sensor at rest, several times that of the chips: in g and radians per second.
  private static let acceleration: Float = 0.02
  private static let rotation: Float = 0.02
  /// Seconds of rest for one estimate.
  private static let rest: Float = 2

  private var meter = StillnessMeter()
  private let window: Int

  /// - Parameter rate: samples a second
  init(rate: Float) { window = max(8, Int(clamping: rate * Self.rest)) }

  /// Takes an uncalibrated sample; returns the bias once the sensor was at rest for long enough.
  mutating func update(_ sample: MotionSample) -> Vector3? {
    meter.add(sample)
    guard meter.count >= window else { return nil }
    defer { meter.clear() }
    let restless = meter.restlessness
    guard restless.acceleration < Self.acceleration, restless.rotation < Self.rotation else { return nil }
    let bias = meter.mean.rotation
    return bias.largest <= MotionCalibration.biases ? bias : nil
  }

  mutating func interrupt() { meter.clear() }
}
