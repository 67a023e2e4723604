import CAllocationCounter
import Runtime
import Testing

@testable import Motion

/// What a hard shake is, and what it is not.
@Suite("Hard shakes")
struct ShakeTests {
  /// The shakes in samples that are drained twice a second.
  private func shakes(
    _ samples: [MotionSample], rate: Double, _ thresholds: ShakeThresholds = ShakeThresholds()
  ) -> [Shake] {
    var configuration = MotionConfiguration()
    configuration.shake = thresholds
    let engine = MotionEngine(MotionFacts(rate: rate), configuration)
    let batch = MotionBatch()
    var found: [Shake] = []
    let drain = max(1, Int(rate / 2))
    for start in stride(from: 0, to: samples.count, by: drain) {
      let end = min(start + drain, samples.count)
      batch.clear()
      for sample in samples[start..<end] { batch.append(sample) }
      batch.end = Int64(Double(end - 1) / rate * 1_000_000)
      _ = engine.process(batch, monotonic: batch.end / 1000)
      if let shake = engine.nextShake() { found.append(shake) }
    }
    #expect(engine.state.shakes >= UInt64(found.count))
    return found
  }

  @Test("ten of ten recorded shakes are recognized, at a hundred, fifty and twenty-five samples a second")
  func recorded() {
    for (name, values) in RecordedShakes.all {
      for step in [1, 2, 4] {
        let samples = RecordedShakes.samples(values)
        let fewer = stride(from: 0, to: samples.count, by: step).map { samples[$0] }
        let found = shakes(fewer, rate: RecordedShakes.rate / Double(step))
        #expect(found.count == 1, "recording \(name), every \(step)")
        #expect(found.allSatisfy { $0.axes == 1 && $0.peak > 1.5 })
      }
    }
  }

  @Test("three uneven strokes are none unless the owner wants less")
  func gentle() {
    let samples = RecordedShakes.samples(RecordedShakes.gentle)
    #expect(shakes(samples, rate: RecordedShakes.rate).isEmpty)
    var sensitive = ShakeThresholds()
    sensitive.acceleration = 1.2
    #expect(shakes(samples, rate: RecordedShakes.rate, sensitive).count == 1)
    var firm = ShakeThresholds()
    firm.acceleration = 4
    for (_, values) in RecordedShakes.all {
      #expect(shakes(RecordedShakes.samples(values), rate: RecordedShakes.rate, firm).isEmpty)
    }
  }

  @Test("an arm's shakes are recognized however the board is held", arguments: [25.0, 50, 100, 200])
  func arms(rate: Double) {
    var seed: UInt64 = 0
    for strength in [2.6, 3.2, 4] {
      for pace in [3.0, 4, 5, 6, 7] {
        for _ in 0..<4 {
          seed += 1
          var motion = SyntheticShake(rate: rate, seed: seed)
          motion.rest(seconds: 2)
          motion.shake(seconds: 2, strength: strength, pace: pace)
          motion.rest(seconds: 2)
          let found = shakes(motion.samples, rate: rate)
          #expect(!found.isEmpty, "\(strength) g, \(pace) Hz, seed \(seed)")
        }
      }
    }
  }

  @Test("a shake during a walk is one")
  func walking() {
    for carried in Carried.allCases {
      var walk = SyntheticMotion(rate: 50, seed: 40)
      walk.walk(steps: 40, carried)
      var motion = SyntheticShake(rate: 50, seed: 41)
      motion.shake(seconds: 2, strength: 3, pace: 4)
      #expect(shakes(walk.samples + motion.samples, rate: 50).count >= 1, "\(carried)")
    }
  }

  @Test("it is told once, with its time, and again when it goes on")
  func once() throws {
    var motion = SyntheticShake(rate: 100, seed: 5)
    motion.rest(seconds: 2)
    motion.shake(seconds: 1.3, strength: 3, pace: 4)
    motion.rest(seconds: 5)
    let found = shakes(motion.samples, rate: 100)
    let shake = try #require(found.first)
    #expect(found.count == 1)
    #expect((2_500_000...3_300_000).contains(shake.time))
    #expect(shake.peak > 1.5 && shake.peak < 5)
  }

