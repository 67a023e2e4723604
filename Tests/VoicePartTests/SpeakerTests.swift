import Runtime
import Simulated
import Sound
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

/// Says so many samples, and hears of the end.
private final class Words: TalkSound {
  var left: Int
  private(set) var ends: [Bool] = []
  /// What happens at the end.
  var then: () -> Void = {}

  init(_ samples: Int) { left = samples }

  func speakerNeedsSamples(_ block: UnsafeMutableBufferPointer<Int16>) -> Int {
    let count = min(left, block.count)
    for index in 0..<count { block[index] = 1_000 }
    left -= count
    return count
  }

  func speakerEnded(_ isWhole: Bool) {
    ends.append(isWhole)
    then()
  }
}

private final class Bench {
  let sound = SoundBench()
  let playback = ScriptedPlayback()
  let speaker: Speaker

  init(isEnabled: Bool = true) {
    var settings = SpeakerSettings()
    settings.isEnabled = isEnabled
    speaker = Speaker(
      playback: playback, resampler: PlainResampler(), settings: settings, microphone: sound.microphone,
      runner: sound.runner,
      clock: sound.clock, log: Log(level: .error, clock: sound.clock))
  }

  func play(_ words: Words) -> Bool {
    let isTaken = speaker.play(rate: 16_000, words)
    sound.runner.run()
    return isTaken
  }

  /// The card has room, and then has played all that it holds.
  func hear(_ frames: Int) {
    playback.room += frames
    playback.delegate?.soundReady()
    playback.held = 0
    pass(50)
  }

  func pass(_ milliseconds: Int64) {
    sound.clock.advance(milliseconds)
    speaker.advance(to: sound.clock.monotonic)
    sound.runner.run()
  }
}

struct SpeakerTests {
  @Test("words are played on a card that is opened for them, and closed soon after")
  func plays() {
    let bench = Bench()
    let words = Words(1_000)
    #expect(bench.playback.opens == 0)
    #expect(bench.play(words))
    #expect(bench.playback.isOpen)
    bench.hear(4_000)
    #expect(bench.playback.frames == [Int16](repeating: 1_000, count: 1_000))
    #expect(words.ends == [true])
    #expect(bench.playback.isOpen)
    bench.pass(Budget.speakerLingerMilliseconds)
    #expect(!bench.playback.isOpen && bench.speaker.isStopped && bench.speaker.nextDeadline == nil)
  }

  @Test("the next sentence finds the card open")
  func sentences() {
    let bench = Bench()
    let (first, second) = (Words(500), Words(500))
    first.then = { [bench] in _ = bench.speaker.play(rate: 16_000, second) }
    #expect(bench.play(first))
    bench.hear(4_000)
    bench.hear(4_000)
    #expect(second.ends == [true])
    #expect(bench.playback.opens == 1)
    #expect(bench.playback.frames.count == 1_000)
  }

  @Test("nobody waits for a wake phrase while the board speaks, and a person who talks is heard")
  func microphone() {
    let bench = Bench()
    let (wake, person) = (ScriptedListener(), ScriptedListener())
    bench.sound.want(.wake, wake)
    #expect(bench.play(Words(500)))
    #expect(wake.turns == [true, false] && !bench.sound.capture.isOpen)
    bench.sound.want(.talk, person)
    #expect(bench.sound.capture.isOpen)
    bench.sound.release(.talk)
    bench.hear(4_000)
    #expect(wake.turns == [true, false, true] && bench.sound.capture.isOpen)
  }

  @Test("stopped, it is silent at once, and who spoke hears nothing")
  func stop() {
    let bench = Bench()
    let words = Words(100_000)
    #expect(bench.play(words))
    bench.playback.room = 100
    bench.playback.delegate?.soundReady()
    bench.speaker.stopPlaying()
    bench.sound.runner.run()
    #expect(!bench.playback.isOpen && bench.playback.frames.count == 100 && words.ends.isEmpty)
    bench.speaker.stopPlaying()
    #expect(bench.playback.closes == 1)
  }

  @Test("a card that cannot be opened, or breaks, ends the words and is tried for the next")
  func failures() {
    let bench = Bench()
    bench.playback.failure = .busy
    let (first, second, third) = (Words(500), Words(500), Words(500))
    #expect(bench.play(first))
    #expect(first.ends == [false])
    bench.playback.failure = nil
    #expect(bench.play(second))
    bench.playback.failure = .disconnected
    bench.hear(4_000)
    #expect(second.ends == [false])
    bench.pass(1)
    #expect(!bench.playback.isOpen)
    bench.playback.failure = nil
    #expect(bench.play(third))
    bench.hear(4_000)
    #expect(third.ends == [true])
  }

  @Test("switched off, held or at its end it takes no words; what it was saying ends")
  func refusals() {
    #expect(!Bench(isEnabled: false).play(Words(10)))
    let bench = Bench()
    let words = Words(10_000)
    #expect(bench.play(words))
    bench.speaker.hold()
    bench.sound.runner.run()
    #expect(words.ends == [false] && !bench.playback.isOpen)
    #expect(!bench.play(Words(10)))
    bench.speaker.letGo()
    let last = Words(10_000)
    #expect(bench.play(last))
    bench.speaker.stop()
    bench.sound.runner.run()
    #expect(last.ends == [false] && bench.speaker.isStopped)
    #expect(!bench.play(Words(10)))
  }
}
