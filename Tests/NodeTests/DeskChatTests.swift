import Codec
import Foundation
import Runtime
import Simulated
import Testing
@testable import Agent
@testable import Benches

@Suite("Talking with the agent")
struct DeskChatTests {
  private func started(_ bench: DeskBench, tag: Int = 1) throws -> String {
    let request = try bench.chat(tag: tag)!
    bench.answer(request, #"{"runId":"\#(request.run)","status":"started"}"#)
    return request.run
  }

  private func delta(_ bench: DeskBench, _ run: String, _ seq: Int, _ text: String) {
    bench.event(
      "chat",
      #"{"runId":"\#(run)","sessionKey":"agent:main:main","seq":\#(seq),"state":"delta","deltaText":"\#(text)"}"#)
  }

  @Test("a message goes to the main session with a UUID of its own, and its reply comes in pieces")
  func reply() throws {
    let bench = try DeskBench()
    try bench.connect()
    let request = try bench.chat("Switch the \"lamp\" on\n")!
    #expect(request.params.keys.sorted() == ["idempotencyKey", "message", "sessionKey"])
    #expect(request.params["sessionKey"] as? String == "agent:main:main")
    #expect(request.params["message"] as? String == "Switch the \"lamp\" on\n")
    #expect(UUID(uuidString: request.run) != nil)
    #expect(request.run.dropFirst(14).first == "4")
    // The first words may be faster than the answer.
    delta(bench, request.run, 1, "The")
    bench.answer(request, #"{"runId":"\#(request.run)","status":"started"}"#)
    delta(bench, "somebody-else", 1, "Hm")
    delta(bench, request.run, 2, " lamp")
    bench.event("chat", #"{"runId":"\#(request.run)","seq":3,"state":"final","message":{"content":"The lamp."}}"#)
    delta(bench, request.run, 4, "late")
    #expect(
      bench.listener.heard == [
        "1 says The", #"1 answer {"runId":"\#(request.run)","status":"started"}"#, "1 says  lamp", "1 says .",
        "1 final",
      ])
    let other = try bench.chat()!
    #expect(other.run != request.run)
  }

  @Test("without a main session of the gateway's, it is main; one that is named is taken")
  func sessions() throws {
    let bench = try DeskBench()
    try bench.connect(mainSession: nil)
    #expect(try bench.chat()?.params["sessionKey"] as? String == "main")
    func key(_ request: String) -> String? {
      let bytes = Array(request.utf8)
      guard let key = bench.desk.session(from: JSONView(bytes.span)) else { return nil }
      return NotingListener.text(key.span)
    }
    #expect(key(#"{"session":"agent:x:y"}"#) == "agent:x:y")
    #expect(key(#"{"session":""}"#) == "main")
    #expect(key(#"{"session":7}"#) == nil)
    #expect(key(#"{"session":"\#(String(repeating: "k", count: 513))"}"#) == nil)
  }

  @Test("runs that fail or are stopped say so")
  func ends() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    bench.event(
      "chat", #"{"runId":"\#(run)","seq":1,"state":"error","errorMessage":"too much","errorKind":"rate_limit"}"#)
    let other = try started(bench, tag: 2)
    #expect(bench.desk.abort(2, bench.listener, answerTag: 3))
    let abort = try bench.request("chat.abort")
    #expect(abort.params["runId"] as? String == other)
    #expect(abort.params["sessionKey"] as? String == "agent:main:main")
    bench.answer(abort, #"{"ok":true}"#)
    bench.event("chat", #"{"runId":"\#(other)","seq":1,"state":"aborted"}"#)
    #expect(!bench.desk.abort(2, bench.listener, answerTag: 3))
    #expect(
      bench.listener.heard.filter { !$0.contains("started") } == [
        "1 RUN_FAILED: the agent's run failed: \"too much\" (rate_limit)", #"3 answer {"ok":true}"#, "2 aborted",
      ])
  }

  @Test("a run that was refused, and one without a sign for 10 minutes, end with an error")
  func refused() throws {
    let bench = try DeskBench()
    try bench.connect()
    bench.refuse(try bench.chat()!, #"{"code":"INVALID_REQUEST","message":"missing scope: operator.write"}"#)
    _ = try started(bench, tag: 2)
    bench.pass(599_000)
    #expect(bench.listener.heard.count == 2)
    bench.pass(2_000)
    #expect(bench.listener.heard[0].hasPrefix("1 MISSING_SCOPE"))
    #expect(bench.listener.heard[2].hasPrefix("2 TIMEOUT: nothing from the agent"))
  }

  @Test("as many runs as there are slots; a message of 6 KiB and no more")
  func bounds() throws {
    let bench = try DeskBench()
    try bench.connect()
    for tag in 0..<Budget.chatRuns { #expect(try bench.chat(tag: tag) != nil) }
    #expect(try bench.chat(tag: 9) == nil)
    #expect(bench.listener.heard.last?.hasPrefix("9 BUSY") == true)
    bench.desk.forget(bench.listener, 0)
    #expect(try bench.chat(String(repeating: "x", count: 6144), tag: 10) != nil)
    bench.desk.forget(bench.listener, 1)
    #expect(try bench.chat(String(repeating: "x", count: 6145), tag: 11) == nil)
    #expect(try bench.chat("", tag: 12) == nil)
    #expect(bench.listener.heard.suffix(2).map { $0.split(separator: ":")[0] } == ["11 TOO_LARGE", "12 TOO_LARGE"])
    // Six bytes for each once it is escaped.
    #expect(try bench.chat(String(repeating: "\u{1}", count: 6144), tag: 13) != nil)
  }

  @Test("a listener may leave at any word")
  func leaves() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    bench.listener.onWord = { bench.desk.forget(bench.listener, 1) }
    bench.event("chat", #"{"runId":"\#(run)","seq":1,"state":"final","message":"bye"}"#)
    #expect(bench.listener.heard.last == "1 says bye")
    bench.listener.onWord = {}
  }

  @Test("a run is that of its delegate: another one with the same tag neither forgets nor stops it")
  func otherDelegate() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    let other = NotingListener()
    bench.desk.forget(other, 1)
    #expect(!bench.desk.abort(1, other, answerTag: 2))
    bench.event("chat", #"{"runId":"\#(run)","seq":1,"state":"final","message":"bye"}"#)
    #expect(bench.listener.heard.suffix(2) == ["1 says bye", "1 final"])
    #expect(other.heard.isEmpty)
  }

  // MARK: Reconnecting

  @Test("a reply that ended while the connection was away is read from the history, and only what is missing is shown")
  func caughtUp() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    delta(bench, run, 1, "The lamp")
    bench.lose()
    try bench.connect()
    let history = try bench.request("chat.history")
    #expect(history.params["sessionKey"] as? String == "agent:main:main")
    bench.answer(
      history,
      #"{"messages":[{"role":"assistant","content":"old"},{"role":"user","content":"[Fri 12:00] hello"},"#
        + #"{"role":"assistant","content":[{"type":"toolCall"}]},{"role":"assistant","content":"The lamp is on."},"#
        + #"{"role":"user","content":"next"},{"role":"assistant","content":"other"}]}"#)
    #expect(bench.listener.heard.suffix(3) == ["1 says The lamp", "1 says  is on.", "1 final"])
  }

  @Test("a reply that goes on is followed further", arguments: [true, false])
  func goesOn(isTold: Bool) throws {
    let bench = try DeskBench()
    try bench.connect(protocol: 3)
    let run = try started(bench)
    bench.lose()
    try bench.connect(protocol: 3)
    let inFlight = isTold ? #","inFlightRun":{"runId":"\#(run)"}"# : ""
    bench.answer(try bench.request("chat.history"), #"{"messages":[{"role":"user","content":"hello"}]\#(inFlight)}"#)
    bench.event("chat", #"{"runId":"\#(run)","seq":8,"state":"delta","message":"The lamp"}"#)
    bench.event("chat", #"{"runId":"\#(run)","seq":9,"state":"final","message":"The lamp is"}"#)
    #expect(bench.listener.heard.suffix(3) == ["1 says The lamp", "1 says  is", "1 final"])
  }

  @Test("a message that was lost with the connection is found in the history, or said to be lost")
  func lostMessage() throws {
    let bench = try DeskBench()
    try bench.connect()
    try bench.chat()
    bench.lose()
    #expect(bench.listener.heard.isEmpty)
    try bench.connect()
    bench.answer(
      try bench.request("chat.history"),
      #"{"messages":[{"role":"user","content":"hello"},{"role":"assistant","content":"hi"}]}"#)
    #expect(bench.listener.heard == ["1 says hi", "1 final"])

    try bench.chat(tag: 2)
    bench.lose()
    try bench.connect()
    bench.answer(try bench.request("chat.history"), #"{"messages":[{"role":"assistant","content":"old"}]}"#)
    #expect(bench.listener.heard.last?.hasPrefix("2 LOST") == true)
  }

  @Test("hostile events and answers do no harm")
  func hostile() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    for payload in [
      "7", "null", "[]", "{}", #"{"runId":7}"#, #"{"runId":"\#(run)"}"#, #"{"runId":"\#(run)","state":[]}"#,
      #"{"runId":"\#(run)","state":"delta","seq":"x"}"#,
      #"{"runId":"\#(run)","state":"delta","seq":-9223372036854775808}"#,
      #"{"runId":"\#(run)","state":"delta","deltaText":{}}"#,
      #"{"runId":"\#(run)","state":"delta","message":[[[[]]]]}"#,
    ] { bench.event("chat", payload) }
    bench.lose()
    try bench.connect()
    for payload in ["7", #"{"messages":7}"#, #"{"messages":[7,{"role":7},{"content":[]}]}"#] {
      bench.lose()
      try bench.connect()
      bench.answer(try bench.request("chat.history"), payload)
    }
    bench.event("chat", #"{"runId":"\#(run)","seq":5,"state":"final","message":"ok"}"#)
    #expect(bench.listener.heard.suffix(2) == ["1 says ok", "1 final"])
  }

  @Test("a megabyte of text in one event is cut, in many it is not")
  func large() throws {
    let bench = try DeskBench()
    try bench.connect()
    let run = try started(bench)
    let piece = String(repeating: "x", count: 50_000)
    for seq in 1...20 { delta(bench, run, seq, piece) }
    #expect(bench.listener.heard.filter { $0 == "1 says \(piece)" }.count == 20)
    delta(bench, run, 21, String(repeating: "y", count: Budget.chatTextBytes + 1))
    #expect(bench.listener.heard.last == "1 cut")
  }
}
