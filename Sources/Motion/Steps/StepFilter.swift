import Codec

/// Isolates the step frequency of an acceleration, once the length of a step is known.
///
/// A comb filter removes the stride frequency (values one step apart have opposite signs), two box filters remove
/// components slower than a stride and faster than a step. The result is nearly a sine wave with one period for each
/// step, wherever the sensor is carried, so that its rising zero crossings are the steps.
struct StepFilter {
  let signal: SampleRing
  /// Samples of a step.
  let period: Float

  /// Samples on either side that a value needs.
  static func reach(of period: Float) -> Int { Int(clamping: period + period / 4) + 3 }

  /// The filtered value at a sample.
  func value(at number: Int) -> Float {
    let reach = Int(clamping: (period / 4).rounded())
    var comb: Float = 0
    for place in (number - reach)...(number + reach) {
      comb +=
        signal.value(at: place, plus: -period) + 2 * signal[place] + signal.value(at: place, plus: period)
    }
    let stride = Int(clamping: period.rounded())
    var mean: Float = 0
    for place in (number - stride)..<(number + stride) { mean += signal[place] }
    return comb / Float(4 * (2 * reach + 1)) - mean / Float(2 * stride)
  }
}
