import Enrolment
import Node
import Runtime
import Voice

/// Has vectors made for phrases that have none: one at a time, in the order of the list, with retries after failures. A
/// finished file waits here until the worker has kept it.
final class WakeLearning: PhraseTeacherDelegate {
  /// The state of the phrase file that was made.
  private enum MadeFile {
    /// There is none.
    case none
    /// Waits for the worker; is with the worker; waits for a retry on flash.
    case due, keeping, waiting
  }

  private let teacher: (any PhraseTeacher)?
  private let language: Language
  private let clock: any Clock
  private let log: Log
  /// True when a phrase file waits to be kept.
  private let offer: () -> Void
  /// The list, and which of its phrases need nothing more: they are known, cannot be spoken, or have failed for good.
  private var list = WakePhrases()
  private var settled: UInt32 = .max
  private var tries = InlineArray<32, UInt8>(repeating: 0)
  private var dueAt = InlineArray<32, Int64>(repeating: 0)
  /// The phrase that is being learned, and since when.
  private(set) var current: Int?
  private var startedAt: Int64 = 0
  /// Progress in thousandths.
  private(set) var permille = 0
  /// The phrase file that was made, and facts about it.
  private let file = FixedBuffer(capacity: Budget.wakeFileBytes)
  private var fileCount = 0
  private var voices = TeachingVoices()
  private var made = MadeFile.none
  private var retryPause = RetryPause()
  private var isRunning = false

  init(_ teacher: (any PhraseTeacher)?, _ language: Language, clock: any Clock, log: Log, offer: @escaping () -> Void) {
    self.teacher = teacher
    self.language = language
    self.clock = clock
    self.log = log
    self.offer = offer
  }

  func start() { isRunning = true }

  func stop() {
    isRunning = false
    forget()
    teacher?.cancel()
  }

  /// True when nothing of it runs.
  var isStopped: Bool { teacher?.isReleased ?? true }

  /// True when the phrase is or will be learned.
  func isExpected(_ index: Int) -> Bool { settled & 1 << UInt32(index) == 0 }

  /// True when a try has failed.
  func hasFailed(_ index: Int) -> Bool { tries[index] > 0 }

  // MARK: Phrases to learn

  /// The wake phrases, and which of them are known, one bit each.
  func take(_ phrases: borrowing WakePhrases, known: UInt32) {
    guard let teacher else { return }
    if !list.equals(phrases) { change(to: phrases, teacher) }
    settled |= known
    if let current, !isExpected(current) { drop(teacher) }
    advance(to: clock.monotonic)
  }

  private func change(to phrases: borrowing WakePhrases, _ teacher: any PhraseTeacher) {
    // A phrase that is being learned continues when the new list has it.
    var place: Int?
    if let current {
      for index in 0..<phrases.count where place == nil && Self.isSame(list[current], phrases[index]) { place = index }
    }
    list.copy(phrases)
    settled = list.count < 32 ? UInt32.max << UInt32(list.count) : 0
    for index in 0..<32 { (tries[index], dueAt[index]) = (0, 0) }
    for index in 0..<list.count where !isSpoken(list[index]) {
      settled |= 1 << UInt32(index)
    }
    if current != nil, place == nil { drop(teacher) }
    current = place
  }

  /// Drops the phrase that is being learned, and its file.
  private func forget() { (current, made, retryPause) = (nil, .none, RetryPause()) }

  private func drop(_ teacher: any PhraseTeacher) {
    forget()
    teacher.cancel()
  }

  /// True for the same words.
  static func isSame(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let phrase = PhraseText(one), let text = PhraseText(other), phrase.count == text.count else { return false }
    for index in 0..<phrase.count where phrase[index] != text[index] { return false }
    return true
  }

  /// True when the voices of the language can say it.
  func isSpoken(_ phrase: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let text = PhraseText(phrase, keepsAccents: true) else { return false }
    return Spelling(text, language).verdict != .foreign
  }

  // MARK: Time

  var nextDeadline: Int64? {
    guard isRunning, teacher != nil else { return nil }
    if current != nil { return retryPause.dueAt }
    var earliest: Int64?
    for index in 0..<list.count where isExpected(index) { earliest = min(earliest ?? .max, dueAt[index]) }
    return earliest
  }

  func advance(to now: Int64) {
    guard isRunning, let teacher else { return }
    guard current == nil else {
      if let due = retryPause.dueAt, now >= due { give() }
      return
    }
    // A canceled one has not ended yet.
    guard teacher.isReleased else { return postpone(to: now + Budget.spellingRetryMilliseconds) }
    for index in 0..<list.count where isExpected(index) && now >= dueAt[index] { return begin(index, teacher) }
  }

