/// Makes samples of any rate samples of another: each is the mean, over its time, of the straight lines between the
/// samples that go in. So a fast rate is smoothed before it is thinned out, and a slow one is filled in.
struct Resampler {
  /// Output intervals that an input interval lasts.
  private let step: Float
  /// Part of the current output interval that is behind, and the area under the line over it.
  private var filled: Float = 0
  private var area: Float = 0
  private var last: Float?

  /// - Parameters:
  ///   - rate: samples a second that go in, above 0
  ///   - wanted: samples a second that come out
  init(from rate: Float, to wanted: Float) { step = wanted / rate }

  /// Takes a sample in, and gives what comes out to `emit`.
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

  /// Begins anew, as after a gap.
  mutating func reset() { (filled, area, last) = (0, 0, nil) }
}
