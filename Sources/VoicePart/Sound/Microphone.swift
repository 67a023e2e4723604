// VoicePart: what listens to people and speaks to them: the microphone, the speaker, the wake phrases, and talk. It
// must not know a driver, nor of screens and cameras more than the sound of a clip.

import Codec
import Device
import Node
import Runtime
import Sound

/// Gets the sound of the microphone while its use has it.
public protocol MicrophoneListener: AnyObject {
  /// The next `Budget.soundBlock` samples of 16 kHz, one channel; valid until it returns.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
  /// Its use got or lost the microphone: one with a higher rank wants it, or no longer.
  func microphoneTurned(_ isYours: Bool)
  /// There is no sound for this reason. A transient error is retried, with growing pauses.
  func microphoneLost(_ error: SoundError)
}

/// The microphone. It is open only while a use wants it, the configuration allows it and no person holds the board; the
/// privacy light is lit for as long. Of several uses the one with the highest rank has it (`MicrophoneUse`). A card
/// that fails, is busy, sleeps or was unplugged is retried.
public final class Microphone: Part, SoundDeviceDelegate, SoundListener {
  /// The state of the device.
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
  private var arbiter = MicrophoneArbiter()
  /// Gets all sound; nil without a clip.
  var tap: (any MicrophoneTap)?
  /// The wake service, whose scores the levels show; nil without one.
  public unowned(unsafe) var wake: WakeService?
  /// Recognizes words while a person watches the levels; nil without a recognizer.
  var words: WordMeter?
  private(set) var finding = Finding.unknown
  /// The parameters of the device when it was last opened.
  private(set) var facts: SoundFacts?
  /// True when frames arrive.
  private(set) var isCapturing = false
  /// True when the job left the device open.
  private var isDeviceOpen = false
  private var isHeld = false
  private var isStopping = false
  private var mustLook = false
  private var retryAt: Int64?
  private var retryPause = Budget.soundRetryMilliseconds.lowerBound
  private var lastFrame: Int64 = 0
  private var meterUntil: Int64?
  private var verdict = MicrophoneCondition.unknown
  private var isMuted = false
  /// How often frames were lost and the device failed, since start.
  private(set) var (gaps, failures): (UInt64, UInt64) = (0, 0)

  /// A microphone that is closed. `indicator` is nil without a privacy light.
  @export(interface)
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
    super.init()
    job.microphone = self
  }

  // MARK: Part

  // A board without a microphone does not declare the permission.
  public override var permission: (name: StaticString, isGranted: Bool)? { ("microphone", settings.isEnabled) }

  public override var operations: [ControlRow] {
    [
      ControlRow("listen") { (control, call, _) in
        self.watchLevels()
        control.finish(call) { self.writeReport(to: &$0, self.wake) }
      }
    ]
  }

  public override func boardChanged(_ change: BoardChange) { if change == .soundCards { cardsChanged() } }

  public override func report(to report: inout HardwareReport) {
    report.microphone = hardware
    report.isMicrophoneConfigured = true
  }

  public override var hasFault: Bool { hardware.state == .error }

  public override var live: LiveUse { isOpen ? .microphone : [] }

  // MARK: Uses

  /// A use wants the microphone until `release`, or wants it closed to play sound (`.playback`, without a listener).
  public func want(_ use: MicrophoneUse, _ listener: (any MicrophoneListener)?) {
    let before = arbiter.use
    arbiter.want(use, true)
    listeners[use.rawValue] = listener
    // A person who speaks does not wait for the next retry of a card that failed.
    if use == .teaching || use == .talk || use == .pushToTalk { retryAt = nil }
    if !settings.isEnabled || isHeld { listener?.microphoneLost(settings.isEnabled ? .held : .disabled) }
    turn(from: before)
  }

  /// The use does not want it any more.
  public func release(_ use: MicrophoneUse) {
    let before = arbiter.use
    arbiter.want(use, false)
    turn(from: before)
    listeners[use.rawValue] = nil
  }

  /// A person watches the levels for a while.
  func watchLevels() {
    meterUntil = clock.monotonic + Self.meterTimeout
    words?.begin()
    if !arbiter.wants(.meter) { want(.meter, nil) }
  }

  /// A program that shows the levels asks once a second.
  private static let meterTimeout: Int64 = 3_000
  /// The use that has it; nil without one.
  var use: MicrophoneUse? { arbiter.use }

  private func turn(from before: MicrophoneUse?) {
    let now = arbiter.use
    if before != now {
      if let before { listeners[before.rawValue]?.microphoneTurned(false) }
      if let now { listeners[now.rawValue]?.microphoneTurned(true) }
    }
    settle()
  }

  // MARK: Opening and closing

  /// True while it must be open.
  private var isWanted: Bool { arbiter.mustListen && settings.isEnabled && !isHeld && !isStopping }

  /// True while the device may be open.
  public var isOpen: Bool { isDeviceOpen || job.isPending && job.action == .open }

  var now: Int64 { clock.monotonic }

  /// True when the configuration and the person at the board allow listening.
  var isAllowed: Bool { settings.isEnabled && !isHeld && !isStopping }

  /// True when nothing is left open after `stop`.
  public override var isStopped: Bool { !isDeviceOpen && !job.isPending }

  /// Opens the device once to learn its state, and switches off a light that a crashed program left on.
  public override func start() {
    if settings.isEnabled { mustLook = true }
    if job.hasLight { submit(.close) }
    settle()
  }

  /// Closes it for good.
  public override func stop() {
    isStopping = true
    settle()
  }

  /// Closes it now (panic), until `letGo`.
  public override func hold() {
    isHeld = true
    for listener in listeners { listener?.microphoneLost(.held) }
    settle()
  }

  /// Allows opening it again after `hold`.
  public override func letGo() {
    isHeld = false
    settle()
  }

  /// A sound card was plugged in or removed.
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
    // The queue was full: it is tried again.
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
      log.write(.info, "microphone") {
        facts.write(to: &$0)
        intake.writeMixed(to: &$0)
      }
    }
    if let trouble = facts.mixerTrouble { log.write(.warning, "microphone") { trouble.write(to: &$0) } }
    if facts.isMuted, !isMuted {
      log.write(.warning, "microphone", "the mixer's switch is off: nothing can be heard")
    }
    isMuted = facts.isMuted
    self.facts = facts
  }

  /// The device failed: `settle` closes it, and it is retried.
  private func fail(_ error: SoundError) {
    if isCapturing { endCapture() }
    failures += 1
    learn(error)
    retryAt = clock.monotonic + retryPause
    retryPause = min(2 * retryPause, Budget.soundRetryMilliseconds.upperBound)
    verdict = .unknown
    if let use = arbiter.use { listeners[use.rawValue]?.microphoneLost(error) }
  }

  // MARK: Time

  public override var nextDeadline: Int64? {
    var earliest: Int64?
    func add(_ instant: Int64?) {
      if let instant { earliest = min(earliest ?? .max, instant) }
    }
    add(retryAt)
    add(meterUntil)
    if isCapturing { add(lastFrame + Budget.soundSilenceMilliseconds) }
    return earliest
  }

  public override func advance(to now: Int64) {
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
    if let use = arbiter.use { listeners[use.rawValue]?.microphoneHeard(block) }
  }

  /// Logs each change of the microphone's condition once.
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

  // MARK: State

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

  /// The state for `device.health`.
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
