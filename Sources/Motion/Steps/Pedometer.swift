import Codec
import Runtime

/// Counts steps in acceleration, wherever the sensor is carried and in any orientation.
///
/// Only the magnitude is used. A rhythm is searched in windows of 4.5 s (`GaitAnalyzer`); a lasting one starts a walk,
/// and then the steps since its beginning are counted one by one (`StepFilter`): so the first steps of a walk are not
/// lost, and a few jolts are not a walk. Steps are reported some four seconds after they were made.
final class Pedometer {
  /// The rhythm of the newest window.
  private(set) var window = GaitWindow()
  /// True during a walk.
  private(set) var isWalking = false
  /// Steps that were found since the list was last cleared.
  let found = StepList(capacity: Budget.motionStepsFound)

  private var resampler: Resampler
  private let signal = SampleRing(capacity: 512)
  private let analyzer = GaitAnalyzer()
  private let candidates = StepList(capacity: Budget.motionStepsFound)
  /// The two values before the newest, for smoothing.
  private var before: (Float, Float) = (1, 1)
  /// Consecutive windows with the same rhythm, or without one during a walk.
  private var steady = 0
  /// The sum of the windows' regularity above the level of chance.
  private var evidence: Float = 0
  /// The same for `GaitWindow.doubling`.
  private var doubling: Float = 0
  private var missed = 0
  private var period: Float = 0
  /// Steps for each detected one: 1, or 2 where only one foot is detected.
  private var pace: Float = 1
  /// Steps are searched from this sample on.
  private var scanned = 0
  private var last: Step?
  /// The usual strength of the steps of this walk.
  private var strength: Float = 0

  /// - Parameter rate: samples a second of the input
  init(rate: Float) { resampler = Resampler(from: rate, to: GaitRate.samples) }

  /// Samples at `GaitRate.samples` so far, in which a step's number counts.
  var end: Int { signal.end }

  /// Steps a minute; 0 without a walk.
  var cadence: Float { isWalking && period > 0 ? 60 * GaitRate.samples / period : 0 }

  /// Takes the acceleration's magnitude in g.
  func push(_ magnitude: Float) { resampler.push(min(magnitude, Tuning.ceiling)) { take($0) } }

  /// Samples are missing or an impact occurred: ends a walk and starts over.
  func interrupt() {
    resampler.reset()
    signal.clear()
    endWalk()
    (scanned, last, before, window) = (0, nil, (1, 1), GaitWindow())
  }

  private func take(_ value: Float) {
    // Smoothed a little: heel strikes are sharp and irregular.
    signal.push((before.0 + 2 * before.1 + value) / 4)
    before = (before.1, value)
    guard signal.end >= GaitRate.window, signal.end % GaitRate.hop == 0 else { return }
    window = analyzer.analyze(signal, current: isWalking ? period : 0)
    if isWalking { follow() } else { consider() }
  }

  // MARK: Standing

  /// Decides whether this window starts a walk.
  private func consider() {
    guard isRhythmic(Tuning.beginning), window.peakedness < Tuning.peakedness else {
      // One window without a rhythm, as in a bend, does not reset the evidence.
      evidence = max(0, evidence - Tuning.chance)
      if evidence == 0 { (steady, doubling) = (0, 0) }
      return
    }
    let isLike = abs(window.period - period) < Tuning.drift * period
    if !isLike { (steady, evidence, doubling) = (0, 0, 0) }
    period = steady > 0 ? (period + window.period) / 2 : window.period
    steady += 1
    evidence += window.regularity - Tuning.chance
    // Steps with push and strike are accepted although less regular.
    if !window.isStride { evidence += min(max(excess, 0), Tuning.favor) }
    doubling += excess
    // After a recent walk, another one is likely.
    let since = last.map { signal.end - $0.number } ?? Int.max
    let wanted = since < Tuning.moment ? Tuning.evidenceAgain : Tuning.evidence
    if steady >= Tuning.steadyWindows, evidence >= wanted, doubling >= 0 { begin() }
  }

  /// The window's doubling above the least for a gait.
  private var excess: Float {
    window.doubling - (window.isStride ? Tuning.strideDoubling : Tuning.stepDoubling)
  }

