import Runtime

/// Plays the pattern of one signal on a light: in the kernel where possible, else step by step.
final class LightPlayer {
  private let light: any Light
  private let log: Log
  /// Indexed by the signals' raw values.
  private let patterns: [LightPattern]
  private let dark = LightPattern([.init(.dark, 0)])
  private var isStarted = false
  private var isOpen = false
  private var wanted: Signal?
  private var shownSince: Int64 = 0
  private var step = 0
  private var stepEnd: Int64?
  private var retry = Retry()
  /// The signal that it shows, or would show if it worked.
  private(set) var shown: Signal?
  private(set) var fault: Errno?

  init(_ light: any Light, log: Log) {
    self.light = light
    self.log = log
    var patterns: [LightPattern] = []
    for signal in Signal.allCases { patterns.append(signal.pattern) }
    self.patterns = patterns
  }

  func start(at now: Int64) {
    guard !isStarted else { return }
    isStarted = true
    apply(at: now)
  }

  func stop() {
    guard isStarted else { return }
    isStarted = false
    if isOpen { light.close() }
    isOpen = false
    stepEnd = nil
    retry.forget()
  }

  /// When `advance` wants to be called.
  var nextDeadline: Int64? {
    guard isStarted else { return nil }
    let change = wanted == shown ? nil : shownSince + Budget.lightDwell
    return earliest(earliest(stepEnd, retry.deadline), change)
  }

  func show(_ signal: Signal?, at now: Int64) {
    wanted = signal
    settle(at: now)
  }

  func advance(to now: Int64) {
    settle(at: now)
    if let deadline = retry.deadline, now >= deadline { apply(at: now) }
    if let end = stepEnd, now >= end { next(end, now) }
  }

  // MARK: Which signal

  private func settle(at now: Int64) {
    guard wanted != shown, !isHeldBack(at: now) else { return }
    shown = wanted
    shownSince = now
    apply(at: now)
  }

  /// A brief signal stays for a moment, unless a more urgent one comes.
  private func isHeldBack(at now: Int64) -> Bool {
    guard let shown, SignalTable.entry(shown).isBrief, now - shownSince < Budget.lightDwell else { return false }
    guard let wanted else { return true }
    return wanted.rawValue > shown.rawValue
  }

  // MARK: The light

  private var pattern: LightPattern {
    guard let shown else { return dark }
    return patterns[shown.rawValue]
  }

  private func apply(at now: Int64) {
    stepEnd = nil
    guard isStarted, retry.deadline ?? now <= now else { return }
    do throws(Errno) {
      if !isOpen { try light.open() }
      isOpen = true
      try begin(pattern, at: now)
      works(at: now)
    } catch {
      failed(error, at: now)
    }
  }

  private func begin(_ pattern: LightPattern, at now: Int64) throws(Errno) {
    if pattern.isSteady { return try light.show(pattern.steps[0].color) }
    // Commands are short and frequent: setting up the kernel for each costs more than a few steps.
    if shown != .working, try light.play(pattern) { return }
    step = 0
    try light.show(pattern.steps[0].color)
    stepEnd = now + pattern.steps[0].duration
  }

  /// Continues with the next step; when a whole step was missed the pattern starts over, so that no flash is cut short
  /// and miscounted.
  private func next(_ end: Int64, _ now: Int64) {
    let steps = pattern.steps
    step = (step + 1) % steps.count
    let isLate = now - end >= steps[step].duration
    if isLate { step = 0 }
    do throws(Errno) {
      try light.show(steps[step].color)
      stepEnd = (isLate ? now : end) + steps[step].duration
    } catch {
      failed(error, at: now)
    }
  }

  // MARK: Faults

  private func works(at now: Int64) {
    retry.worked(at: now)
    guard fault != nil else { return }
    fault = nil
    log.write(.notice, "panel") { $0.add("the light works") }
  }

  private func failed(_ reason: Errno, at now: Int64) {
    if isOpen { light.close() }
    isOpen = false
    stepEnd = nil
    retry.failed(at: now)
    guard fault != reason else { return }
    fault = reason
    log.write(.warning, "panel") {
      $0.add("the light does not work: ")
      $0.add(DeviceTrouble(reason, of: .light))
      $0.add("; it is tried again from time to time")
    }
  }
}
