import Runtime
import Talk
import Voice
import VoicePart

/// A stand-in for the network that detects phrases: it detects whoever says one of those that it was given, and nobody
/// else.
final class SimulatedPhraseDetector: PhraseDetector {
  /// What is listened for, normalized.
  private(set) var phrases: [String] = []
  private(set) var isAwake = false
  private var heard: [Int] = []
  unowned(unsafe) let life: Life

  init(_ life: Life) { self.life = life }

  func removePhrases() { phrases.removeAll() }

  func add(_ file: PhraseFile, caution: Float) -> Bool {
    guard phrases.count < Budget.wakePhrases else { return false }
    phrases.append(String(decoding: file.text, as: UTF8.self))
    return true
  }

  func threshold(of phrase: Int) -> Float { 0 }
  func takeBest(of phrase: Int) -> Float { -.infinity }
  func interrupt() { isAwake = false }

  func hear(_ samples: UnsafeBufferPointer<Int16>) {
    isAwake = samples.contains { $0 > 1_000 }
    guard isAwake, let said = life.talker.takePhrase(), let index = phrases.firstIndex(of: said) else { return }
    heard.append(index)
  }

  func nextHeard() -> (phrase: Int, score: Float)? { heard.popLast().map { ($0, 1) } }
}

/// Stands between the phrase detector and the talk loop, and counts the samples of each.
final class WakeWatch: WakeDelegate {
  private let talk: TalkService
  unowned(unsafe) let life: Life

  init(_ life: Life, _ talk: TalkService) {
    self.life = life
    self.talk = talk
  }

  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    life.ledger.blockHeard()
    talk.microphoneHeard(block)
  }

  func woke(_ phrase: Span<UInt8>) {
    life.report.wakes += 1
    life.trace.note(life.now, "woke")
    talk.woke(phrase)
  }
}

/// Talk's own ear, and what it hears is counted, too.
final class WatchedMicrophone: TalkMicrophone, TalkListener {
  private let microphone: any TalkMicrophone
  private var listener: (any TalkListener)?
  unowned(unsafe) let life: Life

  init(_ life: Life, _ microphone: any TalkMicrophone) {
    self.life = life
    self.microphone = microphone
  }

  func open(_ capture: TalkLoop.Capture, _ listener: any TalkListener) {
    self.listener = listener
    microphone.open(capture, self)
  }

  func close() {
    microphone.close()
    listener = nil
  }

  func microphoneOpened() { listener?.microphoneOpened() }
  func microphoneFailed(_ failure: MicrophoneFailure) {
    let listener = self.listener
    self.listener = nil
    listener?.microphoneFailed(failure)
  }
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    guard let listener else { return life.invariants.violated("sound was heard by whom it was taken from") }
    life.ledger.blockHeard()
    listener.microphoneHeard(block)
  }
}

/// The board's own recognizer: slow, and right most of the time.
final class SimulatedRecognizer: LocalRecognizer, Actor {
  unowned(unsafe) let life: Life
  private var delegate: (any RecognizerDelegate)?
  private var generation: Int64 = 0
  private var isSpeech = false
  private(set) var isReleased = true

  init(_ life: Life) { self.life = life }

  func prepare() { isReleased = false }

  func recognize(_ samples: UnsafeBufferPointer<Int16>, _ delegate: any RecognizerDelegate) -> Bool {
    if life.chance(1, in: 20) { return false }
    if self.delegate != nil { life.invariants.violated("the recognizer was given an utterance while it had another") }
    self.delegate = delegate
    isReleased = false
    isSpeech = samples.contains { $0 > 1_000 }
    generation += 1
    life.schedule.add(self, 0, generation, at: life.now + 300 + life.interval(5_000))
    return true
  }

  func cancel() {
    delegate = nil
    generation += 1
  }

  func release() {
    cancel()
    isReleased = true
  }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation, let delegate else { return }
    self.delegate = nil
    if life.chance(1, in: 15) { return delegate.recognitionFailed(InlineText(cutting: "its model is broken")) }
    let text = Array((isSpeech ? life.talker.order(life.sessions.nextOrder()) : "").utf8)
    let confidence: Float = life.chance(1, in: 5) ? 0.2 : 0.8
    text.withUnsafeBufferPointer { delegate.recognized($0, confidence: confidence) }
  }
}

/// The board's own voice.
final class SimulatedVoice: LocalVoice, Actor {
  private static let sentence = [Int16](repeating: 1_000, count: 6_400)

  unowned(unsafe) let life: Life
  private var delegate: (any LocalVoiceDelegate)?
  private var generation: Int64 = 0

  init(_ life: Life) { self.life = life }

  func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ delegate: any LocalVoiceDelegate) -> Bool {
    if life.chance(1, in: 20) { return false }
    self.delegate = delegate
    generation += 1
    life.schedule.add(self, 0, generation, at: life.now + 50 + life.interval(400))
    return true
  }

  func cancel() {
    delegate = nil
    generation += 1
  }

  func act(_ what: Int, _ number: Int64) {
    guard number == generation, let delegate else { return }
    self.delegate = nil
    if life.chance(1, in: 20) { return delegate.speechFailed() }
    Self.sentence.withUnsafeBufferPointer { delegate.spoken($0, rate: 16_000) }
  }
}
