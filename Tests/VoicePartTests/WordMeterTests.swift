import Codec
import Foundation
import Runtime
import Talk
import Testing
@testable import Agent
@testable import Benches
@testable import VoicePart

/// A microphone at which a person looks, on a board with a recognizer.
private final class MeterBench {
  let sound = SoundBench()
  let speech = FakeSpeech()
  let meter: WordMeter

  init() throws {
    meter = try WordMeter(speech, silence: 700, leastConfidence: 0.4, clock: sound.clock)
    sound.microphone.words = meter
    speech.text = "turn on the light"
  }

  func look() {
    sound.microphone.watchLevels()
    sound.runner.run()
  }

  /// So many milliseconds of a quiet room.
  func rest(_ milliseconds: Int) {
    sound.capture.value = 3
    sound.capture.hear(milliseconds / 20)
  }

  func speak(_ milliseconds: Int) {
    sound.capture.value = 8_000
    sound.capture.hear(milliseconds / 20)
  }

  /// What a console is told of words.
  var report: [String: Any]? {
    let buffer = FixedBuffer(capacity: 16 * 1024)
    var writer = JSONWriter(into: buffer.bytes)
    sound.microphone.writeReport(to: &writer)
    let report = try? JSONSerialization.jsonObject(with: Data(buffer.bytes[..<writer.count])) as? [String: Any]
    return report?["words"] as? [String: Any]
  }

  var state: String? { report?["state"] as? String }
}

