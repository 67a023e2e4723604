import Codec

/// The gait in a window of acceleration.
struct GaitWindow {
  /// Samples of a step, in 25ths of a second; 0 when there is no rhythm.
  var period: Float = 0
  /// True when the repeating unit is a stride of two steps.
  var isStride = false
  /// Similarity of consecutive steps or strides: the autocorrelation at their distance, 1 at most.
  var regularity: Float = 0
  /// The share of the signal at twice the repetition rate, less the aperiodic part: feet push and strike, so steps have
  /// some of it, and strides consist of steps. Objects that swing on springs have none.
  var doubling: Float = 0
  /// Root mean square of the acceleration's magnitude about its mean, in g.
  var intensity: Float = 0
  /// Fourth moment by the square of the second: 1.5 for a sine wave, 3 for noise, far more for single blows.
  var peakedness: Float = 0
}

/// Finds the rhythm of a gait by autocorrelation of the acceleration's magnitude.
///
/// The lag with the highest correlation is a step or a stride: sensors at the middle of the body measure all steps
/// alike, those at an ankle, a wrist or in a pocket measure one foot more strongly (R. Moe-Nilssen and J. L. Helbostad,
/// "Estimation of gait cycle characteristics by trunk accelerometry", Journal of Biomechanics 37, 2004). Which of the
/// two it is follows from cadence and strength: fast steps are strong ones.
final class GaitAnalyzer {
  private let centered: UnsafeMutablePointer<Float>
  private let correlation: UnsafeMutablePointer<Float>
  private let sorted: UnsafeMutablePointer<Float>
  /// Largest root mean square of a quarter of the window: the strength of steps that have only just begun.
  private var liveliest: Float = 0

  init() {
    centered = .allocate(capacity: GaitRate.window)
    centered.initialize(repeating: 0, count: GaitRate.window)
    sorted = .allocate(capacity: GaitRate.window)
    sorted.initialize(repeating: 0, count: GaitRate.window)
    correlation = .allocate(capacity: GaitRate.longest + 1)
    correlation.initialize(repeating: 0, count: GaitRate.longest + 1)
  }

  deinit {
    centered.deallocate()
    correlation.deallocate()
    sorted.deallocate()
  }

  /// Analyzes the newest window of a signal that has enough values.
  /// - Parameter current: samples of a step until now, 0 without a walk; steps or strides stay the repeating unit
  ///   unless there is a clear reason to change
  func analyze(_ signal: SampleRing, current: Float) -> GaitWindow {
    var window = GaitWindow()
    center(signal, &window)
    guard window.intensity > 0.005 else { return window }
    correlate()
    findRhythm(&window, current)
    return window
  }

  /// Copies the window without components slower than a stride and without bursts, and measures the rest.
  private func center(_ signal: SampleRing, _ window: inout GaitWindow) {
    let count = GaitRate.window
    level(signal)
    let limit = GaitRate.burst * medianSize()
    var energy: Float = 0
    var energyWithBursts: Float = 0
    var fourth: Float = 0
    var quarter: Float = 0
    liveliest = 0
    for index in 0..<count {
      let square = centered[index] * centered[index]
      fourth += square * square
      energyWithBursts += square
      centered[index] = min(max(centered[index], -limit), limit)
      energy += centered[index] * centered[index]
      quarter += centered[index] * centered[index]
      guard (index + 1) % (count / 4) == 0 else { continue }
      liveliest = max(liveliest, (quarter / Float(count / 4)).squareRoot())
      quarter = 0
    }
    let whole = energyWithBursts * energyWithBursts
    window.peakedness = whole > 0 ? fourth * Float(count) / whole : 0
    window.intensity = (energy / Float(count)).squareRoot()
  }

