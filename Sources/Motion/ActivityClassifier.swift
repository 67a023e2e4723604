/// Tells activities apart, second by second, and only believes what lasts.
///
/// Walking and running are told by the pedometer's steps. Rest is the sensor's noise and no more. A vehicle shakes the
/// sensor a little all the time without a rhythm and without turning it; a bicycle shakes it more, and pedals have a
/// rhythm slower than steps. What is none of these is unknown, so an answer is never better than its evidence:
/// vehicles are told with medium confidence at most.
struct ActivityClassifier {
  /// Samples of a second, at the gait's rate.
  private static let second = 25
  /// Root mean squares of the magnitude about its mean, in g: at rest; of a ride in a vehicle; on a bicycle.
  private static let rest: Float = 0.012
  private static let vehicle: ClosedRange<Float> = 0.012...0.1
  private static let bicycle: ClosedRange<Float> = 0.1...0.6
  /// Turning from second to second that no vehicle does, in g of gravity's change.
  private static let turning: Float = 0.12
  /// Least running: steps a second and strength in g.
  private static let runningPace: Float = 2.2
  private static let runningStrength: Float = 0.4
  /// Seconds before a new activity is believed.
  private static let walkingAfter = 2
  private static let restingAfter = 8
  private static let ridingAfter = 30
  private static let unknownAfter = 8
  /// Seconds after which one is sure of it.
  private static let sureAfter = 60

  /// What is believed.
  private(set) var reading = ActivityReading()
  /// Seconds since it is.
  private var age = 0
  private var candidate = Activity.unknown
  private var candidateAge = 0

  private var count = 0
  private var first: Float = 0
  private var sum: Float = 0
  private var squares: Float = 0
  private var changes: Float = 0
  private var last: Float = 1
  private var direction = Vector3()
  private var lastDirection = Vector3()

  /// Takes a sample at the gait's rate; true when a second is over and `reading` was looked at anew.
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

  /// What is felt has a hole.
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
    if seen == reading.activity {
      candidateAge = max(0, candidateAge - 2)
    } else if seen == candidate {
      candidateAge += 1
    } else {
      candidateAge -= 1
      if candidateAge <= 0 { (candidate, candidateAge) = (seen, 1) }
    }
    if candidateAge >= Self.patience(for: candidate), candidate != reading.activity {
      reading.activity = candidate
      (age, candidateAge) = (0, 0)
    }
    reading.confidence = confidence
  }

  private static func patience(for activity: Activity) -> Int {
    switch activity {
    case .walking, .running: walkingAfter
    case .stationary: restingAfter
    case .automotive, .cycling: ridingAfter
    case .unknown: unknownAfter
    }
  }

  private var confidence: Confidence {
    switch reading.activity {
    case .unknown: .low
    case .walking, .running, .stationary: age >= 10 ? .high : .medium
    case .automotive, .cycling: age >= Self.sureAfter ? .medium : .low
    }
  }
}
