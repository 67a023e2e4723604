import Codec
import Device
import Enrolment
import Node
import Runtime
import Sound
import Talk
import Voice

/// Gets detected wake phrases.
public protocol WakeDelegate: AnyObject {
  /// The sound while phrases are detected: its end is the beginning of the command.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
  /// This phrase was detected.
  func woke(_ phrase: Span<UInt8>)
}

/// Detects wake phrases: has the microphone while no other use wants it, and lets a worker run the detection. The
/// phrases are the gateway's, or the board's own.
public final class WakeService: Part, MicrophoneListener {
  /// The default when neither the board nor the gateway has phrases (node-commands 6.1).
  private static let usual: StaticString = "openclaw\nclaude\ncomputer"
  /// Samples for a worker's run: one step of the embedding, 80 ms.
  private static let turn = 4 * Budget.soundBlock

  let parts: WakeParts
  private let microphone: Microphone
  private let keeper: PhraseKeeper
  private let clock: any Clock
  private let log: Log
  private var job: WakeJob! = nil
  private let gathered = UnsafeMutableBufferPointer<Int16>.allocate(capacity: Budget.wakeGatheredSamples)
  private var count = 0
  private var isInterrupted = true
  private(set) var phrases = WakePhrases()
  private var isNew = false
  private var isRunning = false
  /// True when a worker has taken over the phrases; which of them have a vector, one bit each.
  private(set) var isSettled = false
  private(set) var known: UInt32 = 0
  /// The source of each known phrase's vector.
  private(set) var sources = InlineArray<32, PhraseSource>(repeating: .builtIn)
  /// Makes vectors of phrases that have none.
  private(set) var learning: WakeLearning! = nil
  /// True when the sound is loud enough for detection.
  private(set) var isAwake = false
  /// The best score of each phrase in the last seconds, when that was, and its threshold.
  let scores = FloatTable(count: Budget.wakePhrases)
  private var scoredAt = InlineArray<32, Int64>(repeating: .min)
  let thresholds = FloatTable(count: Budget.wakePhrases)
  /// Samples that were dropped because the worker was busy, since start.
  public private(set) var lost: UInt64 = 0
  /// Phrases detected since start.
  public private(set) var heard: UInt64 = 0
  /// Gets detected phrases. Lives as long as this.
  public unowned(unsafe) var delegate: (any WakeDelegate)?

  /// A service that is not started. `runner` writes to flash.
  @export(interface)
  public init(_ parts: WakeParts, microphone: Microphone, runner: any JobRunner, clock: any Clock, log: Log) {
    self.parts = parts
    self.microphone = microphone
    self.clock = clock
    self.log = log
    keeper = PhraseKeeper(store: parts.store, runner: runner, clock: clock, log: log)
    gathered.initialize(repeating: 0)
    super.init()
    job = WakeJob(parts) { [unowned(unsafe) self] in self.ended() }
    learning = WakeLearning(parts.teacher, parts.language, clock: clock, log: log) { [unowned(unsafe) self] in
      self.submit()
    }
    let own = parts.settings.phrases
    if own.isEmpty { takeUsual() } else { phrases.readLines(own.span) }
    isNew = true
  }

  deinit { gathered.deallocate() }

  // MARK: Part

  // It declares only what it can do (node-commands 6.4).
  public override var capability: StaticString? { canListen ? "voiceWake" : nil }

  public override var operations: [ControlRow] {
    [ControlRow("wake-learnt") { self.takePhrase($0, $1, $2) }]
  }

  public override func received(_ event: borrowing JSONView, _ payload: borrowing JSONView) {
    if event.equals("voicewake.changed") { learn(payload) }
  }

  public override func wakePhrasesReceived(_ payload: borrowing JSONView) { learn(payload) }

  public override func writeStatus(to writer: inout JSONWriter) {
    writer.key("wake")
    writeWake(to: &writer)
  }

  public override func report(to report: inout HardwareReport) { report.services.wake = hardware }

  // MARK: Life

  /// True when any phrase has a vector, so that the capability may be declared to the gateway (node-commands 6.4).
  public var canListen: Bool {
    for bank in parts.banks {
      var hasAny = false
      bank.forEach { _ in
        hasAny = true
        return false
      }
      if hasAny { return true }
    }
    return false
  }

  /// Starts with the gateway's last phrases until it sends others. Reads flash, which blocks.
  public override func start() {
    isRunning = true
    logModel()
    learning.start()
    if takesGateways, keeper.load(into: &phrases) {
      log.write(.info, "wake", "the gateway's phrases were read from flash")
    }
    submit()
  }

  public override func stop() {
    isRunning = false
    learning.stop()
    microphone.release(.wake)
  }

  public override func flush() { keeper.flush() }

  /// True when no job runs.
  public override var isStopped: Bool { !job.isPending && keeper.isSettled && learning.isStopped }

  public override var nextDeadline: Int64? { earliest(keeper.nextDeadline, learning.nextDeadline) }

  public override func advance(to now: Int64) {
    keeper.advance(to: now)
    learning.advance(to: now)
  }

  /// True when the phrases are the gateway's.
  private var takesGateways: Bool { parts.settings.phrases.isEmpty }

  /// The gateway's phrases (`voicewake.changed`, or the response to `voicewake.get`); only stored when the board has
  /// its own.
  func learn(_ payload: borrowing JSONView) {
    guard takesGateways, let triggers = payload.member("triggers"), triggers.kind == .array else { return }
    let isChanged = phrases.read(payload)
    if phrases.count == 0 { takeUsual() }
    keeper.keep(phrases)
    guard isChanged else { return }
    (isNew, isSettled) = (true, false)
    submit()
  }