@Suite("What the recognizer makes of what the microphone hears")
struct WordMeterTests {
  @Test("while a person looks, each utterance is understood, from before its first word until they are silent")
  func understands() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    #expect(bench.state == "listens" && bench.report?["text"] == nil && bench.speech.prepared == 0)
    bench.speak(600)
    // The model is loaded while somebody speaks.
    #expect(bench.state == "hears" && bench.speech.prepared == 1)
    bench.rest(720)
    #expect(bench.state == "understands")
    let count = try #require(bench.speech.recognized.first)
    #expect((600 + 700 + 400) * 16...(600 + 720 + 500) * 16 ~= count)
    bench.speech.finish()
    bench.sound.clock.advance(250)
    let report = try #require(bench.report)
    #expect(report["state"] as? String == "listens" && report["text"] as? String == "turn on the light")
    #expect(report["isEnough"] as? Bool == true && report["age"] as? Int == 250)
    #expect(abs((report["confidence"] as? Double ?? 0) - 0.9) < 1e-6)
    bench.speech.confidence = 0.3
    bench.speak(600)
    bench.rest(720)
    bench.speech.finish()
    #expect(bench.report?["isEnough"] as? Bool == false)
    bench.speech.text = " "
    bench.speak(600)
    bench.rest(720)
    bench.speech.finish()
    #expect(bench.report?["text"] as? String == "" && bench.report?["confidence"] == nil)
    #expect(bench.speech.recognized.count == 3 && bench.speech.cancelled == 0)
  }

  @Test("somebody who listens for a phrase has the microphone meanwhile, and hears all of it")
  func along() throws {
    let bench = try MeterBench()
    let wake = ScriptedListener()
    bench.sound.want(.wake, wake)
    bench.rest(1_000)
    bench.speak(600)
    bench.rest(1_000)
    // Nobody looks.
    #expect(bench.speech.prepared == 0 && bench.report == nil)
    bench.look()
    bench.rest(1_000)
    bench.speak(600)
    bench.rest(720)
    bench.speech.finish()
    #expect(bench.report?["text"] as? String == "turn on the light")
    #expect(wake.blocks == (1_000 + 600 + 1_000 + 1_000 + 600 + 720) / 20)
  }

  @Test("when nobody looks any more it is forgotten, and what is being understood is called back")
  func ends() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    bench.speak(600)
    bench.rest(720)
    bench.speech.finish()
    bench.speak(600)
    bench.rest(720)
    bench.sound.pass(2_000)
    bench.sound.capture.hear(1)
    bench.sound.pass(1_000)
    #expect(bench.meter.state == nil && bench.speech.cancelled == 1 && !bench.sound.capture.isOpen)
    bench.look()
    bench.rest(200)
    let report = try #require(bench.report)
    #expect(report.count == 1 && report["state"] as? String == "listens")
  }

  @Test("panic forgets it at once, and what is being understood is called back")
  func held() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    bench.speak(600)
    bench.rest(720)
    bench.sound.microphone.hold()
    #expect(bench.speech.cancelled == 1 && bench.report == nil)
    bench.speech.finish()
    bench.look()
    bench.sound.microphone.letGo()
    bench.sound.runner.run()
    bench.rest(200)
    #expect(bench.report?["text"] == nil && bench.state == "listens")
  }

  @Test("what has a gap in it is no utterance")
  func gap() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    bench.speak(600)
    bench.sound.capture.reads = [.success(.gap)]
    bench.sound.capture.delegate?.soundReady()
    #expect(bench.state == "listens")
    bench.rest(1_000)
    #expect(bench.speech.recognized.isEmpty)
  }

  @Test("who does not stop is understood so far, and no memory grows")
  func limit() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    let longest = Int(Budget.meterUtteranceMilliseconds)
    bench.speak(longest - 100)
    #expect(bench.state == "hears")
    bench.speak(1_000)
    #expect(bench.state == "understands")
    let count = try #require(bench.speech.recognized.first)
    #expect(count <= (longest + 500) * 16 && count >= longest * 16)
  }

  @Test("a recognizer that cannot is told, and not loaded for each utterance twice")
  func failure() throws {
    let bench = try MeterBench()
    bench.look()
    bench.rest(1_000)
    bench.speak(600)
    bench.rest(720)
    bench.speech.fail("the board's own recognizer cannot load its model: no mdef")
    #expect(bench.report?["failure"] as? String == "the board's own recognizer cannot load its model: no mdef")
    bench.speech.text = nil
    bench.speak(600)
    bench.rest(720)
    #expect(bench.report?["failure"] as? String == "the board's own recognizer cannot be started")
    #expect(bench.speech.prepared == 1 && bench.speech.recognized.count == 2)
  }

  @Test("whoever talks with the board has the recognizer at once; nothing that a person only looked at goes anywhere")
  func givesWay() throws {
    let bench = try VoiceBench(hasRecognizer: true)
    let meter = try #require(bench.service.words)
    bench.speech.text = "a secret"
    func hear(_ samples: [Int16]) {
      for start in stride(from: 0, to: samples.count, by: 320) {
        samples[start..<(start + 320)].withUnsafeBufferPointer { meter.tapHeard($0) }
      }
    }
    func speak() { hear(VoiceBench.tone(600) + [Int16](repeating: 0, count: 720 * 16)) }
    meter.begin()
    speak()
    bench.speech.finish()
    #expect(meter.state == .listens && bench.outbox.count == 0 && bench.service.isIdle)
    var lines: [String] = []
    bench.desk.log.forEachLine { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(!lines.contains { $0.contains("secret") || $0.contains("understood") })
    speak()
    #expect(meter.state == .understands)
    bench.invoke("1", "once")
    #expect(meter.state == .yields && bench.speech.cancelled == 1)
    speak()
    #expect(bench.speech.recognized.count == 2)
    bench.speech.text = "water the plants"
    bench.say(700, silence: 2_100)
    bench.speech.finish()
    #expect(bench.answers() == [#"1: {"transcript":"water the plants","status":"offline"}"#])
    #expect(meter.state == .listens)
    meter.end()
    #expect(meter.state == nil)
  }

  @Test("a board that must not talk understands nothing for who looks either")
  func off() throws {
    #expect(try VoiceBench(hasRecognizer: true) { $0.isEnabled = false }.service.words == nil)
    #expect(try VoiceBench().service.words == nil)
  }
}
