import Foundation
import Voice

/// Words that sound like a phrase and are none, by what espeak-ng would say.
struct NearWords {
  private let words: [(text: String, sounds: [UInt8])]

  /// Takes espeak-ng 20 s for fifty thousand words, so it is done once for many phrases.
  init(_ words: [String]) throws {
    self.words = Array(zip(words, try Self.sounds(of: words)).map { ($0, $1) })
  }

  /// The `count` nearest to a phrase, without those whose sounds contain it.
  func find(_ phrase: String, count: Int) throws -> [String] {
    guard count > 0 else { return [] }
    let target = try Self.sounds(of: [phrase])[0]
    let ranked = words.filter { !Self.contains($0.sounds, target) }
      .map { (word: $0.text, distance: Self.distance($0.sounds, target)) }
      .sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
    return ranked.prefix(count).map(\.word)
  }

  private static func sounds(of words: [String]) throws -> [[UInt8]] {
    let list = FileManager.default.temporaryDirectory.appendingPathComponent("talon-\(UUID().uuidString).txt")
      .path
    defer { try? FileManager.default.removeItem(atPath: list) }
    // Each a sentence, so that each has a line.
    try words.map { $0 + ".\n\n" }.joined().write(toFile: list, atomically: true, encoding: .utf8)
    let output = String(
      decoding: try HostProgram.run("espeak-ng", ["-q", "-v", "en-us", "-x", "-f", list]), as: UTF8.self)
    let lines = output.split(separator: "\n").map { sounds(of: $0) }.filter { !$0.isEmpty }
    guard lines.count == words.count else {
      throw SoundFile.Failure(description: "espeak-ng has \(lines.count) lines for \(words.count) words")
    }
    return lines
  }

  /// The first and the second half of a phrase's words; of one word nothing, as its sound is cut instead.
  static func parts(of phrase: String) -> [String] {
    let words = phrase.split(separator: " ").map(String.init)
    guard words.count > 1 else { return [] }
    return [words.dropLast().joined(separator: " "), words.dropFirst().joined(separator: " ")]
  }

  /// Without marks of stress and length, and without pauses.
  private static func sounds(of line: Substring) -> [UInt8] {
    line.utf8.filter { $0 > 0x20 && !"',:_;=|-%".utf8.contains($0) }
  }

  private static func contains(_ long: [UInt8], _ short: [UInt8]) -> Bool {
    guard !short.isEmpty, long.count >= short.count else { return false }
    return (0...(long.count - short.count)).contains { long[$0..<($0 + short.count)].elementsEqual(short) }
  }

  /// How many sounds must change, by the longer of the two (V. I. Levenshtein, 1965).
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Double {
    var row = Array(0...b.count)
    for (index, sound) in a.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for place in b.indices {
        let next = min(row[place] + 1, row[place + 1] + 1, diagonal + (sound == b[place] ? 0 : 1))
        (diagonal, row[place + 1]) = (row[place + 1], next)
      }
    }
    return Double(row[b.count]) / Double(max(a.count, b.count, 1))
  }
}
