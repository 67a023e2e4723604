import Runtime

/// Gets the end of playback.
public protocol SoundPlayerDelegate: AnyObject {
  /// All was played (nil), or the card failed.
  func played(_ error: SoundError?)
}

/// Plays a voice on an open card, and reports when all of it was played. It works when the card has room, and at its
/// deadline. Allocates nothing after `init`.
public final class SoundPlayer: SoundDeviceDelegate {
  private enum State { case idle, playing, draining }

  private let playback: any SoundPlayback
  private let outlet: SoundOutlet
  private let clock: any Clock
  private let bytes = FixedBuffer(capacity: Budget.soundReadBytes)
  /// Bytes that the card had no room for yet.
  private var waiting = 0..<0
  private var facts: SoundFacts?
  private var voice: (any SoundVoice)?
  private var delegate: (any SoundPlayerDelegate)?
  private var state = State.idle
  private var drainUntil: Int64 = 0
  /// Frames that were written since `play`.
  public private(set) var frames: UInt64 = 0
  /// When `advance` wants to be called.
  public private(set) var nextDeadline: Int64?

  /// A player; it does not open or close the card.
  @export(interface)
  public init(_ playback: any SoundPlayback, _ outlet: SoundOutlet, clock: any Clock) {
    self.playback = playback
    self.outlet = outlet
    self.clock = clock
  }

  /// True until the delegate was called.
  public var isPlaying: Bool { state != .idle }

  /// Plays a voice on the card with these `facts`. The delegate is called once, unless this throws.
  public func play(_ voice: any SoundVoice, on facts: SoundFacts, _ delegate: any SoundPlayerDelegate)
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
    self.delegate = delegate
  }

  /// Stops without a call of the delegate. The card's buffer is dropped when it is closed.
  public func stop() {
    if state != .idle { playback.stop() }
    reset()
  }

  private func reset() {
    (state, nextDeadline) = (.idle, nil)
    (voice, delegate, facts) = (nil, nil, nil)
  }

  private func end(_ error: SoundError?) {
    let delegate = self.delegate
    stop()
    delegate?.played(error)
  }

  public func soundReady() {
    guard state == .playing else { return }
    do throws(SoundError) { try fill() } catch { end(error) }
  }

  /// Writes until there is no room, or the voice has ended.
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

  /// The voice has ended: polls the card until it has played its buffer.
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
