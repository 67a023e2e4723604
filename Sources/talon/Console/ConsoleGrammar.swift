import Terminal

/// The grammar of the console: which words may follow each other, and the text of `help`.
struct ConsoleGrammar {
  /// Commands that only the console has.
  static let own = ["help", "status", "clear", "exit", "logout"]
  /// Commands of talon that are useless here, or need root and other people's files.
  private static let elsewhere = ["run", "console", "import", "ssh-identity"]

  /// Every command.
  let commands: [String]
  private let helpful: [String]
  private let keys: [String]
  private let sections: [String]
  let hasShell: Bool

  init(hasShell: Bool) {
    self.hasShell = hasShell
    var commands = Self.own
    for usage in Usage.all where !Self.elsewhere.contains(usage.command) && !commands.contains(usage.command) {
      commands.append(usage.command)
    }
    if hasShell { commands.append("shell") }
    commands.sort { Self.isBefore($0, $1) }
    self.commands = commands
    var helpful: [String] = []
    for usage in Usage.all { helpful.append(usage.command) }
    self.helpful = helpful
    var (keys, sections): ([String], [String]) = ([], [])
    for key in ConfigurationKey.all {
      if !key.isFileOnly { keys.append("\(key.section).\(key.name)") }
      if !sections.contains(key.section) { sections.append(key.section) }
    }
    for key in CameraKeys.all { keys.append("camera.\(key.name)") }
    (self.keys, self.sections) = (keys, sections)
  }

  private static func isBefore(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    for index in 0..<min(one.count, other.count) where one[index] != other[index] { return one[index] < other[index] }
    return one.count < other.count
  }

  /// The usage of a command of talon; nil for the console's own and unknown ones.
  func usage(_ command: String) -> Usage? {
    if Self.elsewhere.contains(command) { return nil }
    return Usage.named(command)
  }

  /// Words that may follow these.
  func words(after context: [String]) -> [String] {
    var context = context
    if context.first == "talon" { context.removeFirst() }
    switch (context.first, context.count) {
    case (nil, _): return commands
    case ("help", 1): return helpful
    case ("config", 1): return ["check", "hash-pin", "set", "show", "unset"]
    case ("config", 2):
      return context[1] == "show" ? sections : context[1] == "set" || context[1] == "unset" ? keys : []
    case ("connect", _): return []
    case ("open", 1): return ["no", "yes"]
    case ("log", 1): return ["follow", "level"]
    case ("log", 2): return context[1] == "level" ? ["debug", "error", "info", "notice", "warning"] : []
    case ("panic", 1): return ["release"]
    case ("photos", 1): return ["delete"]
    case ("agent", 1): return ["chat", "export", "forget", "import", "search", "status"]
    case ("chat", 1): return ["agents", "sessions", "--agent", "--attach-photo", "--new", "--session", "--verbose"]
    case ("camera", 1): return ["controls", "list", "modes", "snap"]
    case ("gateway", 1): return ["approvals"]
    case ("gateway", 2): return context[1] == "approvals" ? ["no", "yes"] : []
    case ("grants", 1): return ["end", "give", "no", "yes"]
    case ("grants", 2): return Self.grantWords(context[1])
    case ("grants", 3): return Self.grantLengths(context[1])
    case ("tools", 1): return ["test"]
    case ("update", 1): return ["cancel", "check", "confirm", "rollback", "status"]
    case ("gps", 1): return ["track", "--once", "--json", "--forget", "--help"]
    case ("imu", 1): return ["calibrate", "probe"]
    default:
      guard let usage = usage(context[0]) else { return [] }
      return usage.flags + usage.values + ["--help"]
    }
  }

  /// Words that may follow these in a shell: with the options of the command, and with the commands that the console
  /// lacks.
  static func completions(after context: [String]) -> [String] {
    guard let command = context.first else { return Usage.all.map { $0.command } + ["--help", "--version"] }
    guard let usage = Usage.named(command) else { return [] }
    var words = ConsoleGrammar(hasShell: false).words(after: context)
    for option in usage.flags + usage.values + ["--help"] where !words.contains(option) { words.append(option) }
    return words
  }

  /// What follows `grants yes NAME` and `grants give WHAT`.
  private static func grantLengths(_ word: String) -> [String] {
    switch word {
    case "yes": ["60s", "once", "session", "today"]
    case "give": ["once", "session", "today"]
    default: []
    }
  }

  /// What follows `grants give` and `end`; the name after `yes` is that of a question.
  private static func grantWords(_ word: String) -> [String] {
    switch word {
    case "give", "end": ["camera", "location", "microphone", "motion", "run", "screen.record", "tools"]
    default: []
    }
  }

  /// True for a command that runs until it is stopped: its new lines replace old ones.
  static func runsUntilStopped(_ words: [String]) -> Bool {
    switch words[0] {
    case "chat": true
    case "connect": words.count == 1 || words.contains("--wait")
    case "gps": !words.contains("track")
    case "imu": words.count == 1 || words[1] == "calibrate"
    case "log": words.contains("follow") || words.contains("--follow")
    case "talk": words.contains("--follow")
    default: false
    }
  }

  /// The text of `help`.
  var help: [String] {
    var lines = [
      "Commands: the first letters and Tab complete one; help COMMAND tells more.", "",
    ]
    var line = ""
    for command in commands {
      if line.utf8.count + command.utf8.count + 2 > 76 {
        lines.append("  " + line)
        line = ""
      }
      line += line.isEmpty ? command : "  " + command
    }
    lines.append("  " + line)
    return lines + [
      "",
      "status        this board's state (also: Enter on an empty line, or Esc)",
      "doctor        checks everything, and says what to do",
      "log follow    what the agent says, as it comes; Ctrl-C ends it",
      "connect       finds a gateway, asks, and connects; connect TARGET asks nothing",
      "config show, config set SECTION.KEY VALUE",
      "",
      "Keys: arrows, Home, End; Ctrl-A, E, K, U, W as in a shell; up and down for",
      "the lines before; Ctrl-C stops a command; Ctrl-L redraws the screen.",
    ]
  }

  /// The words of a line: separated by spaces, kept together by quotes of either kind; a backslash quotes the next
  /// character. Nil when a quote is not closed.
  static func split(_ line: UnsafeBufferPointer<UInt8>, most: Int) -> [String]? {
    var words: [String] = []
    var word: [UInt8] = []
    var isWord = false
    var quote: UInt8?
    var index = 0
    while index < line.count {
      let byte = line[index]
      index += 1
      if let open = quote {
        if byte == open { quote = nil } else { word.append(byte) }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        (quote, isWord) = (byte, true)
      } else if byte == UInt8(ascii: "\\"), index < line.count {
        word.append(line[index])
        isWord = true
        index += 1
      } else if byte == 0x20 {
        if isWord { words.append(String(decoding: word, as: UTF8.self)) }
        (word, isWord) = ([], false)
      } else {
        word.append(byte)
        isWord = true
      }
    }
    if isWord { words.append(String(decoding: word, as: UTF8.self)) }
    return quote != nil || words.count > most ? nil : words
  }
}
