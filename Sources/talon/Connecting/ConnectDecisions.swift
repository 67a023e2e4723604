import Consent
import Runtime
import ToolsPart

/// What an owner decides when a board is connected for the first time: its name, which tools the agent gets, and
/// whether it may see and hear. From options of `talon connect`, or from answers.
struct ConnectDecisions: Equatable {
  static let toolChoices = ["none", "safe", "all"]
  /// What the agent may do with a device: nobody is asked, a person at the board is, or it never may.
  static let uses = ["allow", "ask", "never"]
  /// What `--consent` is about.
  private static let asked = ["camera", "microphone", "location", "screen.record"]

  var name: String?
  var tools: String?
  var camera: String?
  var microphone: String?
  /// For all of `asked` for which nothing else is decided.
  var consent: String?

  /// Nothing is decided.
  init() {}

  /// What the options say.
  init(_ options: Options) throws(Failure) {
    name = options.value("--name")
    tools = try Self.choice("--tools", Self.toolChoices, options)
    camera = try Self.choice("--camera", Self.uses, options)
    microphone = try Self.choice("--microphone", Self.uses, options)
    consent = try Self.choice("--consent", ["allow", "ask"], options)
    if let name, let complaint = Self.complaint(ofName: name) { throw Failure(.usage, "--name \(complaint)") }
  }

  private static func choice(_ option: String, _ words: [String], _ options: Options) throws(Failure) -> String? {
    guard let value = options.value(option), !words.contains(value) else { return options.value(option) }
    throw Failure(.usage, "\(option) is \(listed(words)), and not \"\(value)\"")
  }

  /// "none, safe or all".
  static func listed(_ words: [String]) -> String {
    words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }

  var isEmpty: Bool { self == ConnectDecisions() }

  /// What is wrong with a name, as the configuration judges it; nil: nothing.
  static func complaint(ofName name: String) -> String? {
    if name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return "is one line of text" }
    if name.isEmpty { return "is empty" }
    var scratch = Configuration()
    do throws(Errno) {
      return try ConfigurationKey.find("name", section: "node")?.set(&scratch, name)
    } catch {
      return String(error.text)
    }
  }

  /// Writes into the configuration what was decided: first what keeps something from the agent, which a mistake in the
  /// rest must not take back. What the file forbids stays forbidden.
  func write(_ path: String) throws(Failure) {
    if isEmpty { return }
    try ConfigCommand.become(ownerOnTheWayTo: [BoardCommands.place(path)])
    let lines = ConfigCommand.shown(try ConfigCommand.text(path), section: "consent")
    for key in Self.asked {
      guard let use = use(of: key) else { continue }
      let before = lines.first { $0.hasPrefix(key + " ") || $0.hasPrefix(key + "=") } ?? ""
      if before.hasSuffix("deny") || use == "allow" && !before.hasSuffix("ask") { continue }
      let value = use == "never" ? "deny" : use == "ask" ? "ask" : nil
      try ConfigCommand.write(path, section: "consent", key: key, value: value)
    }
    if let tools { try ConfigCommand.write(path, section: "tools", key: "publish", value: tools) }
    if let name { try ConfigCommand.write(path, section: "node", key: "name", value: name) }
  }

  private func use(of key: String) -> String? {
    switch key {
    case "camera": camera ?? consent
    case "microphone": microphone ?? consent
    default: consent
    }
  }

  // MARK: What a file says

  /// What the configuration says of the same, in the words of the options.
  init(of configuration: Configuration) {
    name = configuration.name.isEmpty ? nil : configuration.name
    tools =
      switch configuration.tools.choice {
      case .none: "none"
      case .safe: "safe"
      case .all: "all"
      case .named(let names): names.joined(separator: ", ")
      }
    camera = Self.word(configuration.consent.rules[.camera])
    microphone = Self.word(configuration.consent.rules[.microphone])
  }

  private static func word(_ rule: ConsentRule) -> String {
    switch rule {
    case .allow: "allow"
    case .ask: "ask"
    case .deny: "never"
    }
  }

  /// What holds when these decisions are written into a file that says `present`.
  func applied(to present: ConnectDecisions) -> ConnectDecisions {
    var result = present
    result.name = name ?? present.name
    result.tools = tools ?? present.tools
    if present.camera != "never" { result.camera = use(of: "camera") ?? present.camera }
    if present.microphone != "never" { result.microphone = use(of: "microphone") ?? present.microphone }
    return result
  }

  /// True when the file has neither a name nor tools: then a person is asked.
  static func areMissing(in path: String) -> Bool {
    do throws(Failure) {
      let text = try ConfigCommand.text(path)
      let lines = ConfigCommand.shown(text, section: "node") + ConfigCommand.shown(text, section: "tools")
      return !lines.contains { $0.hasPrefix("name") || $0.hasPrefix("publish") }
    } catch {
      return false
    }
  }

  /// True when this user may replace the file.
  static func mayWrite(_ path: String) -> Bool {
    do throws(Errno) {
      let file = try Syscall.realPath(try Path(path))
      let end = file.utf8.lastIndex(of: UInt8(ascii: "/")) ?? file.startIndex
      try Syscall.access(try Path(String(file[..<end]) + "/"))
      return true
    } catch {
      return false
    }
  }
}
