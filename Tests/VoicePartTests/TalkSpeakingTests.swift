import Codec
import Foundation
import Runtime
import Simulated
import Talk
import Testing
@testable import Agent
@testable import Benches

/// A text that lives as long as its view is used.
struct JSONText {
  private let bytes: [UInt8]
  init(_ text: String) { bytes = Array(text.utf8) }
  var view: JSONView {
    @_lifetime(borrow self) get { JSONView(bytes.span) }
  }
}

@Suite("Replies are spoken")
struct TalkSpeakingTests {
  /// A turn of talk mode, up to the agent's first word; its run.
  private func ask(_ bench: VoiceBench, _ text: String = "how are you") throws -> String {
    bench.say(600, silence: 800)
    try bench.transcribe(text)
    let send = try bench.desk.request("chat.send")
    bench.desk.answer(send, #"{"runId":"\#(send.run)","status":"started"}"#)
    return send.run
  }

  private func delta(_ bench: VoiceBench, _ run: String, _ seq: Int, _ text: String) {
    let quoted = String(decoding: try! JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast()
    bench.desk.event(
      "chat", #"{"runId":"\#(run)","sessionKey":"s","seq":\#(seq),"state":"delta","deltaText":\#(quoted)}"#)
  }

  private func final(_ bench: VoiceBench, _ run: String, _ seq: Int) {
    bench.desk.event("chat", #"{"runId":"\#(run)","sessionKey":"s","seq":\#(seq),"state":"final"}"#)
  }

  /// The gateway speaks the next sentence, in so many samples; the request.
  @discardableResult
  private func speak(_ bench: VoiceBench, samples: Int = 2_400, form: String = #","outputFormat":"pcm_24000""#) throws
    -> DeskBench.Request
  {
    let request = try bench.desk.request("talk.speak")
    let audio = Data(repeating: 1, count: 2 * samples).base64EncodedString()
    bench.desk.answer(request, #"{"audioBase64":"\#(audio)","provider":"p"\#(form)}"#)
    return request
  }

  @Test(
    "talk mode: sentence by sentence while the reply comes, as the directive wants, and then it is the person's turn again"
  )
  func turn() throws {
    let bench = try VoiceBench { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    #expect(bench.microphone.captures == [.turn])
    let run = try ask(bench)
    #expect(!bench.microphone.isOpen)
    delta(bench, run, 1, "{\"voice\":\"Ada\",\"rate\":210}\n\nI am **fine**. And")
    let first = try speak(bench)
    #expect(first.params["text"] as? String == "I am fine." && first.params["voiceId"] as? String == "Ada")
    #expect(first.params["outputFormat"] as? String == "pcm_24000" && first.params["speed"] as? Double == 1.2)
    #expect(first.params.count == 4)
    #expect(bench.service.loop.phase == .speaking && bench.microphone.isOpen)
    delta(bench, run, 2, " you?")
    final(bench, run, 3)
    // The next is made while the first is heard.
    try speak(bench)
    #expect(bench.speaker.played.count == 1)
    bench.speaker.run()
    #expect(bench.speaker.played.map(\.rate) == [24_000, 24_000])
    #expect(bench.speaker.played.map(\.samples) == Array(repeating: [Int16](repeating: 257, count: 2_400), count: 2))
    #expect(bench.service.loop.phase == .hearing(.turn))
    // The voice stays; the rate was for this reply.
    let next = try ask(bench, "what else")
    delta(bench, next, 1, "Nothing.")
    final(bench, next, 2)
    let second = try speak(bench)
    #expect(second.params["voiceId"] as? String == "Ada" && second.params["speed"] == nil)
  }

  @Test("speech interrupts: the sound ends at once, and the agent is told when")
  func interruption() throws {
    let bench = try VoiceBench { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, "A long story. It goes on.\n\n")
    try speak(bench, samples: 24_000 * 5)
    bench.speaker.pass(24_000 * 3)
    bench.microphone.hear(VoiceBench.tone(150))
    #expect(bench.speaker.isPlaying)
    bench.microphone.hear(VoiceBench.tone(400))
    #expect(!bench.speaker.isPlaying && bench.service.loop.phase == .hearing(.turn))
    delta(bench, run, 2, "And on. ")
    bench.say(600, silence: 800)
    try bench.transcribe("stop it")
    let send = try bench.desk.request("chat.send")
    #expect((send.params["message"] as? String)?.contains("interrupted after 3 s") == true)
  }

  @Test("what the board hears of its own voice is no turn")
  func echo() throws {
    let bench = try VoiceBench { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, "The weather is fine today.")
    final(bench, run, 2)
    try speak(bench)
    bench.speaker.run()
    bench.say(600, silence: 800)
    try bench.transcribe("weather is fine")
    #expect(try !bench.desk.requests().contains { $0.method == "chat.send" })
    #expect(bench.service.loop.phase == .hearing(.turn))
  }

  @Test("sound that needs a decoder is refused for the reason, and the board's own voice speaks instead")
  func refused() throws {
    let bench = try VoiceBench(hasVoice: true) { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, "One. Two. ")
    try speak(bench, form: #","mimeType":"audio/mpeg""#)
    final(bench, run, 2)
    bench.speaker.run()
    #expect(bench.speech.spoken == ["One.", "Two."])
    #expect(bench.speech.speeds == [1, 1])
    var told: [String] = []
    bench.desk.log.forEachLine { told.append(String(decoding: $0, as: UTF8.self)) }
    #expect(told.filter { $0.contains("the board speaks with its own voice: ") }.count == 1)
    #expect(bench.speaker.played.map(\.rate) == [16_000, 16_000])
    #expect(bench.service.loop.phase == .hearing(.turn))
    let mute = try VoiceBench { $0.toneVolume = 0 }
    try mute.connect()
    mute.service.setTalkMode(true)
    let other = try ask(mute)
    delta(mute, other, 1, "One. ")
    try speak(mute, form: #","mimeType":"audio/mpeg""#)
    #expect(mute.service.loop.phase == .hearing(.turn))
    var lines: [String] = []
    mute.desk.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.contains { $0.contains("has no decoder for what the gateway sent: audio/mpeg") })
  }

  /// What a gateway says that has no provider of Talk.
  private static let unconfigured =
    #"{"code":"UNAVAILABLE","message":"no","details":{"reason":"talk_unconfigured","fallbackEligible":true}}"#

  @Test("where Talk has no voice, the gateway makes a clip of each sentence, for this reply")
  func clips() throws {
    let bench = try VoiceBench(hasVoice: true) { $0.toneVolume = 0 }
    try bench.connect(methods: ["tts.speak"])
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, "One. Two. ")
    bench.desk.refuse(try bench.desk.request("talk.speak"), Self.unconfigured)
    for sentence in ["One.", "Two."] {
      let request = try bench.desk.request("tts.speak")
      #expect(request.params as? [String: String] == ["text": sentence])
      let audio = Data(repeating: 1, count: 4_800).base64EncodedString()
      bench.desk.answer(request, #"{"audioBase64":"\#(audio)","provider":"p","outputFormat":"pcm_24000"}"#)
      if sentence == "One." { bench.speaker.run() }
    }
    final(bench, run, 2)
    bench.speaker.run()
    #expect(bench.speaker.played.map(\.samples.count) == [2_400, 2_400])
    #expect(bench.speech.spoken.isEmpty)
    #expect(bench.service.loop.phase == .hearing(.turn))
    let next = try ask(bench, "what else")
    delta(bench, next, 1, "Nothing.")
    final(bench, next, 2)
    #expect(try bench.desk.requests().contains { $0.method == "talk.speak" })
  }

  @Test("a clip that needs a decoder, or that the gateway cannot make, leaves the board's own voice, or says why not")
  func clipsFail() throws {
    for (hasVoice, answer) in [(true, "mp3"), (true, "error"), (false, "mp3")] {
      let bench = try VoiceBench(hasVoice: hasVoice) { $0.toneVolume = 0 }
      try bench.connect(methods: ["tts.speak"])
      bench.service.setTalkMode(true)
      let run = try ask(bench)
      delta(bench, run, 1, "One. Two. ")
      bench.desk.refuse(try bench.desk.request("talk.speak"), Self.unconfigured)
      let request = try bench.desk.request("tts.speak")
      if answer == "mp3" {
        bench.desk.answer(request, #"{"audioBase64":"//uQAA==","provider":"p","outputFormat":"mp3"}"#)
      } else {
        bench.desk.refuse(request, #"{"code":"UNAVAILABLE","message":"TTS conversion failed"}"#)
      }
      final(bench, run, 2)
      bench.speaker.run()
      #expect(bench.speech.spoken == (hasVoice ? ["One.", "Two."] : []))
      var lines: [String] = []
      bench.desk.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
      let reason = answer == "mp3" ? "has no decoder for what the gateway sent: mp3" : "TTS conversion failed"
      #expect(lines.filter { $0.contains(reason) }.count >= 1)
      #expect(bench.service.loop.phase == .hearing(.turn))
    }
  }

  @Test("a clip is not asked of a gateway that makes none, and not after a failure of another kind")
  func noClips() throws {
    for (methods, error) in [
      ([], Self.unconfigured), (["tts.speak"], #"{"code":"UNAVAILABLE","message":"synthesis failed"}"#),
    ] {
      let bench = try VoiceBench(hasVoice: true) { $0.toneVolume = 0 }
      try bench.connect(methods: methods)
      bench.service.setTalkMode(true)
      let run = try ask(bench)
      delta(bench, run, 1, "One. ")
      bench.desk.refuse(try bench.desk.request("talk.speak"), error)
      #expect(try !bench.desk.requests().contains { $0.method == "tts.speak" })
      #expect(bench.speech.spoken == ["One."])
    }
  }

  @Test("the board's own voice is as fast as the directive says")
  func speed() throws {
    let bench = try VoiceBench(hasVoice: true) { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, "{\"speed\":1.5}\nOne. ")
    try speak(bench, form: #","mimeType":"audio/mpeg""#)
    #expect(bench.speech.speeds == [1.5])
  }

  @Test("a reply of more sentences than can wait is spoken as far as they go")
  func tooLong() throws {
    let bench = try VoiceBench { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    let run = try ask(bench)
    delta(bench, run, 1, String(repeating: "Word. ", count: 200))
    final(bench, run, 2)
    var spoken = 0
    while let request = try bench.desk.requests().last(where: { $0.method == "talk.speak" }) {
      bench.desk.answer(request, #"{"audioBase64":"AQEBAQ==","outputFormat":"pcm_24000"}"#)
      bench.speaker.run()
      spoken += 1
    }
    #expect(spoken == Budget.sentences)
    #expect(bench.service.loop.phase == .hearing(.turn))
  }

  @Test("a reply that does not come is looked for in the history, and then given up")
  func late() throws {
    let bench = try VoiceBench { $0.toneVolume = 0 }
    try bench.connect()
    bench.service.setTalkMode(true)
    _ = try ask(bench)
    bench.pass(Budget.replyMilliseconds)
    #expect(try bench.desk.requests().contains { $0.method == "chat.history" })
    bench.pass(Budget.replyGraceMilliseconds)
    #expect(bench.service.loop.phase == .hearing(.turn))
  }

  @Test("tones are heard when it listens and when it has sent, unless nobody wants them")
  func tones() throws {
    let bench = try VoiceBench { $0.speaksReplies = false }
    try bench.connect()
    bench.invoke("1", "once")
    bench.speaker.run()
    bench.say(600, silence: 2_100)
    try bench.transcribe("hello")
    let send = try bench.desk.request("chat.send")
    bench.desk.answer(send, #"{"status":"started"}"#)
    bench.speaker.run()
    #expect(bench.speaker.played.map(\.samples.count) == [180 * 16, 180 * 16])
    #expect(bench.speaker.played[0] != bench.speaker.played[1])
    let silent = try VoiceBench {
      $0.tonesWhenListening = false
      $0.tonesWhenSent = false
    }
    try silent.connect()
    silent.invoke("1", "once")
    #expect(silent.speaker.played.isEmpty)
  }
}
