import Runtime
import Testing

@testable import Agent

/// What was found in simulated days.
@Suite("Talk does not last for ever, and leaves nothing open")
struct TalkBoundTests {
  @Test("a session that refuses sound is closed: the gateway may have it open all the same")
  func refusesSound() throws {
    let bench = try VoiceBench.connected(hasRecogniser: true)
    try bench.begin("1")
    bench.say(300)
    bench.desk.refuse(try bench.desk.request("talk.session.appendAudio"), #"{"code":"UNAVAILABLE","message":"too slow"}"#)
    #expect(try bench.desk.request("talk.session.close").params["sessionId"] as? String == "t1")
  }

  @Test("sound that a slow connection does not take is not waited for without end: the board's own recogniser has it then")
  func slowConnection() throws {
    let bench = try VoiceBench.connected(hasRecogniser: true)
    bench.speech.text = "switch the lamp on"
    try bench.begin("1")
    bench.say(60_000)
    bench.invoke("2", "stop")
    // One piece each ten seconds, and each is answered in time.
    for _ in 0..<3 {
      for request in try bench.desk.requests().prefix(1) { bench.desk.answer(request, #"{"ok":true}"#) }
      bench.pass(10_000)
    }
    bench.speech.finish()
    #expect(bench.speech.recognised.count == 1)
    let methods = try bench.desk.requests().map(\.method)
    #expect(methods.contains("talk.session.close") && methods.contains("chat.send"))
  }

  @Test("a message that goes with its connection is not waited for until that is back")
  func connectionLost() throws {
    let bench = try VoiceBench.connected()
    try bench.capture("1", stop: "2")
    bench.understand("Switch the lamp on.")
    _ = try bench.desk.request("chat.send")
    bench.desk.lose()
    _ = bench.answers()
    bench.pass(OperatorDesk.patience)
    #expect(bench.service.loop.phase == .idle)
    #expect(bench.answers() == [#"2: {"transcript":"Switch the lamp on.","status":"not_queued"}"#])
  }
}
