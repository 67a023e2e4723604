import Motion
import Runtime
import Testing

@Suite struct PedometerTests {
  @Test(arguments: Carried.allCases, [15.0, 25, 50, 104, 200])
  func countsAWalkWhereverItIsCarriedAndHoweverFastItSamples(_ carried: Carried, _ rate: Double) {
    for (seed, cadence) in [(1, 95.0), (2, 112), (3, 128)] {
      var motion = SyntheticMotion(rate: rate, seed: UInt64(seed))
      motion.rest(seconds: 6)
      motion.walk(steps: 120, carried, cadence: cadence)
      motion.rest(seconds: 6)
      let outcome = Outcome(motion.samples, rate: rate)
      #expect(
        abs(outcome.steps - 120) <= 3, "\(carried) at \(rate) Hz, \(cadence) steps a minute: \(outcome.steps)"
      )
      #expect(outcome.times.count == outcome.steps)
    }
  }

  @Test(arguments: Carried.allCases) func countsAShortWalk(_ carried: Carried) {
    for seed in 1...5 {
      var motion = SyntheticMotion(rate: 100, seed: UInt64(seed))
      motion.rest(seconds: 5)
      motion.walk(steps: 12, carried)
      motion.rest(seconds: 8)
      let steps = Outcome(motion.samples, rate: 100).steps
      #expect(abs(steps - 12) <= 2, "\(carried), seed \(seed): \(steps)")
    }
  }

  @Test func countsWhatLiesBetweenPauses() {
    var motion = SyntheticMotion(rate: 50, seed: 4)
    for _ in 0..<6 {
      motion.rest(seconds: 7)
      motion.walk(steps: 30, .belt)
    }
    motion.rest(seconds: 7)
    #expect(abs(Outcome(motion.samples, rate: 50).steps - 180) <= 8)
  }

  @Test func stepsAreInOrderAndWhereTheWalkIs() {
    var motion = SyntheticMotion(rate: 100, seed: 5)
    motion.rest(seconds: 10)
    motion.walk(steps: 40, .pocket, cadence: 120)
    motion.rest(seconds: 10)
    let times = Outcome(motion.samples, rate: 100).times
    #expect(times.count > 30)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    #expect(times.first! > 9.5 && times.last! < 31)
  }

  @Test(arguments: [20.0, 50, 100]) func aCarTapsShakingAndRestMakeNoSteps(_ rate: Double) {
    var steps = 0
    for seed in 1...3 {
      var motion = SyntheticMotion(rate: rate, seed: UInt64(seed))
      motion.rest(seconds: 60)
      motion.drive(seconds: 180)
      motion.rest(seconds: 10)
      motion.knock(seconds: 120)
      motion.rest(seconds: 10)
      motion.shake(seconds: 120)
      steps += Outcome(motion.samples, rate: rate).steps
    }
    // Twenty-five minutes.
    #expect(steps <= 12, "\(steps) steps that nobody made")
  }

  @Test func aGapEndsAWalkAndBringsNoSteps() {
    var motion = SyntheticMotion(rate: 50, seed: 6)
    motion.walk(steps: 40, .belt)
    let engine = MotionEngine(MotionFacts(rate: 50))
    let before = Outcome(motion.samples, rate: 50, engine).steps
    let batch = MotionBatch()
    batch.hasGap = true
    batch.end = 100_000_000
    #expect(engine.process(batch, monotonic: 100_000).steps == 0)
    #expect(engine.state.cadence == 0)
    #expect(before > 20)
  }

  @Test func fasterStepsAreLongerOnes() {
    var distances: [Float] = []
    for cadence in [90.0, 110, 130] {
      var motion = SyntheticMotion(rate: 50, seed: 7)
      motion.walk(steps: 100, .belt, cadence: cadence)
      motion.rest(seconds: 6)
      let outcome = Outcome(motion.samples, rate: 50)
      distances.append(outcome.distance / Float(outcome.steps))
    }
    #expect(distances[0] < distances[1] && distances[1] < distances[2])
    // 0.42 of 1.70 m at 110 steps a minute.
    #expect(abs(distances[1] - 0.715) < 0.03)
  }
}
