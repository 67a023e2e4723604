import Runtime

/// What an owner decides when a board is connected for the first time: its name, which tools the agent gets, and
/// whether people at the board are asked before it sees or hears. From options of `talon connect`, or asked in a
/// terminal.
struct FirstRun {
  private static let choices = ["none", "safe", "all"]
  private static let answers = ["allow", "ask"]
  /// What `ask` is about.
  private static let asked = ["camera", "microphone", "location", "screen.record"]

  private var name: String?
  private var tools: String?
  private var consent: String?

  /// What the options say.
  init(_ options: Options) throws(Failure) {
    name = options.value("--name")
    tools = options.value("--tools")
    consent = options.value("--consent")
    if let tools, !Self.choices.contains(tools) {
      throw Failure(.usage, "--tools is none, safe or all, and not \"\(tools)\"")
    }
    if let consent, !Self.answers.contains(consent) {
      throw Failure(.usage, "--consent is allow or ask, and not \"\(consent)\"")
    }
  }

  /// Nothing was said.
  var isEmpty: Bool { name == nil && tools == nil && consent == nil }

  /// Asks in a terminal, unless options say something, or the file does. What cannot be written then is said, and the
  /// board is connected all the same.
  static func decide(_ options: Options) throws(Failure) {
    var decision = try FirstRun(options)
    let path = options.configurationPath
    if !decision.isEmpty {
      try decision.writeRights(path)
      return try decision.writeName(path)
    }
    guard OpenCommand.isTerminal, options.words.first != nil || options.has("--scan"), isUndecided(path) else { return }
    try decision.ask()
    do throws(Failure) {
      try decision.writeRights(path)
    } catch {
      // An answer that keeps something from the agent must not get lost.
      if decision.consent == "ask" || decision.tools == "none" { throw error }
      Console.err("talon: \(error.text)")
    }
    do throws(Failure) {
      try decision.writeName(path)
    } catch {
      Console.err("talon: \(error.text)")
    }
  }

  /// The file has neither a name nor tools.
  private static func isUndecided(_ path: String) -> Bool {
    do throws(Failure) {
      let text = try ConfigCommand.text(path)
      let lines = ConfigCommand.shown(text, section: "node") + ConfigCommand.shown(text, section: "tools")
      return !lines.contains { $0.hasPrefix("name") || $0.hasPrefix("publish") }
    } catch {
      return false
    }
  }

  private mutating func ask() throws(Failure) {
    let typed = try Self.answer("What is this board called? (Enter: as the host)")
    if !typed.isEmpty { name = typed }
    tools = try Self.choose(
      """
      What may the gateway's agent use of it: none, safe (steps, health, notify, screen), or all (also photo, \
      location, listen)?
      """,
      Self.choices, usual: "safe")
    consent = try Self.choose(
      "Before it sees or hears, shall a person at the board be asked: allow (nobody is asked) or ask?", Self.answers,
      usual: "allow")
  }

  private static func choose(_ question: String, _ words: [String], usual: String) throws(Failure) -> String {
    for _ in 0..<3 {
      let typed = try answer("\(question) (Enter: \(usual))")
      if typed.isEmpty { return usual }
      if words.contains(typed) { return typed }
      Console.err("Type one of: " + words.joined(separator: ", "))
    }
    return usual
  }

  private static func answer(_ question: String) throws(Failure) -> String {
    Console.err(question)
    return try BoardCommands.readLine()
  }

  private func writeName(_ path: String) throws(Failure) {
    if let name { try ConfigCommand.write(path, section: "node", key: "name", value: name) }
  }

  /// Writes what the agent may do into the file. What the file forbids stays forbidden.
  private func writeRights(_ path: String) throws(Failure) {
    try ConfigCommand.become(ownerOnTheWayTo: [BoardCommands.place(path)])
    if let consent {
      let lines = ConfigCommand.shown(try ConfigCommand.text(path), section: "consent")
      for key in Self.asked {
        let before = lines.first { $0.hasPrefix(key + " ") || $0.hasPrefix(key + "=") } ?? ""
        let (asks, denies) = (before.hasSuffix("ask"), before.hasSuffix("deny"))
        if denies || consent == "allow" && !asks { continue }
        try ConfigCommand.write(path, section: "consent", key: key, value: consent == "ask" ? "ask" : nil)
      }
    }
    if let tools { try ConfigCommand.write(path, section: "tools", key: "publish", value: tools) }
  }
}
