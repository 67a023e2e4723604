import Device
import Runtime
import Simulated
import Sound
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

@Suite struct MicrophoneTests {
  @Test func `It is closed until somebody wants to hear, and looked for at start`() {
    let bench = SoundBench()
    #expect(bench.capture.opens == 0)
    #expect(bench.capture.looks == 1)
    #expect(bench.microphone.hardware.state == .ok)
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    #expect(bench.capture.isOpen)
    bench.capture.hear(3)
    #expect(listener.blocks == 3)
    bench.release(.wake)
    #expect(!bench.capture.isOpen)
    bench.capture.hear(1)
    #expect(listener.blocks == 3)
  }

  @Test func `The card is opened with as many channels as those that are chosen need`() {
    let cases: [(SoundChannel, Int?)] = [(.mix, nil), (.one(0), 1), (.only(ChannelSet(1..<5)), 5)]
    for (channel, count) in cases {
      let bench = SoundBench { $0.channel = channel }
      bench.want(.wake, ScriptedListener())
      #expect(bench.capture.order?.channels == count)
    }
  }

  @Test func `The light is lit before the card is opened, and until it is closed`() {
    let bench = SoundBench()
    bench.want(.wake, ScriptedListener())
    #expect(bench.lamp.isLit)
    bench.release(.wake)
    #expect(!bench.lamp.isLit)
    #expect(bench.lamp.wasOpenAtSwitch.allSatisfy { !$0 })
  }

  @Test func `Without the light that it must have, nothing is opened`() {
    let bench = SoundBench()
    bench.lamp.works = false
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    #expect(bench.capture.opens == 0)
    #expect(listener.losses.count == 1)
    #expect(bench.microphone.hardware.state == .error)
  }

  @Test func `A card that cannot be opened leaves no light on`() {
    let bench = SoundBench()
    bench.capture.failure = .busy
    bench.want(.wake, ScriptedListener())
    #expect(!bench.lamp.isLit)
  }

  @Test func `Switched off in the configuration it is never opened, nor looked for`() {
    let bench = SoundBench { $0.isEnabled = false }
    let listener = ScriptedListener()
    bench.want(.pushToTalk, listener)
    bench.pass(100_000)
    #expect((bench.capture.opens, bench.capture.looks) == (0, 0))
    #expect(listener.losses.first?.isLike(.disabled) == true)
    #expect(!bench.microphone.hardware.isPermitted)
  }

  @Test func `Panic closes it at once, and letting go opens it again`() {
    let bench = SoundBench()
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    bench.microphone.hold()
    bench.runner.run()
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    #expect(listener.losses.first?.isLike(.held) == true)
    bench.pass(100_000)
    #expect(!bench.capture.isOpen)
    bench.microphone.letGo()
    bench.runner.run()
    #expect(bench.capture.isOpen)
  }

  @Test func `Panic while it is being opened closes it as soon as it is open`() {
    let bench = SoundBench()
    bench.microphone.want(.wake, ScriptedListener())
    #expect(bench.microphone.isOpen)
    bench.microphone.hold()
    bench.runner.run()
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    #expect(bench.capture.opens == 1)
  }

  @Test func `Who goes first hears, and the other hears again behind`() {
    let bench = SoundBench()
    let (wake, talk) = (ScriptedListener(), ScriptedListener())
    bench.want(.wake, wake)
    bench.capture.hear(1)
    bench.want(.pushToTalk, talk)
    bench.capture.hear(2)
    bench.release(.pushToTalk)
    bench.capture.hear(4)
    #expect((wake.blocks, talk.blocks) == (5, 2))
    #expect(wake.turns == [true, false, true])
    #expect(talk.turns == [true, false])
    #expect(bench.capture.opens == 1)
  }

  @Test func `While the board speaks it is closed`() {
    let bench = SoundBench()
    bench.want(.wake, ScriptedListener())
    bench.want(.playback, nil)
    #expect(!bench.capture.isOpen)
    bench.release(.playback)
    #expect(bench.capture.isOpen)
  }

