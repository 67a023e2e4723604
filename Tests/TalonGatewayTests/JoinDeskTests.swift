import Foundation
import Testing

@testable import talon_gateway

@Suite("Join codes of the gateway for the bench")
struct JoinDeskTests {
  private static let payload: JSON = ["url": "wss://gw", "bootstrapToken": "abc"]

  private func status(
    _ desk: inout JoinDesk, _ uri: String, isGet: Bool = true, address: String = "10.0.0.1", at now: Int64 = 0
  ) -> Int {
    desk.answer(to: uri, isGet: isGet, from: address, nowMilliseconds: now).status
  }

  @Test("the first GET burns a code, whatever stands before /j/")
  func once() {
    var desk = JoinDesk(limitsLoopback: true)
    let code = desk.issue(Self.payload, expiresAtMs: 1000)
    #expect(code.utf8.count == 22)
    let answer = desk.answer(to: "/ctx/j/x/j/\(code)", isGet: true, from: "10.0.0.1", nowMilliseconds: 0)
    #expect(answer.status == 200)
    #expect(answer.body == #"{"url":"wss://gw","bootstrapToken":"abc"}"#)
    #expect(status(&desk, "/j/\(code)") == 404)
  }

  @Test("another method, a query, the end of its time and an unknown code are not found, and burn nothing")
  func notFound() {
    var desk = JoinDesk(limitsLoopback: true)
    let code = desk.issue(Self.payload, expiresAtMs: 1000)
    #expect(status(&desk, "/j/\(code)", isGet: false) == 404)
    #expect(status(&desk, "/j/\(code)?x") == 404)
    #expect(status(&desk, "/j/\(code.dropLast())") == 404)
    #expect(status(&desk, "/j/\(code)", at: 999) == 200)
    let late = desk.issue(Self.payload, expiresAtMs: 1000)
    #expect(status(&desk, "/j/\(late)", at: 1000) == 404)
  }

  @Test("ten misses lock an address out, and it is told for how long")
  func limited() {
    var desk = JoinDesk(limitsLoopback: true)
    for _ in 0..<10 { #expect(status(&desk, "/j/x") == 404) }
    let answer = desk.answer(to: "/j/x", isGet: true, from: "10.0.0.1", nowMilliseconds: 0)
    #expect(answer.status == 429)
    #expect(answer.retryAfterSeconds == 300)
    #expect(status(&desk, "/j/x", address: "10.0.0.2") == 404)
  }

  @Test("which paths are about codes, and the URL that is shown")
  func paths() {
    #expect(JoinDesk.owns("/j/abc") && JoinDesk.owns("/a/b/j/abc?x"))
    #expect(!JoinDesk.owns("/j") && !JoinDesk.owns("/j/abc/d") && !JoinDesk.owns("/ja/b"))
    #expect(GatewayCore.joinURL("wss://gw:1/ctx/", code: "abc") == "https://gw:1/ctx/j/abc")
    #expect(GatewayCore.joinURL("ws://127.0.0.1:1", code: "abc") == "http://127.0.0.1:1/j/abc")
  }
}
