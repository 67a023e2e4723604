import Enrolment
import Foundation
import Runtime
import Testing

@testable import Board

private final class Pupil: PhraseTeacherDelegate {
  var parts: [Int] = []
  var files: [(bytes: [UInt8], voices: TeachingVoices)] = []
  var reasons: [String] = []

  func teachingProgressed(_ permille: Int) { parts.append(permille) }
  func taught(_ file: UnsafeRawBufferPointer, _ voices: TeachingVoices) { files.append((Array(file), voices)) }
  func teachingFailed(_ reason: InlineText<192>) {
    reasons.append(ChildBench.text(reason.span))
  }

  var isTold: Bool { !files.isEmpty || !reasons.isEmpty }
}

/// A teacher whose process is a script.
private final class Bench: ChildBench {
  let delegate = Pupil()
  private(set) var teacher: SpellingTeacher! = nil

  init(_ script: String, model: String = "") throws {
    try super.init()
    teacher = SpellingTeacher(
      espeak: "none", model: model, program: "/bin/sh", words: ["sh", "-c", script, "learner"], loop: loop,
      clock: clock, log: log)
  }

  func learn(_ text: String = "purple dragon") -> Bool {
    Array(text.utf8).withUnsafeBufferPointer { teacher.learn($0, delegate) }
  }
}

@Suite("Phrases learned in a process of their own") struct SpellingTeacherTests {
  @Test("the phrase goes to the process, its progress is reported, and what it made comes when it has ended")
  func learns() throws {
    let bench = try Bench(
      "text=$(cat); echo part 250; echo part 1000; echo some words; echo taught 19 20 7 $(printf '%s' \"$text $1\" | base64)"
    )
    #expect(bench.teacher.isReleased && bench.learn() && !bench.teacher.isReleased)
    // One at a time.
    #expect(!bench.learn())
    #expect(try bench.wait { bench.delegate.isTold })
    #expect(bench.delegate.parts == [250, 1000] && bench.delegate.reasons.isEmpty)
    let file = try #require(bench.delegate.files.first)
    #expect(
      String(decoding: file.bytes, as: UTF8.self) == "purple dragon none"
        && file.voices == TeachingVoices(heard: 19, checked: 20, espeak: 7))
    #expect(bench.teacher.isReleased && bench.learn("another"))
    #expect(try bench.wait { bench.delegate.files.count == 2 })
  }

  @Test(
    "one that crashes, fails, says rubbish or too much has taught nothing, and why is told",
    arguments: [
      ("kill -KILL $$", "its process was ended by signal 9"),
      ("echo part 10; kill -SEGV $$", "its process was ended by signal 11"),
      ("echo oops >&2; exit 70", "its process ended with exit code 70: oops"),
      ("echo failed the voices say next to nothing", "the voices say next to nothing"),
      ("exit 0", "the learning process sent no valid phrase"),
      ("echo taught 3 2 0 aGVsbG8=", "the learning process sent no valid phrase"),
      ("echo taught 1 2 0 a$$$", "the learning process sent no valid phrase"),
      ("echo taught 1 2 0 aGVsbG8=; exit 1", "its process ended with exit code 1"),
      ("echo 'taught 99999999999999999999 1 0 aGVsbG8='", "the learning process sent no valid phrase"),
      ("echo part 9999; echo part x", "the learning process sent no valid phrase"),
      ("echo taught 1 2 0 $(head -c 1000000 /dev/zero | base64 -w 0)", "the learning process sent no valid phrase"),
    ])
  func bad(script: String, reason: String) throws {
    let bench = try Bench(script)
    #expect(bench.learn())
    #expect(try bench.wait { bench.delegate.isTold })
    #expect(
      bench.delegate.reasons == [reason] && bench.delegate.files.isEmpty && bench.delegate.parts.allSatisfy { $0 == 10 }
    )
    #expect(bench.teacher.isReleased)
  }

  @Test("a process that sends nothing for too long is ended, also when it ignores signals; progress extends the time")
  func hangs() throws {
    let bench = try Bench("trap '' INT; echo part 500; while :; do sleep 100; done")
    #expect(bench.learn())
    bench.clock.leap += Budget.spellingSilenceMilliseconds - 1_000
    #expect(try bench.wait { !bench.delegate.parts.isEmpty })
    bench.clock.leap += 2_000
    #expect(try bench.wait { true })
    #expect(!bench.delegate.isTold)
    bench.clock.leap += Budget.spellingSilenceMilliseconds
    #expect(try bench.wait { bench.delegate.isTold })
    #expect(bench.delegate.reasons == ["the learning process sent nothing for ten minutes"] && bench.teacher.isReleased)
  }

  @Test("one that is called back tells nothing more, and ends with what it runs")
  func cancelled() throws {
    let bench = try Bench("sleep 100; echo taught 1 1 0 aGVsbG8=")
    #expect(bench.learn())
    bench.teacher.cancel()
    #expect(!bench.learn())
    #expect(try bench.wait { bench.teacher.isReleased })
    #expect(!bench.delegate.isTold && bench.learn())
    bench.teacher.cancel()
    #expect(try bench.wait { bench.teacher.isReleased })
  }

  @Test("the folder of another language's model goes to the process as well")
  func model() throws {
    let bench = try Bench("cat > /dev/null; echo taught 1 1 1 $(printf '%s' \"$*\" | base64)", model: "/models/de")
    #expect(bench.learn())
    #expect(try bench.wait { bench.delegate.isTold })
    #expect(bench.delegate.files.first.map { String(decoding: $0.bytes, as: UTF8.self) } == "none --model /models/de")
  }

  @Test("a program that is not there is no teacher")
  func missing() throws {
    let loop = try Loop(clock: SystemClock())
    let teacher = SpellingTeacher(
      espeak: "auto", program: "/no/such", loop: loop, clock: SystemClock(), log: Log(level: .debug, output: nil))
    let delegate = Pupil()
    #expect(!Array("hello".utf8).withUnsafeBufferPointer { teacher.learn($0, delegate) } && teacher.isReleased)
  }
}
