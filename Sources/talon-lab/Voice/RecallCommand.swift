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
      accepts. `board/calls` and `board/voices --calls` leave such recordings. In brackets stand the bounds between \
      which the true value lies with 95 % confidence. The last line lets each phrase be heard wrongly once in two \
      hours of these recordings.
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
    var scores = vectors.names.map { _ in HeardScores() }
    var seconds = 0.0
    for file in try SoundFile.files(in: files) {
      let said = Self.words(of: file)
      let samples = SoundFile.integers(try SoundFile.read(file))
      seconds += Double(samples.count) / Double(Budget.voiceRate)
      // A listener has room for so many at once.
      for start in stride(from: 0, to: vectors.names.count, by: Budget.wakePhrases) {
        let part = start..<min(start + Budget.wakePhrases, vectors.names.count)
        let outcome = try vectors.part(part).listen(samples, caution: -1000, isGated: !ungated, record: true)
        for index in part {
          scores[index].add(outcome.scores[index - start], isSaid: said.contains(" \(vectors.names[index]) "))
        }
      }
    }
    try report(vectors, scores, hours: seconds / 3600)
  }

  private func report(_ vectors: PhraseSet, _ scores: [HeardScores], hours: Double) throws {
    let shipped = try vectors.thresholds().map { $0 + caution }
    let rare = Int(hours / 2)
    for (index, name) in vectors.names.enumerated() {
      print(Self.line(name, [scores[index]], [shipped[index]], hours))
    }
    print(String(format: "%d phrases in %.2f hours", vectors.names.count, hours))
    print(Self.line("as they are", scores, shipped, hours))
    print(Self.line("at one false accept in two hours", scores, scores.map { $0.threshold(falseAccepts: rare) }, hours))
  }

  /// How many were heard and how often one that nobody said, with the intervals of 95 % confidence.
  private static func line(_ name: String, _ scores: [HeardScores], _ thresholds: [Float], _ hours: Double) -> String {
    let pairs = zip(scores, thresholds)
    let said = scores.map(\.said.count).reduce(0, +)
    let heard = pairs.map { $0.heard(above: $1) }.reduce(0, +)
    let wrong = pairs.map { $0.falseAccepts(above: $1) }.reduce(0, +)
    let part = Confidence.part(heard, of: said)
    let (mean, time) = (Confidence.mean(wrong), max(hours, 1e-3) * Double(scores.count) / 2)
    return String(
      format:
        "%@: %d of %d heard, %.1f %% (%.1f to %.1f); %d false accepts, %.2f of a phrase in two hours (%.2f to %.2f)",
      name, heard, said, 100 * Double(heard) / Double(max(1, said)), 100 * part.lowerBound, 100 * part.upperBound,
      wrong, Double(wrong) / time, mean.lowerBound / time, mean.upperBound / time)
  }

  /// What is said in a recording, in small letters, with a space before and after each word.
  private static func words(of file: String) -> String {
    let text = URL(fileURLWithPath: file).deletingPathExtension().path + ".txt"
    let said = FileManager.default.contents(atPath: text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return " " + said.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" }.joined(separator: " ") + " "
  }
}
