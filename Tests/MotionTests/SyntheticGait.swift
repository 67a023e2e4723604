import Foundation
import Motion

/// Numbers that are always the same.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + (range.upperBound - range.lowerBound) * Double(state >> 11)
      / 9_007_199_254_740_992
  }

  mutating func normal() -> Double {
    (-2 * log(uniform(1e-12...1))).squareRoot() * cos(2 * .pi * uniform(0...1))
  }
}

/// Where the sensor is carried: how much of a step and of a stride it feels.
enum Carried: CaseIterable {
  case hand, pocket, belt, bag, wrist, ankle

  /// Amplitudes in g: of a step's first, second and third harmonic, of the stride's own, and of a heel's blow every
  /// step and every second step; degrees that it swings once a stride.
  var shape: (step: [Double], stride: Double, blow: Double, ownBlow: Double, swing: Double) {
    switch self {
    case .hand: ([0.18, 0.06, 0.02], 0.02, 0.1, 0, 3)
    case .pocket: ([0.25, 0.12, 0.06], 0.15, 0.2, 0.4, 25)
    case .belt: ([0.22, 0.1, 0.04], 0.03, 0.25, 0.05, 3)
    case .bag: ([0.2, 0.05, 0.03], 0.08, 0.15, 0.1, 6)
    case .wrist: ([0.12, 0.05, 0.03], 0.12, 0.1, 0.05, 35)
    case .ankle: ([0.25, 0.2, 0.15], 0.3, 0.1, 0.8, 35)
    }
  }
}

/// Makes up what an accelerometer feels.
struct SyntheticMotion {
  let rate: Double
  private var dice: Dice
  private(set) var samples: [MotionSample] = []
  /// How the sensor lies: any way.
  private let axes: (Double, Double)

  init(rate: Double, seed: UInt64) {
    self.rate = rate
    dice = Dice(seed)
    axes = (dice.uniform(0...6.28), dice.uniform(-1.5...1.5))
  }

  private mutating func add(along force: Double, across: Double = 0, tilt: Double = 0, noise: Double = 0.006) {
    let (turn, lift) = (axes.0, axes.1 + tilt)
    samples.append(
      MotionSample(
        acceleration: Vector3(
          Float(force * cos(lift) * cos(turn) - across * sin(turn) + noise * dice.normal()),
          Float(force * cos(lift) * sin(turn) + across * cos(turn) + noise * dice.normal()),
          Float(force * sin(lift) + noise * dice.normal()))))
  }

  /// Lies still.
  mutating func rest(seconds: Double) {
    for _ in 0..<Int(seconds * rate) { add(along: 1) }
  }

  /// Takes steps: `cadence` a minute, drifting and never quite even; `strength` times what is usual.
  mutating func walk(steps: Int, _ carried: Carried, cadence: Double = 110, strength: Double = 1) {
    let shape = carried.shape
    let phases = (0..<5).map { _ in dice.uniform(0...(2 * .pi)) }
    var phase = 0.0
    var pace = cadence / 60
    var vigour = 1.0
    while phase < Double(steps) {
      let part = phase - phase.rounded(.down)
      if part < pace / rate {
        pace += (cadence / 60 - pace) * 0.2 + dice.normal() * 0.03
        vigour = max(0.6, vigour + (1 - vigour) * 0.3 + dice.normal() * 0.08)
      }
      // A body starts and stops within a step.
      let edge = min(1, phase + 0.4, Double(steps) - phase + 0.4)
      var force = 0.0
      for (index, amplitude) in shape.step.enumerated() {
        force += amplitude * sin(2 * .pi * Double(index + 1) * phase + phases[index])
      }
      let own = Int(phase) % 2 == 0
      force += shape.stride * sin(.pi * phase + phases[3])
      let blow = exp(-pow((part - 0.3) / 0.06, 2))
      force += blow * (shape.blow + (own ? shape.ownBlow : 0))
      let tilt = shape.swing * .pi / 180 * sin(.pi * phase + phases[4])
      add(
        along: 1 + force * edge * vigour * strength, across: 0.3 * force * strength, tilt: tilt, noise: 0.02)
      phase += pace / rate
    }
  }

  /// Rides in a car: the road's noise and the engine's, corners and brakes.
  mutating func drive(seconds: Double, roughness: Double = 0.035) {
    var road = 0.0
    var body = (0.0, 0.0)
    var corner = 0.0
    for index in 0..<Int(seconds * rate) {
      road += (dice.normal() * roughness * 8 - road * 30) / rate.squareRoot() * 0.3
      // The body on its springs, 1.5 times a second, damped.
      body.1 += (road * 60 - body.0 * 88 - body.1 * 6) / rate
      body.0 += body.1 / rate
      corner += (dice.normal() * 0.4 - corner * 0.5) / rate
      let engine = 0.01 * sin(2 * .pi * 27 * Double(index) / rate)
      add(along: 1 + body.0 * 0.3 + engine + dice.normal() * roughness * 0.6, across: corner, noise: 0.01)
    }
  }

  /// Is tapped or knocked at random, so many times a minute.
  mutating func knock(seconds: Double, perMinute: Double = 60) {
    var ringing = 0.0
    var age = 0.0
    for _ in 0..<Int(seconds * rate) {
      if dice.uniform(0...1) < perMinute / 60 / rate { (ringing, age) = (dice.uniform(0.3...2.5), 0) }
      add(along: 1 + ringing * exp(-age * 40) * cos(age * 120))
      age += 1 / rate
    }
  }

  /// Is shaken by a hand that does as it likes.
  mutating func shake(seconds: Double, strength: Double = 0.6) {
    var pace = 3.0
    var target = 3.0
    var vigour = 0.0
    var phase = 0.0
    for index in 0..<Int(seconds * rate) {
      if index % max(1, Int(rate * 0.6)) == 0 { target = dice.uniform(0.5...7) }
      pace += (target - pace) * 3 / rate
      vigour += (dice.uniform(-0.5...1.5) - vigour) * 4 / rate
      phase += pace / rate
      add(
        along: 1 + strength * vigour * sin(2 * .pi * phase), across: strength * vigour * cos(2.3 * phase),
        tilt: vigour)
    }
  }
}
