import Codec

/// How many bytes of a stream without an end are taken: so many a second, and those of one second at once.
struct ByteAllowance {
  private let perSecond: Int64
  /// Thousandths of bytes that may be taken; below 0 when more were taken.
  private var credit: Int64
  private var countedAt: Int64

  init(perSecond: Int64, at now: Int64) {
    (self.perSecond, countedAt) = (perSecond, now)
    credit = 1000 * perSecond
  }

  /// So many bytes were taken. Returns when more may be: nil, at once.
  mutating func spend(_ bytes: Int, at now: Int64) -> Int64? {
    let passed = min(max(now.subtracting(clamping: countedAt), 0), 1_000_000)
    countedAt = now
    credit = min(credit + passed * perSecond, 1000 * perSecond) - 1000 * Int64(bytes)
    guard credit < 0 else { return nil }
    // Some rest, so that the loop is not woken for every piece.
    return now.adding(clamping: max(Self.rest, (-credit + perSecond - 1) / perSecond))
  }

  private static let rest: Int64 = 50
}
