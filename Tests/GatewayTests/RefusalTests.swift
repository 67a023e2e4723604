import Foundation
import Gateway
import Runtime
import Testing

@Suite("Refusals")
struct RefusalTests {
  private func refuse(_ bench: Bench, _ error: String) throws {
    _ = try bench.reachConnect()
    bench.gateway.send(#"{"type":"res","id":"connect","ok":false,"error":\#(error)}"#)
    bench.gateway.sendFrame(0x88, [0x03, 0xF0])
    bench.gateway.pump()
    bench.transport.fail(.init(.closedByPeer))
  }

  private static let notPaired =
    #"{"code":"NOT_PAIRED","message":"pairing required","details":{"code":"PAIRING_REQUIRED","reason":"not-paired","requestId":"4e0a6d5e-1b7c"}}"#

  @Test("waiting for approval names the command with its id, and asks again in 30 s, after an hour every minute")
  func pairing() throws {
    let bench = try Bench()
    try refuse(bench, Self.notPaired)
    #expect(bench.session.state == .awaitingApproval)
    #expect(bench.explanation.contains("openclaw devices approve 4e0a6d5e-1b7c"))
    var opens = bench.transport.opens
    bench.pass(29_999)
    #expect(bench.transport.opens == opens)
    for _ in 0..<120 {
      bench.passToNextAttempt()
      #expect(bench.session.state == .awaitingApproval)
      try refuse(bench, Self.notPaired)
      #expect(try #require(bench.session.pauseLeft) <= 60_000)
    }
    opens = bench.transport.opens
    bench.pass(59_999)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  private func command(_ bench: Bench) -> String {
    let buffer = FixedBuffer(capacity: 192)
    var line = LogLine(buffer.bytes)
    bench.session.writeApproval(to: &line)
    return String(decoding: buffer.bytes[..<line.count], as: UTF8.self)
  }

  @Test("while the board asks again the request stays shown, with its age")
  func requestStays() throws {
    let bench = try Bench()
    #expect(bench.session.approvalAge == nil)
    try refuse(bench, Self.notPaired)
    #expect(bench.session.approvalAge == 0 && bench.session.pauseLeft == 30_000)
    bench.pass(30_000)
    #expect(bench.session.approvalAge == 30_000 && bench.session.pauseLeft == nil)
    #expect(command(bench) == "openclaw devices approve 4e0a6d5e-1b7c")
    _ = try bench.reachConnect()
    bench.gateway.send(Bench.hello)
    bench.runner.runAll()
    #expect(bench.session.state == .online && bench.session.approvalAge == nil && bench.session.requestID.isEmpty)
  }

  @Test("a request that the gateway has forgotten by now is not shown any longer, however slowly the board asks")
  func requestDies() throws {
    let bench = try Bench(pairingPoll: 3_600_000)
    try refuse(bench, Self.notPaired)
    let opens = bench.transport.opens
    bench.pass(299_999)
    #expect(command(bench).hasSuffix("4e0a6d5e-1b7c"))
    bench.pass(1)
    #expect(command(bench) == "openclaw devices approve --latest")
    #expect(!bench.explanation.contains("4e0a6d5e-1b7c") && bench.explanation.contains("approve --latest"))
    #expect(bench.transport.opens == opens && bench.session.state == .awaitingApproval)
    bench.pass(3_300_000)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test("a refusal counts even when the gateway never closes")
  func refusedButOpen() throws {
    let bench = try Bench()
    _ = try bench.reachConnect()
    bench.gateway.send(
      #"{"type":"res","id":"connect","ok":false,"error":{"code":"NOT_PAIRED","message":"m","details":{"requestId":"r-1"}}}"#
    )
    bench.pass(12_000)
    #expect(bench.session.state == .awaitingApproval)
    #expect(bench.explanation.contains("devices approve r-1"))
    #expect(!bench.transport.isOpen)
  }

  @Test("a request id that could do harm in a shell is not shown")
  func unsafeID() throws {
    let bench = try Bench()
    try refuse(
      bench,
      #"{"code":"NOT_PAIRED","message":"m","details":{"code":"PAIRING_REQUIRED","requestId":"x; rm -rf /"}}"#)
    #expect(bench.explanation.contains("approve --latest"))
    #expect(!bench.explanation.contains("rm"))
  }

  @Test("a dead device token is passed over, kept, and the shared token tried within 250 ms, which is what is said")
  func deadToken() throws {
    let bench = try Bench()
    try bench.reachOnline()
    bench.transport.fail(.init(.broken))
    bench.pass(1_000)
    let dead = #"{"code":"INVALID_REQUEST","message":"m","details":{"code":"AUTH_DEVICE_TOKEN_MISMATCH"}}"#
    let opens = bench.transport.opens
    try refuse(bench, dead)
    #expect(bench.explanation.contains("AUTH_DEVICE_TOKEN_MISMATCH"))
    #expect(bench.explanation.hasSuffix("Trying next: the gateway's token ([gateway] token_file, token)"))
    #expect(!bench.explanation.contains("talon connect"))
    bench.pass(250)
    #expect(bench.transport.opens == opens + 1)
    #expect(!bench.record.token(.node).isEmpty)
    let params = try #require(try bench.reachConnect()["params"] as? [String: Any])
    #expect((params["auth"] as? [String: String]) == ["token": "shared-secret-token"])
  }

  @Test(
    "what only a person can mend is not tried again for 15 minutes",
    arguments: [
      "AUTH_TOKEN_MISSING", "AUTH_TOKEN_MISMATCH", "AUTH_PASSWORD_MISMATCH", "AUTH_UNAUTHORIZED",
      "DEVICE_AUTH_DEVICE_ID_MISMATCH", "SOMETHING_NEW",
    ])
  func paused(code: String) throws {
    let bench = try Bench()
    try refuse(bench, #"{"code":"INVALID_REQUEST","message":"no","details":{"code":"\#(code)"}}"#)
    #expect(bench.session.state == .paused)
    #expect(bench.explanation.contains(code))
    let opens = bench.transport.opens
    bench.pass(899_999)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test(
    "a rate limit is waited out for as long as the gateway asks, or five minutes",
    arguments: [(#""retryAfterMs":297000,"#, 297_000), ("", 300_000)])
  func rateLimited(wait: String, milliseconds: Int64) throws {
    let bench = try Bench()
    try refuse(
      bench, #"{"code":"INVALID_REQUEST",\#(wait)"message":"m","details":{"code":"AUTH_RATE_LIMITED"}}"#)
    let opens = bench.transport.opens
    bench.pass(milliseconds - 1)
    #expect(bench.transport.opens == opens)
    bench.pass(1)
    #expect(bench.transport.opens == opens + 1)
  }

  /// What a gateway says around a code that this Talon does not know decides.
  @Test(
    "a code of tomorrow is handled as what stands around it",
    arguments: [
      // Outer code, retryable, retryAfterMs, close code; whether Talon tries again by itself within a minute.
      (#""UNAVAILABLE","retryable":true"#, 1008, true), (#""UNAVAILABLE""#, 1008, true),
      (#""UNAVAILABLE","retryable":false"#, 1008, false), (#""TOMORROW""#, 1008, false),
      (#""TOMORROW","retryable":true"#, 1008, true), (#""TOMORROW","retryAfterMs":1000"#, 1013, true),
      (#""TOMORROW","retryable":false,"retryAfterMs":1000"#, 1008, false), (#""TOMORROW""#, 1011, true),
      (#""TOMORROW""#, 1012, true), (#""TOMORROW""#, 1013, true), (#""TOMORROW""#, 1001, true),
      (#""INVALID_REQUEST""#, 1008, false), (#""INVALID_REQUEST""#, 1011, true),
    ])
  func tomorrow(outer: String, close: UInt16, isTried: Bool) throws {
    for details in [#","details":{"code":"NEWER_STILL"}"#, #","details":{"reason":"newer"}"#, ""] {
      let bench = try Bench()
      _ = try bench.reachConnect()
      bench.gateway.send(
        #"{"type":"res","id":"connect","ok":false,"error":{"code":\#(outer),"message":"m"\#(details)}}"#)
      bench.gateway.sendFrame(0x88, [UInt8(close >> 8), UInt8(close & 0xFF)])
      bench.gateway.pump()
      bench.transport.fail(.init(.closedByPeer))
      #expect(bench.session.state == (isTried ? .waiting : .paused), "\(outer) \(details) \(close)")
      #expect(try #require(bench.session.pauseLeft) == (isTried ? min(bench.session.pauseLeft ?? 0, 60_000) : 900_000))
    }
  }

  @Test("the reason of authentication counts where its code is not known")
  func authReason() throws {
    let bench = try Bench()
    try refuse(
      bench,
      #"{"code":"INVALID_REQUEST","message":"m","details":{"code":"AUTH_RATE_LIMITED_2","authReason":"rate_limited"}}"#)
    #expect(bench.session.state == .waiting && bench.session.pauseLeft == 300_000)
  }

  @Test(
    "the first pages that forbid are those of a guests' network; then it is left to a person, until the network changes"
  )
  func forbidden() throws {
    let bench = try Bench()
    bench.session.start()
    for turn in 1...5 {
      bench.transport.secure(leaf: Bench.leaf)
      bench.runner.runAll()
      Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8).withUnsafeBufferPointer {
        bench.transport.deliver($0)
      }
      #expect(bench.session.state == (turn < 5 ? .waiting : .paused))
      if turn < 5 { bench.passToNextAttempt() }
    }
    let opens = bench.transport.opens
    bench.session.networkChanged()
    bench.pass(2_000)
    #expect(bench.transport.opens == opens + 1)
  }

  @Test("a token that the gateway echoes in its refusal does not reach the log")
  func echoedSecret() throws {
    let bench = try Bench()
    try refuse(
      bench,
      #"{"code":"INVALID_REQUEST","message":"bad token shared-secret-token","details":{"code":"AUTH_TOKEN_MISMATCH"}}"#
    )
    #expect(!bench.lines.contains { $0.contains("shared-secret-token") })
    #expect(bench.lines.contains { $0.contains("[hidden]") })
  }
}
