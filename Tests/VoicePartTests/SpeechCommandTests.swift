import Codec
import Foundation
import Node
import Runtime
import Sound
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

@Suite("Commands by which the gateway has the board listen")
struct HearingCommandTests {
  private let bench: VoiceBench
  private let listener: ListenCommand

  init() throws {
    bench = try VoiceBench.connected { $0.toneVolume = 0 }
    listener = ListenCommand(service: bench.service, router: bench.router.router)
    bench.router.router.add(
      HearingCommands.rows, capability: "stt",
      HearingCommands(listener, service: bench.service, router: bench.router.router))
  }

  private func invoke(_ command: String, _ params: String, id: String = "1") {
    bench.router.invoke(id, command, key: nil, timeout: 200_000, params: params)
  }

  /// Somebody says something, which the gateway understands.
  private func understand(_ text: String) throws {
    bench.say(1_000, silence: 2_400)
    try bench.transcribe(text)
  }

  @Test("what somebody says is the answer, with who understood it and how long it was")
  func heard() throws {
    invoke("stt.listen", "{}")
    try understand("turn left")
    let answer = try #require(bench.answers().first)
    #expect(answer.contains(#""text":"turn left","durationMs":"#) && answer.contains(#""engineEffective":"gateway""#))
    invoke("stt.transcribe", #"{"maxDurationMs":30000}"#, id: "2")
    try understand("turn right")
    #expect(try #require(bench.answers().first).contains(#"{"transcribed":true,"text":"turn right","durationMs":"#))
  }

  @Test("silence is an empty text", arguments: ["stt.listen", "stt.transcribe"])
  func silence(_ command: String) throws {
    invoke(command, #"{"timeoutMs":1000,"maxDurationMs":1000}"#)
    bench.say(0, silence: 1_100)
    try bench.transcribe("")
    bench.pass(Budget.transcriptionLinger)
    let answer = bench.answers().first ?? ""
    #expect(answer.contains(#""text":"""#) && !bench.microphone.isOpen)
    #expect(answer.contains("transcribed") == (command == "stt.transcribe"))
  }

  @Test("a time to listen is taken within its range", arguments: [(-5, 1_000), (60_000, 60_000), (999_999, 120_000)])
  func range(_ asked: Int, _ taken: Int) {
    invoke("stt.listen", #"{"timeoutMs":\#(asked)}"#)
    bench.say(0, silence: taken - 100)
    #expect(bench.microphone.isOpen)
    bench.say(0, silence: 200)
    #expect(!bench.microphone.isOpen)
  }

  @Test(
    "a time that is none is refused, and no microphone opens",
    arguments: ["{}", #"{"maxDurationMs":0}"#, #"{"maxDurationMs":30001}"#, #"{"maxDurationMs":"1"}"#])
  func refused(_ params: String) {
    invoke("stt.transcribe", params)
    invoke("stt.listen", #"{"timeoutMs":"x"}"#, id: "2")
    #expect(
      bench.answers() == [
        #"1: "maxDurationMs" is a number from 1 to 30000"#, #"2: "timeoutMs" is a number of milliseconds"#,
      ])
    #expect(!bench.microphone.isOpen)
  }

  @Test("one caller at a time is listened to")
  func busy() {
    invoke("stt.listen", "{}")
    invoke("stt.transcribe", #"{"maxDurationMs":1000}"#, id: "2")
    #expect(bench.answers() == ["2: somebody is talking with this board: try again later"])
    #expect(bench.microphone.isOpen)
  }

  @Test("the microphone closes when the permission for it ends, and the caller is told")
  func permission() {
    invoke("stt.listen", "{}")
    bench.service.grantsEnded([.microphone])
    #expect(bench.answers() == ["1: the permission to use the microphone has ended"])
    #expect(!bench.microphone.isOpen)
  }

  @Test("who understands is told")
  func status() {
    invoke("stt.status", "{}")
    #expect(bench.answers().first?.contains(#"{"engine":"gateway","readiness":"ready","#) == true)
  }
}

@Suite("Commands by which the gateway has the board speak")
struct SpeakingCommandTests {
  private let sound = SoundBench()
  private let playback = ScriptedPlayback()
  private let voice = FakeSpeech()
  private let speaker: Speaker
  private let announcer: Announcer
  private let router: RouterBench

  init() throws {
    speaker = Speaker(
      playback: playback, resampler: PlainResampler(), settings: SpeakerSettings(), microphone: nil,
      runner: sound.runner, clock: sound.clock, log: Log(level: .error, clock: sound.clock))
    announcer = try Announcer(speaker: speaker, local: voice, hasCommands: true)
    router = try RouterBench()
    announcer.addCommands(to: router.router)
  }

  private func speak(_ params: String, id: String = "1") {
    router.invoke(id, "tts.speak", key: nil, timeout: 60_000, params: params)
    sound.runner.run()
  }

  private func hear() {
    playback.room += 4_000
    playback.delegate?.soundReady()
    playback.held = 0
    sound.clock.advance(50)
    speaker.advance(to: sound.clock.monotonic)
    sound.runner.run()
  }

  @Test("the answer comes when the text was heard, with its length and the voice that said it")
  func spoken() {
    speak(#"{"text":"Hello there.","provider":"elsewhere"}"#)
    #expect(voice.spoken == ["Hello there."] && router.take().isEmpty)
    hear()
    let answer = router.take().first ?? ""
    #expect(answer.contains(#""spoken":true,"provider":"board","requestedProvider":"elsewhere","fellBack":true"#))
    #expect(answer.contains(#""contentType":null,"durationMs":50"#))
  }

  @Test("a caller that names no voice, or this one, gets what it asked for", arguments: ["", #","provider":"board""#])
  func asked(_ provider: String) {
    speak(#"{"text":"Hello."\#(provider)}"#)
    hear()
    #expect(router.take().first?.contains(#""fellBack":false"#) == true)
  }

  @Test("another text waits for nobody: it is refused, or interrupts the first, whose caller is told")
  func interrupted() {
    speak(#"{"text":"One."}"#)
    speak(#"{"text":"Two."}"#, id: "2")
    #expect(router.take() == ["2: the board speaks already"])
    speak(#"{"text":"Three.","interrupt":true}"#, id: "3")
    #expect(router.take() == ["1: another text is spoken instead"])
    hear()
    #expect(router.take().first?.hasPrefix("3") == true)
  }

  @Test("no command interrupts what a person at the board wants said")
  func person() {
    let listener = SilentListener()
    let json = Array(#""One. Two.""#.utf8)
    #expect(announcer.say(JSONView(json.span), speed: 1, 7, listener) == nil)
    speak(#"{"text":"Three.","interrupt":true}"#)
    #expect(router.take() == ["1: the board speaks already"])
  }

  @Test("the voice is told")
  func status() {
    router.invoke("1", "tts.status", key: nil, timeout: 1_000, params: "{}")
    #expect(router.take().first?.contains(#"{"configuredProvider":"board","effectiveProvider":"board","#) == true)
  }

  @Test("without the owner's word the gateway is told of no such command")
  func off() throws {
    let router = try RouterBench()
    try Announcer(speaker: speaker, local: voice).addCommands(to: router.router)
    #expect(self.router.router.names.contains("tts.speak"))
    #expect(!router.router.names.contains("tts.speak"))
  }
}

private final class SilentListener: AnnouncerDelegate {
  func announced(_ tag: Int, _ failure: DeskFailure?) {}
}
