import CAllocationCounter
import Foundation
import Motion
import Runtime
import Testing

@Suite struct EngineTests {
  // MARK: Activity

  @Test func tellsRestFromWalkingFromRiding() {
    var motion = SyntheticMotion(rate: 50, seed: 11)
    motion.rest(seconds: 60)
    motion.walk(steps: 120, .pocket, cadence: 112)
    motion.rest(seconds: 60)
    motion.drive(seconds: 180)
    let outcome = Outcome(motion.samples, rate: 50)
    #expect(outcome.seconds[.stationary, default: 0] > 90)
    #expect(abs(outcome.seconds[.walking, default: 0] - 64) < 16)
    #expect(outcome.seconds[.automotive, default: 0] > 100)
    #expect(outcome.state.reading == ActivityReading(.automotive, .medium))
  }

  @Test func fastStrongStepsAreRunning() {
    var motion = SyntheticMotion(rate: 50, seed: 12)
    motion.rest(seconds: 10)
    motion.walk(steps: 160, .belt, cadence: 165, strength: 3.5)
    let outcome = Outcome(motion.samples, rate: 50)
    #expect(outcome.seconds[.running, default: 0] > 40)
    #expect(outcome.seconds[.walking, default: 0] < 10)
  }

  @Test func activitiesDoNotFlap() {
    var motion = SyntheticMotion(rate: 50, seed: 13)
    for _ in 0..<40 {
      motion.rest(seconds: 1.5)
      motion.knock(seconds: 1.5, perMinute: 120)
    }
    let engine = MotionEngine(MotionFacts(rate: 50))
    let batch = MotionBatch()
    var changes = 0
    var last = ActivityReading().activity
    for (index, sample) in motion.samples.enumerated() {
      batch.clear()
      batch.append(sample)
      batch.end = Int64(index) * 20_000
      let now = engine.process(batch, monotonic: Int64(index) * 20).reading.activity
      if now != last { changes += 1 }
      last = now
    }
    #expect(changes <= 8, "\(changes) changes in two minutes")
  }

  // MARK: Orientation

  @Test(arguments: [(0.0, 0.0), (0, 45), (30, 0), (-60, 20), (10, -120), (0, 180)])
  func tiltIsWhatTheAccelerometerFeels(_ pitch: Double, _ roll: Double) {
    let (p, r) = (pitch * .pi / 180, roll * .pi / 180)
    let up = Vector3(Float(sin(p)), Float(cos(p) * sin(r)), Float(cos(p) * cos(r)))
    for hasGyroscope in [true, false] {
      let samples = Array(repeating: MotionSample(acceleration: up), count: 200)
      let orientation = Outcome(samples, rate: 100, hasGyroscope: hasGyroscope).state.orientation
      #expect(abs(Double(orientation.pitch) - pitch) < 0.1)
      #expect(abs(abs(Double(orientation.roll)) - abs(roll)) < 0.1)
      #expect((orientation.gravity.x - up.x).magnitude < 0.001)
    }
  }

  @Test func theGyroscopeIsFollowedAndTheAccelerometerPutsItRight() {
    // Half a turn a second for half a second about x, with the accelerometer turning along.
    var samples = Array(repeating: MotionSample(acceleration: Vector3(0, 0, 1)), count: 50)
    for index in 0..<50 {
      let angle = Float.pi * Float(index) / 100
      samples.append(
        MotionSample(
          acceleration: Vector3(0, sin(angle), cos(angle)), rotation: Vector3(Float.pi, 0, 0)))
    }
    let turned = Outcome(samples, rate: 100, hasGyroscope: true).state.orientation
    #expect(abs(turned.roll - 90) < 3)
    // A jolt along y, which is no tilt: the gyroscope says so.
    for _ in 0..<20 { samples.append(MotionSample(acceleration: Vector3(0.5, 1, 0.6))) }
    let jolted = Outcome(samples, rate: 100, hasGyroscope: true).state.orientation
    #expect(abs(jolted.roll - turned.roll) < 3)
    for _ in 0..<1500 { samples.append(MotionSample(acceleration: Vector3(0, 0, 1))) }
    #expect(abs(Outcome(samples, rate: 100, hasGyroscope: true).state.orientation.roll) < 1)
  }

  // MARK: Impacts

  private func drop(fall: Double, peak: Double, rest: Double) -> [MotionSample] {
    var motion = SyntheticMotion(rate: 100, seed: 3)
    motion.rest(seconds: 2)
    var samples = motion.samples
    for _ in 0..<Int(fall * 100) { samples.append(MotionSample(acceleration: Vector3(0, 0, 0.05))) }
    for height in [peak / 2, peak, peak / 3] {
      samples.append(MotionSample(acceleration: Vector3(0, 0, Float(height))))
    }
    for _ in 0..<Int(rest * 100) { samples.append(MotionSample(acceleration: Vector3(0, 0.02, 1))) }
    return samples
  }