  @Test func `A busy card is tried ever less often`() {
    let bench = SoundBench()
    bench.capture.failure = .busy
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    var tries: [Int64] = []
    let began = bench.clock.monotonic
    for _ in 0..<40_000 {
      let before = bench.capture.opens
      bench.pass(10)
      if bench.capture.opens > before { tries.append(bench.clock.monotonic - began) }
    }
    #expect(tries.prefix(4) == [500, 1500, 3500, 7500])
    #expect(tries[tries.count - 1] - tries[tries.count - 2] == Budget.soundRetryMilliseconds.upperBound)
    bench.capture.failure = nil
    bench.pass(Budget.soundRetryMilliseconds.upperBound)
    bench.capture.hear(1)
    #expect(listener.blocks == 1)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `Whoever speaks does not wait for the next try of a card that failed`() {
    let bench = SoundBench()
    bench.capture.failure = .busy
    bench.want(.wake, ScriptedListener())
    bench.pass(20_000)
    let opens = bench.capture.opens
    let talk = ScriptedListener()
    bench.want(.pushToTalk, talk)
    #expect(bench.capture.opens == opens + 1)
    #expect(talk.losses.first?.isLike(.busy) == true)
  }

  @Test func `A card that was unplugged is opened as soon as it is back`() {
    let bench = SoundBench()
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    bench.capture.hear(1)
    bench.capture.failure = .noCard(SoundName())
    bench.capture.reads = [.failure(.disconnected)]
    bench.capture.delegate?.soundReady()
    bench.runner.run()
    #expect(!bench.capture.isOpen)
    #expect(bench.microphone.hardware.state == .absent)
    bench.pass(30_000)
    bench.capture.failure = nil
    bench.microphone.cardsChanged()
    bench.pass(0)
    bench.capture.hear(1)
    #expect(listener.blocks == 2)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `A gap is counted, and hearing goes on`() {
    let bench = SoundBench()
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    bench.capture.reads = [.success(.gap), .success(.frames(Budget.soundBlock))]
    bench.capture.delegate?.soundReady()
    #expect(listener.blocks == 1)
    #expect(bench.microphone.gaps == 1)
    #expect(bench.capture.opens == 1)
  }

  @Test func `A card that gives no frames is opened anew`() {
    let bench = SoundBench()
    let listener = ScriptedListener()
    bench.want(.wake, listener)
    bench.pass(Budget.soundSilenceMilliseconds - 1)
    #expect(bench.capture.opens == 1)
    bench.pass(1)
    #expect(listener.losses.first?.isLike(.stalled) == true)
    bench.pass(Budget.soundRetryMilliseconds.lowerBound)
    #expect(bench.capture.opens == 2)
  }

  @Test func `A card that does not start is closed, and tried again`() {
    let bench = SoundBench()
    bench.capture.startFailure = .io(.inputOutput)
    bench.want(.wake, ScriptedListener())
    #expect(!bench.capture.isOpen && !bench.lamp.isLit)
    bench.capture.startFailure = nil
    bench.pass(Budget.soundRetryMilliseconds.lowerBound)
    #expect(bench.capture.isOpen)
  }

  @Test func `A dead microphone is told, and so is one that lives again`() {
    let bench = SoundBench()
    bench.capture.value = 0
    bench.want(.wake, ScriptedListener())
    bench.capture.hear(Budget.soundVerdictBlocks)
    #expect(bench.microphone.hardware.state == .error)
    bench.capture.value = 1000
    bench.capture.hear(Budget.soundVerdictBlocks)
    #expect(bench.microphone.hardware.state == .ok)
  }

  @Test func `A switch of the mixer that is off is told`() {
    let bench = SoundBench()
    bench.capture.isMuted = true
    bench.want(.wake, ScriptedListener())
    bench.capture.hear(1)
    #expect(bench.microphone.hardware.state == .error)
  }

  @Test func `Who looks at the levels opens it for a while`() {
    let bench = SoundBench()
    bench.microphone.watchLevels()
    bench.runner.run()
    #expect(bench.capture.isOpen)
    bench.capture.hear(1)
    bench.pass(2_000)
    bench.microphone.watchLevels()
    bench.capture.hear(1)
    bench.pass(2_000)
    #expect(bench.capture.isOpen)
    bench.capture.hear(1)
    bench.pass(1_000)
    #expect(!bench.capture.isOpen)
    #expect(bench.microphone.nextDeadline == nil)
  }

  @Test func `Stopped it is closed for good`() {
    let bench = SoundBench()
    bench.want(.wake, ScriptedListener())
    bench.microphone.stop()
    #expect(!bench.microphone.isStopped)
    bench.runner.run()
    #expect(bench.microphone.isStopped && !bench.lamp.isLit)
    bench.pass(100_000)
    #expect(!bench.capture.isOpen)
  }
}
