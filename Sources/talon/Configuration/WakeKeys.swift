import Runtime
#if TALON_SOUND
  import Agent
#endif

/// `[wake]`.
struct WakeConfiguration {
  /// A phrase of which one must be surer than of others, or less sure.
  struct Caution: Equatable {
    var phrase: String
    /// Tenths, on top of what holds for all.
    var tenths: Int
  }

  /// Phrases are listened for.
  var isEnabled = false
  /// The board's own phrases instead of the gateway's, with commas between them.
  var phrases = ""
  /// More vectors of phrases, which `talon-lab enrol` made; empty: those that are built in alone.
  var file = ""
  /// The folder of another language's model; empty: English, which is built in.
  var model = ""
  /// Phrases without a vector are learnt from their spelling.
  var learns = true
  /// The program of espeak-ng: "auto", "none" or a path.
  var espeak = "auto"
  /// Tenths by which a phrase must be above its threshold.
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

  /// Phrases and their tenths, as "hey kitchen -5, computer 10".
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
      guard isPhrase(phrase) else { return "\"\(phrase)\" must be words of at most \(Budget.wakePhraseUnits) characters" }
      target.append(WakeConfiguration.Caution(phrase: phrase, tenths: tenths))
    }
    return nil
  }

  private static func isPhrase(_ text: String) -> Bool {
    #if TALON_SOUND
      return PhraseCaution(text.utf8.map { $0 }, caution: 0) != nil
    #else
      return true
    #endif
  }
}
