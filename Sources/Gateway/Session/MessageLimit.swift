import Runtime

/// The size of message that passes what stands before the gateway, learned from connections that were closed with code
/// 1009 (RFC 6455 section 7.4.1) although the gateway itself allows more. Lives until the agent ends: at its next start
/// what stands there may have changed.
struct MessageLimit {
  /// The limits that are common, the largest first, in bytes: each close leads to the next one below what was sent.
  private static let steps: [Int] = [
    16 << 20, 8 << 20, 4 << 20, 2 << 20, 1 << 20, 512 << 10, 256 << 10, 128 << 10, 64 << 10, 32 << 10, 16 << 10,
    8 << 10,
  ]

  /// Bytes of the largest message that is sent; nil before anything was learned.
  private(set) var learned: Int?

  /// A connection on which the largest message had so many bytes was closed with 1009. False when nothing smaller is to
  /// be tried.
  mutating func closed(largest sent: Int) -> Bool {
    for step in Self.steps where step < min(sent, learned ?? .max) {
      learned = step
      return true
    }
    return false
  }

  /// What is sent to a gateway that allows `limit`.
  func applied(to limit: Int) -> Int { min(limit, learned ?? .max) }
}