  private func isRhythmic(_ regularity: Float) -> Bool {
    window.period > 0 && window.regularity >= regularity && window.intensity >= Tuning.intensity
  }

  /// Finds the steps since the beginning of a walk, and starts following it.
  private func begin() {
    // Where both feet look alike each step can be detected, else each stride of two.
    guard let first = firstOfWalk(every: 1) ?? (window.isStride ? firstOfWalk(every: 2) : nil) else { return }
    isWalking = true
    missed = 0
    for index in first..<candidates.count { keep(candidates[index]) }
    scanned = frontier(pace * period)
  }

  /// The sample after the last step of an earlier walk.
  private var lastEnd: Int { last.map { $0.number + 1 } ?? 0 }

  /// Collects the steps (or with `every` 2 the strides) up to now in `candidates`, and returns the index of the walk's
  /// first one; nil when they are not a walk.
  private func firstOfWalk(every feet: Float) -> Int? {
    let apart = feet * period
    let now = frontier(apart)
    let earliest = max(signal.start + StepFilter.reach(of: apart) + 1, signal.end - Tuning.memory, lastEnd)
    guard earliest < now else { return nil }
    candidates.clear()
    scan(earliest..<now, apart, into: candidates)
    guard candidates.count > 0 else { return nil }
    var first = candidates.count - 1
    var usual = candidates[first].strength
    // Backwards as long as the distances are right.
    while first > 0 {
      let earlier = candidates[first - 1]
      let distance = candidates[first].distance(from: earlier)
      if distance > Tuning.longest * apart || distance < Tuning.shortest * apart { break }
      if earlier.strength < Tuning.weakest * usual { break }
      usual += (earlier.strength - usual) / 4
      first -= 1
    }
    let steps = candidates.count - first
    guard Float(steps) * feet >= Float(Tuning.steps), steps >= 3 else { return nil }
    guard areEven(from: max(first, candidates.count - Tuning.evenSteps), apart) else { return nil }
    guard strength >= Tuning.share * window.intensity else { return nil }
    pace = feet
    return first
  }

  /// True when the candidates are as even as steps: random movements may have a rhythm for a moment, but not an even
  /// one. Sets `strength`.
  private func areEven(from first: Int, _ apart: Float) -> Bool {
    let count = Float(candidates.count - first)
    let mean = candidates[candidates.count - 1].distance(from: candidates[first]) / (count - 1)
    var squares: Float = 0
    strength = 0
    for index in first..<candidates.count {
      strength += candidates[index].strength / count
      // Compares the same foot, because left and right may differ.
      guard index >= first + 2 else { continue }
      let deviation = candidates[index].distance(from: candidates[index - 2]) / 2 - mean
      squares += deviation * deviation
    }
    return squares < (count - 2) * mean * mean * Tuning.unevenness * Tuning.unevenness
      && abs(mean - apart) < Tuning.mistake * apart
  }

  // MARK: Walking

  private func follow() {
    let isLike = abs(window.period - period) < Tuning.drift * period
    if isRhythmic(Tuning.going), isLike {
      missed = 0
      steady = 0
      period += (window.period - period) / 2
      doubling = min(doubling + excess, Tuning.credit)
    } else {
      missed += 1
      // A rhythm that jumps far is an error, unless it lasts and is plausible for a gait.
      steady = isRhythmic(Tuning.going) && excess >= 0 ? steady + 1 : 0
      if steady >= Tuning.steadyWindows { (period, steady, missed) = (window.period, 0, 0) }
    }
    let now = max(scanned, frontier(pace * period))
    candidates.clear()
    scan(scanned..<now, pace * period, into: candidates)
    scanned = now
    for index in 0..<candidates.count { keep(candidates[index]) }
    let silence = last.map { Float(now - $0.number) } ?? 0
    if missed > Tuning.missedWindows || doubling < -Tuning.credit || silence > Tuning.silence * pace * period {
      endWalk()
    }
  }

  private func endWalk() {
    isWalking = false
    (steady, evidence, doubling, missed) = (0, 0, 0, 0)
  }

