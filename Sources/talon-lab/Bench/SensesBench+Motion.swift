import CAllocationCounter
import Foundation
import Motion
import Runtime

/// What the motion engine takes: everything that is made of an inertial sensor's samples.
enum MotionBench {
  private static let rate: Float = 100
  private static let seconds = 600

  static func measurements() throws -> [Measurement] {
    let samples = walkAndRide()
    var steps: UInt64 = 0
    var allocations: UInt64 = 0
    let taken = Stopwatch.bestOfThread(of: 5) { (steps, allocations) = play(samples) }
    guard steps > 400 else { throw BenchError("\(steps) steps in five minutes of walking") }
    return [
      Measurement(
        name: "motion engine at 100 Hz, of a core", value: taken / Double(seconds) * 100, unit: "%", bar: .motion),
      Measurement(
        name: "allocations in \(samples.count) samples", value: Double(allocations), unit: "", bar: .motionAllocations),
    ]
  }

  private static func play(_ samples: [MotionSample]) -> (UInt64, UInt64) {
    let facts = MotionFacts(name: InlineText<64>(), rate: rate, hasGyroscope: true, memory: 1000)
    let engine = MotionEngine(facts)
    let batch = MotionBatch()
    let drain = Int(rate / 2)
    tl_count_allocations()
    for start in stride(from: 0, to: samples.count - drain + 1, by: drain) {
      batch.clear()
      for index in start..<(start + drain) { batch.append(samples[index]) }
      batch.end = Int64(start) * 10_000
      _ = engine.process(batch, monotonic: batch.end / 1000)
    }
    return (engine.state.steps, tl_counted_allocations())
  }

  /// Five minutes of steps and five of a road.
  private static func walkAndRide() -> [MotionSample] {
    var noise = UInt64(1)
    return (0..<(seconds * Int(rate))).map { index in
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let jitter = Double(noise >> 40) / Double(1 << 24) - 0.5
      let time = Double(index) / Double(rate)
      let step = 2 * Double.pi * 1.9 * time
      let walks = index < seconds * Int(rate) / 2
      let force = walks ? 0.25 * sin(step) + 0.1 * sin(2 * step + 1) + 0.05 * jitter : 0.1 * jitter
      return MotionSample(
        acceleration: Vector3(Float(0.2 + 0.1 * force), Float(0.1 * sin(step / 2)), Float(0.97 + force)),
        rotation: Vector3(Float(0.5 * sin(step / 2)), Float(jitter * 0.1), 0))
    }
  }
}
