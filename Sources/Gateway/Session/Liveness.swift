/// Detects a dead gateway (gateway reference 1.4 and 8.3) in two ways: pings after silence of any kind, and an end of
/// the connection when no messages arrive although pongs do.
struct Liveness {
  /// Milliseconds of silence before the first ping, and the timeout for each pong. Two unanswered pings make 35 s: with
  /// the longest pause, a dead link is replaced within 45 s of the network's return.
  static let pingAfter: Int64 = 15_000
  static let pongTimeout: Int64 = 10_000
  static let pings = 2
  /// Bytes of one long message that count as activity: a peer that sends slower than that counts as silent.
  static let progressBytes = 64 * 1024

  /// What to do.
  enum Verdict: Equatable { case alive, ping, dead, silent }

  private var lastHeard: Int64 = 0
  private var lastMessage: Int64 = 0
  private var unanswered = 0
  private var bytes = 0

  /// The connection is open.
  mutating func begin(_ now: Int64) {
    lastHeard = now
    lastMessage = now
    unanswered = 0
    bytes = 0
  }

  /// Anything arrived.
  mutating func heard(_ now: Int64) {
    lastHeard = now
    unanswered = 0
  }

  /// Part of a message arrived.
  mutating func received(_ count: Int, isFinal: Bool, _ now: Int64) {
    bytes += count
    guard isFinal || bytes >= Self.progressBytes else { return }
    bytes = 0
    lastMessage = now
  }

  /// The network changed: makes a ping due at once.
  mutating func probe(_ now: Int64) { lastHeard = min(lastHeard, now - Self.pingAfter) }

  private var nextPing: Int64 { lastHeard + Self.pingAfter + Int64(unanswered) * Self.pongTimeout }

  /// When `check` wants to be called.
  func deadline(tickInterval: Int64) -> Int64 { min(nextPing, lastMessage + 2 * tickInterval) }

  /// What to do now. After `.ping` the ping counts as sent.
  mutating func check(_ now: Int64, tickInterval: Int64) -> Verdict {
    if now >= lastMessage + 2 * tickInterval { return .silent }
    if now < nextPing { return .alive }
    if unanswered == Self.pings { return .dead }
    unanswered += 1
    return .ping
  }
}
