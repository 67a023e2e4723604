import Runtime

/// Keeps the gateway's wake phrases on flash, written by a worker and only when they changed, so that a board that starts without
/// its gateway listens for them all the same.
final class PhraseKeeper: RecordWriterOwner {
  private let writer: RecordWriter
  private let clock: any Clock
  private let log: Log
  private var newest = WakePhrases()
  /// What is written, or was; whether the newest generation on flash says that.
  private var written = WakePhrases()
  private var isOnFlash = false
  private var patience = FlashPatience()

  /// A keeper whose record "phrases" is in `store`: one of its own, because a worker writes there.
  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    writer = RecordWriter("phrases", capacity: Budget.wakeRecordBytes, store: store, runner: runner)
    self.clock = clock
    self.log = log
    writer.owner = self
  }

  deinit { writer.owner = nil }

  /// Reads what the last run left into `phrases`; false when it left nothing that can be read. Blocks: at start only.
  func load(into phrases: inout WakePhrases) -> Bool {
    var found = WakePhrases()
    do throws(StoreError) {
      guard let (count, origin) = try writer.load() else { return false }
      guard found.decode(writer.prefix(count)) else { throw .torn }
      isOnFlash = origin == .current
      if !isOnFlash { log.write(.warning, "wake", "the stored phrases were torn; their previous generation is used") }
    } catch {
      log.write(.warning, "wake", "the stored phrases cannot be read: they are forgotten, until the gateway names its own")
      return false
    }
    newest.copy(found)
    written.copy(found)
    phrases.copy(found)
    return true
  }

  /// These are the gateway's from now on.
  func keep(_ phrases: borrowing WakePhrases) {
    newest.copy(phrases)
    write()
  }

  /// Writes what is not on flash yet: the program ends.
  func flush() { if patience.dueAt != nil { write() } }

  /// True while a worker writes.
  var isWriting: Bool { writer.isPending }

  var nextDeadline: Int64? { patience.dueAt }

  func advance(to now: Int64) {
    if let due = patience.dueAt, now >= due { write() }
  }

  private func write() {
    guard !writer.isPending else { return }
    patience.begin()
    if isOnFlash, newest.equals(written) { return }
    written.copy(newest)
    isOnFlash = false
    if !writer.write(written.encode(into: writer.bytes.bytes)) { patience.failed(at: clock.monotonic) }
  }

  func recordWritten(_ failure: StoreError?) {
    guard failure == nil else {
      if !patience.hasFailed { log.write(.warning, "wake", "the gateway's phrases could not be written to flash; it is tried again") }
      return patience.failed(at: clock.monotonic)
    }
    isOnFlash = true
    patience.succeeded()
    write()
  }
}
