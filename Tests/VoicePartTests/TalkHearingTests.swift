import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import VoicePart

@Suite("Push to talk, and commands behind a wake phrase")
struct TalkHearingTests {
  @Test("from start to stop: the sound goes to the gateway, the text to the agent, and both commands are answered")
  func push() throws {
    let bench = try VoiceBench.connected()
    bench.invoke("1", "start")
    #expect(bench.microphone.isOpen)
    let started = try #require(bench.router.take().first)
    #expect(started.hasPrefix(#"1: {"captureId":""#))
    let create = try bench.openTranscription()
    #expect(
      create.params as? [String: String] == ["mode": "transcription", "transport": "gateway-relay", "brain": "none"])
    bench.say(1_000)
    #expect(try bench.takeSound().count == 8_000)
    bench.invoke("2", "stop")
    #expect(!bench.microphone.isOpen)
    _ = try bench.takeSound()
    #expect(bench.isClosed && bench.answers() == [])
    bench.understand("Switch the lamp on.")
    let send = try bench.desk.request("chat.send")
    #expect((send.params["message"] as? String)?.hasSuffix("]\nSwitch the lamp on.") == true)
    #expect(send.params["thinking"] as? String == "low" && send.params["timeoutMs"] as? Int == 30_000)
    #expect(send.params["sessionKey"] as? String == VoiceBench.key)
    bench.desk.answer(send, #"{"runId":"\#(send.run)","status":"started"}"#)
    let stopped = try #require(bench.router.take().first)
    #expect(stopped.hasSuffix(#","transcript":"Switch the lamp on.","status":"queued"}"#))
    // The gateway ties both together by this.
    #expect(stopped.dropFirst(3).prefix(51) == started.dropFirst(3).prefix(51))
  }

  @Test("once ends by silence; an empty transcript is sent nowhere")
  func once() throws {
    let bench = try VoiceBench.connected()
    bench.invoke("1", "once")
    bench.say(600, silence: 2_200)
    #expect(!bench.microphone.isOpen)
    _ = try bench.openTranscription()
    #expect(try bench.takeSound().count > 2_500 * 8)
    bench.understand("")
    // An older gateway may say it behind the end.
    #expect(bench.answers().isEmpty)
    bench.pass(Budget.transcriptionLinger)
    #expect(bench.answers() == [#"1: {"transcript":null,"status":"empty"}"#])
    #expect(try bench.desk.requests().isEmpty)
  }

  @Test("sound that the gateway takes slowly waits in the recording, and all of it arrives in order")
  func slow() throws {
    let bench = try VoiceBench.connected()
    try bench.begin("1", encoding: "pcm16", rate: 16_000)
    let sound = (0..<64_000).map { Int16(truncatingIfNeeded: $0) }
    bench.microphone.hear(sound)
    // No more than four pieces without an answer.
    let waiting = try bench.desk.requests()
    #expect(waiting.count == Budget.appendsInFlight)
    bench.invoke("2", "stop")
    #expect(try bench.desk.requests().isEmpty)
    var bytes: [UInt8] = []
    for request in waiting {
      bytes += Data(base64Encoded: request.params["audioBase64"] as? String ?? "") ?? Data()
      bench.desk.answer(request, "{}")
    }
    bytes += try bench.takeSound()
    #expect(bytes.count == 128_000)
    var misplaced = 0
    for index in 0..<64_000 {
      let low: Int = index & 255
      let high: Int = index >> 8 & 255
      if Int(bytes[2 * index]) != low || Int(bytes[2 * index + 1]) != high { misplaced += 1 }
    }
    #expect(misplaced == 0)
  }

  @Test("guesses, sentences and both forms of events make one text")
  func events() throws {
    let bench = try VoiceBench.connected()
    try bench.begin("1")
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"partial","text":"turn"}"#)
    bench.desk.event("talk.event", #"{"sessionId":"t1","type":"transcript.done","payload":{"text":"Turn it on."}}"#)
    bench.desk.event("talk.event", #"{"sessionId":"other","type":"transcript.done","payload":{"text":"Not mine."}}"#)
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"transcript","text":"","final":true}"#)
    bench.say(300)
    bench.invoke("2", "stop")
    _ = try bench.takeSound()
    bench.understand("Please.")
    let send = try bench.desk.request("chat.send")
    #expect((send.params["message"] as? String)?.hasSuffix("\nTurn it on. Please.") == true)
  }

