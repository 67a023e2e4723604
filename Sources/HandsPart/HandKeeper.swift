import Codec
import Hands
import Runtime

/// Keeps the records of hands on flash, each as "io-NAME", with bounded wear: a hand says within which time a change
/// has to be there, and no record is written twice within `Budget.handRecordSpacing`. At the end of the program, all
/// that flash lacks is written.
public final class HandKeeper: RecordDelegate {
  private struct Entry {
    unowned(unsafe) let hand: Hand
    /// When it is to be written; nil: flash has it.
    var dueAt: Int64?
    var writtenAt: Int64?
  }

  private let memory = FixedBuffer(capacity: Budget.handRecordRoom)
  private let kept: Kept
  private let clock: any Clock
  private var entries: [Entry] = []
  /// The entry that is being written.
  private var writing: Int?
  private var isFlushing = false

  init(store: any RecordStore, runner: any JobRunner, clock: any Clock, log: Log) {
    kept = Kept(
      in: memory.bytes, store: store, runner: runner, clock: clock, log: log,
      "io", "what hands count")
    self.clock = clock
    kept.delegate = self
  }

  deinit { kept.delegate = nil }

  /// What the last run left of a hand, which from now on may keep records; nil when that is nothing. Blocks: in `start`
  /// only.
  public func load(_ hand: Hand) -> HandRecord? {
    entries.append(Entry(hand: hand))
    do throws(StoreError) {
      guard let (count, _) = try kept.load(Self.order(hand, 0)) else { return nil }
      guard let record = HandRecord(kept.prefix(count)) else {
        kept.setAside(Self.order(hand, count))
        throw .torn
      }
      return record
    } catch {
      hand.say(.warning, "what it has kept on flash cannot be read, and is forgotten")
      return nil
    }
  }

  /// What a hand keeps has changed, and has to be on flash within so many milliseconds.
  public func changed(_ hand: Hand, within milliseconds: Int64) {
    for index in entries.indices where entries[index].hand === hand {
      var due = clock.monotonic + milliseconds
      if let writtenAt = entries[index].writtenAt { due = max(due, writtenAt + Budget.handRecordSpacing) }
      entries[index].dueAt = min(entries[index].dueAt ?? .max, due)
    }
  }

  /// The order to write `count` bytes as the record of a hand.
  private static func order(_ hand: Hand, _ count: Int) -> RecordOrder {
    var name = InlineText<32>()
    name.fill { buffer in
      var writer = ByteWriter(into: buffer)
      writer.text("io-")
      writer.text(hand.settings.name)
      return min(writer.count, buffer.count)
    }
    return name.span.withUnsafeBufferPointer { RecordOrder($0, count) }
  }

  // MARK: Time

  var isSettled: Bool { kept.isSettled }

  var nextDeadline: Int64? {
    if kept.isWriting { return nil }
    var next = kept.nextDeadline
    // A write that failed is tried again at the keeper's own time.
    if next != nil { return next }
    for index in entries.indices { next = earliest(next, entries[index].dueAt) }
    return next
  }

  func advance(to now: Int64) {
    kept.advance(to: now)
    for index in entries.indices {
      if let due = entries[index].dueAt, now >= due { return kept.changed(waits: true) }
    }
  }

  /// The program ends.
  func flush() {
    isFlushing = true
    if entries.contains(where: { $0.dueAt != nil }) { kept.changed() }
    kept.flush()
  }

  // MARK: RecordDelegate

  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    for index in entries.indices {
      guard let due = entries[index].dueAt, isFlushing || clock.monotonic >= due else { continue }
      guard let record = entries[index].hand.record else {
        entries[index].dueAt = nil
        continue
      }
      writing = index
      entries[index].dueAt = nil
      return Self.order(entries[index].hand, record.encode(into: bytes))
    }
    return nil
  }

  public func recordKept(_ failure: StoreError?) {
    guard let index = writing else { return }
    writing = nil
    guard failure != nil else { return entries[index].writtenAt = clock.monotonic }
    entries[index].dueAt = clock.monotonic
  }
}
