import Codec
import Enrolment
import Runtime

/// Learns phrases from their spelling in a process of its own, this program again, which is started for each of them: what it costs is the kernel's to
/// share out, all of its memory is given back when it ends, and whatever befalls it ends it alone.
public final class SpellingTeacher: PhraseTeacher, ChildProcessDelegate, TimerHandler {
  private static let deadline = TimerID(0)

  private let program: String
  private let words: [String]
  private let loop: Loop
  private let clock: any Clock
  private let log: Log
  private var process: ChildProcess! = nil
  private unowned(unsafe) var owner: (any PhraseTeacherOwner)?
  private let lines = ChildLines(capacity: Budget.spellingLineBytes)
  /// What it has learnt; no bytes: nothing yet.
  private let file = FixedBuffer(capacity: Budget.wakeFileBytes + 3)
  private var fileCount = 0
  private var voices = TeachingVoices()
  /// Nothing was heard of it for too long.
  private var isLate = false

  /// A teacher that has espeak-ng's voices where `espeak` says ("auto", "none", a path), of the language in the folder `model`; empty: of English.
  /// What is run, its own name first: `SpellingServer`.
  public init(
    espeak: String, model: String = "", program: String = "/proc/self/exe", words: [String] = ["talon", "listen", "--serve"], loop: Loop,
    clock: any Clock, log: Log
  ) {
    self.program = program
    self.words = words + [espeak] + (model.isEmpty ? [] : ["--model", model])
    self.loop = loop
    self.clock = clock
    self.log = log
    process = ChildProcess(loop: loop, clock: clock, delegate: self)
  }

  // MARK: What is asked

  /// See `PhraseTeacher`.
  public func learn(_ phrase: UnsafeBufferPointer<UInt8>, _ owner: any PhraseTeacherOwner) -> Bool {
    guard self.owner == nil, !process.isRunning else { return false }
    do throws(Errno) {
      try process.start(Path(program), words)
    } catch {
      log.write(.warning, "wake") { line in
        line.add("phrases cannot be learnt, for the process cannot be started: ")
        line.add(error)
      }
      return false
    }
    self.owner = owner
    (fileCount, isLate) = (0, false)
    lines.begin()
    process.tell(phrase)
    process.endInput()
    wait()
    return true
  }

  /// See `PhraseTeacher`.
  public func cancel() {
    owner = nil
    loop.cancelTimer(Self.deadline, of: self)
    process.stop()
  }

  /// See `PhraseTeacher`.
  public var isReleased: Bool { !process.isRunning }

  private func wait() { loop.setTimer(Self.deadline, of: self, at: clock.monotonic + Budget.spellingSilenceMilliseconds) }

  public func timerFired(_ id: TimerID) {
    isLate = true
    process.stop()
  }

  // MARK: The process

  /// See `ChildProcessDelegate`.
  public func childListens() {}

  /// See `ChildProcessDelegate`.
  public func childSaid(_ bytes: Span<UInt8>) -> Int {
    lines.take(bytes) { self.take($0) }
    return bytes.count
  }

  private func take(_ line: UnsafeBufferPointer<UInt8>) {
    guard let owner else { return }
    if let rest = line.rest(behind: SpellingSpeech.part) {
      var place = 0
      guard let permille = rest.number(&place), permille <= 1000 else { return }
      wait()
      return owner.teacherGoesOn(permille)
    }
    if let rest = line.rest(behind: SpellingSpeech.taught) { return taught(rest) }
    lines.complain(line)
    let complaint = lines.complaint
    log.write(.debug, "wake") { line in
      line.add("who learns says: ")
      line.add(complaint.span)
    }
  }

  /// `HEARD CHECKED ESPEAK BASE64`; what is none of that is left to the end to tell.
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
    guard let owner else { return }
    self.owner = nil
    guard code == 0, fileCount > 0 else { return owner.notTaught(reason(code)) }
    owner.taught(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: file.bytes[..<fileCount])), voices)
  }

  /// Why it ended without a phrase.
  private func reason(_ code: Int32) -> InlineText<192> {
    if isLate { return InlineText(cutting: "nothing was heard of it for ten minutes") }
    let complaint = lines.complaint
    if code == 0, complaint.isEmpty { return InlineText(cutting: "what it says is no phrase") }
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
