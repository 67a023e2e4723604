import Codec
import Runtime
import Talk

/// Understands speech on the board by pocketsphinx, which has a process of its own: this program again. What it costs is the kernel's
/// to share out, 100 MB are really given back when it ends, and a model that makes the library give up ends that process alone. It is
/// started when somebody begins to speak, and ends when nobody has for a while.
public final class SphinxRecogniser: LocalRecogniser, ChildProcessDelegate, TimerHandler {
  private static let deadline = TimerID(0), linger = TimerID(1)

  private let program: String
  private let words: [String]
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var process: ChildProcess! = nil
  /// The model is loaded; the process was told to end.
  private var isReady = false
  private var isLeaving = false
  /// Somebody began to speak since.
  private var isWanted = false
  private var startedAt: Int64 = 0
  private let lines = ChildLines(capacity: Budget.recogniserLineBytes)

  /// The utterance, and for whom it is understood.
  private var samples = UnsafeBufferPointer<Int16>(start: nil, count: 0)
  private unowned(unsafe) var owner: (any RecogniserOwner)?
  /// Bytes of its length and samples that the process has.
  private var given = 0
  private let length = FixedBuffer(capacity: 4)

  /// A recogniser with the model of a folder (`SphinxModel`). What is run, its own name first: `SphinxServer` behind it.
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

  // MARK: What is asked

  /// See `LocalRecogniser`.
  public func prepare() {
    guard !process.isRunning else {
      isWanted = isLeaving
      return rest()
    }
    do throws(Errno) {
      try process.start(Path(program), words)
      (isReady, isLeaving) = (false, false)
      lines.begin()
      startedAt = clock.monotonic
      rest()
    } catch {
      log.write(.warning, "talk") { line in
        line.add("the recogniser cannot be started: ")
        line.add(error)
      }
    }
  }

  /// See `LocalRecogniser`.
  public func recognise(_ samples: UnsafeBufferPointer<Int16>, _ owner: any RecogniserOwner) -> Bool {
    guard self.owner == nil, samples.count <= SphinxSpeech.samples else { return false }
    prepare()
    guard process.isRunning else { return false }
    (self.samples, self.owner, given) = (samples, owner, 0)
    for index in 0..<4 { length.bytes[index] = UInt8(truncatingIfNeeded: samples.count >> (8 * index)) }
    loop.cancelTimer(Self.linger, of: self)
    loop.setTimer(Self.deadline, of: self, at: clock.monotonic + Budget.recogniserMilliseconds)
    // One that was told to end hears nothing more: the next one does.
    if !isLeaving { childListens() }
    return true
  }

  /// See `LocalRecogniser`. Nobody can call a decoder back: its process ends.
  public func cancel() {
    guard owner != nil else { return }
    forget()
    release()
  }

  /// See `LocalRecogniser`.
  public func release() {
    forget()
    isWanted = false
    loop.cancelTimer(Self.linger, of: self)
    guard process.isRunning, !isLeaving else { return }
    isLeaving = true
    process.stop()
  }

  /// See `LocalRecogniser`.
  public var isReleased: Bool { !process.isRunning }

  private func forget() {
    owner = nil
    samples = UnsafeBufferPointer(start: nil, count: 0)
    loop.cancelTimer(Self.deadline, of: self)
  }

  private func rest() {
    guard owner == nil, !isLeaving else { return }
    loop.setTimer(Self.linger, of: self, at: clock.monotonic + Budget.recogniserLingerMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    let owner = self.owner
    release()
    if id == Self.deadline { owner?.notRecognised(InlineText(cutting: "the board's own recogniser takes too long")) }
  }

  private func fail(_ reason: InlineText<256>) {
    let owner = self.owner
    forget()
    owner?.notRecognised(reason)
  }

  // MARK: The process

  /// See `ChildProcessDelegate`: the utterance goes to it, as it has room.
  public func childListens() {
    guard owner != nil, !isLeaving else { return }
    if given < 4 {
      given += process.offer(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(length.bytes)[given...]))
      if given < 4 { return }
    }
    let bytes = UnsafeRawBufferPointer(samples)
    if given - 4 < bytes.count { given += process.offer(UnsafeRawBufferPointer(rebasing: bytes[(given - 4)...])) }
  }

  /// See `ChildProcessDelegate`.
  public func childSaid(_ bytes: Span<UInt8>) -> Int {
    lines.take(bytes) { self.take($0) }
    return bytes.count
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    if isLeaving { return }
    if let rest = line.rest(behind: SphinxSpeech.text) { return understood(rest) }
    if line.rest(behind: SphinxSpeech.ready) != nil { return loaded() }
    lines.complain(line)
    let complaint = lines.complaint
    log.write(.debug, "talk") { line in
      line.add("the recogniser says: ")
      line.add(complaint.span)
    }
  }

  private func loaded() {
    isReady = true
    log.write(.info, "talk") { line in
      line.add("the board's own recogniser has loaded its model in ")
      line.add(self.clock.monotonic - self.startedAt)
      line.add(" ms")
    }
  }

  /// `PERMILLE WORDS`
  private func understood(_ line: UnsafeBufferPointer<UInt8>) {
    var place = 0
    guard let permille = line.number(&place), line[place - 1] == UInt8(ascii: " "), let owner else { return }
    forget()
    rest()
    let words = UnsafeBufferPointer(rebasing: line[place...])
    owner.recognised(words, confidence: Float(min(permille, 1000)) / 1000)
  }

  /// See `ChildProcessDelegate`.
  public func childEnded(_ code: Int32) {
    let wasReady = isReady
    let wasLeaving = isLeaving
    (isReady, isLeaving) = (false, false)
    loop.cancelTimer(Self.linger, of: self)
    if wasLeaving {
      // Somebody spoke while it ended.
      guard isWanted else { return }
      isWanted = false
      prepare()
      return process.isRunning ? childListens() : fail(InlineText(cutting: "the board's own recogniser cannot be started"))
    }
    let reason = reason(code, wasReady)
    log.write(.warning, "talk") { line in line.add(reason.span) }
    fail(reason)
  }

  /// Why it ended by itself.
  private func reason(_ code: Int32, _ wasReady: Bool) -> InlineText<256> {
    var reason = InlineText<256>()
    let complaint = lines.complaint
    reason.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("the board's own recogniser ")
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
