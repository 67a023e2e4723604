import Foundation
import Runtime
import Talk
import Testing

@testable import Board

private final class Waiting: RecognizerDelegate {
  var heard: [String] = []
  var confidences: [Float] = []
  var reasons: [String] = []

  func recognized(_ text: UnsafeBufferPointer<UInt8>, confidence: Float) {
    heard.append(String(decoding: text, as: UTF8.self))
    confidences.append(confidence)
  }

  func recognitionFailed(_ reason: InlineText<256>) {
    reasons.append(ChildBench.text(reason.span))
  }
}

/// A recognizer whose process is a script.
private final class Bench: ChildBench {
  let delegate = Waiting()
  private(set) var recognizer: SphinxRecognizer! = nil
  private let samples: UnsafeMutableBufferPointer<Int16>

  init(_ script: String, samples count: Int = 16_000, program: String = "/bin/sh") throws {
    samples = .allocate(capacity: count)
    samples.initialize(repeating: 7)
    try super.init()
    recognizer = SphinxRecognizer(
      folder: "/models/en", program: program, words: ["sh", "-c", script, "listener"], loop: loop, clock: clock,
      log: log)
  }

  deinit { samples.deallocate() }

  func speak() -> Bool { recognizer.recognize(UnsafeBufferPointer(samples), delegate) }

  /// Reads utterances, and tells how many bytes each had, and who read it.
  static let reader = """
    echo ready
    while length=$(dd bs=1 count=4 2> /dev/null | od -An -tu4 | tr -d ' ') && [ -n "$length" ]; do
      echo "text 873 $(head -c $((2 * length)) | wc -c) of $$ $1"
    done
    """
}

@Suite("The board's own recognizer") struct SphinxTests {
  @Test(
    "utterances go to one process, which is loaded while somebody begins to speak, and ends when nobody has for a while"
  )
  func utterances() throws {
    // The longest there is: more than a pipe holds.
    let bench = try Bench(Bench.reader, samples: SphinxSpeech.samples)
    #expect(bench.recognizer.isReleased)
    bench.recognizer.prepare()
    #expect(!bench.recognizer.isReleased)
    #expect(bench.speak())
    // One at a time.
    #expect(!bench.speak())
    #expect(try bench.wait { bench.delegate.heard.count == 1 })
    #expect(bench.speak())
    #expect(try bench.wait { bench.delegate.heard.count == 2 })
    #expect(bench.delegate.heard[0].hasPrefix("\(2 * SphinxSpeech.samples) of "))
    #expect(bench.delegate.heard[0].hasSuffix(" /models/en"))
    #expect(bench.delegate.heard[0] == bench.delegate.heard[1] && bench.delegate.confidences == [0.873, 0.873])
    bench.clock.leap += Budget.recognizerLingerMilliseconds - 5_000
    #expect(try bench.wait { true })
    #expect(!bench.recognizer.isReleased && bench.delegate.reasons.isEmpty)
    bench.recognizer.release()
    #expect(try bench.wait { bench.recognizer.isReleased })
  }

  @Test("the process ends after a while without speech, or on request")
  func givenBack() throws {
    let bench = try Bench(Bench.reader)
    #expect(bench.speak())
    #expect(try bench.wait { bench.delegate.heard.count == 1 })
    bench.clock.leap += Budget.recognizerLingerMilliseconds
    #expect(try bench.wait { bench.recognizer.isReleased })
    bench.recognizer.prepare()
    bench.recognizer.release()
    // Somebody who speaks while it ends gets the next one.
    #expect(bench.speak())
    #expect(try bench.wait { bench.delegate.heard.count == 2 })
    bench.recognizer.release()
    #expect(try bench.wait { bench.recognizer.isReleased })
    #expect(bench.delegate.reasons.isEmpty)
  }

  @Test("speech that begins while the process ends starts the next one")
  func wantedAgain() throws {
    let bench = try Bench(Bench.reader)
    #expect(bench.speak())
    bench.recognizer.cancel()
    bench.recognizer.prepare()
    #expect(try bench.wait { bench.lines.contains { $0.contains("has loaded its model") } })
    #expect(!bench.recognizer.isReleased && bench.delegate.heard.isEmpty && bench.delegate.reasons.isEmpty)
    // Whom nobody wants any more is not followed by another.
    bench.recognizer.release()
    bench.recognizer.prepare()
    bench.recognizer.release()
    #expect(try bench.wait { bench.recognizer.isReleased })
  }

