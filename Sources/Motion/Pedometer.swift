import Codec
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
  /// How much the windows' regularity, taken together, was above what comes by chance.
  private var evidence: Float = 0
  /// The same for `GaitWindow.doubling`.
  private var doubling: Float = 0
  private var missed = 0
  private var period: Float = 0
  /// Steps from one that can be told to the next: 1, or 2 where one foot is felt alone.
  private var pace: Float = 1
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
    (scanned, last, before, window) = (0, nil, (1, 1), GaitWindow())
  }

  private func take(_ value: Float) {
    // Smoothed a little: heel strikes are sharp, and never quite alike.
    signal.push((before.0 + 2 * before.1 + value) / 4)
    before = (before.1, value)
    guard signal.end >= GaitRate.window, signal.end % GaitRate.hop == 0 else { return }
    window = analyzer.analyze(signal, current: isWalking ? period : 0)
    if isWalking { follow() } else { consider() }
  }

  // MARK: Standing

  /// Whether this window makes a walk out of those before it.
  private func consider() {
    guard isRhythmic(Tuning.beginning), window.peakedness < Tuning.peakedness else {
      // One window without a rhythm, as in a bend, does not undo what was seen.
      evidence = max(0, evidence - Tuning.chance)
      if evidence == 0 { (steady, doubling) = (0, 0) }
      return
    }
    let isLike = abs(window.period - period) < Tuning.drift * period
    if !isLike { (steady, evidence, doubling) = (0, 0, 0) }
    period = steady > 0 ? (period + window.period) / 2 : window.period
    steady += 1
    evidence += window.regularity - Tuning.chance
    // Steps that push and strike are steps, be they less regular.
    if !window.isStride { evidence += min(max(excess, 0), Tuning.favour) }
    doubling += excess
    // Who walked a moment ago goes on more likely than not.
    let since = last.map { signal.end - $0.number } ?? Int.max
    let wanted = since < Tuning.moment ? Tuning.evidenceAgain : Tuning.evidence
    if steady >= Tuning.steadyWindows, evidence >= wanted, doubling >= 0 { begin() }
  }

  /// How much more doubling the window has than is the least for a gait.
  private var excess: Float {
    window.doubling - (window.isStride ? Tuning.strideDoubling : Tuning.stepDoubling)
  }

  private func isRhythmic(_ regularity: Float) -> Bool {
    window.period > 0 && window.regularity >= regularity && window.intensity >= Tuning.intensity
  }

  /// Looks back for the steps of a walk that has been going on, and begins to follow it.
  private func begin() {
    // Where both feet feel alike each step can be told, else each stride of two.
    guard let first = firstOfWalk(every: 1) ?? (window.isStride ? firstOfWalk(every: 2) : nil) else { return }
    isWalking = true
    missed = 0
    for index in first..<candidates.count { keep(candidates[index]) }
    scanned = frontier(pace * period)
  }

  /// The number behind the last step of an earlier walk.
  private var lastEnd: Int { last.map { $0.number + 1 } ?? 0 }

  /// Finds the steps (or with `every` 2 the strides) that led here, into `candidates`: the index of the first of a
  /// walk; nil when they make none.
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
    // Back for as long as they follow one another as they should.
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

  /// True when the candidates follow one another as evenly as steps do: what comes by chance has a rhythm for a
  /// moment, but not an even one. Finds out how strong they are.
  private func areEven(from first: Int, _ apart: Float) -> Bool {
    let count = Float(candidates.count - first)
    let mean = candidates[candidates.count - 1].distance(from: candidates[first]) / (count - 1)
    var squares: Float = 0
    strength = 0
    for index in first..<candidates.count {
      strength += candidates[index].strength / count
      // From one foot to the same: left and right may differ.
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
      // A rhythm that jumps by far is a mistake, unless it stays and is a gait's.
      steady = isRhythmic(Tuning.going) && excess >= 0 ? steady + 1 : 0
      if steady >= Tuning.steadyWindows { (period, steady, missed) = (window.period, 0, 0) }
    }
    let now = max(scanned, frontier(pace * period))
    candidates.clear()
    scan(scanned..<now, pace * period, into: candidates)
    scanned = now
    for index in 0..<candidates.count { keep(candidates[index]) }
    let silence = last.map { Float(now - $0.number) } ?? 0
    if missed > Tuning.missedWindows || doubling < -Tuning.credit || silence > Tuning.silence * pace * period
    {
      endWalk()
    }
  }

  private func endWalk() {
    isWalking = false
    (steady, evidence, doubling, missed) = (0, 0, 0, 0)
  }

  /// Keeps a step of a walk, unless it is too weak or too soon to be one.
  private func keep(_ step: Step) {
    guard step.strength >= Tuning.weakest * strength else {
      // Weak beside a gesture, perhaps.
      strength *= Tuning.relief
      return
    }
    if let last {
      let distance = step.distance(from: last)
      if distance < Tuning.shortest * step.period { return }
      // Where the rhythm goes on, a hole of two steps' length is a step that was not felt.
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

  /// The first sample at which no rise is looked for yet: it lies in the middle of the window, whose rhythm it has,
  /// or where the filter still knows what comes behind it.
  private func frontier(_ apart: Float) -> Int {
    signal.end - max(GaitRate.window / 2 - GaitRate.hop / 2, StepFilter.reach(of: apart) + Int(clamping: apart / 2) + 1)
  }

  /// Finds where the filtered signal rises through zero.
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

  /// Figures that were found by trial on recorded walks and on movements that are none.
  private enum Tuning {
    /// Magnitudes above this are cut: an impact is no better a step for being harder. In g.
    static let ceiling: Float = 4
    /// Samples that are looked back on for the steps of a walk that has begun: 10 s.
    static let memory = 250
    /// Least regularity of windows that make a walk, and of those that go on with it.
    static let beginning: Float = 0.35
    static let going: Float = 0.25
    /// Windows in a row that make a walk, and how much regularity they must have had together above what comes by
    /// chance.
    static let steadyWindows = 4
    static let evidence: Float = 2
    static let chance: Float = 0.35
    /// The same for who walked in the last so many samples.
    static let evidenceAgain: Float = 1
    static let moment = 500
    /// Least strength of a window, in g, and what it must be above noise and single blows (`GaitWindow.peakedness`).
    static let intensity: Float = 0.035
    static let peakedness: Float = 7
    /// Least doubling of windows in which steps are alike, and of those in which strides are.
    static let stepDoubling: Float = -0.02
    static let strideDoubling: Float = 0.12
    /// The most that a window's doubling makes up for regularity.
    static let favour: Float = 0.1
    /// The most doubling that a walk keeps for later, and owes before it is none.
    static let credit: Float = 0.3
    /// How far a step's length may drift from window to window, as a part of it.
    static let drift: Float = 0.2
    /// Steps that a walk has at least.
    static let steps = 5
    /// Of the last so many: how uneven they may be, and how far off the rhythm, as parts of a step; and how much of the
    /// signal they must be.
    static let evenSteps = 7
    static let unevenness: Float = 0.13
    static let mistake: Float = 0.2
    static let share: Float = 0.35
    /// A step's least strength as a part of what is usual.
    static let weakest: Float = 0.4
    /// What a step counts at most as, in the reckoning of what is usual; and what a step that is too weak leaves of it.
    static let strongest: Float = 1.5
    static let relief: Float = 0.9
    /// How near and how far a step is to the one before, in steps.
    static let shortest: Float = 0.6
    static let longest: Float = 1.6
    /// What ends a walk: windows without a rhythm, or steps' time without a step.
    static let missedWindows = 12
    static let silence: Float = 2.6
  }
}
