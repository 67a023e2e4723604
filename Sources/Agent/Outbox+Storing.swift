import Runtime

/// Onto flash, together, and only when something changed.
extension Outbox {
  /// Every event accepted up to this number is on flash, or was delivered, or was dropped and counted.
  public var durableSequence: UInt64 {
    for index in 0..<queue.count where !queue[index].isStored { return queue[index].sequence - 1 }
    return lastSequence
  }

  /// True when flash says what the outbox says.
  public var isSettled: Bool { !isStoring && !isDirty }

  /// Writes at once what is not on flash yet: before the program ends.
  public func flush() {
    if !isStoring, isDirty { store() }
  }

  private var isDirty: Bool { stale > 0 || durableSequence != lastSequence }

  /// The events have changed: a write is due soon, or no more.
  func changed() {
    if isStoring { return }
    guard isDirty else { return storeDue = nil }
    if storeDue == nil { storeDue = clock.monotonic + Self.gathering }
  }

  func storeIfDue(_ now: Int64) {
    if isStoring { return }
    if let storeDue, now >= storeDue { return store() }
    if let agesDue, now >= agesDue, queue.count > 0 { store() }
  }

  private func store() {
    let now = clock.monotonic
    job.prepare { self.queue.encode(into: $0, at: now) }
    guard runner.submit(job) else { return storeDue = now + Self.gathering }
    isStoring = true
    staleDuringWrite = 0
    storeDue = nil
    agesDue = nil
    for index in 0..<queue.count { queue[index].isBeingStored = true }
  }

  /// The write has ended.
  func stored(_ failure: StoreError?) {
    isStoring = false
    for index in 0..<queue.count where queue[index].isBeingStored {
      queue[index].isBeingStored = false
      if failure == nil { queue[index].isStored = true }
    }
    let now = clock.monotonic
    if queue.count > 0 { agesDue = now + Self.agesPeriod }
    if let failure { return storingFailed(failure, now) }
    counters.writes += 1
    isFailureLogged = false
    stale = staleDuringWrite
    changed()
  }

  /// Flash has the old or the new record: what was safe is, what was not is not.
  private func storingFailed(_ failure: StoreError, _ now: Int64) {
    counters.failedWrites += 1
    stale += staleDuringWrite
    // Ages that were to be written have their time again later.
    storeDue = isDirty ? now + Self.storePause : nil
    if isFailureLogged { return }
    isFailureLogged = true
    log.write(.error, "outbox") { line in
      line.add("the outbox cannot be written")
      if case .system(let errno) = failure {
        line.add(": ")
        line.add(errno)
      }
    }
  }
}
