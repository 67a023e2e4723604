import Foundation
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Board
@testable import Enrolment

/// A program that stands where espeak-ng would.
final class FakeProgram {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("talon-program-\(UUID().uuidString)")
  var path: String { folder.appendingPathComponent("espeak-ng").path }

  init(_ script: String) throws {
    signal(SIGPIPE, SIG_IGN)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("here=\(folder.path)\n\(script)\n".utf8).write(to: folder.appendingPathComponent("script"))
    try FileManager.default.createSymbolicLink(
      at: URL(fileURLWithPath: path), withDestinationURL: Repository.fixtures.appendingPathComponent("launch.sh"))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func text(_ name: String) -> String {
    String(
      decoding: FileManager.default.contents(atPath: folder.appendingPathComponent(name).path) ?? Data(), as: UTF8.self)
  }

  /// A recording of a tenth of a second at a rate, for a script to say.
  static func wave(rate: Int, in folder: URL) throws {
    let samples = rate / 10
    var bytes =
      Data("RIFF".utf8) + little(0x7FFF_F024, 4) + Data("WAVEfmt ".utf8) + little(16, 4) + little(1, 2) + little(1, 2)
    bytes +=
      little(rate, 4) + little(2 * rate, 4) + little(2, 2) + little(16, 2) + Data("data".utf8) + little(0x7FFF_F000, 4)
    for index in 0..<samples { bytes += little(index % 40 < 20 ? 8_000 : 57_536, 2) }
    try bytes.write(to: folder.appendingPathComponent("wave"))
  }

  private static func little(_ number: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }
}

@Suite("Synthetic voices for phrases") struct SpellingVoicesTests {
  private let manner = Manner(family: .espeak, voice: "en-us+m3", pace: 151.9, pitch: 40, bend: 1)

  @Test("flite speaks a phrase, slower and higher on request")
  func flite() throws {
    let voice = FlitePhraseVoice()
    let text = Array("purple dragon".utf8)
    let fast = try #require(voice.speak(text, Manner(family: .flite, voice: "", pace: 0.7, pitch: 1, bend: 1)))
    let slow = try #require(voice.speak(text, Manner(family: .flite, voice: "", pace: 1.2, pitch: 1, bend: 1)))
    #expect(slow.count > fast.count && fast.count > 4_000)
    #expect(voice.speak([], manner) == nil)
  }

  @Test(
    "the text is on the program's input and nowhere else, whatever stands in it",
    arguments: ["--help", "-w /etc/x", "$(reboot); `ls` | x", "ü"])
  func data(text: String) throws {
    let program = try FakeProgram("cat > $here/input; echo \"$@\" > $here/words; cat $here/wave")
    try FakeProgram.wave(rate: 22_050, in: program.folder)
    let voice = try #require(EspeakPhraseVoice(program: program.path))
    let samples = try #require(voice.speak(Array(text.utf8), manner))
    // A tenth of a second at our own rate.
    #expect(1_590...1_610 ~= samples.count && voice.complaint == nil)
    #expect(program.text("input") == text)
    #expect(program.text("words") == "--stdin --stdout -v en-us+m3 -s 151 -p 40\n")
  }

  @Test(
    "one that crashes, fails, says rubbish, nothing or too much says nothing, and why is known",
    arguments: [
      ("kill -SEGV $$", "it was ended by signal 11"), ("exit 4", "exit code 4"),
      ("echo rubbish", "its output is no WAV recording: it is not a WAV file (no RIFF and WAVE at its beginning)"),
      ("cat $here/wave | head -c 44", "its recording is empty"),
      ("true", "its output is no WAV recording: it ends before its samples"),
      ("cat /dev/zero", "its output is too long"),
      ("cat $here/wave; sleep 30", "it takes too long"), ("exec sleep 30", "it takes too long"),
    ])
  func bad(script: String, complaint: String) throws {
    let program = try FakeProgram(script)
    try FakeProgram.wave(rate: 22_050, in: program.folder)
    let voice = try #require(EspeakPhraseVoice(program: program.path, milliseconds: 300))
    #expect(voice.speak(Array("hello".utf8), manner) == nil)
    #expect(voice.complaint == complaint)
  }

  @Test("one that is not there says nothing; which one it is can be chosen")
  func missing() throws {
    let voice = try #require(EspeakPhraseVoice(program: "/no/such/program"))
    #expect(voice.speak(Array("hello".utf8), manner) == nil && voice.complaint != nil)
    #expect(SpellingServer.espeak("none") == nil)
    #expect(SpellingServer.espeak("/no/such/program") != nil)
  }
}
