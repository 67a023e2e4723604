import Codec
import Enrolment
import Runtime

/// Learns phrases from their spelling in a separate process, which runs this program and is started for each phrase:
/// the kernel schedules it, all its memory is freed when it ends, and a crash ends only that process.
public final class SpellingTeacher: PhraseTeacher, ChildProcessDelegate, TimerHandler {
  private static let deadline = TimerID(0)

  private let program: String
  private let words: [String]
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var process: ChildProcess! = nil
  private unowned(unsafe) var delegate: (any PhraseTeacherDelegate)?
  private let lines = ChildLines(capacity: Budget.spellingLineBytes)
  /// The phrase file that was learned; empty: none yet.
  private let file = FixedBuffer(capacity: Budget.wakeFileBytes + 3)
  private var fileCount = 0
  private var voices = TeachingVoices()
  /// It was stopped because it sent nothing for too long.
  private var hasTimedOut = false

  /// A teacher with espeak-ng's voices from `espeak` ("auto", "none", a path), for the language in the folder `model`;
  /// empty: English. `program` with `words` (argv) has to run `SpellingServer`.
  @export(interface)
  public init(
    espeak: String, model: String = "", program: String = "/proc/self/exe",
    words: [String] = ["talon", "listen", "--serve"], loop: Loop,
    clock: any Clock, log: Log
  ) {
    self.program = program
    self.words = words + [espeak] + (model.isEmpty ? [] : ["--model", model])
    self.loop = loop
    self.clock = clock
    self.log = log
    process = ChildProcess(loop: loop, clock: clock, delegate: self)
  }

  // MARK: PhraseTeacher

  /// See `PhraseTeacher`.
  public func learn(_ phrase: UnsafeBufferPointer<UInt8>, _ delegate: any PhraseTeacherDelegate) -> Bool {
    guard self.delegate == nil, !process.isRunning else { return false }
    do throws(Errno) {
      try process.start(Path(program), words)
    } catch {
      log.write(.warning, "wake") { line in
        line.add("the phrase cannot be learned: its process cannot be started: ")
        line.add(error)
      }
      return false
    }
    self.delegate = delegate
    (fileCount, hasTimedOut) = (0, false)
    lines.begin()
    process.write(phrase)
    process.endInput()
    wait()
    return true
  }

  /// See `PhraseTeacher`.
  public func cancel() {
    delegate = nil
    loop.cancelTimer(Self.deadline, of: self)
    process.stop()
  }

  /// See `PhraseTeacher`.
  public var isReleased: Bool { !process.isRunning }

  private func wait() {
    loop.setTimer(Self.deadline, of: self, at: clock.monotonic + Budget.spellingSilenceMilliseconds)
  }

  public func timerFired(_ id: TimerID) {
    hasTimedOut = true
    process.stop()
  }

  // MARK: The process

  /// See `ChildProcessDelegate`.
  public func childReadyForInput() {}

  /// See `ChildProcessDelegate`.
  public func childWrote(_ bytes: Span<UInt8>) -> Int {
    lines.take(bytes) { self.take($0) }
    return bytes.count
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    guard let delegate else { return }
    if let rest = line.rest(after: SpellingSpeech.part) {
      var place = 0
      guard let permille = rest.number(&place), permille <= 1000 else { return }
      wait()
      return delegate.teachingProgressed(permille)
    }
    if let rest = line.rest(after: SpellingSpeech.taught) { return taught(rest) }
    lines.complain(line)
    let complaint = lines.complaint
    log.write(.debug, "wake") { line in
      line.add("the learning process reports: ")
      line.add(complaint.span)
    }
  }

  /// `HEARD CHECKED ESPEAK BASE64`; an invalid line is reported when the process ends.
  private func taught(_ line: UnsafeBufferPointer<UInt8>) {
    var place = 0
    guard let heard = line.number(&place), let checked = line.number(&place), heard <= checked,
      let espeak = line.number(&place)
    else { return }
    let text = Span(_unsafeElements: UnsafeBufferPointer(rebasing: line[place...]))
    guard Base64Decoder.decodedLengthMax(of: text.count) <= file.bytes.count else { return }
    do throws(Base64Error) {
      fileCount = try Base64Decoder.decode(text, .standard, padding: .required, into: file.bytes)
      voices = TeachingVoices(heard: heard, checked: checked, espeak: espeak)
    } catch {
      fileCount = 0
    }
  }

  /// See `ChildProcessDelegate`.
  public func childEnded(_ code: Int32) {
    loop.cancelTimer(Self.deadline, of: self)
    guard let delegate else { return }
    self.delegate = nil
    guard code == 0, fileCount > 0 else { return delegate.teachingFailed(reason(code)) }
    delegate.taught(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file.bytes[..<fileCount])), voices)
  }

  /// Why it ended without a phrase.
  private func reason(_ code: Int32) -> InlineText<192> {
    if hasTimedOut { return InlineText(cutting: "the learning process sent nothing for ten minutes") }
    let complaint = lines.complaint
    if code == 0, complaint.isEmpty { return InlineText(cutting: "the learning process sent no valid phrase") }
    var reason = InlineText<192>()
    reason.fill { buffer in
      var writer = ByteWriter(into: buffer)
      if code != 0 {
        writer.text(code > 128 ? "its process was ended by signal " : "its process ended with exit code ")
        writer.decimal(Int64(code > 128 ? code - 128 : code))
        if !complaint.isEmpty { writer.text(": ") }
      }
      writer.bytes(complaint.span)
      return min(writer.count, buffer.count)
    }
    return reason
  }
}
