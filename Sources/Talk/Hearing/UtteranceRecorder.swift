import Runtime

/// Records an utterance, from a little before its beginning until silence. It takes all sound of the microphone; while
/// nothing is recorded it keeps the last of it as pre-roll, and learns the noise floor.
public final class UtteranceRecorder {
  /// When a recording begins and ends, in milliseconds of sound.
  public struct Limits: Equatable, Sendable {
    /// Silence after speech that ends it; nil: no limit.
    public var silence: Int64?
    /// It ends after this time without any speech; nil: no limit.
    public var nothing: Int64?
    /// Longest recording, from its beginning, or from the first speech if `waitsForSpeech`.
    public var whole: Int64
    /// Sound from before the beginning that is included.
    public var preroll: Int64
    /// Time at the beginning in which nothing counts as speech: the end of the wake phrase, and the board's own tone.
    public var ignoredLeadIn: Int64
    /// Nothing is kept before speech begins.
    public var waitsForSpeech: Bool

    /// Limits; see the properties.
    public init(
      silence: Int64?, nothing: Int64?, whole: Int64 = Budget.utteranceMilliseconds, preroll: Int64 = 0,
      ignoredLeadIn: Int64 = 0,
      waitsForSpeech: Bool = false
    ) {
      self.silence = silence
      self.nothing = nothing
      self.whole = whole
      self.preroll = preroll
      self.ignoredLeadIn = ignoredLeadIn
      self.waitsForSpeech = waitsForSpeech
    }

    /// A command after the wake phrase (node-commands 6.4). The pre-roll has the wake phrase.
    public static let wake = Limits(
      silence: Budget.commandSilenceMilliseconds, nothing: Budget.wakeSpeechTimeoutMilliseconds,
      preroll: Budget.prerollMilliseconds,
      ignoredLeadIn: 300)
    /// While a person holds a button (7.4).
    public static let hold = Limits(silence: nil, nothing: nil)
    /// `talk.ptt.once` (7.4).
    public static let once = Limits(
      silence: Budget.commandSilenceMilliseconds, nothing: nil, whole: Budget.onceMilliseconds)
    /// A turn of talk mode (7.1), which begins with the first word.
    public static let turn = Limits(
      silence: Budget.turnSilenceMilliseconds, nothing: nil, preroll: 500, waitsForSpeech: true)
  }

  /// Why a recording ended by itself.
  public enum End: Equatable, Sendable {
    /// Speech, then silence.
    case silence
    /// No speech.
    case nothing
    /// The limit of its length.
    case limit
  }

  private static let perMillisecond = Budget.talkRate / 1000

  private let ring: UnsafeMutableBufferPointer<Int16>
  private var ringNext = 0
  private var ringCount = 0
  private let storage: ReservedBuffer
  private var limits = Limits.hold
  private var gate = SpeechGate()
  /// Samples since `begin`, at the end of the last frame; and those that count towards `whole`.
  private var heard = 0
  private var counted = 0
  private var quietFrames = 0
  /// Recorded samples.
  public private(set) var count = 0
  /// True between `begin` and the end.
  public private(set) var isRecording = false
  /// True when there was speech since `begin`.
  public private(set) var hasSpeech = false

  /// Allocates room for the longest utterance and the pre-roll, in milliseconds.
  @export(interface)
  public init(
    whole: Int64 = Budget.utteranceMilliseconds, preroll: Int64 = Budget.prerollMilliseconds
  ) throws(Errno) {
    ring = .allocate(capacity: Int(preroll) * Self.perMillisecond)
    ring.initialize(repeating: 0)
    storage = try ReservedBuffer(capacity: Int(whole + preroll) * Self.perMillisecond * 2)
  }

  deinit { ring.deallocate() }

  private var kept: UnsafeMutableBufferPointer<Int16> {
    UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: Int16.self)
  }

  /// The recorded samples, valid until `clear` or the next `begin`; more may be appended.
  public var samples: UnsafeBufferPointer<Int16> { UnsafeBufferPointer(rebasing: UnsafeBufferPointer(kept)[..<count]) }

  /// The noise floor, 1 being full scale.
  public var noise: Float { gate.floor }

  /// Starts recording.
  public func begin(_ limits: Limits) {
    clear()
    self.limits = limits
    (heard, counted, quietFrames, hasSpeech) = (0, 0, 0, false)
    isRecording = true
    if !limits.waitsForSpeech { keepPreroll(Int(limits.preroll) * Self.perMillisecond) }
  }

  /// Stops recording; the samples are kept.
  public func end() { isRecording = false }

  /// Drops the recording, and releases its memory.
  public func clear() {
    isRecording = false
    count = 0
    storage.release()
  }

  /// Drops the pre-roll as well, because the microphone was closed.
  public func forget() {
    clear()
    (ringNext, ringCount) = (0, 0)
  }

  /// Takes sound of the microphone; returns why the recording ended, if it did.
  public func push(_ block: UnsafeBufferPointer<Int16>) -> End? {
    guard isRecording else {
      gate.push(block) { _ in }
      remember(block)
      return nil
    }
    var start = 0
    while start < block.count {
      // One frame at a time, because each may end the recording.
      let end = min(block.count, start + SpeechGate.frame)
      let piece = UnsafeBufferPointer(rebasing: block[start..<end])
      start = end
      if let ending = take(piece) {
        isRecording = false
        remember(UnsafeBufferPointer(rebasing: block[start...]))
        return ending
      }
    }
    return nil
  }

  private func take(_ piece: UnsafeBufferPointer<Int16>) -> End? {
    let isKept = hasSpeech || !limits.waitsForSpeech
    heard += piece.count
    if isKept { keep(piece) } else { remember(piece) }
    let isLeadIn = heard <= Int(limits.ignoredLeadIn) * Self.perMillisecond
    var hasBegun = false
    gate.push(piece) { isSpeech in
      if isSpeech, !isLeadIn {
        hasBegun = hasBegun || !self.hasSpeech
        (self.hasSpeech, self.quietFrames) = (true, 0)
      } else if self.hasSpeech {
        self.quietFrames += 1
      }
    }
    if hasBegun, !isKept { keepPreroll(Int(limits.preroll) * Self.perMillisecond) }
    return ending
  }

  private var ending: End? {
    if let silence = limits.silence, hasSpeech, quietFrames * SpeechGate.frame >= Int(silence) * Self.perMillisecond {
      return .silence
    }
    if let nothing = limits.nothing, !hasSpeech, heard >= Int(nothing) * Self.perMillisecond { return .nothing }
    return counted >= Int(limits.whole) * Self.perMillisecond || count == kept.count ? .limit : nil
  }

  private func keep(_ piece: UnsafeBufferPointer<Int16>) {
    let fitting = min(piece.count, kept.count - count)
    if fitting > 0 { (kept.baseAddress! + count).update(from: piece.baseAddress!, count: fitting) }
    count += fitting
    counted += piece.count
  }

  private func keepPreroll(_ wanted: Int) {
    let length = min(wanted, ringCount)
    for index in 0..<length { kept[count + index] = ring[(ringNext + ring.count - length + index) % ring.count] }
    count += length
    ringCount = 0
  }

  private func remember(_ block: UnsafeBufferPointer<Int16>) {
    for sample in block.suffix(ring.count) {
      ring[ringNext] = sample
      ringNext = ringNext + 1 == ring.count ? 0 : ringNext + 1
    }
    ringCount = min(ringCount + block.count, ring.count)
  }
}
