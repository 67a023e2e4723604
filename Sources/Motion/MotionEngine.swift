import Codec
import Runtime

/// The configuration of the engine.
public struct MotionConfiguration: Sendable {
  /// The bearer's height in meters, 0.5 to 2.5.
  public var height: Float = 1.7
  /// Thresholds of bumps and falls.
  public var impacts = ImpactThresholds()
  /// What counts as a hard shake; nil: none is looked for.
  public var shake: ShakeThresholds?

  /// The defaults.
  public init() {}
}

/// What one batch of samples added.
public struct MotionUpdate: Equatable, Sendable {
  /// Steps that were recognized; some were made seconds before the batch.
  public var steps: Int
  /// Their distance in meters.
  public var distance: Float
  /// The current activity.
  public var reading: ActivityReading

  /// An update; nothing by default.
  public init(steps: Int = 0, distance: Float = 0, reading: ActivityReading = ActivityReading()) {
    (self.steps, self.distance, self.reading) = (steps, distance, reading)
  }
}

/// The state of the engine since it was made, as plain values.
public struct MotionState: Equatable, Sendable {
  /// Total samples, steps and meters.
  public var samples: UInt64 = 0
  public var steps: UInt64 = 0
  public var distance: Double = 0
  /// Steps a minute; 0 without a walk.
  public var cadence: Float = 0
  /// The current activity, and since when: milliseconds of the monotonic clock.
  public var reading = ActivityReading()
  public var since: Int64 = 0
  /// How the sensor is turned.
  public var orientation = Orientation()
  /// The newest sample, calibrated.
  public var sample = MotionSample(acceleration: Vector3())
  /// Total impacts, and hard shakes.
  public var impacts: UInt64 = 0
  public var shakes: UInt64 = 0

  /// The initial state.
  public init() {}
}

/// Computes steps, activity, orientation and impacts from a motion sensor's samples. Used by one thread at a time; its
/// results are plain values.
public final class MotionEngine {
  /// The current state.
  public private(set) var state = MotionState()
  /// The calibration that is applied. Its gyroscope bias is estimated again whenever the sensor rests.
  public private(set) var calibration: MotionCalibration
  /// True when the bias was found since `calibration` was last stored; see `calibrationStored`.
  public private(set) var hasNewBias = false

  private let rate: Float
  private let hasGyroscope: Bool
  private let stride: StrideModel
  private let pedometer: Pedometer
  private var classifier = ActivityClassifier()
  private var orientation: OrientationFilter
  private var bias: GyroscopeBias
  private var detector: ImpactDetector
  private var shaking: ShakeDetector?
  /// The shake that nobody has taken yet: one drain has at most a few.
  private var shake: Shake?
  private var magnitudes: Resampler
  private var mean = Vector3()
  private var impacts: BoundedQueue<Impact>
  private let stepTimes: UnsafeMutableBufferPointer<Int64>
  private var stepCount = 0

  /// An engine for an opened sensor.
  @export(interface)
  public init(
    _ facts: MotionFacts, _ configuration: MotionConfiguration = MotionConfiguration(),
    calibration: MotionCalibration = MotionCalibration()
  ) {
    self.calibration = calibration
    rate = max(facts.rate, 1)
    hasGyroscope = facts.hasGyroscope
    stride = StrideModel(height: configuration.height)
    pedometer = Pedometer(rate: rate)
    orientation = OrientationFilter(rate: rate, hasGyroscope: hasGyroscope)
    bias = GyroscopeBias(rate: rate)
    detector = ImpactDetector(configuration.impacts)
    if let thresholds = configuration.shake { shaking = ShakeDetector(thresholds, rate: rate) }
    magnitudes = Resampler(from: rate, to: GaitRate.samples)
    impacts = BoundedQueue(capacity: Budget.motionImpacts)
    stepTimes = .allocate(capacity: Budget.motionBatchSamples)
  }

  deinit { stepTimes.deallocate() }

  /// Processes a batch of raw samples, and returns what it added.
  /// - Parameter monotonic: milliseconds, for `state.since`; the samples' own times come from the batch
  public func process(_ batch: MotionBatch, monotonic: Int64) -> MotionUpdate {
    let before = (steps: state.steps, distance: state.distance)
    stepCount = 0
    if batch.hasGap { interrupt() }
    let interval = 1_000_000 / rate
    for index in 0..<batch.count {
      let age = Float(batch.count - 1 - index) * interval
      take(batch[index], at: batch.end - Int64(clamping: age), monotonic)
    }
    state.samples += UInt64(batch.count)
    state.orientation = orientation.orientation
    state.cadence = pedometer.cadence
    return MotionUpdate(
      steps: Int(state.steps - before.steps), distance: Float(state.distance - before.distance),
      reading: state.reading)
  }

  /// The times of the steps in the last update, oldest first: microseconds of the monotonic clock.
  public func forEachStep(_ body: (Int64) -> Void) {
    for index in 0..<stepCount { body(stepTimes[index]) }
  }

  /// Removes and returns the oldest impact in the queue. When it is full new ones are dropped; `state.impacts` counts
  /// all.
  public func nextImpact() -> Impact? { impacts.pop() }

  /// Removes and returns the last hard shake.
  public func nextShake() -> Shake? {
    defer { shake = nil }
    return shake
  }

  /// The bias in `calibration` is on flash now.
  public func calibrationStored() { hasNewBias = false }

  /// The accelerometer was calibrated.
  public func calibrate(offset: Vector3, scale: Vector3) {
    (calibration.offset, calibration.scale) = (offset, scale)
  }

  private func interrupt() {
    pedometer.interrupt()
    classifier.interrupt()
    bias.interrupt()
    magnitudes.reset()
    shaking?.reset()
  }

  private func take(_ raw: MotionSample, at time: Int64, _ monotonic: Int64) {
    guard raw.acceleration.isFinite, raw.rotation.isFinite else { return }
    if hasGyroscope, let found = bias.update(raw) {
      calibration.bias = found
      hasNewBias = true
    }
    let sample = calibration.apply(raw)
    state.sample = sample
    orientation.update(sample)
    let magnitude = sample.acceleration.magnitude
    if let impact = detector.update(magnitude, time) { report(impact) }
    if let found = shaking?.update(sample.acceleration, time) {
      state.shakes += 1
      shake = found
    }
    pedometer.push(magnitude)
    if pedometer.found.count > 0 { countSteps(at: time) }
    // Smooths over half a second, to get the direction of gravity also during a walk.
    mean = mean.plus(sample.acceleration.minus(mean).scaled(by: min(1, 2 / rate)))
    magnitudes.push(magnitude) { value in
      guard classifier.update(magnitude: value, acceleration: mean, pedometer) else { return }
      if classifier.reading.activity != state.reading.activity { state.since = monotonic }
      state.reading = classifier.reading
    }
  }

  private func report(_ impact: Impact) {
    // To a sensor at an ankle steps are impacts; only a fall interrupts them.
    if impact.kind == .bump, pedometer.isWalking { return }
    state.impacts += 1
    _ = impacts.push(impact)
  }

  private func countSteps(at time: Int64) {
    for index in 0..<pedometer.found.count {
      let step = pedometer.found[index]
      let age = Float(pedometer.end - 1 - step.number) - step.part
      if stepCount < stepTimes.count {
        stepTimes[stepCount] = time - Int64(clamping: age * 1_000_000 / GaitRate.samples)
        stepCount += 1
      }
      state.steps += 1
      state.distance += Double(stride.length(seconds: step.period / GaitRate.samples))
    }
    pedometer.found.clear()
  }
}