  @Test("a gateway that never says the end is not waited for, and its guess is no order")
  func silentGateway() throws {
    let bench = try VoiceBench.connected()
    try bench.begin("1", "once")
    bench.say(300, silence: 2_100)
    _ = try bench.takeSound()
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"partial","text":"hello"}"#)
    bench.pass(Budget.transcriptionMilliseconds - 1)
    #expect(bench.answers().isEmpty)
    bench.pass(1)
    #expect(bench.answers() == ["1: UNAVAILABLE: Speech recognizer unavailable"])
    #expect(try bench.desk.requests().isEmpty)
  }

  @Test("a gateway that fails in the end: what it was certain of counts, a guess does not")
  func failsLate() throws {
    let bench = try VoiceBench()
    try bench.connect()
    let error = #"{"transcriptionSessionId":"t1","type":"error","message":"out of quota"}"#
    bench.invoke("1", "once")
    _ = try bench.openTranscription()
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"partial","text":"turn it"}"#)
    bench.say(300, silence: 2_100)
    _ = try bench.takeSound()
    bench.desk.event("talk.event", error)
    #expect(bench.answers() == ["1: UNAVAILABLE: Speech recognizer unavailable"])
    #expect(try bench.desk.requests().isEmpty)
    bench.invoke("2", "once")
    _ = try bench.openTranscription()
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"transcript","text":"Turn it on."}"#)
    bench.say(300, silence: 2_100)
    _ = try bench.takeSound()
    bench.desk.event("talk.event", error)
    #expect((try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("\nTurn it on.") == true)
  }

  @Test("a guess of a gateway that fails is no order where the board's recognizer fails, too, or is not sure")
  func failsBoth() throws {
    let bench = try VoiceBench(hasRecognizer: true)
    try bench.connect()
    bench.speech.text = "turnip"
    for (id, isUnsure) in [("1", true), ("2", false)] {
      bench.speech.confidence = 0.1
      bench.invoke(id, "once")
      _ = try bench.openTranscription()
      bench.say(300, silence: 2_100)
      _ = try bench.takeSound()
      bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"partial","text":"turn it"}"#)
      bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"error","message":"out of quota"}"#)
      if isUnsure { bench.speech.finish() } else { bench.speech.fail("it has no model") }
    }
    #expect(
      bench.answers() == [#"1: {"transcript":null,"status":"empty"}"#, "2: UNAVAILABLE: Speech recognizer unavailable"])
    #expect(try bench.desk.requests().isEmpty && bench.outbox.count == 0)
    var lines: [String] = []
    bench.desk.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.contains { $0.contains("it has no model") })
    // Each is heard: listening, failed, listening, failed.
    bench.speaker.run()
    #expect(bench.speaker.played.count == 4)
  }

  @Test("behind a sentence that is certain nobody waits for the end of the session")
  func certain() throws {
    let bench = try VoiceBench.connected()
    try bench.capture("1", stop: "2")
    bench.understand("Hello.", closes: false)
    bench.pass(Budget.transcriptionQuiet - 1)
    #expect(try bench.desk.requests().isEmpty)
    bench.pass(1)
    #expect((try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("\nHello.") == true)
  }

  @Test("what an older gateway understood only behind the end of the session is the text, and not the guess before it")
  func behindTheEnd() throws {
    let bench = try VoiceBench.connected()
    try bench.capture("1", stop: "2")
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"partial","text":"turn on"}"#)
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"close","reason":"completed"}"#)
    bench.pass(500)
    #expect(try bench.desk.requests().isEmpty)
    bench.understand("Turn on the lamp.", closes: false)
    bench.pass(Budget.transcriptionQuiet)
    #expect(
      (try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("\nTurn on the lamp.") == true)
  }

  @Test("a gateway without a transcriber: the board's own recognizer, and it is honest about what it heard")
  func local() throws {
    let bench = try VoiceBench.connected(hasRecognizer: true)
    bench.speech.text = "lights on"
    try bench.beginAlone("1", "start")
    bench.say(500)
    bench.invoke("2", "stop")
    #expect(bench.speech.recognized == [8_000])
    bench.speech.finish()
    let message = try #require(try bench.desk.request("chat.send").params["message"] as? String)
    // The agent is told how far to trust it.
    #expect(message.hasSuffix("]\n[Understood on the board, which expects 90 % of the words to be right.]\nlights on"))
    #expect(!bench.speech.isReleased && !bench.service.isStopped)
    bench.service.hold()
    #expect(bench.speech.isReleased && bench.service.isStopped)
    _ = bench.answers()
    bench.speech.confidence = 0.2
    try bench.beginAlone("3", "once")
    bench.say(500, silence: 2_100)
    bench.speech.finish()
    #expect(bench.answers() == [#"3: {"transcript":null,"status":"empty"}"#])
  }

  @Test("where nothing understands, whoever asked is told so")
  func nothing() throws {
    let bench = try VoiceBench.connected()
    try bench.beginAlone("1", "once", #"{"code":"INVALID_REQUEST","message":"unknown method"}"#)
    bench.say(500, silence: 2_100)
    #expect(bench.answers() == ["1: UNAVAILABLE: Speech recognizer unavailable"])
    bench.speaker.run()
    #expect(bench.speaker.played.count == 2)
  }

  @Test("a session that breaks in the midst is replaced by the board's own recognizer at the end")
  func broken() throws {
    let bench = try VoiceBench.connected(hasRecognizer: true)
    bench.speech.text = "it works"
    try bench.begin("1")
    bench.say(500)
    bench.desk.event("talk.event", #"{"transcriptionSessionId":"t1","type":"error","message":"provider gone"}"#)
    bench.say(500)
    bench.invoke("2", "stop")
    bench.speech.finish()
    #expect(bench.speech.recognized == [16_000])
    #expect((try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("it works") == true)
  }

  @Test("errors of the microphone are those of the reference")
  func microphone() throws {
    let bench = try VoiceBench.connected()
    bench.microphone.failure = .forbidden
    bench.invoke("1", "start")
    bench.microphone.failure = .busy
    bench.invoke("2", "once")
    let answers = bench.answers()
    #expect(answers[0].hasPrefix("1: MIC_PERMISSION_REQUIRED: "))
    #expect(answers[1] == "2: UNAVAILABLE: another program has the microphone")
    bench.microphone.failure = nil
    bench.invoke("3", "once")
    bench.microphone.fail(.broken)
    #expect(bench.answers()[0].hasPrefix("3: UNAVAILABLE: the microphone does not record"))
    let off = try VoiceBench { $0.isEnabled = false }
    off.invoke("1", "start")
    #expect(off.answers()[0].contains("talk is switched off") && !off.microphone.isOpen)
  }

  @Test("stop, cancel and once where there is something to say about it")
  func statuses() throws {
    let bench = try VoiceBench.connected()
    bench.invoke("1", "stop")
    bench.invoke("2", "cancel")
    bench.invoke("3", "start")
    _ = bench.answers()
    bench.invoke("4", "once")
    bench.invoke("5", "cancel")
    #expect(!bench.microphone.isOpen)
    bench.invoke("6", "once")
    bench.invoke("7", "once")
    bench.router.cancelInvoke("7")
    #expect(
      bench.answers() == [
        #"4: {"transcript":null,"status":"busy"}"#, #"5: {"transcript":null,"status":"cancelled"}"#,
        #"6: {"transcript":null,"status":"cancelled"}"#, "7: UNAVAILABLE: node invoke cancelled",
      ])
    #expect(!bench.microphone.isOpen)
  }

  @Test("behind the wake phrase: what was said goes out with an eventId and where its route says, without the phrase")
  func wake() throws {
    let bench = try VoiceBench.connected()
    let routes =
      #"{"config":{"version":1,"defaultTarget":{"mode":"current"},"routes":[{"trigger":"robot","target":{"agentId":"bot"}}]}}"#
    bench.service.learnRoutes(JSONText(routes).view)
    // The wake phrase is in the sound that was heard before.
    VoiceBench.tone(1_000).withUnsafeBufferPointer { bench.service.microphoneHeard($0) }
    bench.service.woke("Robot".utf8.span)
    _ = try bench.openTranscription()
    bench.say(400)
    bench.microphone.hear([Int16](repeating: 0, count: 2_400 * 16))
    #expect(try bench.takeSound().count > 3_000 * 8)
    bench.understand("Robot, come here!")
    let event = try #require(bench.channel.asked("node.event").first)
    #expect(event.event == "voice.transcript")
    #expect(
      event.payload["text"] as? String == "come here!" && event.payload["sessionKey"] as? String == "agent:bot:main")
    #expect((event.payload["eventId"] as? String)?.count == 32)
    #expect(bench.channel.asked("node.event").count == 1)
    #expect(bench.service.loop.phase == .idle)
    // The same again at once is the recognizer's repeat.
    bench.channel.answer()
    bench.command("Robot", 400)
    try bench.transcribe("robot come here")
    #expect(bench.channel.asked("node.event").count == 1)
  }

  @Test(
    "where configured it goes out as agent.request alone: one utterance is one run; the wake phrase alone goes nowhere")
  func request() throws {
    let bench = try VoiceBench.connected { $0.sendsRequests = true }
    let routes =
      #"{"config":{"version":1,"defaultTarget":{"mode":"current"},"routes":[{"trigger":"robot","target":{"agentId":"bot"}}]}}"#
    bench.service.learnRoutes(JSONText(routes).view)
    bench.command("computer", 400)
    try bench.transcribe("Computer.")
    #expect(bench.channel.asked("node.event").isEmpty && bench.service.loop.phase == .idle)
    for (phrase, text) in [("computer", "Computer, stop"), ("robot", "Robot, go on")] {
      bench.command(phrase, 700)
      try bench.transcribe(text)
      bench.channel.answer()
    }
    let events = bench.channel.asked("node.event")
    #expect(events.map(\.event) == ["agent.request", "agent.request"])
    #expect(events[0].payload["message"] as? String == "stop" && events[0].payload["thinking"] as? String == "low")
    // Without a route it is the node's own session, which the gateway knows (node-commands 9).
    #expect(events[0].payload["sessionKey"] == nil && events[1].payload["sessionKey"] as? String == "agent:bot:main")
  }

  @Test("nothing said after the wake phrase: nothing is sent")
  func timeout() throws {
    let bench = try VoiceBench.connected()
    bench.service.woke("computer".utf8.span)
    bench.microphone.hear([Int16](repeating: 0, count: 5_100 * 16))
    #expect(bench.service.loop.phase == .idle && !bench.microphone.isOpen)
    #expect(try !bench.desk.requests().contains { $0.method == "chat.send" })
    #expect(bench.outbox.count == 0)
  }

  @Test("without any connection it waits in the outbox, and no longer than five minutes")
  func offline() throws {
    let bench = try VoiceBench(hasRecognizer: true)
    bench.speech.text = "computer water the plants"
    bench.command("computer", 700)
    // It loads its model while somebody speaks.
    #expect(bench.speech.prepared == 1)
    bench.speech.finish()
    #expect(bench.outbox.count == 1)
    bench.invoke("1", "once")
    bench.speech.text = "hello"
    bench.say(700, silence: 2_100)
    bench.speech.finish()
    #expect(bench.answers() == [#"1: {"transcript":"hello","status":"offline"}"#])
    #expect(bench.outbox.count == 2)
    bench.desk.clock.advance(Outbox.speechAge + 1)
    bench.outbox.advance(to: bench.desk.clock.monotonic)
    #expect(bench.outbox.count == 0 && bench.outbox.counters.droppedByAge == 2)
  }

  @Test("a gateway that still drains earlier sessions is asked again, and hears all of it")
  func tooMany() throws {
    let bench = try VoiceBench.connected()
    try bench.beginAlone(
      "1", "start",
      #"{"code":"UNAVAILABLE","message":"Too many active transcription Talk sessions for this connection"}"#)
    bench.say(300)
    bench.pass(999)
    #expect(try bench.desk.requests().isEmpty)
    bench.pass(1)
    _ = try bench.openTranscription()
    bench.invoke("2", "stop")
    #expect(try bench.takeSound().count == 300 * 8)
    bench.understand("Hello.")
    #expect((try bench.desk.request("chat.send").params["message"] as? String)?.hasSuffix("Hello.") == true)
  }

  @Test(
    "what the board understood itself goes out behind a line that says how far to trust it, and with no member that events have not"
  )
  func doubt() throws {
    let bench = try VoiceBench(hasRecognizer: true)
    bench.speech.text = "computer water the plants"
    bench.command("computer", 700)
    bench.speech.finish()
    bench.outbox.online(bench.channel)
    let payload = try #require(bench.channel.asked("node.event").last).payload
    #expect(
      payload["text"] as? String
        == "[Understood on the board, which expects 90 % of the words to be right.]\nwater the plants")
    #expect(Set(payload.keys).isSubset(of: ["text", "eventId", "sessionKey"]))
  }

  @Test("a person holds the board: the microphone closes, and what was said is forgotten")
  func held() throws {
    let bench = try VoiceBench.connected()
    try bench.begin("1")
    bench.say(300)
    bench.service.hold()
    #expect(!bench.microphone.isOpen && bench.service.recorder.count == 0)
    bench.understand("secret")
    #expect(try !bench.desk.requests().contains { $0.method == "chat.send" } && bench.outbox.count == 0)
  }
}
