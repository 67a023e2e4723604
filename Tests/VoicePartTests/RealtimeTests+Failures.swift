import Codec
import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

extension RealtimeTests {
  @Test(
    "sound that is none, and errors of the gateway, break it off and close the session",
    arguments: [
      #""type":"audio","audioBase64":"no base64!""#, #""type":"audio","audioBase64":5"#,
      #""type":"error","message":"out of quota""#,
    ])
  func broken(event text: String) throws {
    try open()
    event(text)
    #expect(bench.service.loop.phase == .hearing(.turn) && bench.service.isTalkMode)
    let asked = try requests()
    #expect(asked.map(\.method) == Self.fallback && asked[1].params["mode"] as? String == "transcription")
    // The next conversation is asked for behind the turn.
    bench.desk.refuse(asked[1], #"{"code":"UNAVAILABLE","message":"no provider"}"#)
    bench.service.take(.recorded(.nothing))
    #expect(isConversing)
  }

  @Test("a speaker that breaks ends it")
  func speaker() throws {
    try open()
    speak(300)
    bench.speaker.fail()
    #expect(bench.service.loop.phase == .hearing(.turn))
    bench.service.setTalkMode(false)
    bench.service.setTalkMode(true)
    _ = try requests()
    #expect(isConversing)
  }

  @Test("a gateway without conversations: talk mode is turns, until it is there anew")
  func refused() throws {
    bench.service.setTalkMode(true)
    bench.desk.refuse(
      try bench.desk.request("talk.session.create"), #"{"code":"INVALID_REQUEST","message":"unknown method"}"#)
    #expect(bench.service.loop.phase == .hearing(.turn))
    bench.service.setTalkMode(false)
    bench.service.setTalkMode(true)
    #expect(try requests().allSatisfy { $0.params["mode"] as? String != "realtime" })
    bench.desk.lose()
    try bench.desk.connect()
    #expect(isConversing)
    #expect(try requests().contains { $0.method == "talk.session.create" })
  }

  @Test("forms that the board cannot make or play are refused", arguments: ["inputEncoding", "outputEncoding"])
  func unknownForm(key: String) throws {
    try open(audio: #","audio":{"\#(key)":"opus"}"#)
    #expect(bench.service.loop.phase == .hearing(.turn))
    #expect(try requests().map(\.method) == Self.fallback)
  }

  @Test("a connection that is lost: turns until it is back, and then a new session, while nobody speaks")
  func lost() throws {
    try open()
    speak(1_000)
    bench.desk.lose()
    #expect(!bench.speaker.isPlaying && bench.service.loop.phase == .hearing(.turn))
    try bench.desk.connect()
    #expect(isConversing)
    try accept(session: "r2")
    event(#""type":"audio","audioBase64":"AAAA""#, session: "r1")
    #expect(!bench.speaker.isPlaying)
    event(#""type":"audio","audioBase64":"AAAA""#, session: "r2")
    #expect(bench.speaker.isPlaying)
  }

  @Test("the gateway ends a session in its time: another begins; one that ends at once is trouble")
  func over() throws {
    try open()
    event(#""type":"close","reason":"completed""#, turn: nil)
    #expect(bench.service.loop.phase == .hearing(.turn))
    bench.service.setTalkMode(false)
    _ = try requests()
    try open(session: "r2")
    bench.pass(Budget.callShortest)
    event(#""type":"close","reason":"completed""#, turn: nil, session: "r2")
    #expect(isConversing)
    #expect(try requests().map(\.method) == ["talk.session.create"])
  }

  @Test("a person holds the board, or the microphone is taken away: the session is closed", arguments: [true, false])
  func held(isHeld: Bool) throws {
    try open()
    speak(1_000)
    if isHeld { bench.service.hold() } else { bench.microphone.fail(.forbidden) }
    #expect(bench.service.loop.phase == .idle && !bench.speaker.isPlaying && !bench.microphone.isOpen)
    #expect(try requests().map(\.method) == ["talk.session.close"])
  }

  @Test("push to talk goes before it, and it goes on behind")
  func push() throws {
    try open()
    bench.invoke("1", "start")
    #expect(try requests().map(\.method) == ["talk.session.close", "talk.session.create"])
    #expect(bench.service.loop.phase == .hearing(.hold))
    bench.invoke("2", "cancel")
    #expect(isConversing)
  }

  @Test("a wake phrase begins one, where it is to")
  func wake() throws {
    let bench = try VoiceBench.connected { ($0.converses, $0.wakeTalks) = (true, true) }
    bench.service.woke("computer".utf8.span)
    #expect(bench.service.loop.phase == .conversing)
    #expect(try bench.desk.request("talk.session.create").params["mode"] as? String == "realtime")
  }

  @Test("whatever the gateway says on talk.event, the session lives or ends, and nothing else", arguments: 1...8)
  func damaged(seed: UInt64) throws {
    try open()
    let realtime = try #require(bench.service.realtime)
    let random = SeededRandom(seed: seed)
    let events = [
      #"{"relaySessionId":"r1","type":"audio","audioBase64":"AAECAwQFBgc=","talkEvent":{"turnId":"t1"}}"#,
      #"{"sessionId":"r1","type":"output.audio.delta","turnId":"t2","payload":{"audioBase64":"AAECAwQF","byteLength":6}}"#,
      #"{"relaySessionId":"r1","type":"transcript","role":"assistant","text":"a\u00e9\ud83e\udd80","final":true}"#,
      #"{"sessionId":"r1","type":"session.error","payload":{"message":"no"}}"#,
      #"{"relaySessionId":"r1","type":"clear"}"#,
    ].map { Array($0.utf8) }
    for _ in 0..<600 {
      var bytes = events[Int(random.next() % UInt64(events.count))]
      for _ in 0..<(random.next() % 4) {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      guard (try? JSONValidator.check(bytes.span, depthLimit: Budget.jsonDepth)) != nil else { continue }
      realtime.received(JSONView(bytes.span))
      if !isConversing {
        #expect(!bench.speaker.isPlaying)
        bench.service.setTalkMode(false)
        _ = try requests()
        try open()
      }
    }
    bench.service.setTalkMode(false)
    #expect(!bench.microphone.isOpen && !bench.speaker.isPlaying)
  }
}
