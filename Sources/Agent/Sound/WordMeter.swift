import Codec
import Runtime
import Talk

/// What the board's own recogniser makes of what the microphone hears, for a person who looks (`talon listen`): one utterance after the other, each
/// ended as a turn of talk mode is. None of it goes anywhere else, neither to the gateway nor into the log, and it is forgotten when nobody looks
/// any more. Whoever really talks with the board has the recogniser at once.
final class WordMeter: MicrophoneTap, RecogniserOwner {
  /// What goes on.
  enum State { case listens, hears, understands, yields }

  private let recogniser: any LocalRecogniser
  private let recorder: UtteranceRecorder
  private let limits: UtteranceRecorder.Limits
  private let leastConfidence: Float
  private let clock: any Clock
  private var isWatched = false
  private var isYielding = false
  private var isUnderstanding = false
  /// The last utterance: when it was understood (nil: there was none), its words, and how sure the recogniser is of them.
  private var heardAt: Int64?
  private var words = InlineText<512>()
  private var confidence: Float = 0
  /// Why it could not be understood.
  private var failure = InlineText<256>()

  /// A meter that nobody looks at. `silence`: milliseconds that end an utterance. `leastConfidence`: what talk needs to send one.
  init(_ recogniser: any LocalRecogniser, silence: Int64, leastConfidence: Float, clock: any Clock) throws(Errno) {
    self.recogniser = recogniser
    self.leastConfidence = leastConfidence
    self.clock = clock
    var limits = UtteranceRecorder.Limits.turn
    (limits.silence, limits.whole) = (silence, Budget.meterUtteranceMilliseconds)
    self.limits = limits
    recorder = try UtteranceRecorder(whole: limits.whole, preroll: limits.preroll)
  }

  /// What goes on now; nil: nobody looks.
  var state: State? {
    guard isWatched else { return nil }
    if isYielding { return .yields }
    if isUnderstanding { return .understands }
    return recorder.hasSpeech ? .hears : .listens
  }

  // MARK: Who looks, and who goes first

  /// A person looks.
  func begin() {
    guard !isWatched else { return }
    isWatched = true
    listen()
  }

  /// Nobody looks any more. What the recogniser has loaded is given back when nobody has wanted it for a while.
  func end() {
    isWatched = false
    forget()
  }

  /// Somebody talks with the board, or no longer: the recogniser is theirs.
  func giveWay(_ isYielding: Bool) {
    guard self.isYielding != isYielding else { return }
    self.isYielding = isYielding
    forget()
  }

  /// The microphone is closed: what was heard so far is nobody's business any more.
  func forget() {
    if isUnderstanding { recogniser.cancel() }
    isUnderstanding = false
    recorder.forget()
    heardAt = nil
    words.clear()
    failure.clear()
    listen()
  }

  private func listen() {
    if isWatched, !isYielding { recorder.begin(limits) }
  }

  // MARK: Hearing

  func tapHeard(_ block: UnsafeBufferPointer<Int16>) {
    guard isWatched, !isYielding else { return }
    let wasSpeech = recorder.hasSpeech
    let end = recorder.push(block)
    // A model that cannot be loaded is not tried twice for one utterance.
    if recorder.hasSpeech, !wasSpeech, failure.isEmpty { recogniser.prepare() }
    if end != nil { understand() }
  }

  func tapInterrupted() {
    // What is being understood was whole.
    if isUnderstanding { return }
    recorder.forget()
    listen()
  }

  private func understand() {
    isUnderstanding = true
    if recogniser.recognise(recorder.samples, self) { return }
    notRecognised(InlineText(cutting: "the board's own recogniser cannot be started"))
  }

  func recognised(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    guard isUnderstanding else { return }
    let isNothing = !text.contains { $0 > UInt8(ascii: " ") }
    words = isNothing ? InlineText() : InlineText(cutting: Span(_unsafeElements: text))
    self.confidence = max(0, min(1, confidence))
    failure.clear()
    understood()
  }

  func notRecognised(_ reason: InlineText<256>) {
    guard isUnderstanding else { return }
    words.clear()
    failure = reason
    understood()
  }

  private func understood() {
    isUnderstanding = false
    heardAt = clock.monotonic
    listen()
  }

  // MARK: Telling

  /// An object: `state`, and of the last utterance `age` in milliseconds, and `text` (empty: no words), `confidence` from 0 to 1 and `isEnough` (for
  /// talk to send it), or `failure`.
  func write(_ state: State, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("state")
    writer.string(state.word)
    if let heardAt { writeLast(heardAt, &writer) }
    writer.endObject()
  }

  private func writeLast(_ heardAt: Int64, _ writer: inout JSONWriter) {
    writer.key("age")
    writer.int(clock.monotonic - heardAt)
    guard failure.isEmpty else {
      writer.key("failure")
      return writer.string(failure.span)
    }
    writer.key("text")
    writer.string(words.span)
    if words.isEmpty { return }
    writer.key("confidence")
    writer.double(Double(confidence))
    writer.key("isEnough")
    writer.bool(confidence >= leastConfidence)
  }
}

extension WordMeter.State {
  /// Its name for programs.
  var word: StaticString {
    switch self {
    case .listens: "listens"
    case .hears: "hears"
    case .understands: "understands"
    case .yields: "yields"
    }
  }
}
