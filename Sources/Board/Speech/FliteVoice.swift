import CFlite
import Runtime
import Talk

/// The built-in voice, for replies when the gateway has none: synthesizes a sentence on a worker, piece by piece, so
/// that other jobs can run in between.
public final class FliteVoice: LocalVoice {
  private let runner: any JobRunner
  private let job: FliteJob
  private var delegate: (any LocalVoiceDelegate)?
  /// The next sentence, while the job is still busy with a cancelled one.
  private let waiting = FixedBuffer(capacity: Budget.sentenceBytes)
  private var waitingCount = 0
  private var waitingStretch: Float = 1
  private var isWaiting = false

  /// An idle voice.
  @export(interface)
  public init(runner: any JobRunner) throws(Errno) {
    self.runner = runner
    job = try FliteJob(room: Budget.speechBytes)
    job.voice = self
  }

  /// See `LocalVoice`.
  public func speak(_ text: UnsafeBufferPointer<UInt8>, speed: Double, _ delegate: any LocalVoiceDelegate) -> Bool {
    guard self.delegate == nil, text.count <= Budget.sentenceBytes else { return false }
    for index in 0..<text.count { waiting.bytes[index] = text[index] }
    (waitingCount, waitingStretch, isWaiting) = (text.count, Float(1 / speed), true)
    guard job.isPending || begin() else { return false }
    self.delegate = delegate
    return true
  }

  /// See `LocalVoice`.
  public func cancel() {
    (delegate, isWaiting) = (nil, false)
    if job.isPending { job.cancel() }
  }

  private func begin() -> Bool {
    isWaiting = false
    job.begin(
      Span(_unsafeElements: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(waiting.bytes)[..<waitingCount])),
      stretch: waitingStretch)
    return runner.submit(job)
  }

  fileprivate func ended() {
    if isWaiting {
      if !begin() { fail() }
      return
    }
    guard delegate != nil else { return job.clear() }
    if job.failure != nil { return fail() }
    if job.isDone { return finish() }
    if !runner.submit(job) { fail() }
  }

  private func finish() {
    let delegate = self.delegate
    self.delegate = nil
    delegate?.spoken(job.made, rate: FliteSpeech.rate)
    // That call may have started the next sentence.
    if !job.isPending { job.clear() }
  }

  private func fail() {
    let delegate = self.delegate
    self.delegate = nil
    job.clear()
    delegate?.speechFailed()
  }
}

/// Synthesizes one piece of a sentence in each run.
private final class FliteJob: Job {
  private let words = FixedBuffer(capacity: Budget.speakableBytes)
  private var wordCount = 0
  private var start = 0
  private var pieces: SpeechPieces
  private let samples: ReservedBuffer
  private var count = 0
  private let cancelled: UnsafeMutablePointer<Int32>
  /// Why it failed.
  private(set) var failure: SpeechError?
  unowned(unsafe) var voice: FliteVoice?

  init(room: Int) throws(Errno) {
    samples = try ReservedBuffer(capacity: room)
    cancelled = .allocate(capacity: 1)
    cancelled.initialize(to: 0)
    pieces = SpeechPieces(stretch: 1, pitch: 1, cancelled: cancelled)
  }

  deinit { cancelled.deallocate() }

  /// Sets the sentence. Only `cancel` may be called while the job is pending.
  func begin(_ text: Span<UInt8>, stretch: Float) {
    tl_speech_cancel(cancelled, 0)
    wordCount = SpeakableText.write(text, into: words.bytes)
    pieces = SpeechPieces(stretch: stretch, pitch: 1, cancelled: cancelled)
    (start, count, failure) = (0, 0, nil)
  }

  /// Asks the run to end soon.
  func cancel() { tl_speech_cancel(cancelled, 1) }

  /// True when the sentence is complete, or the buffer is full.
  var isDone: Bool { start == wordCount || count == room.count }

  /// The samples so far.
  var made: UnsafeBufferPointer<Int16> { UnsafeBufferPointer(rebasing: room[..<count]) }

  /// Frees the memory.
  func clear() {
    count = 0
    samples.release()
  }

  private var room: UnsafeMutableBufferPointer<Int16> {
    UnsafeMutableRawBufferPointer(samples.bytes).bindMemory(to: Int16.self)
  }

  override func run() {
    let words = UnsafeBufferPointer(rebasing: UnsafeBufferPointer(words.bytes)[..<wordCount])
    guard let range = SpeakableText.piece(of: words, from: start, limit: Budget.speechPieceBytes) else { return }
    do throws(SpeechError) {
      count += try pieces.speak(words, range, into: UnsafeMutableBufferPointer(rebasing: room[count...]))
    } catch {
      failure = error
    }
    start = range.upperBound
  }

  override func finish() { voice?.ended() }
}