  @Test func aFallIsWeightlessnessABlowAndRest() throws {
    let impacts = Outcome(drop(fall: 0.35, peak: 6, rest: 4), rate: 100).impacts
    let fall = try #require(impacts.first)
    #expect(impacts.count == 1)
    #expect(fall.kind == .fall)
    #expect(fall.peak == 6)
    #expect(abs(fall.weightless - 350) <= 10)
    #expect(abs(fall.time - 2_350_000) < 50_000)
  }

  @Test func aBlowAloneIsABump() throws {
    let impacts = Outcome(drop(fall: 0, peak: 4, rest: 4), rate: 100).impacts
    #expect(impacts.map(\.kind) == [.bump])
    #expect(Outcome(drop(fall: 0, peak: 2, rest: 4), rate: 100).impacts.isEmpty)
  }

  @Test func throwingAndCatchingIsNoFall() {
    var samples = drop(fall: 0.4, peak: 2, rest: 0)
    for index in 0..<1000 {
      samples.append(MotionSample(acceleration: Vector3(0, 0, index % 20 < 10 ? 0.7 : 1.3)))
    }
    #expect(Outcome(samples, rate: 100).impacts.isEmpty)
  }

  @Test func tooManyImpactsAreCountedAndNotKept() {
    let engine = MotionEngine(MotionFacts(rate: 100))
    let batch = MotionBatch()
    for index in 0..<(Budget.motionImpacts + 3) {
      batch.clear()
      for sample in drop(fall: 0, peak: 5, rest: 1) { batch.append(sample) }
      batch.end = Int64(index + 1) * 4_000_000
      _ = engine.process(batch, monotonic: 0)
    }
    var kept = 0
    while engine.nextImpact() != nil { kept += 1 }
    #expect(kept == Budget.motionImpacts)
    #expect(engine.state.impacts == UInt64(Budget.motionImpacts + 3))
  }

  // MARK: Calibration

  @Test func theGyroscopesBiasIsFoundAtRestAndTakenOff() {
    var motion = SyntheticMotion(rate: 100, seed: 8)
    motion.rest(seconds: 5)
    let biased = motion.samples.map {
      MotionSample(acceleration: $0.acceleration, rotation: Vector3(0.03, -0.05, 0.01))
    }
    let engine = MotionEngine(MotionFacts(rate: 100, hasGyroscope: true))
    let outcome = Outcome(biased, rate: 100, engine)
    #expect(engine.hasNewBias)
    #expect(abs(engine.calibration.bias.x - 0.03) < 0.001 && abs(engine.calibration.bias.y + 0.05) < 0.001)
    #expect(outcome.state.sample.rotation.magnitude < 0.002)
    engine.calibrationStored()
    #expect(!engine.hasNewBias)
  }

  @Test func noBiasIsFoundWhileItMoves() {
    var motion = SyntheticMotion(rate: 100, seed: 9)
    motion.walk(steps: 30, .hand)
    let engine = MotionEngine(MotionFacts(rate: 100, hasGyroscope: true))
    _ = Outcome(
      motion.samples.map { MotionSample(acceleration: $0.acceleration, rotation: Vector3(0.1, 0, 0)) },
      rate: 100, engine)
    #expect(!engine.hasNewBias)
  }

  @Test func samplesThatAreNoNumbersAreLeftOut() {
    var motion = SyntheticMotion(rate: 100, seed: 10)
    motion.rest(seconds: 2)
    let bad = MotionSample(acceleration: Vector3(.nan, .infinity, 0))
    let state = Outcome(motion.samples + [bad] + motion.samples, rate: 100).state
    #expect(state.orientation.gravity.x.isFinite && state.reading.activity != .automotive)
  }

  // MARK: Cost

  @Test func nothingIsAllocatedForASample() {
    var motion = SyntheticMotion(rate: 100, seed: 14)
    motion.walk(steps: 60, .wrist)
    motion.drive(seconds: 20)
    // The first time of a kind makes what Swift knows of its types.
    _ = allocations(motion.samples)
    let allocations = allocations(motion.samples)
    #expect(allocations == 0)
  }

  /// What the heap was asked for while an engine took the samples.
  private func allocations(_ samples: [MotionSample]) -> UInt64 {
    let engine = MotionEngine(MotionFacts(rate: 100, hasGyroscope: true))
    let batch = MotionBatch()
    var allocations: UInt64 = 0
    for index in stride(from: 0, through: samples.count - 50, by: 50) {
      batch.clear()
      for place in 0..<50 { batch.append(samples[index + place]) }
      batch.end = Int64(index) * 10_000
      tl_count_allocations()
      _ = engine.process(batch, monotonic: Int64(index) * 10)
      allocations += tl_counted_allocations()
    }
    #expect(engine.state.steps > 50)
    return allocations
  }
}
