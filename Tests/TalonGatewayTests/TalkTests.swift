import Foundation
import Testing

@testable import talon_gateway

/// `talk.*` of an operator connection (protocol reference, section 9.10).
@Suite(.timeLimit(.minutes(1))) struct TalkTests {
  private static func error(_ client: TestClient, _ method: String, _ params: JSON) async throws -> JSON? {
    try await client.call(method, params)?["error"]
  }

  private static func quick(_ options: inout GatewayOptions) { options.talk.drainMilliseconds = 1 }

  private static func types(_ events: [JSON]) -> [String] {
    events.compactMap { ($0["talkEvent"] ?? $0)["type"]?.string }
  }

  private static func texts(_ events: [JSON], _ kind: String) -> [String] {
    events.filter { $0["type"]?.string == kind }.compactMap { $0["text"]?.string }.filter { !$0.isEmpty }
  }

  // MARK: Transcription

  @Test(
    "a transcription says the expected text, and what arrived",
    arguments: ["ulaw_8000", "pcm_16000", "pcm_24000"])
  func transcribes(format name: String) async throws {
    let format = try #require(TalkFormat(name: name))
    try await TestGateway.run(change: {
      $0.talk.audio = format
      Self.quick(&$0)
    }) { gateway in
      _ = try await gateway.control("talk.expect", ["text": " turn on the lamp "])
      let talker = try await TestTalker(gateway.operator())
      #expect(talker.answer["audio"]?["inputEncoding"]?.string == format.encoding.rawValue)
      #expect(talker.answer["audio"]?["inputSampleRateHz"] == .integer(Int64(format.rate)))
      let sound = TestSound.tone(milliseconds: 2400, rate: format.rate)
      for start in stride(from: 0, to: sound.count, by: format.rate / 5) {
        try await talker.append(Array(sound[start..<(start + format.rate / 5)]), as: format)
      }
      try await talker.ask("talk.session.close")
      let events = await talker.events(until: "session.closed")
      #expect(Self.texts(events, "partial") == ["turn", "turn on"])
      let transcript = try #require(Self.texts(events, "transcript").first)
      let loudness = try #require(Int(transcript.dropLast().split(separator: " ").last ?? ""))
      #expect(transcript == "turn on the lamp (2400 ms, rms \(loudness))")
      // µ-law is true to two parts in a hundred.
      #expect(abs(loudness - 5793) < 116)
      let report = try await gateway.control("talk.heard")["sessions"]?.array?.first
      #expect(report?["transcripts"]?.strings == [transcript])
      #expect(report?["state"] == "closed")
      #expect(report?["appends"] == 12)
      #expect(report?["bytes"] == .integer(Int64(format.bytes(of: sound).count)))
    }
  }

  @Test("the events of a session are numbered, and those of a turn name it")
  func envelopes() async throws {
    try await TestGateway.run(change: Self.quick) { gateway in
      let talker = try await TestTalker(gateway.operator())
      #expect(talker.answer["transcriptionSessionId"] == talker.id)
      let first = try #require(await talker.events(until: "session.ready").first)
      #expect(first["type"] == "ready" && first["transcriptionSessionId"] == talker.id)
      try await talker.append(TestSound.tone(milliseconds: 300, rate: 8000), as: .telephone)
      try await talker.ask("talk.session.close")
      let events = [first] + (await talker.events(until: "session.closed"))
      let common = events.compactMap { $0["talkEvent"] }
      #expect(common.compactMap { $0["seq"]?.integer } == (1...Int64(events.count)).map { $0 })
      #expect(
        Self.types(events) == [
          "session.ready", "turn.started", "input.audio.delta", "input.audio.committed", "transcript.done",
          "turn.ended", "session.closed",
        ])
      for event in common {
        let isOfSession = event["type"]?.string?.hasPrefix("session.") == true
        #expect((event["turnId"] == "turn-1") == !isOfSession)
        #expect(event["mode"] == "transcription" && event["brain"] == "none" && event["provider"] == "talon")
        #expect(event["timestamp"]?.string?.hasSuffix("Z") == true)
      }
      #expect(events.last?["reason"] == "completed")
    }
  }

  @Test("in the common form an event is its envelope alone")
  func commonForm() async throws {
    try await TestGateway.run(change: {
      $0.talk.form = .common
      Self.quick(&$0)
    }) { gateway in
      _ = try await gateway.control("talk.expect", ["text": "hello"])
      let talker = try await TestTalker(gateway.operator())
      try await talker.append(TestSound.tone(milliseconds: 300, rate: 8000), as: .telephone)
      try await talker.ask("talk.session.close")
      let events = await talker.events(until: "session.closed")
      let done = events.first { $0["type"] == "transcript.done" }
      #expect(done?["payload"]?["text"]?.string?.hasPrefix("hello (300 ms, rms") == true)
      #expect(events.allSatisfy { $0["talkEvent"] == nil && $0["transcriptionSessionId"] == nil })
    }
  }

  @Test("a pause ends an utterance while the session goes on; silence alone is not understood")
  func utterances() async throws {
    try await TestGateway.run(change: Self.quick) { gateway in
      _ = try await gateway.control("talk.expect", ["text": "yes"])
      let talker = try await TestTalker(gateway.operator())
      try await talker.append(TestSound.silence(milliseconds: 1000, rate: 8000), as: .telephone)
      let pause = TestSound.silence(milliseconds: 600, rate: 8000)
      try await talker.append(TestSound.tone(milliseconds: 200, rate: 8000) + pause, as: .telephone)
      let first = await talker.events(until: "turn.ended")
      #expect(Self.texts(first, "transcript").count == 1)
      try await talker.append(pause, as: .telephone)
      try await talker.ask("talk.session.close")
      #expect(Self.texts(await talker.events(until: "session.closed"), "transcript").isEmpty)
    }
  }

  @Test(
    "before N the end of a session is told before its last transcript; since then after it",
    arguments: [Era.june, .newest])
  func lastTranscript(era: Era) async throws {
    try await TestGateway.run(generation: Generation(era), change: Self.quick) { gateway in
      let talker = try await TestTalker(gateway.operator())
      try await talker.append(TestSound.tone(milliseconds: 300, rate: 8000), as: .telephone)
      try await talker.ask("talk.session.close")
      let last = era == .june ? "turn.ended" : "session.closed"
      let order = Self.types(await talker.events(until: last)).filter {
        $0 == "transcript.done" || $0 == "session.closed"
      }
      #expect(
        order
          == (era == .june ? ["session.closed", "transcript.done"] : ["transcript.done", "session.closed"]))
    }
  }

  @Test("a provider that fails is told as an error, and ends the session; or refuses it at once")
  func failure() async throws {
    try await TestGateway.run(change: Self.quick) { gateway in
      let client = try await gateway.operator()
      _ = try await gateway.control("talk.fail", ["message": "out of quota"])
      let talker = try await TestTalker(client)
      try await talker.append(TestSound.tone(milliseconds: 300, rate: 8000), as: .telephone)
      try await talker.ask("talk.session.close")
      let events = await talker.events(until: "session.closed")
      #expect(events.first { $0["type"] == "error" }?["message"] == "out of quota")
      #expect(events.last?["reason"] == "error")
      _ = try await gateway.control("talk.fail", ["message": "out of quota", "atOnce": true])
      let error = try await Self.error(client, "talk.session.create", TestTalker.transcription)
      #expect(error?["code"] == "UNAVAILABLE" && error?["message"] == "out of quota")
      #expect(error?["details"]?["talkIssue"]?["phase"] == "request")
      _ = try await gateway.control("talk.expect", ["text": "again"])
      #expect(try await TestTalker(client).id != .null)
    }
  }

  // MARK: Refusals

  @Test("sound that is none is refused and counted")
  func badSound() async throws {
    try await TestGateway.run(change: { $0.talk.audio = .studio }) { gateway in
      let talker = try await TestTalker(gateway.operator())
      let cases = [
        ("%%%%", "invalid base64"), ("AAA", "invalid base64"),
        ("AAAA", "not a whole number of pcm16 samples"),
        (String(repeating: "A", count: TalkRelay.audioCharactersMax + 4), "too large"),
      ]
      for (text, complaint) in cases {
        let params: JSON = ["sessionId": talker.id, "audioBase64": .string(text)]
        let error = try await Self.error(talker.client, "talk.session.appendAudio", params)
        #expect(error?["code"] == "UNAVAILABLE")
        #expect(error?["message"]?.string?.contains(complaint) == true)
      }
      let empty: JSON = ["sessionId": talker.id, "audioBase64": ""]
      #expect(
        try await Self.error(talker.client, "talk.session.appendAudio", empty)?["code"] == "INVALID_REQUEST")
      #expect(try await gateway.control("nodes.status")["violations"] == 5)
      let most = String(repeating: "A", count: TalkRelay.audioCharactersMax)
      let largest: JSON = ["sessionId": talker.id, "audioBase64": .string(most)]
      #expect(try await talker.client.call("talk.session.appendAudio", largest)?["ok"] == true)
    }
  }

  @Test("a session has a mode with its transport and brain, and closed parameters")
  func badSessions() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      let wrong: [(JSON, String)] = [
        (
          TestTalker.transcription.with("brain", "agent-consult"),
          #"requires transport="gateway-relay" and brain="none""#
        ),
        (
          TestTalker.realtime.with("brain", "none"),
          #"requires transport="gateway-relay" and brain="agent-consult""#
        ),
        (TestTalker.realtime.with("transport", "webrtc"), "use talk.client.create"),
        (TestTalker.realtime.with("mode", "stt-tts"), #"requires transport="managed-room""#),
        (TestTalker.realtime.with("mode", "dictation"), "must be one of"),
        (TestTalker.transcription.with("mode", nil), "required property 'mode'"),
        (TestTalker.transcription.with("speed", 1), "unexpected property 'speed'"),
      ]
      for (params, complaint) in wrong {
        let error = try await Self.error(client, "talk.session.create", params)
        #expect(error?["code"] == "INVALID_REQUEST")
        #expect(error?["message"]?.string?.contains(complaint) == true, "\(complaint)")
      }
    }
  }

  @Test("a session belongs to its connection, ends with it, and two at a time are enough")
  func ownership() async throws {
    try await TestGateway.run { gateway in
      let client = try await gateway.operator()
      let talker = try await TestTalker(client)
      let other = try await gateway.operator()
      let close: JSON = ["sessionId": talker.id]
      #expect(try await Self.error(other, "talk.session.close", close)?["message"] == "Unknown Talk session")
      _ = try await TestTalker(client)
      let third = try await Self.error(client, "talk.session.create", TestTalker.transcription)
      #expect(third?["message"] == "Too many active transcription Talk sessions for this connection")
      #expect(try await TestTalker(other).id != .null)
      #expect(try await client.call("talk.session.close", close)?["payload"] == ["ok": true])
      #expect(try await Self.error(client, "talk.session.close", close)?["message"] == "Unknown Talk session")
      #expect(try await TestTalker(client).id != .null)
      try await client.close()
      _ = await client.closed()
      #expect(try await other.call("health", [:])?["ok"] == true)
      let states = try await gateway.control("talk.heard")["sessions"]?.array?.compactMap {
        $0["state"]?.string
      }
      #expect(states == ["closed", "abandoned", "open", "abandoned"])
    }
  }

  @Test("a session that drains still counts as one of two")
  func drainingCounts() async throws {
    try await TestGateway.run(change: { $0.talk.drainMilliseconds = 60_000 }) { gateway in
      let client = try await gateway.operator()
      for _ in 0..<2 {
        let talker = try await TestTalker(client)
        try await talker.append(TestSound.tone(milliseconds: 300, rate: 8000), as: .telephone)
        try await talker.ask("talk.session.close")
        #expect(Self.texts(await talker.events(until: "turn.ended"), "transcript").count == 1)
      }
      #expect(
        try await Self.error(client, "talk.session.create", TestTalker.transcription)?["code"]
          == "UNAVAILABLE")
    }
  }

  // MARK: Realtime

  @Test("a realtime session answers an utterance with text and sound")
  func realtime() async throws {
    try await TestGateway.run { gateway in
      _ = try await gateway.control("talk.expect", ["text": "how late is it"])
      let talker = try await TestTalker(gateway.operator(), TestTalker.realtime)
      #expect(talker.answer["relaySessionId"] == talker.id)
      #expect(talker.answer["audio"]?["outputSampleRateHz"] == 24_000)
      let pause = TestSound.silence(milliseconds: 600, rate: 24_000)
      try await talker.append(TestSound.tone(milliseconds: 400, rate: 24_000) + pause, as: .studio)
      let events = await talker.events(until: "turn.ended")
      let said = events.filter { $0["type"] == "transcript" && $0["final"] == true }
      #expect(said.map { $0["role"]?.string } == ["user", "assistant"])
      let question = try #require(said.first?["text"]?.string)
      #expect(question == "how late is it (900 ms, rms 3862)")
      #expect(said.last?["text"]?.string == "You said: \(question)")
      let bytes = events.filter { $0["type"] == "audio" }
        .compactMap { Data(base64Encoded: $0["audioBase64"]?.string ?? "")?.count }
      #expect(bytes.reduce(0, +) == 48 * TalkVoice.milliseconds(of: "You said: \(question)", speed: 1))
      #expect(events.suffix(2).map { $0["type"]?.string } == ["mark", "audioDone"])
    }
  }

  @Test("its answer can be made to stall: no end is said, and the session goes on")
  func stall() async throws {
    try await TestGateway.run { gateway in
      _ = try await gateway.control("talk.expect", ["text": "how late is it", "stallsAfter": 3])
      let talker = try await TestTalker(gateway.operator(), TestTalker.realtime)
      let sound = TestSound.tone(milliseconds: 400, rate: 24_000) + TestSound.silence(milliseconds: 600, rate: 24_000)
      try await talker.append(sound, as: .studio)
      for _ in 0..<3 { _ = await talker.events(until: "output.audio.delta") }
      _ = try await gateway.control("talk.expect", ["text": "and now"])
      try await talker.append(sound, as: .studio)
      let events = await talker.events(until: "transcript.done")
      #expect(!events.contains { $0["type"] == "audio" || $0["type"] == "audioDone" })
    }
  }

  @Test("its answer can be stopped; a turn of before stops nothing, and a transcription has none")
  func cancelOutput() async throws {
    // Long between pieces, so that it still speaks when a busy machine comes to stop it.
    try await TestGateway.run(change: { $0.replyDelayMilliseconds = 500 }) { gateway in
      let client = try await gateway.operator()
      let talker = try await TestTalker(client, TestTalker.realtime)
      let pause = TestSound.silence(milliseconds: 600, rate: 24_000)
      try await talker.append(TestSound.tone(milliseconds: 400, rate: 24_000) + pause, as: .studio)
      _ = await talker.events(until: "output.audio.delta")
      try await talker.ask("talk.session.cancelOutput", ["turnId": "turn-0", "reason": "stale"])
      _ = await talker.events(until: "output.audio.delta")
      try await talker.ask("talk.session.cancelOutput", ["turnId": "turn-1", "reason": "barge-in"])
      let cancelled = await talker.events(until: "turn.cancelled").last
      #expect(cancelled?["type"] == "clear")
      #expect(cancelled?["talkEvent"]?["payload"]?["reason"] == "barge-in")
      try await talker.ask("talk.session.close")
      #expect(Self.types(await talker.events(until: "session.closed")) == ["session.closed"])
      let dictation = try await TestTalker(client)
      let error = try await Self.error(client, "talk.session.cancelOutput", ["sessionId": dictation.id])
      #expect(error?["message"] == "talk.session.cancelOutput requires realtime relay")
    }
  }
}
