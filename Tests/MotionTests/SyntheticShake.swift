import Foundation
import Motion

/// Makes up what an accelerometer feels that is shaken by an arm, or that a vehicle, a machine or gravity moves.
///
/// The arm drives the board to and fro along a line, and the wrist turns it meanwhile, so that gravity moves over its
/// axes. Strokes are uneven in length, strength and shape. The sensor adds noise, and cuts off beyond its range.
struct SyntheticShake {
  let rate: Double
  /// The greatest value of the sensor, in g.
  var range = 8.0
  private(set) var samples: [MotionSample] = []
  private var dice: Dice
  /// How the board is held: the directions of gravity and of the strokes in its axes.
  private let down: [Double]
  private let along: [Double]

  init(rate: Double, seed: UInt64) {
    self.rate = rate
    dice = Dice(seed)
    for _ in 0..<8 { _ = dice.uniform(0...1) }
    down = Self.direction(&dice)
    along = Self.direction(&dice)
  }

  private static func direction(_ dice: inout Dice) -> [Double] {
    let vector = [dice.normal(), dice.normal(), dice.normal()]
    let length = (vector.map { $0 * $0 }.reduce(0, +)).squareRoot()
    return vector.map { $0 / length }
  }

  /// A force along the strokes and one against gravity, in g, with the board turned by an angle about the third
  /// direction.
  private mutating func add(_ stroke: Double, up: Double = 1, turn: Double = 0, noise: Double = 0.02) {
    let across = [
      down[1] * along[2] - down[2] * along[1], down[2] * along[0] - down[0] * along[2],
      down[0] * along[1] - down[1] * along[0],
    ]
    var values: [Float] = []
    for axis in 0..<3 {
      let force =
        stroke * along[axis] + up * (down[axis] * cos(turn) + across[axis] * sin(turn)) + noise * dice.normal()
      values.append(Float(min(max(force, -range), range)))
    }
    samples.append(MotionSample(acceleration: Vector3(values[0], values[1], values[2])))
  }

  mutating func rest(seconds: Double) {
    for _ in 0..<Int(seconds * rate) { add(0) }
  }

  /// An arm shakes it.
  /// - Parameters:
  ///   - strength: the middle of the strokes' greatest accelerations, in g
  ///   - pace: strokes to and fro in a second
  mutating func shake(seconds: Double, strength: Double, pace: Double) {
    var phase = 0.0
    var (vigour, speed) = (1.0, pace)
    let swing = dice.uniform(0.1...0.6)
    let (second, delay) = (dice.uniform(0...0.2), dice.uniform(0...6.28))
    for index in 0..<Int(seconds * rate) {
      let before = Int(phase * 2)
      phase += speed / rate
      if Int(phase * 2) != before {
        vigour = 1 + 0.1 * dice.normal().clamped(2)
        speed = pace * (1 + 0.06 * dice.normal().clamped(2))
      }
      let start = min(1, Double(index) / rate / 0.25)
      let wave = sin(2 * .pi * phase) + second * sin(4 * .pi * phase + delay)
      add(strength * vigour * start * wave, turn: swing * sin(2 * .pi * phase + delay), noise: 0.05)
    }
  }

  /// A vehicle on springs: the road's noise and, so many times a minute, a hole: a blow of the wheel, the rebound, and
  /// the body that swings on its springs.
  mutating func ride(seconds: Double, holesPerMinute: Double, blow: Double, roughness: Double = 0.1) {
    var (age, strength) = (10.0, 0.0)
    var noise = 0.0
    for _ in 0..<Int(seconds * rate) {
      if dice.uniform(0...1) < holesPerMinute / 60 / rate { (age, strength) = (0, dice.uniform(0.4...1) * blow) }
      noise += (dice.normal() * roughness - noise) * 0.6
      let wheel = strength * exp(-age * 9) * sin(2 * .pi * 11 * age)
      let body = 0.35 * strength * exp(-age * 2) * sin(2 * .pi * 1.6 * age)
      // What only lies in the vehicle is not pulled down by more than its weight.
      add(noise * 0.5, up: max(1 + wheel + body + noise, -0.3))
      age += 1 / rate
    }
  }

  /// A machine or a washboard road shakes what is bolted to it, both ways.
  mutating func vibrate(seconds: Double, strength: Double, pace: Double) {
    let start = dice.uniform(0...1)
    for index in 0..<Int(seconds * rate) {
      add(strength * sin(2 * .pi * (start + pace * Double(index) / rate)))
    }
  }

  /// Falls, hits the floor and bounces, so many times in a row, as on stairs.
  mutating func tumble(times: Int, peak: Double) {
    for _ in 0..<times {
      for _ in 0..<Int(dice.uniform(0.08...0.3) * rate) { add(0, up: 0.05) }
      let (side, turn) = (dice.uniform(-1...1), dice.uniform(-3...3))
      for _ in 0..<max(1, Int(0.03 * rate)) { add(side * peak, up: peak, turn: turn) }
    }
    rest(seconds: 1)
  }

  /// An arm that swings in a run, with the board in its hand: as strong at each step as a weak shake, from the first
  /// sample on.
  mutating func run(seconds: Double, strength: Double, cadence: Double) {
    var phase = dice.uniform(0...1)
    for _ in 0..<Int(seconds * rate) {
      phase += cadence / 60 / rate * (1 + 0.05 * dice.normal())
      let step = sin(2 * .pi * phase)
      let arm = sin(.pi * phase)
      add(strength * (0.6 * arm + 0.8 * step), up: 1 + strength * 0.5 * step, turn: 0.7 * arm, noise: 0.1)
    }
  }
}

extension Double {
  fileprivate func clamped(_ limit: Double) -> Double { Swift.min(Swift.max(self, -limit), limit) }
}
