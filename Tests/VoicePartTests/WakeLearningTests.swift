import Enrolment
import Runtime
import Simulated
import Testing
import Voice
@testable import Agent
@testable import Benches
@testable import CameraPart
@testable import Node
@testable import ScreenPart
@testable import SensePart
@testable import VoicePart

/// Learns when the test says so.
private final class FakeTeacher: PhraseTeacher {
  private(set) var asked: [String] = []
  private(set) var calledBack = 0
  var refuses = false
  private var delegate: (any PhraseTeacherDelegate)?
  var isReleased = true

  func learn(_ phrase: UnsafeBufferPointer<UInt8>, _ delegate: any PhraseTeacherDelegate) -> Bool {
    asked.append(String(decoding: phrase, as: UTF8.self))
    guard !refuses else { return false }
    (self.delegate, isReleased) = (delegate, false)
    return true
  }

  func cancel() {
    if delegate != nil { calledBack += 1 }
    (delegate, isReleased) = (nil, true)
  }

  private func end() -> (any PhraseTeacherDelegate)? {
    defer { (delegate, isReleased) = (nil, true) }
    return delegate
  }

  func goOn(_ permille: Int) { delegate?.teachingProgressed(permille) }

  func fail(_ reason: String) { end()?.teachingFailed(InlineText(cutting: reason)) }

  /// It has learned this phrase, which is heard by everything.
  func teach(_ text: String) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    let weights = [Float](repeating: 0, count: WakeDetector.weights)
    let size = Array(text.utf8).withUnsafeBufferPointer {
      PhraseFile.write(PhraseText($0)!, threshold: 0, bias: 1, weights: weights, into: bytes)!
    }
    end()?.taught(UnsafeRawBufferPointer(rebasing: bytes[..<size]), TeachingVoices(heard: 9, checked: 10))
  }

  func teachRubbish() { [1, 2, 3].withUnsafeBytes { end()?.taught($0, TeachingVoices(heard: 1, checked: 1)) } }
}

@Suite("Phrases that the board learns by itself") struct WakeLearningTests {
  private let teacher = FakeTeacher()
  private let store = MemoryStore()

  private func bench(_ own: String, known: String = "computer") -> WakeBench {
    let bench = WakeBench(known, own: own, learned: EnrolledPhrases(store), teacher: teacher)
    bench.start()
    return bench
  }

  private func status(_ bench: WakeBench) -> String { bench.text { bench.service.writeStatus(to: &$0) } }

  @Test("a phrase without a vector is learned, kept, heard and told, without a restart; the others are heard meanwhile")
  func learns() {
    let bench = bench("computer\nPurple, Dragon!")
    #expect(teacher.asked == ["purple dragon"] && bench.sound.capture.isOpen)
    #expect(!bench.logs("cannot detect"))
    teacher.goOn(430)
    #expect(
      status(bench).contains(
        #""phrases":["computer"],"deaf":[],"learning":["Purple, Dragon!"],"retried":[],"learntPermille":430"#))
    #expect(
      bench.text { bench.service.writeScores(to: &$0) }.contains(#"{"phrase":"Purple, Dragon!","isLearnt":true}"#))
    #expect(bench.service.hardware.state == .ok && bench.service.hardware.detail != nil)
    teacher.teach("purple dragon")
    bench.settle()
    #expect(
      status(bench).contains(
        #""phrases":["computer","Purple, Dragon!"],"deaf":[],"learning":[],"retried":[],"sources":["builtIn","spelling"]"#
      ))
    #expect(
      bench.logs(
        "\"Purple, Dragon!\" is learned from its spelling in 0 s: 9 of 10 words of voices kept aside are heard; by flite's voice alone"
      ))
    #expect(bench.service.hardware.detail == nil)
    bench.speak()
    #expect(bench.delegate.phrases.contains("Purple, Dragon!"))
    // After a restart it is known.
    let after = self.bench("purple dragon")
    #expect(teacher.asked.count == 1 && status(after).contains(#""sources":["spelling"]"#))
  }

  @Test("several are learned one after the other, in the order of the list")
  func several() {
    let bench = bench("one two\ncomputer\nthree four")
    teacher.teach("one two")
    bench.settle()
    #expect(teacher.asked == ["one two", "three four"])
    teacher.teach("three four")
    bench.settle()
    #expect(bench.service.known == 0b111)
  }