  /// Has the worker keep the phrase file.
  private func give() {
    made = .due
    retryPause.begin()
    offer()
  }

  private func wait() {
    made = .waiting
    retryPause.failed(at: clock.monotonic)
  }

  private func postpone(to time: Int64) {
    for index in 0..<list.count where isExpected(index) { dueAt[index] = max(dueAt[index], time) }
  }

  private func begin(_ index: Int, _ teacher: any PhraseTeacher) {
    guard let phrase = PhraseText(list[index], keepsAccents: true) else { return settle(index) }
    (current, permille, startedAt) = (index, 0, clock.monotonic)
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: phrase.count)
    defer { bytes.deallocate() }
    for place in 0..<phrase.count { bytes[place] = phrase[place] }
    guard teacher.learn(UnsafeBufferPointer(bytes), self) else {
      return fail(InlineText(cutting: "it cannot be begun"))
    }
    let isShort = Spelling(phrase, language).verdict == .short
    report(.info, index, "is being learned from its spelling")
    if isShort, tries[index] == 0 { report(.warning, index, "has one syllable: it may be heard where nobody said it") }
  }

  // MARK: Results

  func teachingProgressed(_ permille: Int) { self.permille = permille }

  func taught(_ file: UnsafeRawBufferPointer, _ voices: TeachingVoices) {
    guard current != nil, file.count <= self.file.bytes.count else {
      return fail(InlineText(cutting: "what was made is no phrase"))
    }
    for index in 0..<file.count { self.file.bytes[index] = file[index] }
    (fileCount, self.voices) = (file.count, voices)
    give()
  }

  func teachingFailed(_ reason: InlineText<192>) { fail(reason) }

  var isFileDue: Bool { made == .due }

  /// The file that the worker has to keep; nil without one.
  func takeFile() -> UnsafeBufferPointer<UInt8>? {
    guard made == .due else { return nil }
    made = .keeping
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(file.bytes)[..<fileCount])
  }

  /// The worker was busy.
  func returnFile() { if made == .due || made == .keeping { wait() } }

  /// The worker's result.
  func kept(_ result: WakeJob.Keeping) {
    guard made == .keeping, let index = current else { return }
    switch result {
    case .kept:
      let seconds = (clock.monotonic - startedAt) / 1000
      log.write(.info, "wake") { line in
        self.name(index, &line)
        line.add(" is learned from its spelling in ")
        line.add(seconds)
        line.add(" s: ")
        line.add(self.voices.heard)
        line.add(" of ")
        line.add(self.voices.checked)
        line.add(" words of voices kept aside are heard")
        if self.voices.espeak == 0 {
          line.add(
            """
            ; by flite's voice alone, which few people sound like: install espeak-ng, or say it to \
            talon listen --enrol
            """
          )
        }
      }
    case .unnecessary: break
    case .refused:
      if !retryPause.hasFailed {
        report(.warning, index, "is learned, and cannot be written to flash; it is tried again")
      }
      return wait()
    case .invalid: return fail(InlineText(cutting: "what was made is no phrase"))
    case .full: report(.warning, index, "is not kept, for 32 phrases are learned: talon listen --forget makes room")
    }
    forget()
    settle(index)
  }

  private func settle(_ index: Int) { settled |= 1 << UInt32(index) }

  private func fail(_ reason: InlineText<192>) {
    guard let index = current else { return }
    forget()
    tries[index] += 1
    let isLast = Int(tries[index]) >= Budget.spellingTries
    var pause = Budget.spellingRetryMilliseconds
    for _ in 1..<max(1, Int(tries[index])) { pause *= Budget.spellingRetryFactor }
    dueAt[index] = clock.monotonic + pause
    if isLast { settle(index) }
    log.write(.warning, "wake") { line in
      self.name(index, &line)
      line.add(" could not be learned from its spelling: ")
      line.add(reason.span)
      if isLast { return line.add("; talon listen --enrol learns it from your voice") }
      line.add("; it is tried again in ")
      line.add(pause / 1000)
      line.add(" s")
    }
  }

  private func report(_ level: LogLevel, _ index: Int, _ text: StaticString) {
    log.write(level, "wake") { line in
      self.name(index, &line)
      line.add(" ")
      line.add(text)
    }
  }

  private func name(_ index: Int, _ line: inout LogLine) {
    line.add("\"")
    line.add(list[index])
    line.add("\"")
  }
}
