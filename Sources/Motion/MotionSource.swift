import Runtime

/// An inertial sensor: a chip on an I2C bus, a device of the kernel's IIO, or a recording.
///
/// Used on a worker, by one at a time; calls may block for some milliseconds.
public protocol MotionSource: AnyObject {
  /// Finds the sensor and starts sampling. Throws when there is none, or it does not behave; may be tried again.
  /// - Parameter rate: samples a second wanted; the sensor takes the nearest that it can do.
  func open(rate: Float) throws(MotionError) -> MotionFacts

  /// Adds the samples since the last call to `batch`, and says when the newest was taken. Nothing new is no error.
  /// After an error the sensor is closed.
  func drain(into batch: MotionBatch) throws(MotionError)

  /// Stops sampling. Harmless when closed.
  func close()
}

/// What an opened sensor is.
public struct MotionFacts: Sendable {
  /// The chip or device, such as "MPU-6050".
  public var name: InlineText<64>
  /// Samples a second that it really takes.
  public var rate: Float
  /// False for an accelerometer alone.
  public var hasGyroscope: Bool
  /// Milliseconds that its memory lasts: drains must come more often.
  public var memory: Int64

  /// Facts; see the properties.
  public init(name: InlineText<64>, rate: Float, hasGyroscope: Bool, memory: Int64) {
    self.name = name
    self.rate = rate
    self.hasGyroscope = hasGyroscope
    self.memory = memory
  }
}
