import ArgumentParser
import Foundation
import Runtime
import Voice

/// Measures how many people are heard.
struct RecallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recall",
    abstract: "Counts how many recordings of each phrase are detected, and how often it is detected in others.",
    discussion: """
      Recordings are WAV, or whatever ffmpeg reads; what is said in them stands beside them in a text file, as in \
      a.wav and a.txt. A recording in which a phrase is said counts for its recall, and every other one for its false \
      accepts. `board/calls` leaves such recordings.
      """)

  @Option(name: .long, help: "A phrase that is built in, or a file of phrases; may be given many times.")
  var phrase: [String] = []

  @Option(help: "What is added to every phrase's threshold.")
  var caution: Float = 0

  @Flag(help: "Listen always, without the energy gate.")
  var ungated = false

  @Argument(help: "Recordings, or folders of them.")
  var files: [String]

  func run() throws {
    let vectors = try PhraseSet(phrase)
    guard !vectors.names.isEmpty else { throw ValidationError("say which phrases with --phrase") }
    var counts = vectors.names.map { _ in Counts() }
    var seconds = 0.0
    for file in try SoundFile.files(in: files) {
      let said = Self.words(of: file)
      let samples = SoundFile.integers(try SoundFile.read(file))
      seconds += Double(samples.count) / Double(Budget.voiceRate)
      // A listener has room for so many at once.
      for start in stride(from: 0, to: vectors.names.count, by: Budget.wakePhrases) {
        let part = start..<min(start + Budget.wakePhrases, vectors.names.count)
        let outcome = try vectors.part(part).listen(samples, caution: caution, isGated: !ungated)
        for index in part {
          let heard = outcome.detections.count { $0.phrase == index - start }
          counts[index].add(heard: heard, isSaid: said.contains(" \(vectors.names[index]) "))
        }
      }
    }
    report(vectors.names, counts, hours: seconds / 3600)
  }

  private struct Counts {
    var said = 0, heard = 0, wrong = 0

    mutating func add(heard count: Int, isSaid: Bool) {
      guard isSaid else { return wrong += count }
      said += 1
      heard += count > 0 ? 1 : 0
    }
  }

  private func report(_ names: [String], _ counts: [Counts], hours: Double) {
    for (name, count) in zip(names, counts) {
      print("\(name): \(count.heard) of \(count.said) heard, \(count.wrong) false accepts")
    }
    let (said, heard) = (counts.map(\.said).reduce(0, +), counts.map(\.heard).reduce(0, +))
    let wrong = counts.map(\.wrong).reduce(0, +)
    print(
      String(
        format: "%d phrases in %.2f hours: %d of %d heard, %.1f %%; %d false accepts, %.2f of one phrase in two hours",
        names.count, hours,
        heard, said, 100 * Double(heard) / Double(max(1, said)), wrong,
        2 * Double(wrong) / Double(names.count) / max(hours, 1e-3)))
  }

  /// What is said in a recording, in small letters, with a space before and after each word.
  private static func words(of file: String) -> String {
    let text = URL(fileURLWithPath: file).deletingPathExtension().path + ".txt"
    let said = FileManager.default.contents(atPath: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return " " + said.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.joined(separator: " ") + " "
  }
}
