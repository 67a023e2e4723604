@testable import talon

/// Reads configurations with sections `[tool NAME]`.
enum HandConfiguration {
  static func parse(_ text: String) throws -> Configuration {
    try ConfigurationFile.checked(Array(text.utf8), file: "f")
  }

  /// What is wrong with it; nil: nothing.
  static func complaint(_ text: String) -> String? {
    do {
      _ = try parse(text)
      return nil
    } catch {
      return (error as? ConfigurationError)?.text
    }
  }
}
