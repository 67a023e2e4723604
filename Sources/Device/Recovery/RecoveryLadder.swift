import Runtime

/// A step that is to be taken.
public struct RecoveryStep: Equatable, Sendable {
  /// What is done.
  public var rung: RecoveryRung
  /// The interface; empty for a restart.
  public var name = DeviceName()
  /// Why.
  public var reason: RecoveryReason
}

/// What is done about a board that hangs: steps that get harsher, each counted and limited.
///
/// A dead link: after `Budget.recoveryPatience` its interface again; then, for Wi-Fi, its driver; then a restart of the
/// board. Full memory: a restart. What may not be taken again today is left out. When the last step has not helped, it
/// begins again with the first after `Budget.recoveryRoundPause`.
///
/// A pause begins when root's side is asked, not when the step is decided: between the two the flash may refuse the
/// record for as long as it likes.
public struct RecoveryLadder: Sendable {
  /// Which steps were taken.
  public private(set) var record: RecoveryRecord
  /// What is wrong, and since when; nil: nothing.
  private var trouble: (reason: RecoveryReason, since: Int64)?
  /// The next step against it, and when it is due.
  private var next = RecoveryRung.interface
  private var dueAt: Int64 = 0
  /// Milliseconds from the request to the next step.
  private var pause: Int64 = 0
  /// A step was decided that root's side has not been asked for; false again when its trouble has ended.
  public private(set) var isWaiting = false
  /// Until when the running time is counted.
  private var countedAt: Int64

  /// A ladder that goes on from the record of the last run.
  public init(_ record: RecoveryRecord = RecoveryRecord(), at now: Int64) {
    self.record = record
    countedAt = now
  }

  /// Counts the running time up to `now`.
  public mutating func pass(to now: Int64) {
    record.run(now - countedAt)
    countedAt = max(now, countedAt)
  }

  /// Nothing is wrong, or a person holds the board: the next trouble begins with patience.
  public mutating func calm() { (trouble, isWaiting) = (nil, false) }

  /// Root's side has been asked for the step that waited.
  public mutating func asked(at now: Int64) {
    guard isWaiting else { return }
    isWaiting = false
    dueAt = now + pause
  }

  /// Takes a reading. Returns the step that is due, which counts as taken from now on; nothing more comes before
  /// `asked`.
  /// - Parameter isOnline: the gateway is reached, so that the link works whatever the reading says.
  public mutating func take(_ reading: RecoveryReading, isOnline: Bool, at now: Int64) -> RecoveryStep? {
    pass(to: now)
    let link = isOnline ? nil : reading.deadLink
    guard let reason = reading.isMemoryFull ? .memoryFull : link?.reason else {
      calm()
      return nil
    }
    // Another fault of the same link is the same trouble.
    if trouble == nil || (trouble?.reason == .memoryFull) != (reason == .memoryFull) {
      (next, dueAt) = (reason == .memoryFull ? .restart : .interface, now + Budget.recoveryPatience)
      (trouble, isWaiting) = ((reason, now), false)
    }
    guard now >= dueAt, !isWaiting else { return nil }
    return step(reason, link, at: now)
  }

  private mutating func step(_ reason: RecoveryReason, _ link: DeadLink?, at now: Int64) -> RecoveryStep? {
    while true {
      let rung = next
      // The step after this one.
      if rung == .restart {
        (next, pause) = (reason == .memoryFull ? .restart : .interface, Budget.recoveryRoundPause)
      } else {
        (next, pause) = (rung == .interface ? .driver : .restart, Budget.recoveryStepPause)
      }
      dueAt = now + pause
      if rung != .driver || link?.isWireless == true, record.allows(rung) {
        record.take(rung, reason)
        isWaiting = true
        var step = RecoveryStep(rung: rung, reason: reason)
        if rung != .restart, let link { step.name = link.name }
        return step
      }
      if rung == .restart { return nil }
    }
  }
}
