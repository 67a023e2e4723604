import Enrolment
import Runtime
import Voice

/// Reads `model.conf`, the description of a language's folder: `key = value` as in the configuration file, without
/// sections.
enum LanguageFile {
  private static let keys: [StaticString] = ["language", "name", "voices", "letters"]
  /// Letters that must not be followed by others to count, and combining marks that belong to the letter before them.
  private static let firstLetter: UInt32 = 0xAA, marks: ClosedRange<UInt32> = 0x300...0x36F

  static func parse(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> Language {
    var language = Language(tag: "", name: "", voices: [], letters: [])
    var seen: [String] = []
    for line in try ConfigurationFile.lines(bytes, file: file) {
      func fail(_ key: String?, _ reason: String) -> ConfigurationError {
        ConfigurationError(file: file, line: line.number, key: key, reason: reason)
      }
      guard let (key, value) = ConfigurationFile.pair(line.text) else { throw fail(nil, "expected key = value") }
      if !keys.contains(where: { String($0) == key }) { throw fail(key, "unknown key") }
      if seen.contains(key) { throw fail(key, "appears twice") }
      seen.append(key)
      if value.isEmpty { throw fail(key, "has no value; remove the line") }
      if let complaint = set(key, value, &language) { throw fail(key, complaint) }
    }
    for key in ["language", "voices"] where !seen.contains(key) {
      throw ConfigurationError(file: file, line: nil, key: key, reason: "is missing")
    }
    if language.name.isEmpty { language.name = language.tag }
    return language
  }

  /// What is wrong with the value, or nil.
  private static func set(_ key: String, _ value: String, _ language: inout Language) -> String? {
    switch key {
    case "language":
      language.tag = value
      return isName(value, limit: 35) ? nil : "must be a language's tag, such as de or pt-BR"
    case "name": return ConfigurationKey.text(value, limit: 63, &language.name)
    case "voices": return voices(value, &language.voices)
    default: return letters(value, &language.letters)
    }
  }

  /// ASCII letters, digits, hyphens and underscores; not a hyphen first, which a program would take for an option.
  private static func isName(_ text: String, limit: Int) -> Bool {
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), text.utf8.count <= limit else { return false }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
  }

  private static func voices(_ value: String, _ voices: inout [String]) -> String? {
    for word in value.utf8.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }) {
      let voice = String(decoding: Array(word), as: UTF8.self)
      guard isName(voice, limit: 63) else { return "\(voice) is no name of a voice: espeak-ng --voices tells them" }
      guard voices.count < Budget.languageVoices else { return "must name at most \(Budget.languageVoices) voices" }
      voices.append(voice)
    }
    return voices.isEmpty ? "must name a voice" : nil
  }

  private static func letters(_ value: String, _ letters: inout [ClosedRange<UInt32>]) -> String? {
    for scalar in value.unicodeScalars where scalar.value > 0x20 {
      let letter = PhraseText.small(scalar.value)
      guard letter >= firstLetter, !marks.contains(letter) else {
        return "must be letters beyond a to z, each of them one character: \(String(Character(scalar))) is none"
      }
      guard letters.count < Budget.languageLetters else { return "must be at most \(Budget.languageLetters) letters" }
      letters.append(letter...letter)
    }
    return nil
  }
}
