import Codec

/// What a window of acceleration says about a gait.
struct GaitWindow {
  /// Samples that a step lasts, in 25ths of a second; 0 when there is no rhythm at all.
  var period: Float = 0
  /// True when it is strides that are alike, two steps each.
  var isStride = false
  /// How much one step or stride is like the next: the autocorrelation at their distance, 1 at most.
  var regularity: Float = 0
  /// Part of the signal that goes twice in what is alike, less what is not alike at all: feet push and strike, so steps
  /// have some of it, and strides have steps. What swings on springs has none.
  var doubling: Float = 0
  /// Root mean square of the acceleration's magnitude about its mean, in g.
  var intensity: Float = 0
  /// Fourth moment by the square of the second: 1.5 for a sine wave, 3 for noise, far more for single blows.
  var peakedness: Float = 0
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
  private let sorted: UnsafeMutablePointer<Float>
  /// Root mean square of the liveliest quarter of the window: how strong steps are that only just began.
  private var liveliest: Float = 0

  init() {
    centred = .allocate(capacity: GaitRate.window)
    centred.initialize(repeating: 0, count: GaitRate.window)
    sorted = .allocate(capacity: GaitRate.window)
    sorted.initialize(repeating: 0, count: GaitRate.window)
    correlation = .allocate(capacity: GaitRate.longest + 1)
    correlation.initialize(repeating: 0, count: GaitRate.longest + 1)
  }

  deinit {
    centred.deallocate()
    correlation.deallocate()
    sorted.deallocate()
  }

  /// Judges the newest window of a signal that has that many values.
  /// - Parameter current: samples that a step lasted until now, 0 when nobody walked; whether it is steps or strides
  ///   that are alike is not decided anew without need
  func analyze(_ signal: SampleRing, current: Float) -> GaitWindow {
    var window = GaitWindow()
    centre(signal, &window)
    guard window.intensity > 0.005 else { return window }
    correlate()
    findRhythm(&window, current)
    return window
  }

  /// Copies the window without what is slower than a stride and without bursts, and measures what is left.
  private func centre(_ signal: SampleRing, _ window: inout GaitWindow) {
    let count = GaitRate.window
    level(signal)
    let limit = GaitRate.burst * medianSize()
    var energy: Float = 0
    var energyWithBursts: Float = 0
    var fourth: Float = 0
    var quarter: Float = 0
    liveliest = 0
    for index in 0..<count {
      let square = centred[index] * centred[index]
      fourth += square * square
      energyWithBursts += square
      centred[index] = min(max(centred[index], -limit), limit)
      energy += centred[index] * centred[index]
      quarter += centred[index] * centred[index]
      guard (index + 1) % (count / 4) == 0 else { continue }
      liveliest = max(liveliest, (quarter / Float(count / 4)).squareRoot())
      quarter = 0
    }
    let whole = energyWithBursts * energyWithBursts
    window.peakedness = whole > 0 ? fourth * Float(count) / whole : 0
    window.intensity = (energy / Float(count)).squareRoot()
  }

  /// The middle one of the values' sizes.
  private func medianSize() -> Float {
    for index in 0..<GaitRate.window {
      let size = abs(centred[index])
      var place = index
      // By insertion: the library's sort takes memory.
      while place > 0, sorted[place - 1] > size {
        sorted[place] = sorted[place - 1]
        place -= 1
      }
      sorted[place] = size
    }
    return sorted[GaitRate.window / 2]
  }

  /// Copies the window less the mean of the time about each sample, or of as much of them as there is.
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
      centred[index] = signal[number] - sum / Float(high - low)
    }
  }

  /// Each distance's correlation of what overlaps, by the energy of what overlaps.
  private func correlate() {
    let count = GaitRate.window
    for lag in GaitRate.shortest...GaitRate.longest {
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

  /// The shortest distance at which the signal is about as like itself as it ever is, and what that is: a step or a
  /// stride.
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
    // What is like itself once may be so by chance; a gait is so again at twice the distance.
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

  /// What a step of that many samples costs that is not to be expected of movements this strong: the pace grows with
  /// the strength, to the power of 3/16.
  private func unlikeliness(of period: Float, _ intensity: Float) -> Float {
    let strength = min(max(intensity, 0.03), 1.5) / GaitRate.usualStrength
    let eighth = strength.squareRoot().squareRoot().squareRoot()
    let ratio = GaitRate.samples / period / (GaitRate.usualPace * eighth * eighth.squareRoot())
    // The hyperbolic sine of the ratio's logarithm: as much for twice as for half.
    let deviation = (ratio - 1 / ratio) / 2
    let out = period < GaitRate.steps.lowerBound || period > GaitRate.steps.upperBound
    return 0.5 * deviation * deviation + (out ? 10 : 0)
  }

  /// The place of a peak between the samples, by a parabola through three of them.
  private func peak(at lag: Int) -> Float {
    let (before, here, after) = (correlation[lag - 1], correlation[lag], correlation[lag + 1])
    let bend = before - 2 * here + after
    return bend < 0 ? Float(lag) + (before - after) / 2 / bend : Float(lag)
  }
}
