import Codec
import Runtime

/// A hard shake by a hand.
public struct Shake: Equatable, Sendable {
  /// The greatest acceleration of the shake along one axis, without gravity, in g.
  public var peak: Float
  /// Axes that took part, 1 to 3.
  public var axes: Int
  /// When it was recognized, in microseconds of the monotonic clock.
  public var time: Int64
}

/// What counts as a hard shake.
public struct ShakeThresholds: Equatable, Sendable {
  /// Least acceleration of each swing to and fro, without gravity, in g.
  ///
  /// What merely lies or rides somewhere is pulled down by no more than its own weight, so its acceleration downwards
  /// ends at 1 g. Only what is gripped, or fastened, is driven both ways by more.
  public var acceleration: Float = 1.5
  /// Axes of the board along which it has to be shaken at the same time, 2 or 3; 1: along any line.
  public var axes = 1

  /// The defaults.
  public init() {}
}

/// Recognizes a hard shake by a hand, and nothing that a road, a fall, steps or a motor do.
///
/// A shake is an acceleration along a line that exceeds the threshold in one direction and then in the other, six times
/// in a row and as fast as an arm does it. Where one axis is enough the line may be slanting: it is looked for along
/// the axes, the diagonals of their planes, and those of the space between them, so none is more than 28 degrees away.
/// It differs
/// - from a bump, a pothole, a drop and a blow: those are a few peaks, with little in between;
/// - from a motor and a washboard road: those change direction faster than an arm;
/// - from a walk and the springs of a vehicle: those do not exceed 1 g in both directions, or are slower;
/// - from a run with the board in a swinging hand: the seconds before were as violent.
struct ShakeDetector {
  /// Changes of direction, the first swing among them.
  private static let swings = 6
  /// Longest time between swings in microseconds: arms that swing in a run take longer.
  private static let slowest: Int64 = 280_000
  /// Shortest mean time between swings in microseconds: 8.3 shakes a second, more than an arm can do.
  private static let fastest: Int64 = 60_000
  /// Samples within this many seconds are averaged, so that a blow and its ringing weigh little.
  private static let smoothing: Float = 0.04
  /// Most samples that are averaged: those of `smoothing` at 400 a second.
  private static let mostSamples = 16
  /// Seconds over which gravity is averaged, and over which it is remembered how violent it was before.
  private static let gravitySeconds: Float = 1, memorySeconds: Float = 4
  /// Microseconds that have to be known before a shake: a recording that begins in the middle of a run shows none.
  private static let before: Int64 = 1_000_000
  /// Least mean of the acceleration during a shake, in parts of the threshold. An even swing that just exceeds the
  /// threshold has 0.64; single blows have less than 0.3.
  private static let effort: Float = 0.45
  /// Least mean of the acceleration during a shake, in parts of its root mean square. Ten recorded shakes have 0.84 to
  /// 0.91, a sine 0.9; a few peaks in a row, with rest or free fall in between, have less than 0.7.
  private static let evenness: Float = 0.75
  /// What a swing back has to reach at least, in parts of the threshold, to be counted among the changes of direction
  /// that are too fast for an arm: with few samples a second many swings of a motor are seen below the threshold.
  private static let side: Float = 0.3
  /// Least mean of the acceleration, in parts of the root mean square of the seconds before.
  private static let contrast: Float = 1.8

  /// One line.
  private struct Swings {
    /// The direction of the last swing.
    var isForward = false
    var count = 0
    /// The direction of the last value that was on one side, and how often that has changed.
    var isAhead = false
    var changes: Int64 = 0
    /// When the first one began, the last one began, and the last one was above the threshold.
    var start: Int64 = 0
    var turn: Int64 = 0
    var last: Int64 = 0
    /// Mean square of the acceleration before the first one.
    var calm: Float = 0
    /// What the means of the acceleration since then and of its square are made of.
    var sum: Float = 0
    var squares: Float = 0
    var samples: Float = 0
    var peak: Float = 0
  }

  private let thresholds: ShakeThresholds
  private let rate: Float
  private let width: Int
  /// The three axes; then the six diagonals of their planes, and the four of the space between them.
  private var lines = InlineArray<13, Swings>(repeating: Swings())
  private var recent = InlineArray<16, Vector3>(repeating: Vector3())
  private var place = 0
  private var gravity = Vector3()
  private var violence: Float = 0
  private var samples = 0
  private var begin: Int64 = 0

