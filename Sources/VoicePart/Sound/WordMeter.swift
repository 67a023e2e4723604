import Codec
import Runtime
import Talk

/// What the board's own recognizer understands, for a person who watches (`talon listen`): one utterance after the
/// other, each ended like a turn of talk mode. The words go neither to the gateway nor into the log, and are forgotten
/// when nobody watches. A conversation takes the recognizer at once.
final class WordMeter: MicrophoneTap, RecognizerDelegate {
  /// The state of recognition.
  enum State { case listens, hears, understands, yields }

  private let recognizer: any LocalRecognizer
  private let recorder: UtteranceRecorder
  private let limits: UtteranceRecorder.Limits
  private let leastConfidence: Float
  private let clock: any Clock
  private var isWatched = false
  private var isYielding = false
  private var isUnderstanding = false
  /// The last utterance: when it was recognized (nil without one), its words, and the recognizer's confidence.
  private var heardAt: Int64?
  private var words = InlineText<512>()
  private var confidence: Float = 0
  /// Why it was not recognized.
  private var failure = InlineText<256>()

  /// An inactive meter. `silence`: milliseconds that end an utterance. `leastConfidence`: the confidence from which
  /// talk would send it.
  init(_ recognizer: any LocalRecognizer, silence: Int64, leastConfidence: Float, clock: any Clock) throws(Errno) {
    self.recognizer = recognizer
    self.leastConfidence = leastConfidence
    self.clock = clock
    var limits = UtteranceRecorder.Limits.turn
    (limits.silence, limits.whole) = (silence, Budget.meterUtteranceMilliseconds)
    self.limits = limits
    recorder = try UtteranceRecorder(whole: limits.whole, preroll: limits.preroll)
  }

  /// The current state; nil while nobody watches.
  var state: State? {
    guard isWatched else { return nil }
    if isYielding { return .yields }
    if isUnderstanding { return .understands }
    return recorder.hasSpeech ? .hears : .listens
  }

  // MARK: Start and end

  /// A person watches.
  func begin() {
    guard !isWatched else { return }
    isWatched = true
    listen()
  }

  /// Nobody watches. The recognizer unloads its model after a while without use.
  func end() {
    isWatched = false
    forget()
  }

  /// A conversation has begun or ended: it has the recognizer meanwhile.
  func setYielding(_ isYielding: Bool) {
    guard self.isYielding != isYielding else { return }
    self.isYielding = isYielding
    forget()
  }

  /// The microphone was closed: what was recorded is dropped.
  func forget() {
    if isUnderstanding { recognizer.cancel() }
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
    if recorder.hasSpeech, !wasSpeech, failure.isEmpty { recognizer.prepare() }
    if end != nil { understand() }
  }

  func tapInterrupted() {
    // The utterance that is being recognized is complete.
    if isUnderstanding { return }
    recorder.forget()
    listen()
  }

  private func understand() {
    isUnderstanding = true
    if recognizer.recognize(recorder.samples, self) { return }
    recognitionFailed(InlineText(cutting: "the board's own recognizer cannot be started"))
  }

  func recognized(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    guard isUnderstanding else { return }
    let isBlank = !text.contains { $0 > UInt8(ascii: " ") }
    words = isBlank ? InlineText() : InlineText(cutting: Span(_unsafeElements: text))
    self.confidence = max(0, min(1, confidence))
    failure.clear()
    understood()
  }

  func recognitionFailed(_ reason: InlineText<256>) {
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

  // MARK: Report

  /// An object: `state`, and of the last utterance `age` in milliseconds, and `text` (empty without words),
  /// `confidence` from 0 to 1 and `isEnough` (for talk to send it), or `failure`.
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
