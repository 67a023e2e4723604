/// Changes the sample rate: each output sample is the mean, over its interval, of the linear interpolation of the
/// input. So a fast input is smoothed before decimation, and a slow one is interpolated.
struct Resampler {
  /// Output intervals in an input interval.
  private let step: Float
  /// The part of the current output interval that is filled, and the area under the line over it.
  private var filled: Float = 0
  private var area: Float = 0
  private var last: Float?

  /// - Parameters:
  ///   - rate: input samples a second, above 0
  ///   - wanted: output samples a second
  init(from rate: Float, to wanted: Float) { step = wanted / rate }

  /// Takes an input sample, and calls `emit` with each output sample.
  mutating func push(_ value: Float, _ emit: (Float) -> Void) {
    guard let start = last else {
      last = value
      return
    }
    last = value
    let slope = (value - start) / step
    var position: Float = 0
    while step - position >= 1 - filled {
      let length = 1 - filled
      emit(area + (start + slope * (position + length / 2)) * length)
      position += length
      (filled, area) = (0, 0)
    }
    let length = step - position
    area += (start + slope * (position + length / 2)) * length
    filled += length
  }

  /// Starts over, as after a gap.
  mutating func reset() { (filled, area, last) = (0, 0, nil) }
}
