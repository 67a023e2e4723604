import Codec
import Device
import Runtime
import Sound

/// Hears what the microphone hears, while it is its turn.
public protocol MicrophoneListener: AnyObject {
  /// The next `Budget.soundBlock` samples of 16 kHz, one channel; valid until it returns.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
  /// Its turn began or ended: somebody who goes first wants the microphone, or no longer.
  func microphoneTurned(_ isYours: Bool)
  /// Nothing is heard for this reason. What can pass is tried again, ever less often.
  func microphoneLost(_ error: SoundError)
}

/// The one owner of the microphone. It is open only while somebody wants to hear, the configuration allows it and no person holds the
/// board; a light is lit for as long. Of several who want it one hears at a time (`MicrophoneUse`). A card that fails, is
/// busy, sleeps or was unplugged is tried again.
public final class Microphone: SoundDeviceOwner, SoundListener {
  /// What is known of the device.
  enum Finding {
    case unknown, present
    case failing(SoundError)
  }

  let settings: MicrophoneSettings
  let intake: SoundIntake
  private let capture: any SoundCapture
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: MicrophoneJob
  private let bytes = FixedBuffer(capacity: Budget.soundReadBytes)
  private var listeners: [(any MicrophoneListener)?]
  private var owner = MicrophoneOwner()
  /// Hears along; nil: nobody does.
  var tap: (any MicrophoneTap)?
  /// Hears along while a person looks; nil: the board has no recogniser.
  var words: WordMeter?
  private(set) var finding = Finding.unknown
  /// What it is, as it was opened last.
  private(set) var facts: SoundFacts?
  /// Frames come.
  private(set) var isCapturing = false
  /// The job left the device open.
  private var isDeviceOpen = false
  private var isHeld = false
  private var isStopping = false
  private var mustLook = false
  private var retryAt: Int64?
  private var retryPause = Budget.soundRetryMilliseconds.lowerBound
  private var lastFrame: Int64 = 0
  private var meterUntil: Int64?
  private var verdict = MicrophoneVerdict.unknown
  private var isMuted = false
  /// Times that frames were lost, and that the device failed, since the start.
  private(set) var (gaps, failures): (UInt64, UInt64) = (0, 0)

  /// A microphone that is closed. `indicator` nil: there is no light.
  public init(
    capture: any SoundCapture, intake: SoundIntake, settings: MicrophoneSettings, indicator: (any Indicator)?,
    runner: any JobRunner, clock: any Clock, log: Log
  ) {
    self.capture = capture
    self.intake = intake
    self.settings = settings
    self.runner = runner
    self.clock = clock
    self.log = log
    listeners = Array(repeating: nil, count: Budget.microphoneUses)
    job = MicrophoneJob(capture, settings, indicator)
    job.microphone = self
  }

  // MARK: Who wants it

  /// Somebody wants to hear, or to speak undisturbed (`.playback`, without a listener), until `release`.
  public func want(_ use: MicrophoneUse, _ listener: (any MicrophoneListener)?) {
    let before = owner.use
    owner.want(use, true)
    listeners[use.rawValue] = listener
    // Whoever speaks does not wait for the next try of a card that failed.
    if use == .teaching || use == .talk || use == .pushToTalk { retryAt = nil }
    if !settings.isEnabled || isHeld { listener?.microphoneLost(settings.isEnabled ? .held : .disabled) }
    turn(from: before)
  }

  /// Nobody wants it for this any more.
  public func release(_ use: MicrophoneUse) {
    let before = owner.use
    owner.want(use, false)
    turn(from: before)
    listeners[use.rawValue] = nil
  }

  /// A person looks at the levels for a while.
  func watchLevels() {
    meterUntil = clock.monotonic + Self.meterPatience
    words?.begin()
    if !owner.wants(.meter) { want(.meter, nil) }
  }

  /// Who looks asks once a second.
  private static let meterPatience: Int64 = 3_000
  /// Who has it now; nil: nobody.
  var use: MicrophoneUse? { owner.use }

  private func turn(from before: MicrophoneUse?) {
    let now = owner.use
    if before != now {
      if let before { listeners[before.rawValue]?.microphoneTurned(false) }
      if let now { listeners[now.rawValue]?.microphoneTurned(true) }
    }
    settle()
  }

  // MARK: Opening and closing

  /// True while it must be open.
  private var isWanted: Bool { owner.mustListen && settings.isEnabled && !isHeld && !isStopping }

  /// True while the device may be open.
  public var isOpen: Bool { isDeviceOpen || job.isPending && job.action == .open }

  var now: Int64 { clock.monotonic }

  /// Somebody who wants to hear would, as far as people are concerned.
  var mayHear: Bool { settings.isEnabled && !isHeld && !isStopping }

  /// True when nothing is left open after `stop`.
  var isStopped: Bool { !isDeviceOpen && !job.isPending }

  /// Looks what is there, and puts out a light that a program which fell over left on.
  func start() {
    if settings.isEnabled { mustLook = true }
    if job.hasLight { submit(.close) }
    settle()
  }

  /// Closes it for good.
  func stop() {
    isStopping = true
    settle()
  }

  /// A person wants it closed now (panic), until `letGo`.
  func hold() {
    isHeld = true
    for listener in listeners { listener?.microphoneLost(.held) }
    settle()
  }

  /// Ends what `hold` began.
  func letGo() {
    isHeld = false
    settle()
  }

  /// A sound card was plugged in or pulled out.
  func cardsChanged() {
    guard settings.isEnabled else { return }
    if retryAt != nil { retryAt = clock.monotonic }
    if !isDeviceOpen { mustLook = true }
    settle()
  }

