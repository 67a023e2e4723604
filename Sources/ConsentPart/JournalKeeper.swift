import Codec
import Consent
import Runtime

/// Keeps the journal of uses on flash: a new entry at once, but not more often than flash likes; later counts of it
/// within a minute.
final class JournalKeeper: RecordDelegate {
  let journal: UseJournal
  private let memory = FixedBuffer(capacity: UseJournal.recordBytes)
  private let kept: Kept
  private let clock: any Clock
  private let log: Log
  /// The page that is being written.
  private var writing: Int?
  /// When what has changed is to be written; nil: flash has all. And when the last write began.
  private var dueAt: Int64?
  private var writtenAt = Int64.min / 2

  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) throws(Errno) {
    journal = try UseJournal()
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "consent", "the journal of uses")
    self.clock = clock
    self.log = log
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// The order to write `count` bytes as the record of a page.
  private static func order(_ page: Int, _ count: Int) -> RecordOrder {
    var name = InlineText<8>(cutting: "uses0")
    name.fill { buffer in
      for index in 0..<4 { buffer[index] = ("uses" as StaticString).utf8Start[index] }
      buffer[4] = UInt8(ascii: "0") + UInt8(page)
      return 5
    }
    return name.span.withUnsafeBufferPointer { RecordOrder($0, count) }
  }

  /// Reads what the last run left. Blocks: at start only.
  func load() {
    var isWhole = true
    for page in 0..<Budget.consentPages {
      do throws(StoreError) {
        guard let (count, _) = try kept.load(Self.order(page, 0)) else { continue }
        if !journal.take(page, Span(_unsafeElements: kept.prefix(count))) { isWhole = false }
      } catch {
        isWhole = false
      }
    }
    journal.resume()
    if isWhole { return }
    log.write(.warning, "consent", "a part of the journal of uses cannot be read; the rest goes on")
  }

  /// A use begins.
  func begin(_ use: Use) -> UseJournal.Entry {
    let now = clock.monotonic
    let (entry, isNew) = journal.begin(use, at: now)
    write(within: isNew ? 0 : Budget.consentJournalPatience)
    return entry
  }

  /// It has ended.
  func end(_ entry: UseJournal.Entry) {
    journal.end(entry, at: clock.monotonic)
    write(within: Budget.consentJournalPatience)
  }

  private func write(within milliseconds: Int64) {
    let now = clock.monotonic
    dueAt = min(dueAt ?? .max, max(now + milliseconds, writtenAt + Budget.consentJournalSpacing))
    writeIfDue(at: now)
  }

  private func writeIfDue(at now: Int64) {
    guard let due = dueAt, now >= due, !kept.isWriting else { return }
    (dueAt, writtenAt) = (nil, now)
    kept.changed(waits: true)
  }

  func flush() {
    dueAt = nil
    kept.changed()
    kept.flush()
  }

  var isSettled: Bool { kept.isSettled }

  var nextDeadline: Int64? { kept.isWriting ? nil : earliest(kept.nextDeadline, dueAt) }

  func advance(to now: Int64) {
    kept.advance(to: now)
    writeIfDue(at: now)
  }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard let (page, count) = journal.nextPage(into: bytes) else { return nil }
    journal.isWriting(page)
    writing = page
    return Self.order(page, count)
  }

  func recordKept(_ failure: StoreError?) {
    if failure != nil, let page = writing { journal.wasNotWritten(page) }
  }
}
