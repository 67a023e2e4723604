import Runtime

/// Keeps the gateway's wake phrases on flash, written by a worker and only when they changed, so that a board that starts without
/// its gateway listens for them all the same.
final class PhraseKeeper {
  private let runner: any JobRunner
  private let clock: any Clock
  private let log: Log
  private let job: PhraseJob
  private var newest = WakePhrases()
  private var retryPause = Budget.recordRetryMilliseconds.lowerBound
  private var retryAt: Int64?

  /// A keeper whose record "phrases" is in `store`: one of its own, because a worker writes there.
  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    self.runner = runner
    self.clock = clock
    self.log = log
    job = PhraseJob(store: store)
    job.keeper = self
  }

  deinit { job.keeper = nil }

  /// Reads what the last run left into `phrases`; false when it left nothing that can be read. Blocks: at start only.
  func load(into phrases: inout WakePhrases) -> Bool {
    do throws(StoreError) {
      guard let origin = try job.load() else { return false }
      if origin == .previous { log.write(.warning, "wake", "the stored phrases were torn; their previous generation is used") }
    } catch {
      log.write(.warning, "wake", "the stored phrases cannot be read: they are forgotten, until the gateway names its own")
      return false
    }
    newest.copy(job.phrases)
    phrases.copy(job.phrases)
    return true
  }

  /// These are the gateway's from now on.
  func keep(_ phrases: borrowing WakePhrases) {
    newest.copy(phrases)
    write()
  }

  /// Writes what is not on flash yet: the program ends.
  func flush() { if retryAt != nil { write() } }

  /// True while a worker writes.
  var isWriting: Bool { job.isPending }

  var nextDeadline: Int64? { retryAt }

  func advance(to now: Int64) {
    if let retryAt, now >= retryAt { write() }
  }

  private func write() {
    guard !job.isPending else { return }
    retryAt = nil
    if job.isOnFlash, newest.equals(job.phrases) { return }
    job.take(newest)
    if !runner.submit(job) { retryLater() }
  }

  /// A flash that stays full is asked ever more rarely.
  private func retryLater() {
    retryAt = clock.monotonic + retryPause
    retryPause = min(retryPause * 2, Budget.recordRetryMilliseconds.upperBound)
  }

  fileprivate func ended() {
    guard job.isOnFlash else {
      if retryPause == Budget.recordRetryMilliseconds.lowerBound {
        log.write(.warning, "wake", "the gateway's phrases could not be written to flash; it is tried again")
      }
      return retryLater()
    }
    retryPause = Budget.recordRetryMilliseconds.lowerBound
    write()
  }
}

/// The write itself.
private final class PhraseJob: Job {
  private let store: any RecordStore
  private let buffer = FixedBuffer(capacity: Budget.wakeRecordBytes)
  /// What is written, or was.
  private(set) var phrases = WakePhrases()
  /// That is what the newest generation on flash says.
  private(set) var isOnFlash = false
  unowned(unsafe) var keeper: PhraseKeeper?

  init(store: any RecordStore) { self.store = store }

  private static var name: UnsafePointer<CChar> { ("phrases" as StaticString).path }

  /// Not while pending.
  func take(_ phrases: borrowing WakePhrases) {
    self.phrases.copy(phrases)
    isOnFlash = false
  }

  func load() throws(StoreError) -> RecordOrigin? {
    guard let (count, origin) = try store.load(Self.name, into: buffer.bytes) else { return nil }
    guard phrases.decode(UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count])) else { throw .torn }
    isOnFlash = origin == .current
    return origin
  }

  override func run() {
    let count = phrases.encode(into: buffer.bytes)
    do throws(StoreError) {
      try store.save(Self.name, UnsafeBufferPointer(rebasing: UnsafeBufferPointer(buffer.bytes)[..<count]))
      isOnFlash = true
    } catch {
      isOnFlash = false
    }
  }

  override func finish() { keeper?.ended() }
}
