import Codec
import Runtime
import Sound
import Testing
import Voice

@testable import Agent

/// Hears of phrases.
private final class Owner: WakeOwner {
  private(set) var blocks = 0
  private(set) var phrases: [String] = []

  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
  func woke(_ phrase: Span<UInt8>) {
    phrases.append(phrase.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
}

/// A board that has a vector for each of these, which fires as soon as anything was heard for long enough.
private final class Bench {
  let sound = SoundBench()
  let waking = QueuedRunner()
  let owner = Owner()
  let service: WakeService

  init(_ phrases: String..., own: String = "") {
    let room = phrases.count * Budget.wakeFileBytes
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(room, 1), alignment: 64)
    var count = 0
    for phrase in phrases {
      let weights = [Float](repeating: 0, count: WakeDetector.weights)
      let part = UnsafeMutableRawBufferPointer(rebasing: memory[count...])
      count += Array(phrase.utf8).withUnsafeBufferPointer { bytes in
        PhraseFile.write(PhraseText(bytes)!, threshold: 0, bias: 1, weights: weights, into: part)
      }!
    }
    var settings = WakeParts.Settings()
    settings.phrases = Array(own.utf8)
    let bank = PhraseBank(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    service = WakeService(
      WakeParts(settings: settings, model: VoiceModel.builtIn!, banks: [bank], runner: waking),
      microphone: sound.microphone, log: Log(level: .error, clock: sound.clock))
    service.owner = owner
  }

  func start() {
    service.start()
    settle()
  }

  func settle() {
    waking.run()
    sound.runner.run()
    waking.run()
  }

  func learn(_ triggers: String) {
    let text = Array("{\"triggers\":[\(triggers)]}".utf8)
    service.learn(JSONView(text.span))
    settle()
  }

  /// Two seconds of a quiet room, and then somebody speaks for two.
  func speak() {
    sound.capture.value = 3
    sound.capture.hear(100)
    settle()
    sound.capture.value = 8_000
    for _ in 0..<10 {
      sound.capture.hear(10)
      settle()
    }
  }
}

struct WakeServiceTests {
  @Test("a phrase of the gateway is heard, and what was said with it goes on to who understands commands")
  func hears() {
    let bench = Bench("computer")
    #expect(bench.service.canListen)
    bench.start()
    #expect(bench.sound.microphone.use == .wake)
    bench.speak()
    #expect(bench.owner.phrases.first == "computer")
    #expect(bench.owner.blocks == 200)
    #expect(bench.service.heard == UInt64(bench.owner.phrases.count) && bench.service.lost == 0)
  }

  @Test("another list takes effect at once; one without any vector closes the microphone")
  func lists() {
    let bench = Bench("hey kitchen")
    bench.start()
    // None of the usual ones has a vector here.
    #expect(!bench.sound.capture.isOpen)
    bench.learn(#""Hey, Kitchen!","nobody""#)
    #expect(bench.sound.capture.isOpen)
    bench.speak()
    #expect(bench.owner.phrases.first == "Hey, Kitchen!")
    bench.learn(#""nobody""#)
    #expect(!bench.sound.capture.isOpen)
  }

  @Test("the board's own phrases stand above the gateway's")
  func own() {
    let bench = Bench("hey kitchen", own: "nobody\nhey kitchen")
    bench.start()
    bench.learn(#""computer""#)
    bench.speak()
    #expect(bench.owner.phrases.first == "hey kitchen")
  }

  @Test("an empty list of the gateway is the usual one")
  func empty() {
    let bench = Bench("claude")
    bench.start()
    bench.learn(#""nobody""#)
    #expect(!bench.sound.capture.isOpen)
    bench.learn("")
    #expect(bench.sound.capture.isOpen)
  }

  @Test("without any vector the board does not claim that it listens")
  func claims() { #expect(!Bench().service.canListen) }

  @Test("while somebody else has the microphone nothing is heard")
  func turns() {
    let bench = Bench("computer")
    bench.start()
    bench.sound.want(.talk, ScriptedEar())
    bench.speak()
    #expect(bench.owner.phrases.isEmpty && bench.owner.blocks == 0)
    bench.sound.release(.talk)
    bench.speak()
    #expect(!bench.owner.phrases.isEmpty)
  }

  @Test("a worker that is behind for longer than there is memory loses what was said, and goes on")
  func behind() {
    let bench = Bench("computer")
    bench.start()
    bench.sound.capture.value = 8_000
    bench.sound.capture.hear(2 * Budget.wakeGatheredSamples / Budget.soundBlock)
    #expect(bench.service.lost >= UInt64(Budget.wakeGatheredSamples) - 2 * UInt64(Budget.soundBlock))
    bench.settle()
    bench.speak()
    #expect(!bench.owner.phrases.isEmpty)
  }

  @Test("stopped, it wants the microphone no more")
  func stops() {
    let bench = Bench("computer")
    bench.start()
    bench.service.stop()
    bench.settle()
    #expect(bench.service.isStopped && !bench.sound.capture.isOpen)
  }
}
