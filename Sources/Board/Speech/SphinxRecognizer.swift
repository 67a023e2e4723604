import Codec
import Runtime
import Talk

/// Recognizes speech on the board by pocketsphinx in a separate process, which runs this program: the kernel schedules
/// it, its 100 MB are freed when it ends, and a model that crashes the library ends only that process. It is started
/// when speech begins, and ends after a while without speech.
public final class SphinxRecognizer: LocalRecognizer, ChildProcessDelegate, TimerHandler {
  private static let deadline = TimerID(0), linger = TimerID(1)

  private let program: String
  private let words: [String]
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var process: ChildProcess! = nil
  /// True when the model is loaded; true when the process was told to end.
  private var isReady = false
  private var isLeaving = false
  /// True when speech began since.
  private var isWanted = false
  private var startedAt: Int64 = 0
  private let lines = ChildLines(capacity: Budget.recognizerLineBytes)

  /// The utterance, and the delegate of its recognition.
  private var samples = UnsafeBufferPointer<Int16>(start: nil, count: 0)
  private unowned(unsafe) var delegate: (any RecognizerDelegate)?
  /// Bytes of its length and samples that were sent to the process.
  private var given = 0
  private let length = FixedBuffer(capacity: 4)

  /// A recognizer with the model of a folder (`SphinxModel`). `program` with `words` (argv) has to run `SphinxServer`.
  @export(interface)
  public init(
    folder: String, program: String = "/proc/self/exe", words: [String] = ["talon", "recognise", "--serve"], loop: Loop,
    clock: any Clock, log: Log
  ) {
    self.program = program
    self.words = words + [folder]
    self.loop = loop
    self.clock = clock
    self.log = log
    process = ChildProcess(loop: loop, clock: clock, delegate: self)
  }

  // MARK: LocalRecognizer

  /// See `LocalRecognizer`.
  public func prepare() {
    guard !process.isRunning else {
      isWanted = isLeaving
      return scheduleRelease()
    }
    do throws(Errno) {
      try process.start(Path(program), words)
      (isReady, isLeaving) = (false, false)
      lines.begin()
      startedAt = clock.monotonic
      scheduleRelease()
    } catch {
      log.write(.warning, "talk") { line in
        line.add("the recognizer cannot be started: ")
        line.add(error)
      }
    }
  }

  /// See `LocalRecognizer`.
  public func recognize(_ samples: UnsafeBufferPointer<Int16>, _ delegate: any RecognizerDelegate) -> Bool {
    guard self.delegate == nil, samples.count <= SphinxSpeech.samples else { return false }
    prepare()
    guard process.isRunning else { return false }
    (self.samples, self.delegate, given) = (samples, delegate, 0)
    for index in 0..<4 { length.bytes[index] = UInt8(truncatingIfNeeded: samples.count >> (8 * index)) }
    loop.cancelTimer(Self.linger, of: self)
    loop.setTimer(Self.deadline, of: self, at: clock.monotonic + Budget.recognizerTimeoutMilliseconds)
    // A process that was told to end gets no more speech: the next one does.
    if !isLeaving { childReadyForInput() }
    return true
  }

  /// See `LocalRecognizer`. The library cannot cancel: the process is ended.
  public func cancel() {
    guard delegate != nil else { return }
    forget()
    release()
  }

  /// See `LocalRecognizer`.
  public func release() {
    forget()
    isWanted = false
    loop.cancelTimer(Self.linger, of: self)
    guard process.isRunning, !isLeaving else { return }
    isLeaving = true
    process.stop()
  }

  /// See `LocalRecognizer`.
  public var isReleased: Bool { !process.isRunning }

  private func forget() {
    delegate = nil
    samples = UnsafeBufferPointer(start: nil, count: 0)
    loop.cancelTimer(Self.deadline, of: self)
  }

  private func scheduleRelease() {
    guard delegate == nil, !isLeaving else { return }
    loop.setTimer(Self.linger, of: self, at: clock.monotonic + Budget.recognizerLingerMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    let delegate = self.delegate
    release()
    guard id == Self.deadline else { return }
    delegate?.recognitionFailed(InlineText(cutting: "the board's own recognizer takes too long"))
  }

  private func fail(_ reason: InlineText<256>) {
    let delegate = self.delegate
    forget()
    delegate?.recognitionFailed(reason)
  }

  // MARK: The process

  /// See `ChildProcessDelegate`: sends the utterance as far as there is room.
  public func childReadyForInput() {
    guard delegate != nil, !isLeaving else { return }
    if given < 4 {
      given += process.offer(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(length.bytes)[given...]))
      if given < 4 { return }
    }
    let bytes = UnsafeRawBufferPointer(samples)
    if given - 4 < bytes.count { given += process.offer(UnsafeRawBufferPointer(rebasing: bytes[(given - 4)...])) }
  }

  /// See `ChildProcessDelegate`.
  public func childWrote(_ bytes: Span<UInt8>) -> Int {
    lines.take(bytes) { self.take($0) }
    return bytes.count
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    if isLeaving { return }
    if let rest = line.rest(after: SphinxSpeech.text) { return understood(rest) }
    if line.rest(after: SphinxSpeech.ready) != nil { return loaded() }
    lines.complain(line)
    let complaint = lines.complaint
    log.write(.debug, "talk") { line in
      line.add("the recognizer reports: ")
      line.add(complaint.span)
    }
  }

  private func loaded() {
    isReady = true
    log.write(.info, "talk") { line in
      line.add("the board's own recognizer has loaded its model in ")
      line.add(self.clock.monotonic - self.startedAt)
      line.add(" ms")
    }
  }

  /// `PERMILLE WORDS`
  private func understood(_ line: UnsafeBufferPointer<UInt8>) {
    var place = 0
    guard let permille = line.number(&place), line[place - 1] == UInt8(ascii: " "), let delegate else { return }
    forget()
    scheduleRelease()
    let words = UnsafeBufferPointer(rebasing: line[place...])
    delegate.recognized(words, confidence: Float(min(permille, 1000)) / 1000)
  }

  /// See `ChildProcessDelegate`.
  public func childEnded(_ code: Int32) {
    let wasReady = isReady
    let wasLeaving = isLeaving
    (isReady, isLeaving) = (false, false)
    loop.cancelTimer(Self.linger, of: self)
    if wasLeaving {
      // Speech began while it ended.
      guard isWanted else { return }
      isWanted = false
      prepare()
      return process.isRunning
        ? childReadyForInput() : fail(InlineText(cutting: "the board's own recognizer cannot be started"))
    }
    let reason = reason(code, wasReady)
    log.write(.warning, "talk") { line in line.add(reason.span) }
    fail(reason)
  }

  /// Why it ended.
  private func reason(_ code: Int32, _ wasReady: Bool) -> InlineText<256> {
    var reason = InlineText<256>()
    let complaint = lines.complaint
    reason.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("the board's own recognizer ")
      writer.text(wasReady ? "broke off" : "cannot load its model")
      if complaint.isEmpty {
        writer.text(code > 128 ? ": signal " : ": exit code ")
        writer.decimal(Int64(code > 128 ? code - 128 : code))
      } else {
        writer.text(": ")
        writer.bytes(complaint.span)
      }
      return min(writer.count, buffer.count)
    }
    return reason
  }
}