  /// The median of the absolute values.
  private func medianSize() -> Float {
    for index in 0..<GaitRate.window {
      let size = abs(centered[index])
      var place = index
      // Insertion sort, because the library's sort allocates.
      while place > 0, sorted[place - 1] > size {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = size
    }
    return sorted[GaitRate.window / 2]
  }

  /// Copies the window less the local mean around each sample, as far as there are samples.
  private func level(_ signal: SampleRing) {
    let count = GaitRate.window
    let first = signal.end - count
    var low = max(signal.start, first - GaitRate.level)
    var high = low
    var sum: Float = 0
    for index in 0..<count {
      let number = first + index
      while high < min(signal.end, number + GaitRate.level + 1) {
        sum += signal[high]
        high += 1
      }
      while low < number - GaitRate.level {
        sum -= signal[low]
        low += 1
      }
      centered[index] = signal[number] - sum / Float(high - low)
    }
  }

  /// The correlation of the overlapping parts at each lag, divided by their energy.
  private func correlate() {
    let count = GaitRate.window
    for lag in GaitRate.shortest...GaitRate.longest {
      var product: Float = 0
      var early: Float = 0
      var late: Float = 0
      for index in 0..<(count - lag) {
        product += centered[index] * centered[index + lag]
        early += centered[index] * centered[index]
        late += centered[index + lag] * centered[index + lag]
      }
      let energy = (early * late).squareRoot()
      correlation[lag] = energy > 0 ? product / energy : 0
    }
  }

  /// Finds the shortest lag with nearly the highest correlation, and whether that is a step or a stride.
  private func findRhythm(_ window: inout GaitWindow, _ current: Float) {
    var most: Float = 0
    for lag in GaitRate.periods where isPeak(lag) { most = max(most, correlation[lag]) }
    guard most > 0 else { return }
    var shortest = GaitRate.periods.lowerBound
    while !isPeak(shortest) || correlation[shortest] < GaitRate.likeness * most { shortest += 1 }
    let period = peak(at: shortest)
    var asStep = unlikeliness(of: period, liveliest)
    var asStride = unlikeliness(of: period / 2, liveliest) - GaitRate.middle * between(period / 2)
    if abs(period - current) < 0.2 * current { asStep -= GaitRate.habit }
    if abs(period / 2 - current) < 0.2 * current { asStride -= GaitRate.habit }
    window.isStride = asStride <= asStep
    window.period = window.isStride ? period / 2 : period
    window.doubling = (correlation[shortest] + between(Float(shortest) / 2)) / 2
    // One match may be chance; a gait matches again at twice the lag.
    let twice = 2 * period
    if twice < Float(GaitRate.periods.upperBound) {
      window.regularity = (most + between(twice)) / 2
    } else if twice < Float(GaitRate.longest) {
      window.regularity = most + (between(twice) - most) * GaitRate.far
    } else {
      window.regularity = most - GaitRate.unsure
    }
  }

  private func isPeak(_ lag: Int) -> Bool {
    correlation[lag] > 0 && correlation[lag] >= correlation[lag - 1]
      && correlation[lag] >= correlation[lag + 1]
  }

  private func between(_ lag: Float) -> Float {
    let whole = Int(clamping: lag)
    guard whole >= GaitRate.shortest else { return -1 }
    return correlation[whole] + (correlation[whole + 1] - correlation[whole]) * (lag - Float(whole))
  }

  /// Penalty for a step of this length, compared with the pace that is typical of this strength: the pace grows with
  /// the strength, to the power of 3/16.
  private func unlikeliness(of period: Float, _ intensity: Float) -> Float {
    let strength = min(max(intensity, 0.03), 1.5) / GaitRate.usualStrength
    let eighth = strength.squareRoot().squareRoot().squareRoot()
    let ratio = GaitRate.samples / period / (GaitRate.usualPace * eighth * eighth.squareRoot())
    // The hyperbolic sine of the ratio's logarithm, which is symmetrical for twice and half.
    let deviation = (ratio - 1 / ratio) / 2
    let out = period < GaitRate.steps.lowerBound || period > GaitRate.steps.upperBound
    return 0.5 * deviation * deviation + (out ? 10 : 0)
  }

  /// The position of a peak between the samples, from a parabola through three of them.
  private func peak(at lag: Int) -> Float {
    let (before, here, after) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
    let bend = before - 2 * here + after
    return bend < 0 ? Float(lag) + (before - after) / 2 / bend : Float(lag)
  }
}
