import Node
import Runtime
import Sound
import Talk

/// The speaker: opened by a worker when there is something to play, and closed soon after its end. While it plays the
/// wake service does not have the microphone, because it would hear the board itself.
public final class Speaker: Part, TalkSpeaker, SoundPlayerDelegate {
  private let settings: SpeakerSettings
  private let playback: any SoundPlayback
  private let player: SoundPlayer
  private let microphone: Microphone?
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: SpeakerJob
  private let voice = SpeakerVoice()
  /// The parameters of the open card; nil while it is closed.
  private var facts: SoundFacts?
  private var closeAt: Int64?
  private var retryAt: Int64?
  private var isHeld = false
  private var isStopping = false
  /// The last failure, which is logged once.
  private var failure: SoundError?

  /// A speaker that is closed. `microphone` must not hear it; nil without one.
  @export(interface)
  public init(
    playback: any SoundPlayback, resampler: any Resampler, settings: SpeakerSettings, microphone: Microphone?,
    runner: any JobRunner, clock: any Clock, log: Log
  ) {
    self.settings = settings
    self.playback = playback
    self.microphone = microphone
    self.runner = runner
    self.clock = clock
    self.log = log
    player = SoundPlayer(playback, SoundOutlet(resampler: resampler, decibels: settings.decibels), clock: clock)
    job = SpeakerJob(playback, settings.order)
    super.init()
    job.speaker = self
  }

  // MARK: TalkSpeaker

  /// See `TalkSpeaker`. False when it is switched off, or a person holds the board.
  public func play(rate: Int, _ sound: any TalkSound) -> Bool {
    guard settings.isEnabled, !isHeld, !isStopping, Budget.soundCardRates.contains(UInt32(rate)) else { return false }
    player.stop()
    let before = voice.sound
    voice.sound = nil
    if let before, before !== sound { before.speakerReplaced() }
    voice.rate = UInt32(rate)
    voice.sound = sound
    closeAt = nil
    microphone?.want(.playback, nil)
    settle()
    return true
  }

  /// See `TalkSpeaker`. Samples in the card's buffer are dropped.
  public func stopPlaying() {
    guard voice.sound != nil else { return }
    quiet()
    closeAt = clock.monotonic
    settle()
  }

  /// True while sound is played.
  var isBusy: Bool { voice.sound != nil }

  private func quiet() {
    player.stop()
    voice.sound = nil
    microphone?.release(.playback)
  }

  public func played(_ error: SoundError?) {
    let sound = voice.sound
    quiet()
    if let error { fail(error) } else { closeAt = clock.monotonic + Budget.speakerLingerMilliseconds }
    sound?.speakerEnded(error == nil)
    settle()
  }

  // MARK: Opening and closing

  /// Stops playing for good.
  public override func stop() {
    isStopping = true
    end()
  }

  /// True when nothing is left open after `stop`.
  public override var isStopped: Bool { facts == nil && !job.isPending }

  /// Stops playing (panic), until `letGo`.
  public override func hold() {
    isHeld = true
    end()
  }

  public override func letGo() { isHeld = false }

  private func end() {
    if let sound = voice.sound {
      quiet()
      sound.speakerEnded(false)
    }
    closeAt = clock.monotonic
    settle()
  }

  private func settle() {
    guard !job.isPending, retryAt == nil else { return }
    if voice.sound == nil {
      if facts != nil, let closeAt, clock.monotonic >= closeAt { submit(.close) }
    } else if let facts {
      if !player.isPlaying { begin(facts) }
    } else {
      submit(.open)
    }
  }

  private func submit(_ action: SpeakerJob.Action) {
    job.action = action
    // The queue was full: it is tried again.
    if !runner.submit(job) { retryAt = clock.monotonic + Budget.soundRetryMilliseconds.lowerBound }
  }

  fileprivate func ended(_ job: SpeakerJob) {
    if job.action == .close { facts = nil }
    if let error = job.failure { return lose(error) }
    if job.action == .open { opened(job.facts) }
    settle()
  }

  private func opened(_ facts: SoundFacts?) {
    self.facts = facts
    failure = nil
    // The sound has already been stopped, or there is none yet.
    closeAt = clock.monotonic + Budget.speakerLingerMilliseconds
    if let trouble = facts?.mixerTrouble { log.write(.warning, "speaker") { trouble.write(to: &$0) } }
    if facts?.isMuted == true { log.write(.warning, "speaker", "the mixer's switch is off: nothing can be heard") }
  }

  private func begin(_ facts: SoundFacts) {
    do throws(SoundError) { try player.play(voice, on: facts, self) } catch { played(error) }
  }

  /// The card cannot be opened: the caller is told at once instead of a retry, because old speech is useless.
  private func lose(_ error: SoundError) {
    let sound = voice.sound
    if sound != nil { quiet() }
    fail(error)
    sound?.speakerEnded(false)
    settle()
  }

  private func fail(_ error: SoundError) {
    closeAt = clock.monotonic
    if let failure, failure.isLike(error) { return }
    failure = error
    log.write(.warning, "speaker") { error.write(to: &$0) }
  }

  // MARK: Time

  public override var nextDeadline: Int64? {
    if job.isPending { return player.nextDeadline }
    var earliest = min(player.nextDeadline ?? .max, retryAt ?? .max)
    if facts != nil, voice.sound == nil { earliest = min(earliest, closeAt ?? .max) }
    return earliest == .max ? nil : earliest
  }

  public override func advance(to now: Int64) {
    player.advance(to: now)
    if let at = retryAt, now >= at { retryAt = nil }
    settle()
  }
}

/// The samples for the player. Made once.
private final class SpeakerVoice: SoundVoice {
  var rate = UInt32(Budget.soundRate)
  var sound: (any TalkSound)?

  func speak(into samples: UnsafeMutableBufferPointer<Int16>) -> Int { sound?.speakerNeedsSamples(samples) ?? 0 }
}

/// Opens and closes the card, on a worker.
private final class SpeakerJob: Job {
  enum Action { case open, close }

  private let playback: any SoundPlayback
  private let order: SoundOrder
  /// The action. Not changed while pending.
  var action = Action.close
  private(set) var facts: SoundFacts?
  private(set) var failure: SoundError?
  unowned(unsafe) var speaker: Speaker?

  init(_ playback: any SoundPlayback, _ order: SoundOrder) {
    self.playback = playback
    self.order = order
  }

  override func run() {
    (facts, failure) = (nil, nil)
    guard action == .open else { return playback.close() }
    do throws(SoundError) { facts = try playback.open(order) } catch { failure = error }
  }

  override func finish() { speaker?.ended(self) }
}
