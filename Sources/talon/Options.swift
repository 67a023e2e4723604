/// The words after the command.
struct Options {
  private(set) var configurationPath = ConfigurationFile.defaultPath
  private(set) var wantsHelp = false
  private(set) var replaces = false
  private(set) var words: [String] = []
  private(set) var discovery = DiscoverCommand.Options()

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
      default:
        if word.utf8.first == UInt8(ascii: "-") {
          throw Failure(.usage, "talon \(usage.command) does not know \(word)")
        }
        words.append(word)
      }
    }
    if wantsHelp { return }
    if usage.command == "config" {
      guard words == ["check"] else { throw Failure(.usage, "expected: talon config check") }
    } else if words.count > (replaces || usage.command == "pair" ? 1 : 0) {
      throw Failure(.usage, "talon \(usage.command) does not take \"\(words.last!)\"")
    }
  }
}
