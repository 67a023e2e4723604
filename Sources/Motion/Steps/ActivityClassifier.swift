/// Classifies the activity second by second, and reports only what lasts.
///
/// Walking and running come from the pedometer's steps. Rest is only the sensor's noise. A vehicle shakes the sensor a
/// little all the time without a rhythm and without turning it; a bicycle shakes it more, and pedals have a rhythm
/// slower than steps. Everything else is unknown, and vehicles have medium confidence at most.
struct ActivityClassifier {
  /// Samples in a second, at `GaitRate.samples`.
  private static let second = 25
  /// Root mean squares of the magnitude about its mean, in g: at rest; of a ride in a vehicle; on a bicycle.
  private static let rest: Float = 0.012
  private static let vehicle: ClosedRange<Float> = 0.012...0.1
  private static let bicycle: ClosedRange<Float> = 0.1...0.6
  /// Change of gravity's direction from second to second that no vehicle causes, in g.
  private static let turning: Float = 0.12
  /// Least running: steps a second and strength in g.
  private static let runningPace: Float = 2.2
  private static let runningStrength: Float = 0.4
  /// Seconds of evidence before a new activity is reported, and before a stopped vehicle counts as rest.
  private static let walkingAfter: Float = 2
  private static let restingAfter: Float = 8
  private static let ridingAfter: Float = 30
  private static let unknownAfter: Float = 10
  private static let parkedAfter: Float = 60
  /// Seconds after the last step when a walk is over.
  private static let standingAfter = 5
  /// What a second of another activity takes from the evidence, and the evidence's maximum.
  private static let decay: Float = 0.5
  private static let maximum: Float = 90
  /// Seconds after which the confidence of walking or rest is high, and that of a ride medium.
  private static let sureAfter = 10
  private static let sureOfRideAfter = 60

  /// The reported activity.
  private(set) var reading = ActivityReading()
  /// Seconds since it is reported.
  private var age = 0
  /// Seconds since the last step.
  private var standing = 0
  /// Seconds of evidence for each activity.
  private var evidence = InlineArray<6, Float>(repeating: 0)

  private var count = 0
  private var first: Float = 0
  private var sum: Float = 0
  private var squares: Float = 0
  private var changes: Float = 0
  private var last: Float = 1
  private var direction = Vector3()
  private var lastDirection = Vector3()

  /// Takes a sample at `GaitRate.samples`; true when a second is complete and `reading` was updated.
  mutating func update(magnitude: Float, acceleration: Vector3, _ pedometer: Pedometer) -> Bool {
    if count == 0 { first = magnitude }
    let value = magnitude - first
    sum += value
    squares += value * value
    changes += (magnitude - last) * (magnitude - last)
    last = magnitude
    direction = direction.plus(acceleration)
    count += 1
    guard count == Self.second else { return false }
    judge(pedometer)
    (count, sum, squares, changes) = (0, 0, 0, 0)
    lastDirection = direction
    direction = Vector3()
    return true
  }

  /// Samples are missing.
  mutating func interrupt() { (count, sum, squares, changes, direction) = (0, 0, 0, 0, Vector3()) }

  private mutating func judge(_ pedometer: Pedometer) {
    let size = Float(Self.second)
    let mean = sum / size
    let strength = max(0, squares / size - mean * mean).squareRoot()
    let turn = direction.minus(lastDirection).magnitude / size
    // Shaking changes from sample to sample, swinging does not.
    let shaking = (changes / size).squareRoot()
    let seen = Self.classify(pedometer, strength: strength, shaking: shaking, turn: turn)
    believe(seen)
  }

  private static func classify(_ pedometer: Pedometer, strength: Float, shaking: Float, turn: Float)
    -> Activity
  {
    if pedometer.isWalking {
      let window = pedometer.window
      let isFast = window.period > 0 && GaitRate.samples / window.period >= runningPace
      return isFast && window.intensity >= runningStrength ? .running : .walking
    }
    if strength < rest, turn < turning { return .stationary }
    guard turn < turning else { return .unknown }
    if vehicle.contains(strength) { return .automotive }
    return bicycle.contains(strength) && shaking > strength / 2 ? .cycling : .unknown
  }

  private mutating func believe(_ seen: Activity) {
    age += 1
    for index in 0..<6 {
      let change: Float = index == Int(seen.rawValue) ? 1 : -Self.decay
      evidence[index] = min(max(evidence[index] + change, 0), Self.maximum)
    }
    standing = seen == .walking || seen == .running ? 0 : standing + 1
    if seen != reading.activity, evidence[Int(seen.rawValue)] >= evidenceNeeded(for: seen) {
      turn(to: seen)
    } else if reading.activity == .walking || reading.activity == .running, standing >= Self.standingAfter {
      turn(to: seen == .stationary ? .stationary : .unknown)
    }
    reading.confidence = confidence
  }

  private mutating func turn(to activity: Activity) {
    reading.activity = activity
    age = 0
  }

  private func evidenceNeeded(for activity: Activity) -> Float {
    switch activity {
    case .walking, .running: Self.walkingAfter
    case .stationary: reading.activity == .automotive ? Self.parkedAfter : Self.restingAfter
    case .automotive, .cycling: Self.ridingAfter
    case .unknown: Self.unknownAfter
    }
  }

  private var confidence: Confidence {
    switch reading.activity {
    case .unknown: .low
    case .walking, .running, .stationary: age >= Self.sureAfter ? .high : .medium
    case .automotive, .cycling: age >= Self.sureOfRideAfter ? .medium : .low
    }
  }
}
