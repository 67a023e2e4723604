import Foundation
import Runtime

/// Recordings of words and phrases by many voices: a folder for each, named by its text with "_" for a space.
struct RecordedWords {
  /// Of how many words each stands in `talk`, and samples between two of them.
  private static let talked = 3, pause = 1_000

  private let folder: String
  /// What is said in them.
  let texts: [String]

  init(_ folder: String) throws {
    self.folder = folder
    texts = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
      .map { $0.replacingOccurrences(of: "_", with: " ") }
  }

  /// 16 kHz, -1 to 1, without silence at their ends.
  func recordings(of text: String) throws -> [[Float]] {
    let name = text.replacingOccurrences(of: " ", with: "_")
    return try SoundFile.files(in: ["\(folder)/\(name)"]).map { Synthesizers.trim(try SoundFile.read($0)) }.filter { !$0.isEmpty }
  }

  /// Some of them, one behind the other and equally loud.
  func talk() throws -> [Float] {
    var talk: [Float] = []
    for text in texts {
      for said in try recordings(of: text).prefix(Self.talked) {
        let loudest = max(1e-3, said.map(abs).max() ?? 0)
        talk += said.map { 0.5 * $0 / loudest } + [Float](repeating: 0, count: Self.pause)
      }
    }
    return talk
  }
}
