import Runtime

/// The samples of one drain, oldest first, evenly spaced. Allocated once and reused.
public final class MotionBatch {
  private let samples = UnsafeMutableBufferPointer<MotionSample>.allocate(capacity: Budget.motionBatchSamples)
  /// Samples in it.
  public private(set) var count = 0
  /// When the newest sample was taken: microseconds of the monotonic clock.
  public var end: Int64 = 0
  /// True when samples between the last drain and this one are missing: the chip's FIFO overflowed, or the batch did.
  public var hasGap = false

  /// An empty batch.
  @export(interface)
  public init() { samples.initialize(repeating: MotionSample(acceleration: Vector3())) }

  deinit { samples.deallocate() }

  /// The sample at `index`, in 0..<count.
  public subscript(index: Int) -> MotionSample {
    precondition(index < count)
    return samples[index]
  }

  /// Adds a sample. When the batch is full it is dropped, and `hasGap` is set.
  public func append(_ sample: MotionSample) {
    guard count < samples.count else {
      hasGap = true
      return
    }
    samples[count] = sample
    count += 1
  }

  /// Empties it.
  public func clear() {
    count = 0
    hasGap = false
  }
}