  @Test("as many axes as are wanted have to take part")
  func axes() {
    var samples = RecordedShakes.samples(RecordedShakes.all[0].values)
    for axes in 1...3 {
      var thresholds = ShakeThresholds()
      thresholds.axes = axes
      #expect(shakes(samples, rate: 100, thresholds).count == (axes == 1 ? 1 : 0))
    }
    samples = samples.map { MotionSample(acceleration: Vector3($0.acceleration.x, -$0.acceleration.x, 1)) }
    var thresholds = ShakeThresholds()
    thresholds.axes = 2
    #expect(shakes(samples, rate: 100, thresholds).map(\.axes) == [2])
    thresholds.axes = 3
    #expect(shakes(samples, rate: 100, thresholds).isEmpty)
  }

  // MARK: What is none

  @Test("no walk and no run is one, wherever the board is carried", arguments: [25.0, 50, 100])
  func steps(rate: Double) {
    for (index, carried) in Carried.allCases.enumerated() {
      for (cadence, strength) in [(85.0, 0.8), (110, 1), (130, 1.6), (150, 2.5), (165, 3.5)] {
        var motion = SyntheticMotion(rate: rate, seed: UInt64(100 + index))
        motion.rest(seconds: 2)
        motion.walk(steps: 60, carried, cadence: cadence, strength: strength)
        motion.rest(seconds: 2)
        #expect(shakes(motion.samples, rate: rate).isEmpty, "\(carried), \(cadence) a minute, \(strength)")
      }
    }
  }

  @Test("no sprint is one out of a run; from a standstill none with a higher threshold", arguments: [25.0, 50, 100])
  func sprints(rate: Double) {
    var firm = ShakeThresholds()
    firm.acceleration = 3
    for (index, carried) in Carried.allCases.enumerated() {
      var motion = SyntheticMotion(rate: rate, seed: UInt64(100 + index))
      motion.rest(seconds: 2)
      motion.walk(steps: 20, carried, cadence: 150, strength: 2.5)
      motion.walk(steps: 60, carried, cadence: 180, strength: 4.5)
      #expect(shakes(motion.samples, rate: rate).isEmpty, "\(carried)")
      var start = SyntheticMotion(rate: rate, seed: UInt64(100 + index))
      start.rest(seconds: 2)
      start.walk(steps: 60, carried, cadence: 180, strength: 4.5)
      #expect(shakes(start.samples, rate: rate, firm).isEmpty, "\(carried), from a standstill")
    }
  }

  @Test("a run with the board in a swinging hand is none where it goes on, however strong")
  func runs() {
    for seed in 0..<20 {
      var motion = SyntheticShake(rate: 50, seed: UInt64(300 + seed))
      motion.run(seconds: 30, strength: 1 + Double(seed) * 0.15, cadence: 150 + Double(seed))
      #expect(shakes(motion.samples, rate: 50).isEmpty, "seed \(seed)")
    }
  }

  @Test("no bump, pothole or washboard road is one", arguments: [25.0, 50, 100, 200])
  func roads(rate: Double) {
    for seed in 0..<10 {
      var motion = SyntheticShake(rate: rate, seed: UInt64(500 + seed))
      motion.rest(seconds: 2)
      motion.ride(seconds: 120, holesPerMinute: Double(10 + 12 * seed), blow: 2 + Double(seed) * 0.6)
      #expect(shakes(motion.samples, rate: rate).isEmpty, "seed \(seed)")
      var smooth = SyntheticMotion(rate: rate, seed: UInt64(600 + seed))
      smooth.drive(seconds: 60, roughness: 0.03 * Double(1 + seed))
      #expect(shakes(smooth.samples, rate: rate).isEmpty, "drive \(seed)")
    }
  }

