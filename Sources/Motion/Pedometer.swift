import Runtime

/// Counts steps in acceleration, wherever the sensor is carried and however it is turned.
///
/// Only the magnitude counts. A rhythm is looked for in windows of 4.5 s (`GaitAnalyzer`); one that lasts makes a walk,
/// and then the steps since it began are counted one by one (`StepFilter`): so a walk's first steps are not lost, and
/// a few jolts are no walk. Steps are known some four seconds after they were made.
final class Pedometer {
  /// The rhythm of the newest window.
  private(set) var window = GaitWindow()
  /// True while somebody walks.
  private(set) var isWalking = false
  /// Steps that were found since the list was last cleared.
  let found = StepList(capacity: Budget.motionStepsFound)

  private var resampler: Resampler
  private let signal = SampleRing(capacity: 512)
  private let analyzer = GaitAnalyzer()
  private let candidates = StepList(capacity: Budget.motionStepsFound)
  /// The two values before the newest, for smoothing.
  private var before: (Float, Float) = (1, 1)
  /// Windows in a row that had one and the same rhythm, or had none while somebody walks.
  private var steady = 0
  private var missed = 0
  private var period: Float = 0
  /// Steps are looked for from this sample on.
  private var scanned = 0
  private var last: Step?
  /// What the steps of this walk are usually like.
  private var strength: Float = 0

  /// - Parameter rate: samples a second that it will be given
  init(rate: Float) { resampler = Resampler(from: rate, to: GaitRate.samples) }

  /// Samples of the gait's clock so far: what a step's number counts in.
  var end: Int { signal.end }

  /// Steps a minute; 0 while nobody walks.
  var cadence: Float { isWalking && period > 0 ? 60 * GaitRate.samples / period : 0 }

  /// Takes the acceleration's magnitude in g.
  func push(_ magnitude: Float) { resampler.push(min(magnitude, Tuning.ceiling)) { take($0) } }

  /// The samples stop making sense: a walk ends here, and what comes has nothing to do with what was.
  func interrupt() {
    resampler.reset()
    signal.clear()
    endWalk()
    (steady, scanned) = (0, 0)
    window = GaitWindow()
  }

  private func take(_ value: Float) {
    // Smoothed a little: heel strikes are sharp, and never quite alike.
    signal.push((before.0 + 2 * before.1 + value) / 4)
    before = (before.1, value)
    guard signal.end >= GaitRate.window, signal.end % GaitRate.hop == 0 else { return }
    window = analyzer.analyze(signal)
    if isWalking { follow() } else { consider() }
  }

  // MARK: Standing

  /// Whether this window makes a walk out of those before it.
  private func consider() {
    let isLike = abs(window.period - period) < Tuning.drift * period
    guard isRhythmic(Tuning.beginning) else {
      steady = 0
      return
    }
    steady = isLike ? steady + 1 : 1
    period = isLike && steady > 1 ? (period + window.period) / 2 : window.period
    if steady >= Tuning.steadyWindows { begin() }
  }

  private func isRhythmic(_ regularity: Float) -> Bool {
    window.period > 0 && window.regularity >= regularity && window.intensity >= Tuning.intensity
  }

  /// Looks back for the steps of a walk that has been going on, and begins to follow it.
  private func begin() {
    let now = frontier
    let reach = StepFilter.reach(of: period)
    let earliest = max(signal.start, signal.end - 250, lastEnd) + reach
    candidates.clear()
    scan(earliest..<now, period, into: candidates)
    let first = firstOfWalk(now)
    guard candidates.count - first >= Tuning.steps else { return }
    strength = 0
    for index in first..<candidates.count { strength += candidates[index].strength }
    strength /= Float(candidates.count - first)
    for index in first..<candidates.count { keep(candidates[index]) }
    scanned = now
    isWalking = true
    missed = 0
  }

  /// The number behind the last step of an earlier walk.
  private var lastEnd: Int { last.map { $0.number + 1 } ?? 0 }

  /// Goes back from the newest step for as long as steps follow one another as they should.
  private func firstOfWalk(_ now: Int) -> Int {
    guard candidates.count > 0 else { return 0 }
    var first = candidates.count - 1
    var usual = candidates[first].strength
    while first > 0 {
      let earlier = candidates[first - 1]
      let distance = candidates[first].distance(from: earlier)
      if distance > Tuning.longest * period || earlier.strength < Tuning.weakest * usual { break }
      usual += (earlier.strength - usual) / 4
      first -= 1
    }
    return first
  }

  // MARK: Walking

  private func follow() {
    if isRhythmic(Tuning.going) {
      missed = 0
      // A rhythm that jumps by far is a mistake, unless it stays.
      if abs(window.period - period) < Tuning.drift * period {
        period += (window.period - period) / 2
        steady = 0
      } else {
        steady += 1
        if steady >= Tuning.steadyWindows { (period, steady) = (window.period, 0) }
      }
    } else {
      missed += 1
    }
    let now = frontier
    candidates.clear()
    scan(scanned..<now, period, into: candidates)
    scanned = now
    for index in 0..<candidates.count { keep(candidates[index]) }
    if missed > Tuning.missedWindows { endWalk() }
  }

  private func endWalk() {
    isWalking = false
    (steady, missed) = (0, 0)
  }

  /// Keeps a step of a walk, unless it is too weak or too soon to be one.
  private func keep(_ step: Step) {
    guard step.strength >= Tuning.weakest * strength else { return }
    if let last {
      let distance = step.distance(from: last)
      if distance < Tuning.shortest * step.period { return }
      // Where the rhythm goes on, a hole of two steps' length is a step that was not felt.
      if missed == 0, isWalking, distance > 1.6 * step.period, distance < 2.4 * step.period {
        var between = step
        between.number -= Int(distance / 2)
        found.append(between)
      }
    }
    strength += (step.strength - strength) / 8
    last = step
    found.append(step)
  }

  // MARK: Steps

  /// The first sample whose filtered value cannot be told yet with the window's rhythm.
  private var frontier: Int { signal.end - GaitRate.window / 2 + GaitRate.hop / 2 }

  /// Finds where the filtered signal rises through zero.
  private func scan(_ range: Range<Int>, _ period: Float, into list: StepList) {
    guard !range.isEmpty else { return }
    let filter = StepFilter(signal: signal, period: period)
    let half = max(2, Int(period / 2))
    var value = filter.value(at: range.lowerBound - 1)
    for number in range {
      let next = filter.value(at: number)
      if value < 0, next >= 0 {
        var height: Float = 0
        for place in number..<(number + half) { height = max(height, filter.value(at: place)) }
        list.append(Step(number: number - 1, part: -value / (next - value), strength: height, period: period))
      }
      value = next
    }
  }

  /// Figures that were found by trial on recorded walks and on movements that are none.
  private enum Tuning {
    /// Magnitudes above this are cut: an impact is no better a step for being harder. In g.
    static let ceiling: Float = 4
    /// Least regularity for a walk to begin, and to go on.
    static let beginning: Float = 0.5
    static let going: Float = 0.4
    /// Least strength, in g.
    static let intensity: Float = 0.025
    /// How far the step's length may drift from window to window, as a part of it.
    static let drift: Float = 0.2
    /// Windows with one rhythm that make a walk, and those without that end it.
    static let steadyWindows = 4
    static let missedWindows = 4
    /// Steps that a walk has at least.
    static let steps = 5
    /// A step's least strength as a part of what is usual.
    static let weakest: Float = 0.35
    /// How near and how far a step is to the one before, in steps.
    static let shortest: Float = 0.6
    static let longest: Float = 1.6
  }
}
