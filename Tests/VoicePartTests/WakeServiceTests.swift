import Codec
import Enrolment
import Runtime
import Simulated
import Sound
import Testing
import Voice
@testable import Agent
@testable import Benches
@testable import VoicePart

/// Hears of phrases.
final class Owner: WakeDelegate {
  private(set) var blocks = 0
  private(set) var phrases: [String] = []

  func microphoneHeard(_ block: UnsafeBufferPointer<Int16>) { blocks += 1 }
  func woke(_ phrase: Span<UInt8>) {
    phrases.append(phrase.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }
}

/// A board that has a vector for each of these, which fires as soon as anything was heard for long enough: its score is
/// 1, its threshold 0.
final class WakeBench {
  let sound = SoundBench()
  let waking = QueuedRunner()
  let writing = QueuedRunner()
  let delegate = Owner()
  let log: Log
  let service: WakeService

  init(
    _ phrases: String..., own: String = "", cautions: [PhraseCaution] = [], store: any RecordStore = MemoryStore(),
    learned: EnrolledPhrases? = nil,
    teacher: (any PhraseTeacher)? = nil, language: Language = .english, modelTrouble: String = ""
  ) {
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
    settings.cautions = cautions
    let bank = PhraseBank(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    log = Log(level: .info, output: nil, clock: sound.clock)
    var parts = WakeParts(settings: settings, model: VoiceModel.builtIn!, banks: [bank], runner: waking, store: store)
    parts.enrolled = learned
    parts.teacher = teacher
    (parts.language, parts.modelTrouble) = (language, modelTrouble)
    service = WakeService(
      parts,
      microphone: sound.microphone, runner: writing, clock: sound.clock, log: log)
    service.delegate = delegate
  }

  func start() {
    service.start()
    settle()
  }

  func settle() {
    waking.run()
    sound.runner.run()
    waking.run()
    writing.run()
  }

  /// Time passes in which nobody speaks.
  func pass(_ milliseconds: Int64) {
    sound.clock.advance(milliseconds)
    service.advance(to: sound.clock.monotonic)
    settle()
  }

  func logs(_ text: String) -> Bool {
    var isThere = false
    log.forEachLine { if String(decoding: $0, as: UTF8.self).contains(text) { isThere = true } }
    return isThere
  }

  /// What a report says.
  func text(_ write: (inout JSONWriter) -> Void) -> String {
    let buffer = FixedBuffer(capacity: 16 * 1024)
    var writer = JSONWriter(into: buffer.bytes)
    write(&writer)
    return String(decoding: buffer.bytes[..<writer.count], as: UTF8.self)
  }

  var names: [String] { (0..<service.phrases.count).map { String(decoding: service.phrases[$0], as: UTF8.self) } }

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
    let bench = WakeBench("computer")
    #expect(bench.service.canListen)
    bench.start()
    #expect(bench.sound.microphone.use == .wake)
    bench.speak()
    #expect(bench.delegate.phrases.first == "computer")
    #expect(bench.delegate.blocks == 200)
    #expect(bench.service.heard == UInt64(bench.delegate.phrases.count) && bench.service.lost == 0)
  }

