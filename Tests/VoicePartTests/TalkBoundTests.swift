import Runtime
import Testing
@testable import Agent
@testable import Benches
@testable import Node

/// What was found in simulated days.
@Suite("Talk does not last for ever, and leaves nothing open")
struct TalkBoundTests {
  @Test("a session that refuses sound is closed: the gateway may have it open all the same")
  func refusesSound() throws {
    let bench = try VoiceBench.connected(hasRecognizer: true)
    try bench.begin("1")
    bench.say(300)
    bench.desk.refuse(
      try bench.desk.request("talk.session.appendAudio"), #"{"code":"UNAVAILABLE","message":"too slow"}"#)
    #expect(try bench.desk.request("talk.session.close").params["sessionId"] as? String == "t1")
  }

  @Test(
    "sound that a slow connection does not take is not waited for without end: the board's own recognizer has it then")
  func slowConnection() throws {
    let bench = try VoiceBench.connected(hasRecognizer: true)
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
    #expect(bench.speech.recognized.count == 1)
    let methods = try bench.desk.requests().map(\.method)
    #expect(methods.contains("talk.session.close") && methods.contains("chat.send"))
  }

  @Test("a voice sends so many messages a minute, and no more until the first of them is a minute old")
  func messagesInMinute() throws {
    let bench = try VoiceBench.connected()
    func speak(_ number: Int) throws -> Int {
      bench.command("computer", 700)
      try bench.transcribe("computer, count \(number)")
      bench.channel.answer()
      return bench.channel.asked("node.event").count
    }
    let start = bench.desk.clock.monotonic
    var sent = 0
    for number in 0..<Budget.voiceMessagesInMinute { sent = try speak(number) }
    #expect(sent == Budget.voiceMessagesInMinute)
    try #require(bench.desk.clock.monotonic - start < 60_000)
    #expect(try speak(100) == sent)
    #expect(bench.service.loop.phase == .idle)
    bench.pass(60_000)
    #expect(try speak(101) == sent + 1)
  }

  @Test("a message that goes with its connection is not waited for until that is back")
  func connectionLost() throws {
    let bench = try VoiceBench.connected()
    try bench.capture("1", stop: "2")
    bench.understand("Switch the lamp on.")
    _ = try bench.desk.request("chat.send")
    bench.desk.lose()
    _ = bench.answers()
    bench.pass(OperatorDesk.timeout)
    #expect(bench.service.loop.phase == .idle)
    #expect(bench.answers() == [#"2: {"transcript":"Switch the lamp on.","status":"not_queued"}"#])
  }
}
