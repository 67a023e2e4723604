import Codec
import Enrolment
import Runtime
import Sound
import Talk
import Voice

/// Told when a phrase was heard.
public protocol WakeOwner: AnyObject {
  /// What the microphone hears while a phrase is listened for: the last of it is the beginning of the command.
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>)
  /// This phrase was heard.
  func woke(_ phrase: Span<UInt8>)
}

/// Waits for a phrase: has the microphone while nobody else wants it, and lets a worker listen. The phrases are the gateway's, or the
/// board's own.
public final class WakeService: MicrophoneListener {
  /// Where neither the board nor the gateway has named any (node-commands 6.1).
  private static let usual: StaticString = "openclaw\nclaude\ncomputer"
  /// Samples that make a worker's turn worth while: a step of the embedding, 80 ms.
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
  /// A worker has taken over the phrases; which of them have a vector, a bit each.
  private(set) var isSettled = false
  private(set) var known: UInt32 = 0
  /// Where the vector of each known phrase is from.
  private(set) var sources = InlineArray<32, PhraseSource>(repeating: .builtIn)
  /// What is done about those that have none.
  private(set) var learning: WakeLearning! = nil
  /// Something is loud enough to be listened to.
  private(set) var isAwake = false
  /// The best score of each phrase in the last seconds, when that was, and the score above which it is heard.
  let scores = FloatTable(count: Budget.wakePhrases)
  private var scoredAt = InlineArray<32, Int64>(repeating: .min)
  let thresholds = FloatTable(count: Budget.wakePhrases)
  /// Samples that no worker had time for, since the start.
  public private(set) var lost: UInt64 = 0
  /// Phrases heard since the start.
  public private(set) var heard: UInt64 = 0
  /// Hears of phrases. Lives as long as this.
  public unowned(unsafe) var owner: (any WakeOwner)?

  /// A service that waits for nothing yet. `runner` writes to flash.
  public init(_ parts: WakeParts, microphone: Microphone, runner: any JobRunner, clock: any Clock, log: Log) {
    self.parts = parts
    self.microphone = microphone
    self.clock = clock
    self.log = log
    keeper = PhraseKeeper(store: parts.store, runner: runner, clock: clock, log: log)
    gathered.initialize(repeating: 0)
    job = WakeJob(parts) { [unowned(unsafe) self] in self.ended() }
    learning = WakeLearning(parts.teacher, parts.language, clock: clock, log: log) { [unowned(unsafe) self] in self.submit() }
    let own = parts.settings.phrases
    if own.isEmpty { takeUsual() } else { phrases.readLines(own.span) }
    isNew = true
  }

  deinit { gathered.deallocate() }

  /// Whether a phrase can be heard at all, so that the gateway may be told (node-commands 6.4): some phrase has a vector.
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

  /// Waits from now on, for what the gateway named last until it names others. Reads flash: blocks.
  func start() {
    isRunning = true
    tellOfModel()
    learning.start()
    if takesGateways, keeper.load(into: &phrases) {
      log.write(.info, "wake", "the gateway's phrases are known from before")
    }
    submit()
  }

  func stop() {
    isRunning = false
    learning.stop()
    keeper.flush()
    microphone.release(.wake)
  }

  /// No worker has anything of it.
  var isStopped: Bool { !job.isPending && !keeper.isWriting && learning.isStopped }

  var nextDeadline: Int64? {
    let earliest = min(keeper.nextDeadline ?? .max, learning.nextDeadline ?? .max)
    return earliest == .max ? nil : earliest
  }

  func advance(to now: Int64) {
    keeper.advance(to: now)
    learning.advance(to: now)
  }

  /// The phrases are the gateway's.
  private var takesGateways: Bool { parts.settings.phrases.isEmpty }

  /// The gateway's phrases (`voicewake.changed`, or the answer to `voicewake.get`); of no matter where the board has its own.
  func learn(_ payload: borrowing JSONView) {
    guard takesGateways, let triggers = payload.member("triggers"), triggers.kind == .array else { return }
    let isChanged = phrases.read(payload)
    if phrases.count == 0 { takeUsual() }
    keeper.keep(phrases)
    guard isChanged else { return }
    (isNew, isSettled) = (true, false)
    submit()
  }

  /// Somebody has taught this board a phrase, or made it forget one: what is kept is read anew. True when the phrase is one of those that wake.
  func learnt(_ phrase: UnsafeBufferPointer<UInt8>) -> Bool {
    isNew = true
    submit()
    for index in 0..<phrases.count where WakeLearning.isSame(phrases[index], phrase) { return true }
    return false
  }

  private func takeUsual() { phrases.readLines(Span(_unsafeElements: Self.usual.bytes)) }

  // MARK: Hearing

  public func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) {
    owner?.microphoneHeard(block)
    if count + block.count > gathered.count {
      // The worker is behind by seconds: what was said then is past.
      lost += UInt64(count)
      (count, isInterrupted) = (0, true)
    }
    (gathered.baseAddress! + count).update(from: block.baseAddress!, count: block.count)
    count += block.count
    if count >= Self.turn { submit() }
  }

  /// What was heard before somebody else's turn does not belong to what comes after it.
  public func microphoneTurned(_ isYours: Bool) {
    if isYours { (count, isInterrupted) = (0, true) }
  }

  /// It is tried again by its owner, and told there.
  public func microphoneLost(_ error: SoundError) { (count, isInterrupted) = (0, true) }

  private func submit() {
    guard isRunning, !job.isPending else { return }
    // A phrase that was made is one of those that the worker listens for.
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
      if isRunning { owner?.woke(Span(_unsafeElements: phrase)) }
    }
    if isNew || count >= Self.turn || learning.isFileDue { submit() }
  }

  /// Keeps the best scores of the last run for who looks.
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

  /// Takes over which phrases have a vector, unless there are others already.
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

  /// Says what is listened for now, names what cannot be, and opens the microphone if that makes sense.
  private func told() {
    settle()
    if job.isTorn {
      log.write(.warning, "wake", "the phrases learnt on this board cannot be read from the state folder: teach them again with talon listen --enrol")
    }
    // Who made a phrase of this list has told of the others.
    if !isNew, job.keeping == nil { tellOfDeaf() }
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

  private func tellOfModel() {
    guard parts.modelTrouble.isEmpty else {
      return log.write(.warning, "wake") { line in
        line.add("[wake] model: ")
        line.add(self.parts.modelTrouble)
        line.add(": no phrase is learnt from its spelling")
      }
    }
    guard parts.language != .english else { return }
    log.write(.info, "wake") { line in
      line.add("phrases are learnt as they are said in ")
      line.add(self.parts.language.name)
    }
  }

  /// Names the phrases that nobody will be heard with.
  private func tellOfDeaf() {
    for index in 0..<phrases.count where !isKnown(index) && !learning.isExpected(index) {
      let isSpoken = learning.isSpoken(phrases[index])
      log.write(.warning, "wake") { line in
        line.add("nobody can be heard who says \"")
        line.add(self.phrases[index])
        line.add(isSpoken ? "\": it has no vector" : "\": it has no vector, and letters that no voice of this board pronounces")
        line.add("; talon listen --enrol learns it")
      }
    }
  }

  private func isPhrase(_ caution: PhraseCaution) -> Bool {
    for index in 0..<job.phrases.count where caution.isOf(job.phrases[index]) { return true }
    return false
  }
}

extension TalkService: WakeOwner {}