  /// Adds a step to the walk, unless it is too weak or too early.
  private func keep(_ step: Step) {
    guard step.strength >= Tuning.weakest * strength else {
      // Perhaps only weak compared with a gesture.
      strength *= Tuning.relief
      return
    }
    if let last {
      let distance = step.distance(from: last)
      if distance < Tuning.shortest * step.period { return }
      // While the rhythm continues, a gap of two steps' length is an undetected step.
      if missed == 0 || pace == 2, distance > 1.6 * step.period, distance < 2.4 * step.period {
        var between = step
        between.number -= Int(clamping: distance / 2)
        found.append(between)
      }
    }
    strength += (min(step.strength, Tuning.strongest * strength) - strength) / 8
    last = step
    found.append(step)
  }

  // MARK: Steps

  /// The end of the search for steps: the middle of the window, whose rhythm applies there, or as far as the filter has
  /// samples after it.
  private func frontier(_ apart: Float) -> Int {
    signal.end - max(GaitRate.window / 2 - GaitRate.hop / 2, StepFilter.reach(of: apart) + Int(clamping: apart / 2) + 1)
  }

  /// Finds the filtered signal's rising zero crossings.
  private func scan(_ range: Range<Int>, _ period: Float, into list: StepList) {
    guard !range.isEmpty else { return }
    let filter = StepFilter(signal: signal, period: period)
    let half = max(2, Int(clamping: period / 2))
    var value = filter.value(at: range.lowerBound - 1)
    for number in range {
      let next = filter.value(at: number)
      if value < 0, next >= 0 {
        var height: Float = 0
        for place in number..<(number + half) { height = max(height, filter.value(at: place)) }
        list.append(
          Step(number: number - 1, part: -value / (next - value), strength: height, period: self.period))
      }
      value = next
    }
  }

  /// Constants that were tuned on recorded walks and on other movements.
  private enum Tuning {
    /// Magnitudes in g above this are clipped: a harder impact is not a better step.
    static let ceiling: Float = 4
    /// Samples that are searched backwards at the start of a walk: 10 s.
    static let memory = 250
    /// Least regularity of windows that start a walk, and of those that continue it.
    static let beginning: Float = 0.35
    static let going: Float = 0.25
    /// Consecutive windows that start a walk, and their least total regularity above the level of chance.
    static let steadyWindows = 4
    static let evidence: Float = 2
    static let chance: Float = 0.35
    /// The same when the last walk ended less than `moment` samples ago.
    static let evidenceAgain: Float = 1
    static let moment = 500
    /// Least strength of a window in g, and its highest `GaitWindow.peakedness`, above which it is single impacts.
    static let intensity: Float = 0.035
    static let peakedness: Float = 7
    /// Least doubling of windows whose unit is a step, and of those whose unit is a stride.
    static let stepDoubling: Float = -0.02
    static let strideDoubling: Float = 0.12
    /// The most that doubling can add to a window's regularity.
    static let favor: Float = 0.1
    /// The most doubling that a walk saves up, and the largest deficit before it ends.
    static let credit: Float = 0.3
    /// Largest change of the step's length from window to window, as a fraction.
    static let drift: Float = 0.2
    /// Least number of steps of a walk.
    static let steps = 5
    /// For this many last steps: largest unevenness and largest deviation from the rhythm, as fractions of a step; and
    /// their least share of the signal.
    static let evenSteps = 7
    static let unevenness: Float = 0.13
    static let mistake: Float = 0.2
    static let share: Float = 0.35
    /// Least strength of a step as a fraction of the usual one.
    static let weakest: Float = 0.4
    /// Largest strength that a step adds to the average; and the factor by which a step that is too weak reduces the
    /// average.
    static let strongest: Float = 1.5
    static let relief: Float = 0.9
    /// Shortest and longest distance between steps, as fractions of the expected one.
    static let shortest: Float = 0.6
    static let longest: Float = 1.6
    /// A walk ends after this many windows without a rhythm, or this many step lengths without a step.
    static let missedWindows = 12
    static let silence: Float = 2.6
  }
}
