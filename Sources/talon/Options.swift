/// The words after the command.
struct Options {
  private(set) var configurationPath = ConfigurationFile.defaultPath
  private(set) var wantsHelp = false
  private(set) var replaces = false
  private(set) var words: [String] = []
  private(set) var discovery = DiscoverCommand.Options()
  private var values: [(name: String, value: String)] = []

  /// Reads the words that `usage` allows.
  init(_ arguments: [String], _ usage: Usage) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--config" where usage.takesConfiguration:
        guard let path = rest.popFirst() else { throw Failure(.usage, "--config needs a file") }
        configurationPath = path
      case "--replace" where usage.command == "trust": replaces = true
      case "--json" where usage.command == "discover": discovery.isJSON = true
      case "--seconds" where usage.command == "discover": try discovery.setSeconds(rest.popFirst())
      case "--domain" where usage.command == "discover": try discovery.setDomain(rest.popFirst())
      case "--" where usage.words.upperBound > 0:
        words += rest
        rest = []
      default:
        if usage.values.contains(word) {
          guard let value = rest.popFirst() else { throw Failure(.usage, "\(word) needs a value") }
          values.append((word, value))
          continue
        }
        if word.utf8.first == UInt8(ascii: "-") {
          throw Failure(.usage, "talon \(usage.command) does not know \(word)")
        }
        words.append(word)
      }
    }
    if wantsHelp { return }
    if usage.command == "config" {
      guard words == ["check"] else { throw Failure(.usage, "expected: talon config check") }
      return
    }
    if words.count < usage.words.lowerBound {
      throw Failure(.usage, "talon \(usage.command) needs more words; see talon \(usage.command) --help")
    }
    if words.count > (replaces || usage.command == "pair" ? 1 : usage.words.upperBound) {
      throw Failure(.usage, "talon \(usage.command) does not take \"\(words.last!)\"")
    }
  }

  /// The value of an option; the last one counts.
  func value(_ name: String) -> String? {
    for option in values.reversed() where option.name == name { return option.value }
    return nil
  }
}
