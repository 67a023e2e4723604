import Codec
import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import Node

@Suite("What the voice of a conversation asks the agent")
struct ConsultationTests {
  private let bench: VoiceBench

  init() throws {
    bench = try VoiceBench.connected { ($0.toneVolume, $0.converses) = (0, true) }
    bench.service.setTalkMode(true)
    bench.desk.answer(try bench.desk.request("talk.session.create"), #"{"sessionId":"r1","relaySessionId":"r1"}"#)
  }

  private func call(
    _ id: String = "c1", _ name: String = "openclaw_agent_consult", args: String = #"{"question":"Who?"}"#
  ) {
    bench.desk.event(
      "talk.event", #"{"relaySessionId":"r1","type":"toolCall","callId":"\#(id)","name":"\#(name)","args":\#(args)}"#)
  }

  private func chat(_ rest: String, run: String = "run-1", seq: Int = 1) {
    bench.desk.event("chat", #"{"runId":"\#(run)","sessionKey":"agent:main:main","seq":\#(seq),\#(rest)}"#)
  }

  /// The gateway begins a run for the question.
  private func begin() throws {
    call()
    bench.desk.answer(try bench.desk.request("talk.client.toolCall"), #"{"runId":"run-1","idempotencyKey":"run-1"}"#)
  }

  /// What came of the call, as the gateway is told: "c1 result Me."
  private func result() throws -> String {
    let request = try bench.desk.request("talk.session.submitToolResult")
    #expect(request.params["sessionId"] as? String == "r1")
    let result = try #require(request.params["result"] as? [String: String])
    bench.desk.answer(request, #"{"ok":true}"#)
    return (["\(request.params["callId"] ?? "")"] + result.map { "\($0.key) \($0.value)" }).joined(separator: " ")
  }

  @Test("is asked as it stands, and what the agent says in that run is the tool's result")
  func asks() throws {
    call(args: #"{"question":"Wer?","context":{"a":[1,null]}}"#)
    let request = try bench.desk.request("talk.client.toolCall")
    #expect(Set(request.params.keys) == ["sessionKey", "callId", "name", "args", "relaySessionId"])
    #expect(request.params["relaySessionId"] as? String == "r1" && request.params["callId"] as? String == "c1")
    let args = try #require(request.params["args"] as? [String: Any])
    #expect(args["question"] as? String == "Wer?" && args["context"] != nil)
    bench.desk.answer(request, #"{"runId":"run-1","idempotencyKey":"run-1"}"#)
    chat(#""state":"delta","deltaText":"Nobody""#, run: "other")
    chat(#""state":"delta","deltaText":"It is ""#)
    chat(#""state":"delta","deltaText":"me.""#, seq: 2)
    #expect(try bench.desk.requests().isEmpty)
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"It is me."}]}"#, seq: 3)
    #expect(try result() == "c1 result It is me.")
  }

  @Test("comes in the common form of events, too")
  func common() throws {
    bench.desk.event(
      "talk.event",
      #"{"id":"1","type":"tool.call","sessionId":"r1","callId":"c7","payload":{"name":"openclaw_agent_consult","args":{"question":"Who?"}}}"#
    )
    #expect(try bench.desk.request("talk.client.toolCall").params["callId"] as? String == "c7")
  }

  @Test("another tool is refused, and so is a second question beside the first; the same call again is nothing new")
  func refuses() throws {
    call("c0", "open_door")
    #expect(try result() == "c0 error there is no tool of that name here")
    try begin()
    call()
    #expect(try bench.desk.requests().isEmpty)
    call("c2")
    #expect(try result() == "c2 error one question at a time; another is being answered")
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"Me."}]}"#)
    #expect(try result() == "c1 result Me.")
    call("c3")
    #expect(try bench.desk.request("talk.client.toolCall").params["callId"] as? String == "c3")
  }

  @Test(
    "ends for the voice when the agent fails, is stopped, or has nothing to say, and when the gateway refuses",
    arguments: [
      (#""state":"error","errorMessage":"out of tokens""#, "out of tokens"),
      (#""state":"aborted""#, "somebody has ended the agent's work"),
      (#""state":"final""#, "the agent has nothing to say"),
    ])
  func fails(_ last: String, _ reason: String) throws {
    try begin()
    chat(last)
    #expect(try result().contains(reason))
    call("c2")
    bench.desk.refuse(
      try bench.desk.request("talk.client.toolCall"),
      #"{"code":"UNAVAILABLE","message":"Unknown realtime relay session"}"#)
    #expect(try result().contains("Unknown realtime relay session"))
  }

  @Test("is awaited for two minutes, in which silence ends no conversation, nor right behind them")
  func timeout() throws {
    try begin()
    bench.pass(Budget.replyMilliseconds - 1_000)
    #expect(bench.service.loop.phase == .conversing)
    bench.pass(1_000)
    #expect(try result() == "c1 error the agent has not answered in time")
    #expect(bench.service.loop.phase == .conversing)
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"Late."}]}"#)
    #expect(try bench.desk.requests().isEmpty)
  }

  /// As many questions as the connection takes, which are not answered for a minute.
  private func fill() throws -> [DeskBench.Request] {
    while bench.desk.desk.send(.init(purpose: .person, method: "health"), timeout: 60_000, { _ in }) == nil {}
    return try bench.desk.requests()
  }

  @Test("an answer waits until the connection has room for it, but not for ever")
  func room() throws {
    try begin()
    let others = try fill()
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"Me."}]}"#)
    #expect(try bench.desk.requests().isEmpty)
    for other in others { bench.desk.answer(other, "{}") }
    bench.pass(100)
    #expect(try result() == "c1 result Me.")

    try begin()
    let more = try fill()
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"Me."}]}"#)
    bench.pass(Budget.callTimeout + 100)
    for other in more { bench.desk.answer(other, "{}") }
    bench.pass(100)
    #expect(try bench.desk.requests().isEmpty)
    call("c3")
    #expect(try bench.desk.request("talk.client.toolCall").params["callId"] as? String == "c3")
  }

  @Test("is forgotten with the conversation, and the agent's work goes on")
  func over() throws {
    try begin()
    bench.service.setTalkMode(false)
    #expect(try bench.desk.requests().map(\.method) == ["talk.session.close"])
    chat(#""state":"final","message":{"role":"assistant","content":[{"type":"text","text":"Me."}]}"#)
    #expect(try bench.desk.requests().isEmpty)
  }

  @Test("an answer longer than a message is cut between characters, and nothing follows the cut")
  func long() throws {
    try begin()
    let text = "x" + String(repeating: "é", count: Budget.chatMessageBytes / 2)
    chat(#""state":"delta","deltaText":"\#(text)""#)
    chat(#""state":"delta","deltaText":".""#, seq: 2)
    chat(#""state":"final""#, seq: 3)
    #expect(try result() == "c1 result " + text.prefix(Budget.chatMessageBytes / 2))
  }
}
