/// Times of a query: on a link at 0, 1 and 3 s (gateway reference 7.3), to name servers once, because c-ares repeats
/// it.
struct QuerySchedule {
  private let isMulticast: Bool
  private var begin: Int64?
  private var sent = 0

  init(isMulticast: Bool) { self.isMulticast = isMulticast }

  /// Starts at a monotonic instant in milliseconds.
  mutating func start(at now: Int64) {
    begin = now
    sent = 0
  }

  /// When to ask next; nil when nothing more is asked.
  var deadline: Int64? {
    guard let begin, sent < (isMulticast ? 3 : 1) else { return nil }
    return begin + (sent == 0 ? 0 : sent == 1 ? 1_000 : 3_000)
  }

  /// True once for each time that has come.
  mutating func isDue(at now: Int64) -> Bool {
    guard let deadline, now >= deadline else { return false }
    sent += 1
    return true
  }
}
