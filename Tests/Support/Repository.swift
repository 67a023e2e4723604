import Foundation

/// Where tests find the files of the repository.
public enum Repository {
  /// The folder of the repository.
  public static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  /// The folder of what tests read.
  public static let fixtures = folder.appendingPathComponent("Tests/Fixtures")

  /// The path of a file of the repository.
  public static func path(_ file: String) -> String { folder.appendingPathComponent(file).path }

  /// A text of the repository.
  public static func text(_ file: String) throws -> String { try String(contentsOfFile: path(file), encoding: .utf8) }
}
