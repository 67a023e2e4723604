import Enrolment
import Foundation
import Runtime
import Testing

@testable import Board

private final class Pupil: PhraseTeacherOwner {
  var parts: [Int] = []
  var files: [(bytes: [UInt8], voices: TeachingVoices)] = []
  var reasons: [String] = []

  func teacherGoesOn(_ permille: Int) { parts.append(permille) }
  func taught(_ file: UnsafeRawBufferPointer, _ voices: TeachingVoices) { files.append((Array(file), voices)) }
  func notTaught(_ reason: InlineText<192>) {
    reasons.append(ChildBench.text(reason.span))
  }

  var isTold: Bool { !files.isEmpty || !reasons.isEmpty }
}

/// A teacher whose process is a script.
private final class Bench: ChildBench {
  let owner = Pupil()
  private(set) var teacher: SpellingTeacher! = nil

  init(_ script: String, model: String = "") throws {
    try super.init()
    teacher = SpellingTeacher(
      espeak: "none", model: model, program: "/bin/sh", words: ["sh", "-c", script, "learner"], loop: loop, clock: clock, log: log)
  }

  func learn(_ text: String = "purple dragon") -> Bool { Array(text.utf8).withUnsafeBufferPointer { teacher.learn($0, owner) } }
}

@Suite("Phrases learnt in a process of their own") struct SpellingTeacherTests {
  @Test("the phrase goes to the process, its progress is told, and what it made comes when it has ended")
  func learns() throws {
    let bench = try Bench("text=$(cat); echo part 250; echo part 1000; echo some words; echo taught 19 20 7 $(printf '%s' \"$text $1\" | base64)")
    #expect(bench.teacher.isReleased && bench.learn() && !bench.teacher.isReleased)
    // One at a time.
    #expect(!bench.learn())
    #expect(try bench.wait { bench.owner.isTold })
    #expect(bench.owner.parts == [250, 1000] && bench.owner.reasons.isEmpty)
    let file = try #require(bench.owner.files.first)
    #expect(String(decoding: file.bytes, as: UTF8.self) == "purple dragon none" && file.voices == TeachingVoices(heard: 19, checked: 20, espeak: 7))
    #expect(bench.teacher.isReleased && bench.learn("another"))
    #expect(try bench.wait { bench.owner.files.count == 2 })
  }

  @Test(
    "one that crashes, fails, says rubbish or too much has taught nothing, and why is told",
    arguments: [
      ("kill -KILL $$", "its process was ended by signal 9"),
      ("echo part 10; kill -SEGV $$", "its process was ended by signal 11"),
      ("echo oops >&2; exit 70", "its process ended with exit code 70: oops"),
      ("echo failed the voices say next to nothing", "the voices say next to nothing"),
      ("exit 0", "what it says is no phrase"),
      ("echo taught 3 2 0 aGVsbG8=", "what it says is no phrase"),
      ("echo taught 1 2 0 a$$$", "what it says is no phrase"),
      ("echo taught 1 2 0 aGVsbG8=; exit 1", "its process ended with exit code 1"),
      ("echo 'taught 99999999999999999999 1 0 aGVsbG8='", "what it says is no phrase"),
      ("echo part 9999; echo part x", "what it says is no phrase"),
      ("echo taught 1 2 0 $(head -c 1000000 /dev/zero | base64 -w 0)", "what it says is no phrase"),
    ])
  func bad(script: String, reason: String) throws {
    let bench = try Bench(script)
    #expect(bench.learn())
    #expect(try bench.wait { bench.owner.isTold })
    #expect(bench.owner.reasons == [reason] && bench.owner.files.isEmpty && bench.owner.parts.allSatisfy { $0 == 10 })
    #expect(bench.teacher.isReleased)
  }

  @Test("one that is silent for too long is ended, also when it does not listen; its progress buys it time")
  func hangs() throws {
    let bench = try Bench("trap '' INT; echo part 500; while :; do sleep 100; done")
    #expect(bench.learn())
    bench.clock.leap += Budget.spellingSilenceMilliseconds - 1_000
    #expect(try bench.wait { !bench.owner.parts.isEmpty })
    bench.clock.leap += 2_000
    #expect(try bench.wait { true })
    #expect(!bench.owner.isTold)
    bench.clock.leap += Budget.spellingSilenceMilliseconds
    #expect(try bench.wait { bench.owner.isTold })
    #expect(bench.owner.reasons == ["nothing was heard of it for ten minutes"] && bench.teacher.isReleased)
  }

  @Test("one that is called back tells nothing more, and ends with what it runs")
  func cancelled() throws {
    let bench = try Bench("sleep 100; echo taught 1 1 0 aGVsbG8=")
    #expect(bench.learn())
    bench.teacher.cancel()
    #expect(!bench.learn())
    #expect(try bench.wait { bench.teacher.isReleased })
    #expect(!bench.owner.isTold && bench.learn())
    bench.teacher.cancel()
    #expect(try bench.wait { bench.teacher.isReleased })
  }

  @Test("the folder of another language's model goes to the process as well")
  func model() throws {
    let bench = try Bench("cat > /dev/null; echo taught 1 1 1 $(printf '%s' \"$*\" | base64)", model: "/models/de")
    #expect(bench.learn())
    #expect(try bench.wait { bench.owner.isTold })
    #expect(bench.owner.files.first.map { String(decoding: $0.bytes, as: UTF8.self) } == "none --model /models/de")
  }

  @Test("a program that is not there is no teacher")
  func missing() throws {
    let loop = try Loop(clock: SystemClock())
    let teacher = SpellingTeacher(espeak: "auto", program: "/no/such", loop: loop, clock: SystemClock(), log: Log(level: .debug, output: nil))
    let owner = Pupil()
    #expect(!Array("hello".utf8).withUnsafeBufferPointer { teacher.learn($0, owner) } && teacher.isReleased)
  }
}
