import Runtime

/// Told how playing ended.
public protocol SoundPlayerOwner: AnyObject {
  /// All was heard (nil), or the card failed.
  func played(_ error: SoundError?)
}

/// Plays what a voice says on a card that is open, and tells when all of it was heard. Between calls of its owner it works when the card
/// has room, and when its deadline has come. Allocates nothing after `init`.
public final class SoundPlayer: SoundDeviceOwner {
  private enum State { case idle, playing, draining }

  private let playback: any SoundPlayback
  private let outlet: SoundOutlet
  private let clock: any Clock
  private let bytes = FixedBuffer(capacity: Budget.soundReadBytes)
  /// Bytes of it that found no room yet.
  private var waiting = 0..<0
  private var facts: SoundFacts?
  private var voice: (any SoundVoice)?
  private var owner: (any SoundPlayerOwner)?
  private var state = State.idle
  private var drainUntil: Int64 = 0
  /// Frames that were written since `play`.
  public private(set) var frames: UInt64 = 0
  /// When `advance` wants to be called.
  public private(set) var nextDeadline: Int64?

  /// A player of a card that it neither opens nor closes.
  public init(_ playback: any SoundPlayback, _ outlet: SoundOutlet, clock: any Clock) {
    self.playback = playback
    self.outlet = outlet
    self.clock = clock
  }

  /// True until the owner was told.
  public var isPlaying: Bool { state != .idle }

  /// Plays a voice on the card, which was opened as `facts` says. The owner is told once, unless it throws.
  public func play(_ voice: any SoundVoice, on facts: SoundFacts, _ owner: any SoundPlayerOwner)
    throws(SoundError)
  {
    precondition(state == .idle)
    try outlet.begin(facts, rate: voice.rate)
    (self.facts, self.voice) = (facts, voice)
    (waiting, frames, state) = (0..<0, 0, .playing)
    do throws(SoundError) {
      try playback.start(self)
    } catch {
      reset()
      throw error
    }
    self.owner = owner
  }

  /// Plays no more; the owner is not told. What the card holds is dropped when it is closed.
  public func stop() {
    if state != .idle { playback.stop() }
    reset()
  }

  private func reset() {
    (state, nextDeadline) = (.idle, nil)
    (voice, owner, facts) = (nil, nil, nil)
  }

  private func end(_ error: SoundError?) {
    let owner = self.owner
    stop()
    owner?.played(error)
  }

  public func soundReady() {
    guard state == .playing else { return }
    do throws(SoundError) { try fill() } catch { end(error) }
  }

  /// Writes until there is no room, or nothing to say.
  private func fill() throws(SoundError) {
    for _ in 0..<Budget.soundReadsPerTurn {
      if waiting.isEmpty, try !refill() { return try drain() }
      let source = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes.bytes)[waiting])
      let count = try playback.write(source)
      if count == 0 { return try playback.begin() }
      frames += UInt64(count)
      waiting = (waiting.lowerBound + count * (facts?.frameBytes ?? 1))..<waiting.upperBound
    }
    try playback.begin()
  }

  private func refill() throws(SoundError) -> Bool {
    guard let voice else { return false }
    waiting = 0..<outlet.give(voice, into: UnsafeMutableRawBufferPointer(bytes.bytes))
    return !waiting.isEmpty
  }

  // MARK: The end

  /// The card need not be filled any more: it is looked at from time to time until it has played what it holds.
  private func drain() throws(SoundError) {
    try playback.begin()
    playback.listen(false)
    state = .draining
    drainUntil = clock.monotonic + Budget.soundDrainMilliseconds
    nextDeadline = clock.monotonic
  }

  /// Lets time pass.
  public func advance(to now: Int64) {
    guard state == .draining, let due = nextDeadline, now >= due, let facts else { return }
    do throws(SoundError) {
      let left = try playback.waiting()
      if left == 0 { return end(nil) }
      if now >= drainUntil { return end(.stalled) }
      nextDeadline =
        now + min(max(Int64(left) * 1000 / Int64(facts.rate), 1), Int64(Budget.soundPeriodMilliseconds))
    } catch {
      end(error)
    }
  }
}
