import Runtime
/// `[wake]`.
struct WakeConfiguration {
  /// A phrase with its own threshold.
  struct Caution: Equatable {
    var phrase: String
    /// Tenths, added to the value for all phrases.
    var tenths: Int
  }

  /// True when wake phrases are detected.
  var isEnabled = false
  /// The board's own phrases instead of the gateway's, separated by commas.
  var phrases = ""
  /// A file with more vectors of phrases, made by `talon-lab enrol`; empty for the built-in ones.
  var file = ""
  /// The folder with the model of another language; empty for English, which is built in.
  var model = ""
  /// True when phrases without a vector are learned from their spelling.
  var learns = true
  /// The program of espeak-ng: "auto", "none" or a path.
  var espeak = "auto"
  /// Tenths by which the score of a phrase must be above its threshold.
  var caution = 0
  var cautions: [Caution] = []
}

extension ConfigurationKey {
  /// Keys of `[wake]`.
  static let wake: [ConfigurationKey] = [
    ConfigurationKey(section: "wake", name: "enabled") { bool($1, &$0.wake.isEnabled) },
    ConfigurationKey(section: "wake", name: "phrases") { text($1, limit: 1024, &$0.wake.phrases) },
    ConfigurationKey(section: "wake", name: "file", isFileOnly: true) { path($1, &$0.wake.file) },
    ConfigurationKey(section: "wake", name: "model", isFileOnly: true) { path($1, &$0.wake.model) },
    ConfigurationKey(section: "wake", name: "learn") { bool($1, &$0.wake.learns) },
    ConfigurationKey(section: "wake", name: "espeak", isFileOnly: true) { configuration, value in
      configuration.wake.espeak = value
      if value == "auto" || value == "none" { return nil }
      return path(value, &configuration.wake.espeak) == nil ? nil : "must be auto, none or an absolute path"
    },
    ConfigurationKey(section: "wake", name: "caution") { configuration, value in
      guard let tenths = tenths(value) else { return "must be a whole number from -100 to 100" }
      configuration.wake.caution = tenths
      return nil
    },
    ConfigurationKey(section: "wake", name: "cautions") { cautions($1, &$0.wake.cautions) },
  ]

  private static func tenths(_ text: String) -> Int? {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    guard let tenths = decimal(isNegative ? String(text.dropFirst()) : text), tenths <= 100 else { return nil }
    return isNegative ? -Int(tenths) : Int(tenths)
  }

  /// Phrases and their tenths, such as "hey kitchen -5, computer 10".
  private static func cautions(_ value: String, _ target: inout [WakeConfiguration.Caution]) -> String? {
    for part in Array(value.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard target.count < Budget.wakePhrases else { return "must name at most \(Budget.wakePhrases) phrases" }
      let text = trimmed(part)
      guard let blank = text.utf8.lastIndex(where: { $0 == 0x20 || $0 == 0x09 }) else {
        return "\"\(text)\" must be a phrase, a blank and a number, as computer -5"
      }
      let number = String(text[text.utf8.index(after: blank)...])
      guard let tenths = tenths(number) else {
        return "\"\(text)\": \(number) must be a whole number from -100 to 100"
      }
      let phrase = trimmed(Array(text.utf8[..<blank])[...])
      guard isPhrase(phrase) else {
        return "\"\(phrase)\" must be words of at most \(Budget.wakePhraseUnits) characters"
      }
      target.append(WakeConfiguration.Caution(phrase: phrase, tenths: tenths))
    }
    return nil
  }
}
