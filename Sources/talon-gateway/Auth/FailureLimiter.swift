/// Locks an address out after too many wrong credentials: ten within a minute cost five minutes
/// (protocol reference, section 13).
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

  /// Loopback is exempt at real gateways; a bench may want to be locked out all the same.
  let exemptsLoopback: Bool
  private var records: [String: Record] = [:]

  init(exemptsLoopback: Bool = true) { self.exemptsLoopback = exemptsLoopback }

  /// How long the address still has to wait, or nil.
  func remainingLockout(_ address: String, nowMilliseconds: Int64) -> Int64? {
    guard let record = records[address], record.lockedUntil > nowMilliseconds else { return nil }
    return record.lockedUntil - nowMilliseconds
  }

  mutating func noteFailure(_ address: String, nowMilliseconds: Int64) {
    if exemptsLoopback, address.isLoopback { return }
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
}

extension String {
  /// Whether this numeric address is the machine itself.
  var isLoopback: Bool { hasPrefix("127.") || self == "::1" || hasPrefix("::ffff:127.") }
}
