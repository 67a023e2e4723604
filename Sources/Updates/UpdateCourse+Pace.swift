import Runtime

/// How much of flash updates may wear out in a day, whatever a server offers, takes back and offers again.
struct UpdatePace: Sendable {
  /// Until when time has given back of `UpdateRecord.spent`.
  var settledAt: Int64
  /// Bytes of the bundle that were counted.
  var counted: Int64 = 0
  /// True while an update waits because of it.
  var isWaiting = false
}

extension UpdateCourse {
  /// Bytes that a millisecond gives back.
  private static var bytesBack: Int64 { Budget.updateDayBytes / 86_400_000 }

  /// Bytes were written to flash for an update.
  mutating func wrote(_ bytes: Int64) {
    record.spent = min(record.spent + min(max(bytes, 0), Budget.updateDayBytes), 2 * Budget.updateDayBytes)
  }

  /// Milliseconds until so many bytes may be written; 0: now. What a person wants is not held back.
  private mutating func wait(for bytes: Int64, at now: Int64) -> Int64 {
    let passed = min(max(now - pace.settledAt, 0), 2 * 86_400_000)
    record.spent = max(record.spent - passed * Self.bytesBack, 0)
    pace.settledAt = now
    if record.origin == .local || record.isHurried { return 0 }
    let excess = record.spent + min(bytes, Budget.updateDayBytes) - Budget.updateDayBytes
    return (max(excess, 0) + Self.bytesBack - 1) / Self.bytesBack
  }

  /// Whether a bundle may be written now. If not, it is tried again later, and the record is kept, so that a board that
  /// is switched off each day comes to its turn.
  mutating func mayWrite(_ bytes: Int64, at now: Int64) -> Bool {
    let pause = wait(for: bytes, at: now)
    pace.isWaiting = pause > 0
    guard pace.isWaiting else { return true }
    retryAt = now + min(pause, Budget.updateAttemptSpacing)
    isChanged = true
    return false
  }

  /// Bytes of a whole update: its bundle, and what an installation makes of it.
  var bytesOfUpdate: Int64 {
    (record.release.size > 0 ? record.release.size : Budget.updateBundleBytes) + Budget.updateSystemBytes
  }
}
