import Codec
import Runtime
import Sound
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import Node
@testable import VoicePart

@Suite("What people at the board want said is said by the board itself")
struct AnnouncerTests {
  private final class Listener: AnnouncerDelegate {
    private(set) var ends: [String] = []
    func announced(_ tag: Int, _ failure: DeskFailure?) {
      guard let failure else { return ends.append("\(tag) heard") }
      ends.append("\(tag) \(failure.sentence.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })")
    }
  }

  private final class Other: TalkSound {
    func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int { 0 }
    func speakerEnded(_ isWhole: Bool) {}
  }

  private let sound = SoundBench()
  private let playback = ScriptedPlayback()
  private let voice = FakeSpeech()
  private let listener = Listener()
  private let speaker: Speaker
  private let announcer: Announcer

  init() throws {
    speaker = Speaker(
      playback: playback, resampler: PlainResampler(), settings: SpeakerSettings(), microphone: nil,
      runner: sound.runner,
      clock: sound.clock, log: Log(level: .error, clock: sound.clock))
    announcer = try Announcer(speaker: speaker, local: voice)
  }

  /// Nil: it is taken.
  private func say(_ text: String, speed: Double = 1, tag: Int = 1) -> String? {
    let json = Array("\"\(text)\"".utf8)
    let failure = announcer.say(JSONView(json.span), speed: speed, tag, listener)
    sound.runner.run()
    return failure.map { $0.code.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
  }

  private func hear() {
    playback.room += 4_000
    playback.delegate?.soundReady()
    playback.held = 0
    sound.clock.advance(50)
    speaker.advance(to: sound.clock.monotonic)
    sound.runner.run()
  }

  @Test func `Its sentences are heard one after the other, and then the caller is told`() {
    #expect(say("Hello there. *How* are you?", speed: 1.5) == nil)
    #expect(voice.spoken == ["Hello there.", "How are you?"])
    #expect(voice.speeds == [1.5, 1.5])
    hear()
    #expect(listener.ends.isEmpty)
    hear()
    #expect(listener.ends == ["1 heard"])
    #expect(playback.frames.count == 1_600)
  }

  @Test func `One text at a time`() {
    #expect(say("One.") == nil)
    #expect(say("Two.", tag: 2) == "BUSY")
    hear()
    #expect(listener.ends == ["1 heard"])
    #expect(say("Two.", tag: 2) == nil)
  }

  @Test func `Not while the board speaks of its own accord, which ends it`() {
    let other = Other()
    #expect(speaker.play(rate: 16_000, other))
    #expect(say("One.") == "BUSY")
    speaker.stopPlaying()
    #expect(say("Two. Three.") == nil)
    #expect(speaker.play(rate: 16_000, other))
    #expect(listener.ends == ["1 something else is spoken"])
    #expect(speaker.isBusy)
  }

  @Test func `What nobody waits for any more stops`() {
    #expect(say("One. Two.") == nil)
    announcer.forget(7, listener)
    announcer.forget(1, Listener())
    #expect(speaker.isBusy)
    announcer.forget(1, listener)
    #expect(!speaker.isBusy)
    #expect(listener.ends.isEmpty)
    #expect(say("Three.") == nil)
  }

  @Test func `A call that is cancelled stops, is not answered by it, and leaves its place`() throws {
    let bench = try RouterBench()
    announcer.addCommands(to: bench.router)
    let json = Array(#"{"text":"One. Two. Three."}"#.utf8)
    announcer.begin(0, InvokeToken(5), JSONView(json.span), deadline: .max)
    sound.runner.run()
    #expect(speaker.isBusy)
    announcer.cancel(InvokeToken(4))
    #expect(speaker.isBusy)
    announcer.cancel(InvokeToken(5))
    #expect(!speaker.isBusy && bench.take().isEmpty)
    #expect(say("Four.") == nil)
  }

  @Test func `Whoever talks with the board ends it`() throws {
    let bench = try VoiceBench.connected()
    bench.service.announcer = announcer
    #expect(say("One. Two.") == nil)
    bench.service.press()
    #expect(listener.ends == ["1 a conversation has begun"])
    #expect(!speaker.isBusy)
    #expect(bench.microphone.isOpen)
  }

  @Test func `More sentences than wait are refused, and none is heard`() {
    #expect(say(String(repeating: "Go on. ", count: Budget.sentences + 3)) == "TOO_LARGE")
    #expect(!speaker.isBusy && listener.ends.isEmpty)
  }

  @Test func `What has nothing to say is heard at once`() {
    #expect(say("...") == nil)
    #expect(listener.ends == ["1 heard"])
  }

  @Test func `A speaker that does not play is told`() {
    speaker.hold()
    #expect(say("One.") == nil)
    #expect(listener.ends == ["1 the speaker does not play"])
    speaker.letGo()
    #expect(say("Two.", tag: 2) == nil)
    hear()
    #expect(listener.ends.last == "2 heard")
  }

  @Test func `A request without a text, or with a speed that is none, is refused`() {
    let server = NotingServer()
    let control = Control(server: server, node: BenchNode(announcer))
    let lines = [
      #"{"op":"say"}"#, #"{"op":"say","text":""}"#, #"{"op":"say","text":"x","speed":2.1}"#,
      #"{"op":"say","text":"x","speed":"1"}"#,
    ]
    for line in lines {
      control.lineReceived(line.utf8.span, from: 0)
      #expect(server.lines.count == 1 && server.lines[0].text.contains("INVALID_REQUEST"), "\(line)")
      server.lines.removeAll()
    }
    #expect(voice.spoken.isEmpty && !speaker.isBusy)
  }
}
