import Runtime

/// A motion sensor: a chip on an I2C bus, a device of the kernel's IIO, or a recording.
///
/// Used on a worker, by one thread at a time; calls may block for some milliseconds.
public protocol MotionSource: AnyObject {
  /// Finds the sensor and starts sampling. Throws when there is none, or it does not work; may be tried again.
  /// - Parameter rate: requested samples a second; the sensor takes the nearest possible rate.
  func open(rate: Float) throws(MotionError) -> MotionFacts

  /// Adds the samples since the last call to `batch`, and sets the time of the newest. No new samples is not an error.
  /// After an error the sensor is closed.
  func drain(into batch: MotionBatch) throws(MotionError)

  /// Stops sampling. Does nothing when closed.
  func close()
}

/// Facts about an opened sensor.
public struct MotionFacts: Sendable {
  /// The chip or device, such as "MPU-6050".
  public var name: InlineText<64>
  /// The real number of samples a second.
  public var rate: Float
  /// False for an accelerometer alone.
  public var hasGyroscope: Bool
  /// Milliseconds of samples that its FIFO holds: drains must be more frequent.
  public var memory: Int64

  /// Facts; see the properties.
  public init(name: InlineText<64>, rate: Float, hasGyroscope: Bool, memory: Int64) {
    self.name = name
    self.rate = rate
    self.hasGyroscope = hasGyroscope
    self.memory = memory
  }
}
