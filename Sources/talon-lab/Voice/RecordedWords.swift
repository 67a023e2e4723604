import Foundation

/// Recordings of words and phrases by many voices: a folder for each, named by its text with "_" for a space. A file
/// whose name begins with "sentence-" has other words before it.
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
  func recordings(of text: String) throws -> [[Float]] { try read(text) { !$0.hasPrefix(Self.sentence) } }

  /// Sentences that end with it.
  func sentences(with text: String) throws -> [[Float]] { try read(text) { $0.hasPrefix(Self.sentence) } }

  private static let sentence = "sentence-"

  private func read(_ text: String, _ isWanted: (String) -> Bool) throws -> [[Float]] {
    guard texts.contains(text) else { return [] }
    return try SoundFile.files(in: [folder + "/" + text.replacingOccurrences(of: " ", with: "_")])
      .filter { isWanted(($0 as NSString).lastPathComponent) }
      .map { Synthesizers.trim(try SoundFile.read($0)) }.filter { !$0.isEmpty }
  }
}