  @Test("a model that makes the library give up is reported with its last words, and the next utterance is another try")
  func damagedModel() throws {
    let bench = try Bench("echo 'FATAL: \"tmat.c\", line 1: no matrix' >&2; exit 1")
    for count in 1...2 {
      #expect(bench.speak())
      #expect(try bench.wait { bench.delegate.reasons.count == count })
    }
    #expect(
      bench.delegate.reasons[1]
        == "the board's own recognizer cannot load its model: FATAL: \"tmat.c\", line 1: no matrix"
    )
    #expect(bench.lines.contains { $0.contains("no matrix") })
  }

  @Test("one that crashes says by which signal")
  func crash() throws {
    let bench = try Bench("echo ready; kill -SEGV $$")
    #expect(bench.speak())
    #expect(try bench.wait { bench.delegate.reasons.count == 1 })
    #expect(bench.delegate.reasons == ["the board's own recognizer broke off: signal 11"])
  }

  @Test("one that takes too long is ended; what was called back is heard no more of")
  func timeout() throws {
    let bench = try Bench("echo ready; sleep 100")
    #expect(bench.speak())
    bench.clock.leap += Budget.recognizerTimeoutMilliseconds
    #expect(try bench.wait { bench.delegate.reasons.count == 1 && bench.recognizer.isReleased })
    #expect(bench.delegate.reasons == ["the board's own recognizer takes too long"])
    #expect(bench.speak())
    bench.recognizer.cancel()
    #expect(try bench.wait { bench.recognizer.isReleased })
    #expect(bench.delegate.heard.isEmpty && bench.delegate.reasons.count == 1)
  }

  @Test("lines without a text, without a number or without an end are no words")
  func nonsense() throws {
    let bench = try Bench(
      """
      echo ready; dd bs=1 count=4 > /dev/null 2>&1
      echo text; echo 'text x'; echo 'text 12'; echo; head -c 100000 /dev/zero; echo; echo 'text 9999999 it';
      echo 'text 1234 it'; sleep 100
      """, samples: 10)
    #expect(bench.speak())
    #expect(try bench.wait { bench.delegate.heard.count == 1 })
    #expect(bench.delegate.heard == ["it"] && bench.delegate.confidences == [1])
    bench.recognizer.release()
    #expect(try bench.wait { bench.recognizer.isReleased })
  }

  @Test("a process that cannot be started fails at once")
  func missing() throws {
    let bench = try Bench("", program: "/no/such/program")
    #expect(!bench.speak() && bench.recognizer.isReleased)
    #expect(bench.lines.contains { $0.contains("cannot be started") })
  }
}

@Suite("The model of the board's own recognizer") struct SphinxModelTests {
  /// A folder that looks like a model, and is removed after the test.
  private func make(_ body: (URL) throws -> Void) throws {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)")
    let folder = root.appendingPathComponent("en")
    defer { try? FileManager.default.removeItem(at: root) }
    try FileManager.default.createDirectory(at: folder.appendingPathComponent("en"), withIntermediateDirectories: true)
    let files = [
      ("en/feat.params", "-lowerf 130\n"), ("en/mdef", "BMDF"), ("en/means", "s3\nversion"),
      ("en/variances", "s3\nversion"),
      ("en/transition_matrices", "s3\nversion"), ("en/sendump", "x"), ("en.lm.bin", "Trie Language Model!"),
      ("en.dict", "a AH\n"),
    ]
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    try body(folder)
  }

  private func complaint(_ folder: URL) -> String? {
    do throws(SphinxModelError) {
      _ = try SphinxModel(folder: folder.path)
      return nil
    } catch {
      return error.text
    }
  }

  @Test("a folder with all its files is one")
  func whole() throws {
    try make { folder in
      let model = try SphinxModel(folder: folder.path + "//")
      #expect(model.acoustic == folder.path + "/en" && model.dictionary == folder.path + "/en.dict")
      #expect(model.bytes > 50)
    }
  }

  @Test("what is missing, empty or something else is told by its name")
  func damaged() throws {
    try make { folder in
      for name in [
        "en/feat.params", "en/mdef", "en/means", "en/variances", "en/transition_matrices", "en/sendump", "en.lm.bin",
        "en.dict",
      ] {
        let file = folder.appendingPathComponent(name)
        let bytes = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        #expect(complaint(folder) == "\(file.path): no such file or directory")
        try Data().write(to: file)
        #expect(complaint(folder) == "\(file.path): it is empty")
        try bytes.write(to: file)
        #expect(complaint(folder) == nil)
      }
      let file = folder.appendingPathComponent("en/mdef")
      try "BMD".write(to: file, atomically: true, encoding: .utf8)
      #expect(complaint(folder) == "\(file.path): it does not begin as such a file does")
    }
    #expect(complaint(URL(fileURLWithPath: "/no/such/model")) == "/no/such/model: no such folder")
  }

  @Test("one that is larger than a board has memory for is not loaded")
  func large() throws {
    try make { folder in
      let file = try FileHandle(forWritingTo: folder.appendingPathComponent("en.lm.bin"))
      try file.truncate(atOffset: UInt64(Budget.speechModelBytes))
      try file.close()
      #expect(complaint(folder)?.hasSuffix("no more than \(Budget.speechModelBytes) are loaded") == true)
    }
  }
}
