import Foundation

/// Recordings of words and phrases by many voices: a folder for each, named by its text with "_" for a space.
struct RecordedWords {
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
}
