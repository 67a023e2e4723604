/// Locks an address out after too many wrong credentials: ten within a minute cost five minutes
/// (protocol reference, section 13). Loopback is exempt.
struct FailureLimiter {
  private static let failuresMax = 10
  private static let windowMilliseconds: Int64 = 60_000
  private static let lockoutMilliseconds: Int64 = 300_000
  /// Bounds memory: beyond this many addresses the table starts afresh.
  private static let addressesMax = 1024

  private struct Record {
    var failures: [Int64] = []
    var lockedUntil: Int64 = 0
  }

  private var records: [String: Record] = [:]

  /// How long the address still has to wait, or nil.
  func remainingLockout(_ address: String, nowMilliseconds: Int64) -> Int64? {
    guard let record = records[address], record.lockedUntil > nowMilliseconds else { return nil }
    return record.lockedUntil - nowMilliseconds
  }

  mutating func noteFailure(_ address: String, nowMilliseconds: Int64) {
    if Self.isLoopback(address) { return }
    if records.count >= Self.addressesMax { records = [:] }
    var record = records[address] ?? Record()
    record.failures.removeAll { nowMilliseconds - $0 > Self.windowMilliseconds }
    record.failures.append(nowMilliseconds)
    if record.failures.count >= Self.failuresMax {
      record = Record(lockedUntil: nowMilliseconds + Self.lockoutMilliseconds)
    }
    records[address] = record
  }

  mutating func noteSuccess(_ address: String) { records[address] = nil }

  private static func isLoopback(_ address: String) -> Bool {
    address.hasPrefix("127.") || address == "::1" || address.hasPrefix("::ffff:127.")
  }
}