  @Test("what fails is told and tried again with patience, and given up in the end")
  func timeout() {
    let bench = bench("computer\npurple dragon")
    teacher.fail("its process was ended by signal 9")
    #expect(
      bench.logs(
        "\"purple dragon\" could not be learned from its spelling: its process was ended by signal 9; it is tried again in 5 s"
      ))
    #expect(status(bench).contains(#""retried":["purple dragon"]"#) && bench.service.hardware.state == .error)
    bench.pass(4_900)
    #expect(teacher.asked.count == 1)
    var pause = Budget.spellingRetryMilliseconds
    for count in 2...Budget.spellingTries {
      bench.pass(pause)
      #expect(teacher.asked.count == count)
      teacher.fail("no")
      pause *= Budget.spellingRetryFactor
    }
    #expect(bench.logs("could not be learned from its spelling: no; talon listen --enrol"))
    #expect(status(bench).contains(#""deaf":["purple dragon"],"learning":[]"#) && bench.service.nextDeadline == nil)
    bench.pass(100_000_000)
    #expect(teacher.asked.count == Budget.spellingTries)
  }

  @Test("one that cannot be begun is tried again, too")
  func refused() {
    teacher.refuses = true
    let bench = bench("purple dragon")
    #expect(bench.logs("it cannot be begun; it is tried again in 5 s"))
    teacher.refuses = false
    bench.pass(5_000)
    teacher.teach("purple dragon")
    bench.settle()
    #expect(bench.service.known == 1)
  }

  @Test("what no voice pronounces is named at once, and nobody is asked")
  func foreign() {
    let bench = bench("computer\nпривет мир")
    #expect(
      teacher.asked.isEmpty
        && bench.logs("\"привет мир\": it has no vector, and letters that no voice of this board pronounces"))
    #expect(status(bench).contains(#""deaf":["привет мир"],"learning":[]"#))
  }

  @Test("in another language its letters are spoken, as they are written, and those that it has not are named")
  func otherLanguage() {
    let german = Language(
      tag: "de", name: "German", voices: ["de"], letters: [0xE4...0xE4, 0xF6...0xF6, 0xFC...0xFC, 0xDF...0xDF])
    let bench = WakeBench(
      "computer", own: "Schönen Tag!\nžluť", learned: EnrolledPhrases(store), teacher: teacher, language: german)
    bench.start()
    #expect(
      bench.logs("phrases are learned as they are said in German")
        && status(bench).contains(#""language":"German","phrases":[]"#))
    #expect(teacher.asked == ["schönen tag"])
    #expect(bench.logs("\"žluť\": it has no vector, and letters that no voice of this board pronounces"))
    // A vector is of the phrase as it is compared.
    teacher.teach("schonen tag")
    bench.settle()
    #expect(status(bench).contains(#""phrases":["Schönen Tag!"],"deaf":["žluť"]"#))
  }

  @Test("a model that is of no use is told everywhere, and what is known is heard all the same")
  func brokenModel() {
    let bench = WakeBench(
      "computer", own: "computer\npurple dragon", learned: EnrolledPhrases(store),
      modelTrouble: "/models/de/model.conf: no such file")
    bench.start()
    #expect(bench.logs("[wake] model: /models/de/model.conf: no such file: no phrase is learned from its spelling"))
    #expect(
      status(bench).contains(
        #""modelTrouble":"/models/de/model.conf: no such file","phrases":["computer"],"deaf":["purple dragon"]"#))
    #expect(bench.service.hardware.state == .error && bench.sound.capture.isOpen)
    bench.speak()
    #expect(bench.delegate.phrases.contains("computer"))
  }

  @Test("one syllable is learned with a warning")
  func short() {
    let bench = bench("go")
    #expect(teacher.asked == ["go"] && bench.logs("\"go\" has one syllable"))
  }

  @Test("without a teacher a phrase is only named")
  func without() {
    let bench = WakeBench("computer", own: "computer\npurple dragon", learned: EnrolledPhrases(store))
    bench.start()
    #expect(
      bench.logs("cannot detect \"purple dragon\": it has no vector; talon listen --enrol learns it"))
    #expect(status(bench).contains(#""deaf":["purple dragon"],"learning":[]"#))
  }

  @Test("another list calls back who learns what nobody wants any more, and lets go on what it has too")
  func lists() {
    let bench = WakeBench("computer", learned: EnrolledPhrases(store), teacher: teacher)
    bench.start()
    bench.learn(#""computer","purple dragon""#)
    // "openclaw" and "claude" were begun with.
    #expect(teacher.asked == ["openclaw", "purple dragon"] && teacher.calledBack == 1)
    bench.learn(#""Purple Dragon!","computer","one two""#)
    #expect(teacher.asked.count == 2 && teacher.calledBack == 1)
    teacher.teach("purple dragon")
    bench.settle()
    #expect(bench.service.known == 0b11 && teacher.asked.last == "one two")
    bench.learn(#""computer""#)
    #expect(teacher.calledBack == 2 && status(bench).contains(#""learning":[]"#))
  }

  @Test("what the owner said three times meanwhile stays")
  func recorded() throws {
    let bench = bench("purple dragon")
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Budget.wakeFileBytes, alignment: 8)
    defer { bytes.deallocate() }
    _ = Array("purple dragon".utf8).withUnsafeBufferPointer {
      PhraseFile.write(
        PhraseText($0)!, threshold: 7, bias: 1, weights: [Float](repeating: 0, count: WakeDetector.weights), into: bytes
      )
    }
    try EnrolledPhrases(store).put(try PhraseFile(UnsafeRawBufferPointer(bytes)))
    teacher.teach("purple dragon")
    bench.settle()
    #expect(status(bench).contains(#""sources":["recordings"]"#) && bench.service.thresholds.floats[0] == 7)
  }

  @Test("rubbish is not kept, and another phrase's vector neither")
  func rubbish() {
    let bench = bench("purple dragon")
    teacher.teachRubbish()
    bench.settle()
    #expect(bench.logs("what was made is no phrase") && store.saves == 0)
    bench.pass(5_000)
    teacher.teach("something else")
    bench.settle()
    #expect(store.saves == 0 && bench.service.known == 0)
  }

  @Test("a flash that refuses is tried again without learning anew")
  func fullFlash() {
    let bench = bench("purple dragon")
    store.failure = .system(.noSpace)
    teacher.teach("purple dragon")
    bench.settle()
    #expect(bench.logs("cannot be written to flash") && bench.service.known == 0)
    bench.pass(1_000)
    store.failure = nil
    bench.pass(2_000)
    #expect(bench.service.known == 1 && teacher.asked.count == 1 && store.saves == 1)
  }

  @Test("stopped, it learns no more")
  func stops() {
    let bench = bench("purple dragon")
    bench.service.stop()
    bench.settle()
    #expect(teacher.calledBack == 1 && bench.service.isStopped && bench.service.nextDeadline == nil)
    bench.pass(100_000)
    #expect(teacher.asked.count == 1)
  }
}