  private func settle() {
    if isCapturing, !isWanted { endCapture() }
    guard !job.isPending else { return }
    if isDeviceOpen {
      if !isCapturing { submit(.close) }
    } else if isWanted, retryAt == nil {
      submit(.open)
    } else if mustLook, !isHeld, !isStopping {
      submit(.look)
    }
  }

  private func submit(_ action: MicrophoneJob.Action) {
    job.action = action
    if action == .look { mustLook = false }
    // A full queue empties itself.
    if !runner.submit(job) { retryAt = clock.monotonic + Budget.soundRetryMilliseconds.lowerBound }
  }

  private func endCapture() {
    isCapturing = false
    capture.stop()
    words?.forget()
  }

  func ended(_ job: MicrophoneJob) {
    switch job.action {
    case .close: isDeviceOpen = false
    case .look: learn(job.failure)
    case .open:
      if let error = job.failure {
        fail(error)
      } else if let facts = job.facts {
        isDeviceOpen = true
        if isWanted { begin(facts) }
      }
    }
    settle()
  }

  private func begin(_ facts: SoundFacts) {
    do throws(SoundError) {
      try intake.begin(facts)
      try capture.start(self)
    } catch {
      return fail(error)
    }
    lastFrame = clock.monotonic
    isCapturing = true
    tap?.tapInterrupted()
    if self.facts != facts {
      log.write(.info, "microphone") { facts.write(to: &$0) }
    }
    if let trouble = facts.mixerTrouble { log.write(.warning, "microphone") { trouble.write(to: &$0) } }
    if facts.isMuted, !isMuted {
      log.write(.warning, "microphone", "the mixer's switch is off: nothing can be heard")
    }
    isMuted = facts.isMuted
    self.facts = facts
  }

  /// It failed: closed by `settle`, and tried again.
  private func fail(_ error: SoundError) {
    if isCapturing { endCapture() }
    failures += 1
    learn(error)
    retryAt = clock.monotonic + retryPause
    retryPause = min(2 * retryPause, Budget.soundRetryMilliseconds.upperBound)
    verdict = .unknown
    if let use = owner.use { listeners[use.rawValue]?.microphoneLost(error) }
  }

  // MARK: Time

  var nextDeadline: Int64? {
    var earliest: Int64?
    func add(_ instant: Int64?) {
      if let instant { earliest = min(earliest ?? .max, instant) }
    }
    add(retryAt)
    add(meterUntil)
    if isCapturing { add(lastFrame + Budget.soundSilenceMilliseconds) }
    return earliest
  }

  func advance(to now: Int64) {
    if let until = meterUntil, now >= until {
      meterUntil = nil
      words?.end()
      release(.meter)
    }
    if isCapturing, now >= lastFrame + Budget.soundSilenceMilliseconds {
      fail(.stalled)
      settle()
    }
    if let at = retryAt, now >= at {
      retryAt = nil
      settle()
    }
  }

  // MARK: Hearing

  public func soundReady() {
    for _ in 0..<Budget.soundReadsPerTurn {
      guard isCapturing, let facts else { return }
      do throws(SoundError) {
        switch try capture.read(into: UnsafeMutableRawBufferPointer(bytes.bytes)) {
        case .nothing: return
        case .gap:
          gaps += 1
          lastFrame = clock.monotonic
          intake.interrupt()
          tap?.tapInterrupted()
          words?.tapInterrupted()
        case .frames(let count): take(count, facts)
        }
      } catch {
        fail(error)
        return settle()
      }
    }
  }

  private func take(_ count: Int, _ facts: SoundFacts) {
    lastFrame = clock.monotonic
    if case .present = finding {} else { learn(nil) }
    retryPause = Budget.soundRetryMilliseconds.lowerBound
    let frames = UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(bytes.bytes)[..<(count * facts.frameBytes)])
    intake.take(frames, self)
    judge()
  }

  public func heard(_ block: UnsafeBufferPointer<Int16>) {
    guard isCapturing else { return }
    tap?.tapHeard(block)
    words?.tapHeard(block)
    if let use = owner.use { listeners[use.rawValue]?.microphoneHeard(block) }
  }

  /// Each change of what it sounds like stands in the log once.
  private func judge() {
    let now = intake.meter.verdict
    guard now != .unknown, now != verdict else { return }
    let before = verdict
    verdict = now
    if let trouble = now.trouble {
      log.write(.warning, "microphone", trouble)
    } else if before.trouble != nil {
      log.write(.info, "microphone", "the microphone sounds as it should again")
    }
  }

  // MARK: What is known

  private func learn(_ error: SoundError?) {
    switch (finding, error) {
    case (.present, nil): return
    case (.failing(let before), .some(let now)) where before.isLike(now): break
    case (_, .some(let now)): log.write(.warning, "microphone") { now.write(to: &$0) }
    case (.failing, nil): log.write(.info, "microphone", "the microphone works again")
    case (.unknown, nil): break
    }
    finding = error.map { .failing($0) } ?? .present
  }

  /// In the words of `device.health`.
  var hardware: HardwareState {
    guard settings.isEnabled else {
      return HardwareState(.absent, detail: "switched off in the configuration", isPermitted: false)
    }
    switch finding {
    case .unknown: return HardwareState(.absent, detail: "not looked for yet")
    case .failing(.noCard), .failing(.noDevice), .failing(.disconnected):
      return HardwareState(.absent, detail: "no microphone found")
    case .failing(let error): return HardwareState(.error, detail: error.wire.text)
    case .present: break
    }
    if isMuted { return HardwareState(.error, detail: "the mixer's switch is off") }
    if let trouble = verdict.trouble { return HardwareState(.error, detail: trouble) }
    return HardwareState(.ok, detail: isCapturing ? "in use" : nil)
  }
}