  /// - Parameter rate: samples a second
  init(_ thresholds: ShakeThresholds, rate: Float) {
    self.thresholds = thresholds
    self.rate = rate
    width = min(max(1, Int(clamping: (Self.smoothing * rate).rounded())), Self.mostSamples)
  }

  /// Starts over, as after a gap.
  mutating func reset() { self = ShakeDetector(thresholds, rate: rate) }

  /// Takes a calibrated acceleration in g; returns a shake when it is recognized, once for each.
  mutating func update(_ acceleration: Vector3, _ now: Int64) -> Shake? {
    // A mistake of the bus: it would stay in the means.
    guard acceleration.largest < 1_000 else { return nil }
    if samples == 0 {
      (gravity, begin) = (acceleration, now)
    }
    samples = min(samples + 1, 1_000_000)
    // The mean of all samples at first, then a slow filter.
    let share = 1 / Float(samples)
    gravity = gravity.plus(acceleration.minus(gravity).scaled(by: max(share, min(1, 1 / (rate * Self.gravitySeconds)))))
    let driven = acceleration.minus(gravity)
    let smooth = smoothed(driven)
    var shaken = 0
    var slanting = 0
    var peak: Float = 0
    for index in 0..<lines.count where swing(index, Self.along(index, smooth), now) {
      if index < 3 { shaken += 1 } else { slanting += 1 }
      peak = max(peak, lines[index].peak)
    }
    let power = driven.x * driven.x + driven.y * driven.y + driven.z * driven.z
    violence += (power - violence) * max(share, min(1, 1 / (rate * Self.memorySeconds)))
    guard shaken >= thresholds.axes || thresholds.axes == 1 && slanting > 0 else { return nil }
    lines = InlineArray(repeating: Swings())
    return Shake(peak: peak, axes: max(shaken, 1), time: now)
  }

  /// The part of a vector along a line.
  private static func along(_ line: Int, _ vector: Vector3) -> Float {
    let (plane, space) = (Float(0.5).squareRoot(), Float(1) / Float(3).squareRoot())
    return switch line {
    case 0: vector.x
    case 1: vector.y
    case 2: vector.z
    case 3: (vector.x + vector.y) * plane
    case 4: (vector.x - vector.y) * plane
    case 5: (vector.x + vector.z) * plane
    case 6: (vector.x - vector.z) * plane
    case 7: (vector.y + vector.z) * plane
    case 8: (vector.y - vector.z) * plane
    case 9: (vector.x + vector.y + vector.z) * space
    case 10: (vector.x + vector.y - vector.z) * space
    case 11: (vector.x - vector.y + vector.z) * space
    default: (vector.x - vector.y - vector.z) * space
    }
  }

  private mutating func smoothed(_ driven: Vector3) -> Vector3 {
    recent[place] = driven
    place = (place + 1) % width
    var sum = Vector3()
    for index in 0..<width { sum = sum.plus(recent[index]) }
    return sum.scaled(by: 1 / Float(width))
  }

  /// True while it is being shaken along a line.
  private mutating func swing(_ line: Int, _ value: Float, _ now: Int64) -> Bool {
    let force = abs(value)
    let isForward = value > 0
    if lines[line].count > 0 {
      if now - lines[line].last > Self.slowest { lines[line].count = 0 }
      lines[line].sum += force
      lines[line].squares += force * force
      lines[line].samples += 1
      if force > Self.side * thresholds.acceleration, isForward != lines[line].isAhead {
        lines[line].isAhead = isForward
        lines[line].changes += 1
      }
    }
    guard force > thresholds.acceleration else { return isShaken(lines[line]) }
    if lines[line].count == 0 {
      guard now - begin >= Self.before else { return false }
      lines[line] = Swings(
        isForward: isForward, count: 1, isAhead: isForward, start: now, turn: now, last: now, calm: violence,
        sum: force,
        squares: force * force, samples: 1)
    } else if lines[line].isForward != isForward {
      lines[line].isForward = isForward
      lines[line].count = min(lines[line].count + 1, 1_000)
      lines[line].turn = now
    }
    lines[line].last = now
    lines[line].peak = max(lines[line].peak, force)
    return isShaken(lines[line])
  }

  private func isShaken(_ swings: Swings) -> Bool {
    guard swings.count >= Self.swings, swings.turn - swings.start >= swings.changes * Self.fastest else { return false }
    let mean = swings.sum / swings.samples
    return mean >= Self.effort * thresholds.acceleration && mean >= Self.contrast * swings.calm.squareRoot()
      && mean * mean >= Self.evenness * Self.evenness * swings.squares / swings.samples
  }
}
