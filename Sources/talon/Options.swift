/// The words after the command, parsed according to its usage.
struct Options {
  private(set) var configurationPath = ConfigurationFile.defaultPath
  private(set) var wantsHelp = false
  private(set) var words: [String] = []
  private var flags: [String] = []
  private var values: [(name: String, value: String)] = []

  init(_ arguments: [String], _ usage: Usage) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--config" where usage.takesConfiguration:
        guard let path = rest.popFirst() else { throw Failure(.usage, "--config needs a file") }
        if path == "-" { throw Self.dash(word, usage) }
        configurationPath = path
      case "--" where usage.words.upperBound > 0:
        words += rest
        rest = []
      case _ where usage.flags.contains(word): flags.append(word)
      case _ where usage.values.contains(word):
        guard let value = rest.popFirst() else { throw Failure(.usage, "\(word) needs a value") }
        if value == "-", !usage.dashes.contains(word) { throw Self.dash(word, usage) }
        values.append((word, value))
      default:
        // One dash alone is standard input or output, where a command has that.
        if word == "-", !usage.dashes.contains(word) { throw Self.dash(nil, usage) }
        if word.utf8.first == UInt8(ascii: "-"), word != "-" {
          let near = Nearest.word(
            word, of: usage.flags + usage.values + (usage.takesConfiguration ? ["--config", "--help"] : ["--help"]))
          throw Failure(
            .usage, "talon \(usage.command) does not know \(word)" + (near.map { "; did you mean \($0)?" } ?? ""))
        }
        words.append(word)
      }
    }
    if wantsHelp { return }
    if words.count < usage.words.lowerBound {
      throw Failure(.usage, "talon \(usage.command) needs more words:\n\(usage.synopsis)")
    }
    if words.count > usage.words.upperBound {
      throw Failure(.usage, "talon \(usage.command) does not take \"\(words[usage.words.upperBound])\"")
    }
  }

  /// No command makes or reads a file of this name by mistake.
  private static func dash(_ option: String?, _ usage: Usage) -> Failure {
    let place = option.map { "talon \(usage.command) takes no - after \($0)" } ?? "talon \(usage.command) takes no -"
    return Failure(.usage, place + ": it uses no standard input or output there; a file of that name is ./-")
  }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option; the last one counts.
  func value(_ name: String) -> String? {
    for option in values.reversed() where option.name == name { return option.value }
    return nil
  }

  /// Every value of an option that may be repeated.
  func all(_ name: String) -> [String] {
    var all: [String] = []
    for option in values where option.name == name { all.append(option.value) }
    return all
  }
}