  /// A person has taught this board a phrase, or made it forget one: reads the stored phrases again. True when the
  /// phrase is one of the wake phrases.
  func learned(_ phrase: UnsafeBufferPointer<UInt8>) -> Bool {
    isNew = true
    submit()
    for index in 0..<phrases.count where WakeLearning.isSame(phrases[index], phrase) { return true }
    return false
  }

  private func takeUsual() { phrases.readLines(Span(_unsafeElements: Self.usual.bytes)) }

  // MARK: Detection

  public func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    delegate?.microphoneHeard(block)
    if count + block.count > gathered.count {
      // The worker is late by seconds: older sound is useless.
      lost += UInt64(count)
      (count, isInterrupted) = (0, true)
    }
    (gathered.baseAddress! + count).update(from: block.baseAddress!, count: block.count)
    count += block.count
    if count >= Self.turn { submit() }
  }

  /// Sound before another use's turn does not continue after it.
  public func microphoneTurned(_ isYours: Bool) {
    if isYours { (count, isInterrupted) = (0, true) }
  }

  /// The microphone retries, and logs the error.
  public func microphoneLost(_ error: SoundError) { (count, isInterrupted) = (0, true) }

  private func submit() {
    guard isRunning, !job.isPending else { return }
    // A phrase that was made is one of the worker's phrases.
    let file = isNew ? nil : learning.takeFile()
    guard isNew || count > 0 || file != nil else { return }
    if isNew { job.take(phrases) }
    if let file { job.keep(file) }
    job.take(UnsafeBufferPointer(rebasing: gathered[..<count]), isInterrupted: isInterrupted)
    guard parts.runner.submit(job) else { return learning.returnFile() }
    (isNew, count, isInterrupted) = (false, 0, false)
  }

  private func ended() {
    if let keeping = job.keeping { learning.kept(keeping) }
    if job.hasTaken { told() }
    remember()
    if let found = job.heard {
      heard += 1
      let phrase = job.phrases[found.phrase]
      log.write(.info, "wake") { line in
        line.add("heard: ")
        line.add(phrase)
      }
      if isRunning { delegate?.woke(Span(_unsafeElements: phrase)) }
    }
    if isNew || count >= Self.turn || learning.isFileDue { submit() }
  }

  /// Keeps the best scores of the last run for the report.
  private func remember() {
    isAwake = job.isAwake
    guard isSettled else { return }
    let now = clock.monotonic
    for index in 0..<phrases.count {
      let score = isKnown(index) ? job.scores.floats[index] : -.infinity
      guard score >= scores.floats[index] || now - scoredAt[index] >= Budget.wakeScoreMilliseconds else { continue }
      (scores.floats[index], scoredAt[index]) = (score, now)
    }
  }

  /// Takes over which phrases have a vector, unless the list has changed.
  private func settle() {
    guard !isNew else { return }
    isSettled = true
    known = job.known
    sources = job.sources
    learning.take(phrases, known: known)
    for index in 0..<phrases.count {
      thresholds.floats[index] = job.thresholds.floats[index]
      (scores.floats[index], scoredAt[index]) = (-.infinity, clock.monotonic)
    }
  }

  /// Logs the phrases and those that cannot be detected, and opens the microphone if there are any.
  private func told() {
    settle()
    if job.isTorn {
      log.write(
        .warning, "wake",
        """
        the phrases learned on this board cannot be read from the state folder: teach them again with \
        talon listen --enrol
        """
      )
    }
    // The others were already logged for this list.
    if !isNew, job.keeping == nil { logDeafPhrases() }
    for caution in parts.settings.cautions where !isPhrase(caution) {
      log.write(.notice, "wake") { line in
        line.add("[wake] cautions: \"")
        line.add(caution.phrase.span)
        line.add("\" is not among the phrases")
      }
    }
    guard isRunning else { return }
    guard job.known != 0 else {
      log.write(.warning, "wake", "there is no phrase to listen for: the microphone stays closed")
      return microphone.release(.wake)
    }
    log.write(.info, "wake") { line in
      line.add("listens for ")
      line.add(self.job.known.nonzeroBitCount)
      line.add(" phrases")
    }
    microphone.want(.wake, self)
  }

  private func logModel() {
    guard parts.modelTrouble.isEmpty else {
      return log.write(.warning, "wake") { line in
        line.add("[wake] model: ")
        line.add(self.parts.modelTrouble)
        line.add(": no phrase is learned from its spelling")
      }
    }
    guard parts.language != .english else { return }
    log.write(.info, "wake") { line in
      line.add("phrases are learned as they are said in ")
      line.add(self.parts.language.name)
    }
  }

  /// Logs the phrases that cannot be detected.
  private func logDeafPhrases() {
    for index in 0..<phrases.count where !isKnown(index) && !learning.isExpected(index) {
      let isSpoken = learning.isSpoken(phrases[index])
      log.write(.warning, "wake") { line in
        line.add("cannot detect \"")
        line.add(self.phrases[index])
        line.add(
          isSpoken ? "\": it has no vector" : "\": it has no vector, and letters that no voice of this board pronounces"
        )
        line.add("; talon listen --enrol learns it")
      }
    }
  }

  private func isPhrase(_ caution: PhraseCaution) -> Bool {
    for index in 0..<job.phrases.count where caution.isOf(job.phrases[index]) { return true }
    return false
  }
}

extension TalkService: WakeDelegate {}
