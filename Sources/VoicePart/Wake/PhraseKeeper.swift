import Node
import Runtime

/// Keeps the gateway's wake phrases on flash, written by a worker and only after a change, so that a board that starts
/// without its gateway listens for them anyway.
final class PhraseKeeper: RecordDelegate {
  private static let name: StaticString = "phrases"

  private let memory = FixedBuffer(capacity: Budget.wakeRecordBytes)
  private let kept: Kept
  private let log: Log
  private var newest = WakePhrases()
  /// The record that is or was written; whether flash has it.
  private var written = WakePhrases()
  private var isOnFlash = false

  /// A keeper with its record "phrases" in `store`, which it must not share, because a worker writes there.
  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "wake", "the gateway's phrases")
    self.log = log
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// Reads the stored phrases into `phrases`; false without a valid record. Blocks: only at start.
  func load(into phrases: inout WakePhrases) -> Bool {
    var found = WakePhrases()
    do throws(StoreError) {
      guard let (count, origin) = try kept.load(Self.name) else { return false }
      guard found.decode(kept.prefix(count)) else {
        kept.setAside(Self.name, count)
        throw .torn
      }
      isOnFlash = origin == .current
      if !isOnFlash { log.write(.warning, "wake", "the stored phrases are damaged; their previous generation is used") }
    } catch {
      log.write(
        .warning, "wake", "the stored phrases cannot be read: they are forgotten, until the gateway names its own")
      return false
    }
    newest.copy(found)
    written.copy(found)
    phrases.copy(found)
    return true
  }

  /// Sets the gateway's phrases.
  func keep(_ phrases: borrowing WakePhrases) {
    newest.copy(phrases)
    kept.changed()
  }

  /// Writes at once, because the program ends.
  func flush() { kept.flush() }

  /// True when nothing is being written to flash.
  var isSettled: Bool { kept.isSettled }

  var nextDeadline: Int64? { kept.nextDeadline }

  func advance(to now: Int64) { kept.advance(to: now) }

  // MARK: RecordDelegate

  func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    if isOnFlash, newest.equals(written) { return nil }
    written.copy(newest)
    isOnFlash = false
    return RecordOrder(Self.name.bytes, written.encode(into: bytes))
  }

  func recordKept(_ failure: StoreError?) { isOnFlash = failure == nil }
}
