import Motion
import Runtime

extension MotionFacts {
  /// A made-up sensor.
  init(rate: Double, hasGyroscope: Bool = false) {
    self.init(name: InlineText<64>(), rate: Float(rate), hasGyroscope: hasGyroscope, memory: 1000)
  }
}

/// What came of samples that were given to an engine in drains of half a second.
struct Outcome {
  var steps = 0
  var distance: Float = 0
  /// Seconds at which steps were made.
  var times: [Double] = []
  var impacts: [Impact] = []
  /// Seconds that each activity was believed.
  var seconds: [Activity: Double] = [:]
  var state = MotionState()

  init(_ samples: [MotionSample], rate: Double, hasGyroscope: Bool = false) {
    self.init(samples, rate: rate, MotionEngine(MotionFacts(rate: rate, hasGyroscope: hasGyroscope)))
  }

  init(_ samples: [MotionSample], rate: Double, _ engine: MotionEngine) {
    let batch = MotionBatch()
    let drain = max(1, Int(rate / 2))
    var index = 0
    while index < samples.count {
      batch.clear()
      let end = min(index + drain, samples.count)
      for sample in samples[index..<end] { batch.append(sample) }
      batch.end = Int64(Double(end - 1) / rate * 1_000_000)
      let news = engine.process(batch, monotonic: batch.end / 1000)
      steps += news.steps
      distance += news.distance
      engine.forEachStep { times.append(Double($0) / 1_000_000) }
      while let impact = engine.nextImpact() { impacts.append(impact) }
      seconds[news.reading.activity, default: 0] += Double(end - index) / rate
      index = end
    }
    state = engine.state
  }
}
