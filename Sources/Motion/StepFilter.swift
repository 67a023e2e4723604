import Codec

/// The part of an acceleration that goes with the steps, once it is known how long a step lasts.
///
/// A comb takes out what goes with the stride (values one step apart have opposite signs there), two boxes take out
/// what is slower than a stride and faster than a step. What is left is nearly a sine wave with one period a step,
/// wherever the sensor is carried, so that its rises through zero are the steps.
struct StepFilter {
  let signal: SampleRing
  /// Samples that a step lasts.
  let period: Float

  /// Samples on either side of a place that its value needs.
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
