import Codec
import Runtime
import Testing

@testable import Gateway

/// Waiting for a person at the gateway, without a session.
@Suite struct ApprovalWaitTests {
  private func refusal(_ request: String = "r-1", _ reason: Refusal.Reason = .notPaired) -> Refusal {
    let error = Array(#"{"code":"NOT_PAIRED","message":"pairing required"}"#.utf8)
    var refusal = Refusal(JSONView(error.span))
    refusal.requestID = InlineText(cutting: request)
    refusal.reason = reason
    return refusal
  }

  private func sentence(_ wait: ApprovalWait, _ role: Role) -> String {
    var text = InlineText<256>()
    text.fill { bytes in
      var line = LogLine(bytes)
      wait.write(role, to: &line)
      return line.count
    }
    return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  @Test("the gateway is asked at the configured pace for an hour, then once a minute at most")
  func pace() {
    var wait = ApprovalWait()
    let begin: Int64 = 5_000
    let pauses = [0, 1, 3_599_999, 3_600_000, 90_000_000].map { (later: Int64) in
      wait.refused(refusal(), poll: 10_000, at: begin + later)
    }
    #expect(pauses == [10_000, 10_000, 10_000, 60_000, 60_000])
    // A longer pace is kept, and after an end everything begins anew.
    let long = wait.refused(refusal(), poll: 120_000, at: begin + 90_000_001)
    wait.end()
    let again = wait.refused(refusal(), poll: 10_000, at: begin + 90_000_002)
    #expect(long == 120_000 && again == 10_000)
  }

  @Test("a gateway that approves by itself is asked every five seconds")
  func byItself() {
    var wait = ApprovalWait()
    var resolving = refusal()
    resolving.resolvesItself = true
    let pause = wait.refused(resolving, poll: 10_000, at: 0)
    #expect(pause == ApprovalWait.resolvingPoll)
  }

  @Test("the reason alone has no command in it")
  func reason() {
    var wait = ApprovalWait()
    _ = wait.refused(refusal("r-7", .scopeUpgrade), poll: 10_000, at: 1_000)
    var text = InlineText<256>()
    text.fill { bytes in
      var line = LogLine(bytes)
      wait.writeReason(to: &line)
      return line.count
    }
    #expect(text == InlineText(cutting: "This board waits for approval of more scopes than it has."))
  }

  @Test("a request is named until it expires, and then the latest one")
  func request() {
    var wait = ApprovalWait()
    #expect(wait.expiry == nil && sentence(wait, .node).hasSuffix("openclaw devices approve --latest"))
    _ = wait.refused(refusal("r-7", .scopeUpgrade), poll: 10_000, at: 1_000)
    #expect(wait.expiry == 1_000 + ApprovalWait.requestLifetime && wait.reportedAt == 1_000)
    #expect(
      sentence(wait, .operator)
        == "this board's console connection waits for approval of more scopes than it has. On the gateway's machine "
        + "run: openclaw devices approve r-7")
    wait.forgetRequest()
    #expect(wait.expiry == nil && sentence(wait, .node).hasSuffix("approve --latest"))
  }
}
