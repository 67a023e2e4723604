import ArgumentParser
import Foundation
import Runtime
import Voice

/// Makes a bank of real speech.
struct BankCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bank",
    abstract: "Makes the bank of other speech from which `enrol` tells a phrase apart.",
    discussion: """
      Recordings are WAV, or whatever ffmpeg reads. A text file of the same name beside one, as in a.wav and a.txt, is \
      its transcript: what contains a phrase is left out when that phrase is enrolled, for it would be taken for what \
      must not be heard.
      """)

  @Option(name: .shortAndLong, help: "The file to make.")
  var output: String

  @Argument(help: "Recordings, or folders of them.")
  var files: [String]

  @Option(
    help: """
      Hours of speech that the file has at most; of what is more it keeps the covariance. 1.05 is 2 MB, which is what \
      is built in.
      """
  )
  var hours = 1.05

  func validate() throws {
    guard 0.05...24 ~= hours else { throw ValidationError("--hours must be 0.05 to 24") }
  }

  func run() throws {
    let embedder = try Embedder()
    var recordings: [BankMaker.Recording] = []
    for file in try SoundFile.files(in: files) {
      let text = URL(fileURLWithPath: file).deletingPathExtension().path + ".txt"
      let transcript =
        FileManager.default.contents(atPath: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
      let vectors = embedder.vectors(of: SoundFile.integers(try SoundFile.read(file))).map(\.vector)
      if vectors.count >= Budget.wakeVectors { recordings.append(.init(vectors: vectors, transcript: transcript)) }
    }
    let steps = recordings.map(\.vectors.count).reduce(0, +)
    guard steps > 1500 else { throw ValidationError("less than two minutes of speech") }
    var maker = BankMaker(of: recordings)
    // Where not all of it has room, recordings from the beginning to the end: each actor has a part of both.
    let share = min(1, hours * 3600 / 0.08 / Double(steps))
    for (index, recording) in recordings.enumerated() where Int(Double(index + 1) * share) > Int(Double(index) * share)
    {
      if maker.hours < hours { maker.add(recording) }
    }
    try maker.data().write(to: URL(fileURLWithPath: output))
    print(
      String(
        format: "%d recordings, %.2f hours, of which %.2f are in the file", recordings.count,
        Double(steps) * 0.08 / 3600, maker.hours))
  }
}
