import Codec
import Runtime

/// What a person has to approve at the gateway, and how often the gateway is asked. Plain data: refusals go in, pauses
/// and sentences come out.
struct ApprovalWait {
  /// How long a request for approval is repeated at the configured pace, and the slowest pace after that: a gateway
  /// sends no event about an approval, so the person who gave it waits for the next attempt. Far from the ten requests
  /// a minute that lock a board out (gateway reference 13).
  static let quickPolling: Int64 = 3_600_000
  static let slowPoll: Int64 = 60_000
  /// Milliseconds between attempts when the gateway will approve by itself.
  static let resolvingPoll: Int64 = 5_000
  /// Milliseconds for which a gateway keeps a request for approval that is not repeated (gateway reference 5.3).
  static let requestLifetime: Int64 = 300_000

  private var since: Int64?
  /// The gateway's last reason, and when it came.
  private var reason = Refusal.Reason.notPaired
  private(set) var reportedAt: Int64 = 0
  /// The request that a person must approve; else empty. Never one that has expired at the gateway.
  private(set) var requestID = InlineText<128>()

  /// The gateway wants an approval, again or for the first time.
  /// - Parameter poll: the configured pause.
  /// - Returns: milliseconds until the next attempt.
  mutating func refused(_ refusal: Refusal, poll: Int64, at now: Int64) -> Int64 {
    let begin = since ?? now
    since = begin
    requestID = refusal.requestID
    reason = refusal.reason
    reportedAt = now
    let pause = refusal.resolvesItself ? Self.resolvingPoll : poll
    return now - begin < Self.quickPolling ? pause : max(pause, Self.slowPoll)
  }

  /// The wait is over: the gateway has approved, or nobody asks it any more.
  mutating func end() { since = nil }

  /// No request is shown any more.
  mutating func forgetRequest() { requestID.clear() }

  /// When the shown request expires at the gateway; nil while none is shown.
  var expiry: Int64? { requestID.isEmpty ? nil : reportedAt + Self.requestLifetime }

  /// Writes the state in one sentence, with the command that ends it.
  func write(_ role: Role, to line: inout LogLine) {
    let subject: StaticString = role == .node ? "this board" : "this board's console connection"
    line.add(subject)
    line.add(reason.words)
    line.add(". On the gateway's machine run: ")
    writeCommand(to: &line)
  }

  /// Writes why a person is wanted, in a sentence without the command: where that stands on a line of its own.
  func writeReason(to line: inout LogLine) {
    line.add("This board")
    line.add(reason.words)
    line.add(".")
  }

  /// Writes the command that a person runs on the gateway's machine.
  func writeCommand(to line: inout LogLine) {
    line.add("openclaw devices approve ")
    if requestID.isEmpty { return line.add("--latest") }
    line.add(code: requestID.span)
  }
}
