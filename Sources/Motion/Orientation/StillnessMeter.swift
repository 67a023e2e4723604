/// Mean and standard deviation of consecutive samples.
struct StillnessMeter {
  private(set) var count = 0
  private var acceleration = Moments()
  private var rotation = Moments()

  /// Sums about the first sample, so that small deviations survive single precision.
  private struct Moments {
    var first = Vector3()
    var sum = Vector3()
    var squares = Vector3()

    mutating func add(_ value: Vector3) {
      let deviation = value.minus(first)
      sum = sum.plus(deviation)
      squares = squares.plus(deviation.times(deviation))
    }

    func mean(_ count: Float) -> Vector3 { first.plus(sum.scaled(by: 1 / count)) }

    /// The largest standard deviation of an axis.
    func deviation(_ count: Float) -> Float {
      let mean = sum.scaled(by: 1 / count)
      return max(0, squares.scaled(by: 1 / count).minus(mean.times(mean)).largestSigned).squareRoot()
    }
  }

  mutating func add(_ sample: MotionSample) {
    if count == 0 { (acceleration.first, rotation.first) = (sample.acceleration, sample.rotation) }
    count += 1
    acceleration.add(sample.acceleration)
    rotation.add(sample.rotation)
  }

  /// Means of the samples; there must be at least one.
  var mean: MotionSample {
    MotionSample(acceleration: acceleration.mean(Float(count)), rotation: rotation.mean(Float(count)))
  }

  /// Largest standard deviations of all axes, in g and radians per second.
  var restlessness: (acceleration: Float, rotation: Float) {
    (acceleration.deviation(Float(count)), rotation.deviation(Float(count)))
  }

  mutating func clear() { self = StillnessMeter() }
}

extension Vector3 {
  fileprivate var largestSigned: Float { max(x, y, z) }
}
