/// What a window of acceleration says about a gait.
struct GaitWindow {
  /// Samples that a step lasts, in 25ths of a second; 0 when there is no rhythm at all.
  var period: Float = 0
  /// How much one step or stride is like the next: the autocorrelation at their distance, 1 at most.
  var regularity: Float = 0
  /// Root mean square of the acceleration's magnitude about its mean, in g.
  var intensity: Float = 0
}

/// Finds the rhythm of a gait by autocorrelation of the acceleration's magnitude.
///
/// The distance at which the signal is most like itself is a step or a stride: sensors at the middle of the body feel
/// every step alike, those at an ankle, a wrist or in a pocket feel one foot more (R. Moe-Nilssen and J. L. Helbostad,
/// "Estimation of gait cycle characteristics by trunk accelerometry", Journal of Biomechanics 37, 2004). Which of the
/// two it is, is judged by what a cadence feels like: fast steps are strong ones.
final class GaitAnalyzer {
  private let centred: UnsafeMutablePointer<Float>
  private let correlation: UnsafeMutablePointer<Float>

  init() {
    centred = .allocate(capacity: GaitRate.window)
    centred.initialize(repeating: 0, count: GaitRate.window)
    correlation = .allocate(capacity: GaitRate.strides.upperBound + 2)
    correlation.initialize(repeating: 0, count: GaitRate.strides.upperBound + 2)
  }

  deinit {
    centred.deallocate()
    correlation.deallocate()
  }

  /// Judges the newest window of a signal that has that many values.
  func analyze(_ signal: SampleRing) -> GaitWindow {
    var window = GaitWindow()
    window.intensity = centre(signal)
    guard window.intensity > 0.005 else { return window }
    correlate()
    findRhythm(&window)
    return window
  }

  /// Copies the window without its mean and trend; answers the root mean square.
  private func centre(_ signal: SampleRing) -> Float {
    let count = GaitRate.window
    let first = signal.end - count
    let middle = Float(count - 1) / 2
    var sum: Float = 0
    var moment: Float = 0
    for index in 0..<count {
      sum += signal[first + index]
      moment += signal[first + index] * (Float(index) - middle)
    }
    let mean = sum / Float(count)
    let slope = moment / (Float(count) * (Float(count) * Float(count) - 1) / 12)
    var energy: Float = 0
    for index in 0..<count {
      let value = signal[first + index] - mean - slope * (Float(index) - middle)
      centred[index] = value
      energy += value * value
    }
    return (energy / Float(count)).squareRoot()
  }

  /// Each distance's correlation of what overlaps, by the energy of what overlaps.
  private func correlate() {
    let count = GaitRate.window
    for lag in (GaitRate.strides.lowerBound / 2 - 1)...(GaitRate.strides.upperBound + 1) {
      var product: Float = 0
      var early: Float = 0
      var late: Float = 0
      for index in 0..<(count - lag) {
        product += centred[index] * centred[index + lag]
        early += centred[index] * centred[index]
        late += centred[index + lag] * centred[index + lag]
      }
      let energy = (early * late).squareRoot()
      correlation[lag] = energy > 0 ? product / energy : 0
    }
  }

  private func findRhythm(_ window: inout GaitWindow) {
    var best: Float = -1
    var stride = 0
    for lag in GaitRate.strides {
      let whole = correlation[lag]
      // Strides are peaks of the correlation.
      guard whole > 0, whole >= correlation[lag - 1], whole >= correlation[lag + 1] else { continue }
      let score = 0.7 * whole + 0.3 * half(of: lag) - unlikeliness(of: lag, window.intensity)
      if score > best { (best, stride) = (score, lag) }
    }
    guard stride > 0 else { return }
    window.period = peak(at: stride) / 2
    window.regularity = max(correlation[stride], half(of: stride))
  }

  private func half(of lag: Int) -> Float {
    lag % 2 == 0 ? correlation[lag / 2] : (correlation[lag / 2] + correlation[lag / 2 + 1]) / 2
  }

  /// What a stride costs that is not to be expected of movements this strong: 1.9 steps a second at 0.25 g, growing
  /// with the eighth root of the strength.
  private func unlikeliness(of lag: Int, _ intensity: Float) -> Float {
    let root = (min(max(intensity, 0.03), 1.5) / 0.25).squareRoot().squareRoot().squareRoot()
    let ratio = 2 * GaitRate.samples / Float(lag) / (1.9 * root)
    // The hyperbolic sine of the ratio's logarithm: as much for twice as for half.
    let deviation = (ratio - 1 / ratio) / 2
    return 0.5 * deviation * deviation
  }

  /// The place of a peak between the samples, by a parabola through three of them.
  private func peak(at lag: Int) -> Float {
    let (before, here, after) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
    let bend = before - 2 * here + after
    return bend < 0 ? Float(lag) + (before - after) / 2 / bend : Float(lag)
  }
}
