import Codec
import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

@Suite("Talk mode as a conversation over the gateway's relay")
struct RealtimeTests {
  let bench: VoiceBench
  /// Sound that the gateway took, in bytes.
  final class Taken { var bytes: [UInt8] = [] }
  let taken = Taken()

  init() throws {
    bench = try VoiceBench.connected {
      ($0.toneVolume, $0.converses) = (0, true)
    }
  }

  /// Talk mode is switched on, and the gateway opens a session.
  func open(audio: String = "", session: String = "r1") throws {
    bench.service.setTalkMode(true)
    try accept(audio: audio, session: session)
  }

  func accept(audio: String = "", session: String = "r1") throws {
    bench.desk.answer(
      try bench.desk.request("talk.session.create"),
      #"{"sessionId":"\#(session)","relaySessionId":"\#(session)"\#(audio)}"#)
  }

  func event(_ rest: String, turn: String? = "t1", session: String = "r1") {
    let common = turn.map { #","talkEvent":{"turnId":"\#($0)"}"# } ?? ""
    bench.desk.event("talk.event", #"{"relaySessionId":"\#(session)",\#(rest)\#(common)}"#)
  }

  func base64(_ samples: [Int16]) -> String {
    Data(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }).base64EncodedString()
  }

  /// The gateway says so many milliseconds.
  func speak(_ milliseconds: Int, turn: String? = "t1", value: Int16 = 100) {
    event(
      #""type":"audio","audioBase64":"\#(base64([Int16](repeating: value, count: 24 * milliseconds)))""#, turn: turn)
  }

  /// The requests that are not sound, whose bytes are kept; all are answered.
  func requests() throws -> [DeskBench.Request] {
    var others: [DeskBench.Request] = []
    while true {
      let requests = try bench.desk.requests()
      if requests.isEmpty { return others }
      for request in requests {
        if request.method == "talk.session.appendAudio" {
          taken.bytes += Data(base64Encoded: request.params["audioBase64"] as? String ?? "") ?? Data()
        } else {
          others.append(request)
        }
        if request.method != "talk.session.create" { bench.desk.answer(request, "{}") }
      }
    }
  }

  /// The session is closed, and the turn behind it is transcribed.
  static let fallback = ["talk.session.close", "talk.session.create"]

  var isConversing: Bool { bench.service.loop.phase == .conversing }

  // MARK: Both ways

  @Test("what is said goes there as it comes, what the gateway says is heard, and all is closed at the end")
  func bothWays() throws {
    bench.service.setTalkMode(true)
    #expect(bench.microphone.captures == [.turn])
    // Who speaks at once is not lost.
    bench.say(200)
    let create = try bench.desk.request("talk.session.create")
    #expect(
      create.params as? [String: String] == [
        "mode": "realtime", "transport": "gateway-relay", "brain": "agent-consult",
      ])
    bench.desk.answer(create, #"{"sessionId":"r1","audio":{"inputEncoding":"pcm16","inputSampleRateHz":24000}}"#)
    bench.say(300)
    #expect(try requests().isEmpty)
    // Half a second at 24 kHz, less what is too little to be sent.
    #expect(taken.bytes.count > 24_000 - 4_800 && taken.bytes.count <= 24_002)
    event(#""type":"transcript","role":"user","text":"hello","final":true"#)
    speak(200)
    event(#""type":"audioDone""#)
    #expect(bench.speaker.isPlaying)
    bench.speaker.run()
    #expect(bench.speaker.played.map(\.rate) == [24_000])
    #expect(bench.speaker.played[0].samples.prefix(4_800) == [Int16](repeating: 100, count: 4_800)[...])
    bench.service.setTalkMode(false)
    #expect(try requests().map(\.method) == ["talk.session.close"])
    #expect(!bench.microphone.isOpen && bench.service.nextDeadline == nil)
  }

  @Test(
    "sound comes in both forms, as PCM or µ-law, cut anywhere",
    arguments: [
      ("pcm16", 24_000, [[0x34, 0x12, 0x78], [0x56]], [0x1234, 0x5678] as [Int16]),
      ("g711_ulaw", 8_000, [[0xFF, 0x00]], [0, -32_124]),
    ])
  func forms(encoding: String, rate: Int, pieces: [[UInt8]], samples: [Int16]) throws {
    try open(audio: #","audio":{"outputEncoding":"\#(encoding)","outputSampleRateHz":\#(rate)}"#)
    for (index, piece) in pieces.enumerated() {
      let audio = Data(piece).base64EncodedString()
      if index == 0 {
        bench.desk.event(
          "talk.event",
          #"{"id":"1","type":"output.audio.delta","sessionId":"r1","turnId":"t","payload":{"audioBase64":"\#(audio)"}}"#
        )
      } else {
        event(#""type":"audio","audioBase64":"\#(audio)""#, turn: nil)
      }
    }
    bench.desk.event("talk.event", #"{"id":"2","type":"turn.ended","sessionId":"r1","turnId":"t","payload":{}}"#)
    bench.speaker.run()
    #expect(bench.speaker.played.map(\.rate) == [rate])
    #expect(Array(bench.speaker.played[0].samples.prefix(2)) == samples)
  }

  @Test("sessions of others are not heard")
  func others() throws {
    try open()
    speak(0)
    event(#""type":"audio","audioBase64":"AAAA""#, session: "other")
    event(#""type":"close""#, session: "other")
    #expect(bench.speaker.played.isEmpty && isConversing)
  }

  // MARK: Its own voice

  @Test("what the microphone hears while the board speaks goes nowhere, nor does what is left of it")
  func halfDuplex() throws {
    try open()
    speak(400)
    bench.microphone.hear([Int16](repeating: 50, count: 16_000))
    event(#""type":"audioDone""#)
    bench.speaker.run()
    _ = try requests()
    #expect(taken.bytes.isEmpty)
    bench.say(100)
    _ = try requests()
    #expect(abs(taken.bytes.count - 4_800) <= 4)
  }

  @Test(
    "a person who speaks ends what is said: it is silent at once, the gateway is told which turn, and hears how they began"
  )
  func interruption() throws {
    try open()
    speak(5_000)
    bench.speaker.pass(2_400)
    bench.microphone.hear([Int16](repeating: 3, count: 16_000))
    bench.say(400)
    #expect(!bench.speaker.isPlaying)
    let cancel = try #require(try requests().first)
    #expect(cancel.method == "talk.session.cancelOutput")
    #expect(cancel.params as? [String: String] == ["sessionId": "r1", "turnId": "t1", "reason": "barge-in"])
    // The gate takes 200 ms; 300 ms before that are kept, and what came behind.
    #expect(taken.bytes.count > 48 * 300)
    // What is late of that turn is not heard; another is.
    speak(300)
    event(#""type":"clear""#)
    #expect(!bench.speaker.isPlaying)
    speak(300, turn: "t2")
    #expect(bench.speaker.isPlaying)
  }

  @Test("where speech does not interrupt, the button does")
  func button() throws {
    let bench = try VoiceBench.connected { ($0.toneVolume, $0.converses, $0.hearsInterruptions) = (0, true, false) }
    bench.service.setTalkMode(true)
    bench.desk.answer(try bench.desk.request("talk.session.create"), #"{"sessionId":"r1"}"#)
    let audio = base64([Int16](repeating: 9, count: 48_000))
    bench.desk.event("talk.event", #"{"relaySessionId":"r1","type":"audio","audioBase64":"\#(audio)"}"#)
    bench.say(1_000)
    #expect(bench.speaker.isPlaying)
    bench.service.talkButtonPressed()
    bench.service.talkButtonReleased(after: 100)
    #expect(!bench.speaker.isPlaying && bench.service.loop.phase == .conversing)
    let cancel = try bench.desk.request("talk.session.cancelOutput")
    #expect(cancel.params as? [String: String] == ["sessionId": "r1", "reason": "button"])
    // A piece without a turn is of the one that was ended, until the gateway has answered.
    bench.desk.event("talk.event", #"{"relaySessionId":"r1","type":"audio","audioBase64":"\#(audio)"}"#)
    #expect(!bench.speaker.isPlaying)
    bench.desk.answer(cancel, "{}")
    bench.desk.event("talk.event", #"{"relaySessionId":"r1","type":"audio","audioBase64":"\#(audio)"}"#)
    #expect(bench.speaker.isPlaying)
  }

  @Test("a gateway that hears the interruption itself clears what waits")
  func clear() throws {
    try open()
    speak(2_000)
    event(#""type":"clear""#)
    #expect(!bench.speaker.isPlaying && isConversing)
    #expect(try requests().isEmpty)
  }

  // MARK: Bounds

  @Test(
    "a slow connection: no more pieces on their way than may be, no more waiting than may be, and what is dropped is the oldest"
  )
  func slow() throws {
    try open(audio: #","audio":{"inputEncoding":"pcm16","inputSampleRateHz":16000}"#)
    let sound = (0..<160_000).map { Int16(truncatingIfNeeded: $0 / 16) }
    bench.microphone.hear(sound)
    let waiting = try bench.desk.requests()
    #expect(waiting.count == Budget.appendsInFlight)
    for request in waiting { bench.desk.answer(request, "{}") }
    _ = try requests()
    #expect(taken.bytes.count >= 2 * 16 * (Budget.callQueueMilliseconds - 100))
    #expect(taken.bytes.count <= 2 * 16 * Budget.callQueueMilliseconds)
    // The newest is there: 10 s less the piece that is too small to be sent.
    let last = Int16(
      bitPattern: UInt16(taken.bytes[taken.bytes.count - 2]) | UInt16(taken.bytes[taken.bytes.count - 1]) << 8)
    #expect(last > 9_850)
    let realtime = try #require(bench.service.realtime)
    #expect(realtime.dropped > 100_000)
  }

  @Test("more than the board keeps of what the gateway says: the oldest goes")
  func ahead() throws {
    try open()
    for _ in 0..<90 { speak(1_000) }
    let counters = try #require(bench.service.realtime).voice.counters
    #expect(counters.dropped == UInt64(24 * (90_000 - Budget.jitterMilliseconds)))
    #expect(isConversing)
  }

  @Test("a gateway that stops in the midst of what it says: the speaker ends, and people are heard again")
  func stalled() throws {
    try open()
    speak(300)
    bench.speaker.pass(24 * 300 + 24 * Int(Budget.callStallMilliseconds) + 4_096)
    bench.speaker.run()
    #expect(!bench.speaker.isPlaying)
    bench.say(200)
    _ = try requests()
    #expect(!taken.bytes.isEmpty && isConversing)
  }

  @Test("a gateway that takes no more sound: the conversation is over, and goes on in turns")
  func deaf() throws {
    try open()
    bench.say(500)
    _ = try bench.desk.requests()
    bench.pass(Budget.callTimeout)
    #expect(bench.service.loop.phase == .hearing(.turn))
    #expect(try requests().map(\.method) == Self.fallback)
  }

  @Test("silence on both sides ends it, and with it talk mode")
  func idle() throws {
    try open()
    bench.pass(Budget.callIdleSeconds * 1000 - 1)
    #expect(isConversing)
    event(#""type":"transcript","role":"user","text":"hm","final":false"#)
    bench.pass(Budget.callIdleSeconds * 1000 - 1)
    #expect(isConversing)
    bench.pass(1)
    #expect(bench.service.loop.phase == .idle && !bench.service.isTalkMode && !bench.microphone.isOpen)
    #expect(try requests().map(\.method) == ["talk.session.close"])
  }

  // MARK: Trouble
}
