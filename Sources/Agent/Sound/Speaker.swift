import Runtime
import Sound
import Talk

/// The one owner of the speaker: opened when there is something to say, on a worker, and closed soon after the last word. While it
/// plays nobody waits for a wake phrase, which might be its own.
public final class Speaker: TalkSpeaker, SoundPlayerOwner {
  private let settings: SpeakerSettings
  private let playback: any SoundPlayback
  private let player: SoundPlayer
  private let microphone: Microphone?
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: SpeakerJob
  private let voice = SpeakerVoice()
  /// As it was opened; nil: it is closed.
  private var facts: SoundFacts?
  private var closeAt: Int64?
  private var retryAt: Int64?
  private var isHeld = false
  private var isStopping = false
  /// What failed last stands in the log once.
  private var failure: SoundError?

  /// A speaker that is closed. `microphone`: what must not hear it; nil: there is none.
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
    job.speaker = self
  }

  // MARK: TalkSpeaker

  /// See `TalkSpeaker`. False where it is switched off, or a person holds the board.
  public func play(rate: Int, _ sound: any TalkSound) -> Bool {
    guard settings.isEnabled, !isHeld, !isStopping, Budget.soundCardRates.contains(UInt32(rate)) else { return false }
    player.stop()
    let before = voice.sound
    voice.sound = nil
    if let before, before !== sound { before.speakerTaken() }
    voice.rate = UInt32(rate)
    voice.sound = sound
    closeAt = nil
    microphone?.want(.playback, nil)
    settle()
    return true
  }

  /// See `TalkSpeaker`. What the card holds is dropped.
  public func stop() {
    guard voice.sound != nil else { return }
    quiet()
    closeAt = clock.monotonic
    settle()
  }

  /// Something is played.
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

  /// Nothing more is said, for good.
  public func stopForGood() {
    isStopping = true
    end()
  }

  /// True when nothing is left open after `stopForGood`.
  public var isStopped: Bool { facts == nil && !job.isPending }

  /// A person wants silence (panic), until `letGo`.
  func hold() {
    isHeld = true
    end()
  }

  func letGo() { isHeld = false }

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
    // A full queue empties itself.
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
    // Nobody has anything to say any more, or not yet.
    closeAt = clock.monotonic + Budget.speakerLingerMilliseconds
    if let trouble = facts?.mixerTrouble { log.write(.warning, "speaker") { trouble.write(to: &$0) } }
    if facts?.isMuted == true { log.write(.warning, "speaker", "the mixer's switch is off: nothing can be heard") }
  }

  private func begin(_ facts: SoundFacts) {
    do throws(SoundError) { try player.play(voice, on: facts, self) } catch { played(error) }
  }

  /// It cannot be opened: who wants to speak learns it at once, for nobody waits for old words.
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

  var nextDeadline: Int64? {
    if job.isPending { return player.nextDeadline }
    var earliest = min(player.nextDeadline ?? .max, retryAt ?? .max)
    if facts != nil, voice.sound == nil { earliest = min(earliest, closeAt ?? .max) }
    return earliest == .max ? nil : earliest
  }

  func advance(to now: Int64) {
    player.advance(to: now)
    if let at = retryAt, now >= at { retryAt = nil }
    settle()
  }
}

/// What is being said, as the player asks for it. Made once.
private final class SpeakerVoice: SoundVoice {
  var rate = UInt32(Budget.soundRate)
  var sound: (any TalkSound)?

  func speak(into samples: UnsafeMutableBufferPointer<Int16>) -> Int { sound?.speakerWants(samples) ?? 0 }
}

/// Opens and closes the card, on a worker.
private final class SpeakerJob: Job {
  enum Action { case open, close }

  private let playback: any SoundPlayback
  private let order: SoundOrder
  /// What to do. Not while pending.
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