  @Test("what turns faster than an arm is none", arguments: [50.0, 100, 200])
  func machines(rate: Double) {
    for pace in stride(from: 10.0, through: rate / 2 - 8, by: 3.7) {
      var motion = SyntheticShake(rate: rate, seed: UInt64(pace))
      motion.rest(seconds: 2)
      motion.vibrate(seconds: 10, strength: 3, pace: pace)
      #expect(shakes(motion.samples, rate: rate).isEmpty, "\(pace) Hz")
    }
  }

  @Test("no fall, tumble or knock is one", arguments: [25.0, 50, 100])
  func falls(rate: Double) {
    for seed in 0..<30 {
      var motion = SyntheticShake(rate: rate, seed: UInt64(700 + seed))
      motion.rest(seconds: 2)
      motion.tumble(times: 1 + seed % 12, peak: 3 + Double(seed % 6))
      #expect(shakes(motion.samples, rate: rate).isEmpty, "seed \(seed)")
      var knocks = SyntheticMotion(rate: rate, seed: UInt64(800 + seed))
      knocks.rest(seconds: 2)
      knocks.knock(seconds: 60, perMinute: 20 * Double(1 + seed))
      #expect(shakes(knocks.samples, rate: rate).isEmpty, "knocks \(seed)")
    }
  }

  @Test("what a hand does otherwise is none")
  func handling() {
    for seed in 0..<20 {
      var motion = SyntheticMotion(rate: 50, seed: UInt64(900 + seed))
      motion.rest(seconds: 2)
      motion.shake(seconds: 60)
      #expect(shakes(motion.samples, rate: 50).isEmpty, "seed \(seed)")
    }
  }

  @Test("nothing is recognized in the first second, nor across a gap, and no odd number does harm")
  func edges() {
    let values = RecordedShakes.all[0].values
    let all = RecordedShakes.samples(values)
    #expect(shakes(Array(all[190...]), rate: 100).isEmpty)
    var detector = ShakeDetector(ShakeThresholds(), rate: 100)
    for (index, sample) in all.enumerated() {
      if index == 240 { detector.reset() }
      #expect(detector.update(sample.acceleration, Int64(index) * 10_000) == nil)
    }
    for rate: Float in [1, 20, 400, 100_000] {
      var odd = ShakeDetector(ShakeThresholds(), rate: rate)
      for index in 0..<5_000 {
        let value: Float = index % 2 == 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude
        _ = odd.update(Vector3(value, 0, 1), Int64(index) * 1_000)
      }
    }
  }

  @Test("nothing is allocated for a sample")
  func allocations() {
    var configuration = MotionConfiguration()
    configuration.shake = ShakeThresholds()
    let engine = MotionEngine(MotionFacts(rate: 100), configuration)
    let samples = RecordedShakes.samples(RecordedShakes.all[0].values)
    let batch = MotionBatch()
    var allocations: UInt64 = 0
    for round in 0..<2 {
      for start in stride(from: 0, to: samples.count - 50, by: 50) {
        batch.clear()
        for index in start..<(start + 50) { batch.append(samples[index]) }
        batch.end = Int64(round * samples.count + start) * 10_000
        tl_count_allocations()
        _ = engine.process(batch, monotonic: 0)
        let counted = tl_counted_allocations()
        if round == 1 { allocations += counted }
      }
    }
    #expect(engine.state.shakes >= 1 && allocations == 0)
  }

  @Test("where nobody wants it, none is looked for")
  func off() {
    let engine = MotionEngine(MotionFacts(rate: 100))
    let batch = MotionBatch()
    for sample in RecordedShakes.samples(RecordedShakes.all[0].values) { batch.append(sample) }
    batch.end = 4_000_000
    _ = engine.process(batch, monotonic: 0)
    #expect(engine.nextShake() == nil && engine.state.shakes == 0)
  }
}
