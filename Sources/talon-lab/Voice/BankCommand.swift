import ArgumentParser
import Foundation
import Runtime
import Voice

/// Makes a bank of real speech.
struct BankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bank",
    abstract: "Makes the bank of real speech from which `enrol` tells a phrase.",
    discussion: """
      Recordings are WAV, or whatever ffmpeg reads. A text file of the same name beside one, as in a.wav and a.txt, is its transcript: \
      what contains a phrase is left out when that phrase is enrolled, for it would be taken for what must not be heard.
      """)

  @Option(name: .shortAndLong, help: "The file to make.")
  var output: String

  @Argument(help: "Recordings, or folders of them.")
  var files: [String]

  /// Vectors that the components are made of: every so many are enough.
  private static let thinning = 7

  func run() throws {
    let embedder = try Embedder()
    var recordings: [(vectors: [[Float]], transcript: String)] = []
    for file in try SoundFile.files(in: files) {
      let text = URL(fileURLWithPath: file).deletingPathExtension().path + ".txt"
      let transcript =
        FileManager.default.contents(atPath: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let vectors = embedder.vectors(of: SoundFile.integers(try SoundFile.read(file))).map(\.vector)
      if vectors.count >= Budget.wakeVectors { recordings.append((vectors, transcript)) }
    }
    let all = recordings.flatMap(\.vectors)
    guard all.count > 1000 else { throw ValidationError("less than two minutes of speech") }
    var bank = SpeechBank(
      componentsOf: all.enumerated().filter { $0.offset % Self.thinning == 0 }.map(\.element))
    for recording in recordings { bank.add(recording.vectors, transcript: recording.transcript) }
    try bank.write(to: output)
    print(String(format: "%d recordings, %.2f hours", recordings.count, bank.hours))
  }
}
