import Camera
import Runtime
import Simulated
import Sound
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

private final class Listener: TalkListener {
  private(set) var (opened, blocks) = (0, 0)
  private(set) var failures: [MicrophoneFailure] = []

  func microphoneOpened() { opened += 1 }
  func microphoneFailed(_ failure: MicrophoneFailure) { failures.append(failure) }
  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
}

struct TalkEarTests {
  @Test("the first sound says that the microphone records")
  func opens() {
    let bench = SoundBench()
    let (adapter, listener) = (TalkMicrophoneAdapter(bench.microphone), Listener())
    adapter.open(.turn, listener)
    bench.runner.run()
    #expect(listener.opened == 0)
    bench.capture.hear(2)
    #expect(listener.opened == 1 && listener.blocks == 2)
    adapter.close()
    bench.runner.run()
    #expect(!bench.capture.isOpen)
    bench.capture.hear(1)
    #expect(listener.blocks == 2)
  }

  @Test("from one capture to the next the device stays open, and each hears that it records")
  func changes() {
    let bench = SoundBench()
    let (adapter, listener) = (TalkMicrophoneAdapter(bench.microphone), Listener())
    adapter.open(.turn, listener)
    bench.runner.run()
    bench.capture.hear(1)
    adapter.open(.hold, listener)
    bench.runner.run()
    bench.capture.hear(1)
    #expect(listener.opened == 2 && bench.capture.opens == 1 && bench.microphone.use == .pushToTalk)
    adapter.open(.turn, listener)
    bench.runner.run()
    #expect(bench.capture.opens == 1 && bench.microphone.use == .talk)
  }

  @Test(
    "a microphone that cannot be had says why, and is asked for no more",
    arguments: [
      (SoundError.busy, MicrophoneFailure.busy), (.noCard(SoundName()), .absent), (.disconnected, .absent),
      (.stalled, .broken),
      (.noPermission, .forbidden),
    ])
  func failures(error: SoundError, failure: MicrophoneFailure) {
    let bench = SoundBench()
    let (adapter, listener) = (TalkMicrophoneAdapter(bench.microphone), Listener())
    bench.capture.failure = error
    adapter.open(.once, listener)
    bench.runner.run()
    #expect(listener.failures == [failure])
    #expect(bench.microphone.use == nil)
    bench.capture.failure = nil
    adapter.open(.once, listener)
    bench.pass(60_000)
    bench.capture.hear(1)
    #expect(listener.opened == 1)
  }

  @Test("switched off, it is forbidden at once")
  func disabled() {
    let bench = SoundBench { $0.isEnabled = false }
    let (adapter, listener) = (TalkMicrophoneAdapter(bench.microphone), Listener())
    adapter.open(.hold, listener)
    #expect(listener.failures == [.forbidden])
    adapter.close()
  }
}

/// Packets of zeros.
private final class Quiet: SoundEncoder {
  func start() throws(ClipError) -> Int { 0 }
  func encode(_ samples: UnsafeBufferPointer<Int16>, into packet: UnsafeMutableBufferPointer<UInt8>) throws(ClipError) {
  }
  func stop() {}
}

struct ClipEarTests {
  private func read(_ sound: ClipSoundBuffer) -> HeardSound? {
    var samples = [Int16](repeating: 0, count: Budget.clipHeardSamples)
    return samples.withUnsafeMutableBufferPointer { sound.read(into: $0) }
  }

  @Test("a clip opens the microphone, hears what others hear, and closes it if nobody else listens")
  func along() throws {
    let bench = SoundBench()
    let sound = try ClipSoundBuffer(bench.microphone, encoder: Quiet(), clock: bench.clock)
    let wake = ScriptedListener()
    #expect(sound.begin() != nil)
    bench.runner.run()
    #expect(bench.capture.isOpen)
    bench.want(.wake, wake)
    bench.clock.advance(40)
    bench.capture.hear(2)
    #expect(wake.blocks == 2)
    #expect(read(sound)?.count == Budget.soundBlock)
    #expect(read(sound) != nil)
    #expect(read(sound) == nil)
    bench.release(.wake)
    sound.end()
    bench.runner.run()
    #expect(!bench.capture.isOpen)
    bench.capture.hear(1)
    #expect(read(sound) == nil)
  }

  @Test("where nothing may be heard, there is nothing to read")
  func forbidden() throws {
    let off = SoundBench { $0.isEnabled = false }
    #expect(try ClipSoundBuffer(off.microphone, encoder: Quiet(), clock: off.clock).begin() == nil)
    let held = SoundBench()
    held.microphone.hold()
    #expect(try ClipSoundBuffer(held.microphone, encoder: Quiet(), clock: held.clock).begin() == nil)
  }

  @Test("a worker that is late for more than a second finds the oldest, and no memory grows")
  func late() throws {
    let bench = SoundBench()
    let sound = try ClipSoundBuffer(bench.microphone, encoder: Quiet(), clock: bench.clock)
    _ = sound.begin()
    bench.runner.run()
    for _ in 0..<(2 * Budget.clipSoundBlocks) {
      bench.clock.advance(20)
      bench.capture.hear(1)
    }
    var found = 0
    while read(sound) != nil { found += 1 }
    #expect(found == Budget.clipSoundBlocks)
    // The next clip hears nothing of this one.
    bench.capture.hear(1)
    sound.end()
    _ = sound.begin()
    #expect(read(sound) == nil)
  }

  @Test("blocks that come together were heard one after the other")
  func timing() {
    var timing = BlockTiming()
    let times = [40_000, 40_100, 83_000, 83_050, 120_000, 120_010].map { timing.start(ofBlockAt: Int64($0)) }
    #expect(times[0] == 20_000)
    // The second came at once: so the first began earlier than it seemed.
    #expect(times[1] == 20_100)
    for index in 2..<6 { #expect(abs(times[index] - times[index - 1] - 20_000) <= 20_100) }
    #expect(times[5] <= 120_010 - 20_000)
    // Nothing is ever said to be heard after it came.
    #expect(zip(times, [40_000, 40_100, 83_000, 83_050, 120_000, 120_010]).allSatisfy { $0 + 20_000 <= Int64($1) })
  }
}