  @Test("another list takes effect at once; one without any vector closes the microphone")
  func lists() {
    let bench = WakeBench("hey kitchen")
    bench.start()
    // None of the usual ones has a vector here.
    #expect(!bench.sound.capture.isOpen)
    bench.learn(#""Hey, Kitchen!","nobody""#)
    #expect(bench.sound.capture.isOpen)
    bench.speak()
    #expect(bench.delegate.phrases.first == "Hey, Kitchen!")
    bench.learn(#""nobody""#)
    #expect(!bench.sound.capture.isOpen)
  }

  @Test(
    "a phrase that somebody teaches the board is heard as soon as that is told, without a restart, and forgotten alike")
  func learned() throws {
    let store = MemoryStore()
    let bench = WakeBench("computer", learned: EnrolledPhrases(store))
    bench.start()
    bench.learn(#""hey kitchen","nobody""#)
    #expect(!bench.sound.capture.isOpen)
    // Another program writes the same record.
    let teacher = EnrolledPhrases(store)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    _ = Array("hey kitchen".utf8).withUnsafeBufferPointer { text in
      PhraseFile.write(
        PhraseText(text)!, threshold: 0, bias: 1, weights: [Float](repeating: 0, count: WakeDetector.weights),
        into: bytes)
    }
    try teacher.put(try PhraseFile(UnsafeRawBufferPointer(bytes)))
    func tell(_ phrase: String) -> Bool {
      defer { bench.settle() }
      return Array(phrase.utf8).withUnsafeBufferPointer { bench.service.learned($0) }
    }
    // As phrases are compared.
    #expect(tell("Hey, Kitchen!"))
    bench.speak()
    #expect(bench.delegate.phrases.first == "hey kitchen")
    #expect(!tell("hey cellar"))
    #expect(bench.sound.capture.isOpen)
    let isForgotten = try Array("hey kitchen".utf8).withUnsafeBufferPointer { try teacher.remove(PhraseText($0)!) }
    #expect(isForgotten && tell("hey kitchen"))
    #expect(!bench.sound.capture.isOpen)
  }

  @Test("the board's own phrases stand above the gateway's")
  func own() {
    let bench = WakeBench("hey kitchen", own: "nobody\nhey kitchen")
    bench.start()
    bench.learn(#""computer""#)
    bench.speak()
    #expect(bench.delegate.phrases.first == "hey kitchen")
  }

  @Test("an empty list of the gateway is the usual one")
  func empty() {
    let bench = WakeBench("claude")
    bench.start()
    bench.learn(#""nobody""#)
    #expect(!bench.sound.capture.isOpen)
    bench.learn("")
    #expect(bench.sound.capture.isOpen)
  }

  @Test("without any vector the board does not claim that it listens")
  func claims() { #expect(!WakeBench().service.canListen) }

  @Test("while somebody else has the microphone nothing is heard")
  func turns() {
    let bench = WakeBench("computer")
    bench.start()
    bench.sound.want(.talk, ScriptedListener())
    bench.speak()
    #expect(bench.delegate.phrases.isEmpty && bench.delegate.blocks == 0)
    bench.sound.release(.talk)
    bench.speak()
    #expect(!bench.delegate.phrases.isEmpty)
  }

  @Test("while the board speaks it does not hear itself, and not what it said just before")
  func ownSpeech() {
    let bench = WakeBench("computer")
    bench.start()
    bench.sound.capture.value = 8_000
    bench.sound.capture.hear(60)
    bench.sound.want(.playback, nil)
    bench.settle()
    #expect(!bench.sound.capture.isOpen)
    let before = bench.delegate.phrases.count
    bench.sound.release(.playback)
    // As long as the pause of node-commands 6.4, and of what was said before nothing counts.
    bench.sound.capture.value = 8_000
    bench.sound.capture.hear(18)
    bench.settle()
    #expect(bench.delegate.blocks == 78 && bench.delegate.phrases.count == before)
    bench.speak()
    #expect(bench.delegate.phrases.count > before)
  }

  @Test("behind a command nothing wakes for as long as the pause of node-commands 6.4")
  func cooldown() {
    let bench = WakeBench("computer")
    bench.start()
    bench.speak()
    let before = bench.delegate.phrases.count
    bench.sound.want(.talk, ScriptedListener())
    bench.speak()
    bench.sound.release(.talk)
    bench.sound.capture.value = 8_000
    bench.sound.capture.hear(18)
    bench.settle()
    #expect(bench.delegate.phrases.count == before)
  }

  @Test("a caution is of one phrase, as phrases are compared; one that is of no phrase is told")
  func cautions() throws {
    let computer = try #require(PhraseCaution(Array("Computer!".utf8), caution: 2))
    let typo = try #require(PhraseCaution(Array("compter".utf8), caution: 2))
    let bench = WakeBench("computer", "claude", own: "computer\nclaude", cautions: [computer, typo])
    bench.start()
    bench.speak()
    #expect(Set(bench.delegate.phrases) == ["claude"])
    #expect(bench.service.thresholds.floats[0] == 2 && bench.service.thresholds.floats[1] == 0)
    #expect(bench.logs("\"compter\" is not among the phrases"))
    #expect(!bench.logs("\"computer\" is not among the phrases"))
  }

  @Test("what is no phrase has no caution", arguments: ["", "!?", String(repeating: "a", count: 65)])
  func noCaution(text: String) { #expect(PhraseCaution(Array(text.utf8), caution: 1) == nil) }

  @Test("who looks sees each phrase's best score of two seconds beside the one it needs")
  func scores() {
    let bench = WakeBench("computer", own: "computer\nnobody")
    #expect(bench.text { bench.service.writeScores(to: &$0) } == #"{"isAwake":false,"phrases":[]}"#)
    bench.start()
    let quiet = #"{"isAwake":false,"phrases":[{"phrase":"computer","threshold":0},{"phrase":"nobody"}]}"#
    #expect(bench.text { bench.service.writeScores(to: &$0) } == quiet)
    bench.speak()
    #expect(
      bench.text { bench.service.writeScores(to: &$0) }
        == #"{"isAwake":true,"phrases":[{"phrase":"computer","threshold":0,"score":1},{"phrase":"nobody"}]}"#)
    bench.sound.capture.value = 0
    bench.sound.capture.hear(100)
    bench.settle()
    bench.pass(Budget.wakeScoreMilliseconds)
    bench.sound.capture.hear(10)
    bench.settle()
    #expect(bench.text { bench.service.writeScores(to: &$0) } == quiet)
  }

  @Test("a phrase without a vector is named in the log and in the status, and told by the health")
  func deaf() {
    let bench = WakeBench("computer", own: "computer\nnobody")
    #expect(bench.service.hardware.state == .absent)
    bench.start()
    #expect(bench.logs("cannot detect \"nobody\""))
    #expect(
      bench.text { bench.service.writeWake(to: &$0) }
        == #"{"heard":0,"lostMs":0,"phrases":["computer"],"deaf":["nobody"],"learning":[],"retried":[],"sources":["builtIn"]}"#
    )
    #expect(bench.service.hardware.state == .error)
    let well = WakeBench("computer", own: "computer")
    well.start()
    #expect(well.service.hardware.state == .ok)
    let none = WakeBench("computer", own: "nobody")
    none.start()
    #expect(none.service.hardware.state == .error)
  }

  @Test("a worker that is behind for longer than there is memory loses what was said, and goes on")
  func behind() {
    let bench = WakeBench("computer")
    bench.start()
    bench.sound.capture.value = 8_000
    bench.sound.capture.hear(2 * Budget.wakeGatheredSamples / Budget.soundBlock)
    #expect(bench.service.lost >= UInt64(Budget.wakeGatheredSamples) - 2 * UInt64(Budget.soundBlock))
    bench.settle()
    bench.speak()
    #expect(!bench.delegate.phrases.isEmpty)
  }

  @Test("stopped, it wants the microphone no more")
  func stops() {
    let bench = WakeBench("computer")
    bench.start()
    bench.service.stop()
    bench.settle()
    #expect(bench.service.isStopped && !bench.sound.capture.isOpen)
  }
}
