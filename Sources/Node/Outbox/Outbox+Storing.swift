import Runtime

/// Storing of events on flash: together, and only after a change.
extension Outbox {
  static let record: StaticString = "outbox"

  /// Every event up to this number is on flash, was delivered, or was dropped and counted.
  public var durableSequence: UInt64 {
    for index in 0..<queue.count where !queue[index].isStored { return queue[index].sequence - 1 }
    return lastSequence
  }

  /// True when flash has the current events.
  public var isSettled: Bool { !kept.isWriting && !isDirty }

  var isDirty: Bool { stale > 0 || durableSequence != lastSequence }

  /// The events have changed: a write becomes due, or is not needed any more.
  func changed() {
    // After a failure the next try writes all changes.
    if kept.isWriting || kept.nextDeadline != nil { return }
    guard isDirty else { return storeDue = nil }
    if storeDue == nil { storeDue = clock.monotonic + Self.gathering }
  }

  func storeIfDue(_ now: Int64) {
    if kept.isWriting { return }
    let isDue = storeDue.map { now >= $0 } ?? false
    let areAgesDue = agesDue.map { now >= $0 && queue.count > 0 } ?? false
    if isDue || areAgesDue { store() }
  }

  func store() {
    mustStore = true
    kept.changed()
  }
}

extension Outbox: RecordDelegate {
  public func nextRecord(into bytes: UnsafeMutableBufferPointer<UInt8>) -> RecordOrder? {
    guard mustStore || kept.failures > 0 && isDirty else { return nil }
    mustStore = false
    staleDuringWrite = 0
    storeDue = nil
    agesDue = nil
    for index in 0..<queue.count { queue[index].isBeingStored = true }
    return RecordOrder(Self.record.bytes, queue.encode(into: bytes, at: clock.monotonic))
  }

  public func recordKept(_ failure: StoreError?) {
    for index in 0..<queue.count where queue[index].isBeingStored {
      queue[index].isBeingStored = false
      if failure == nil { queue[index].isStored = true }
    }
    if queue.count > 0 { agesDue = clock.monotonic + Self.agesPeriod }
    if failure != nil {
      // Flash has the old or the new record: events that were stored before stay stored.
      counters.failedWrites += 1
      return stale += staleDuringWrite
    }
    counters.writes += 1
    stale = staleDuringWrite
    changed()
  }
}
