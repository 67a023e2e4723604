import Codec
import Node
import Runtime

/// `talon chat`: says something to the gateway's agent, once or line after line.
struct ChatCommand {
  private let configuration: Configuration
  /// The conversation; nil: the gateway's main one.
  private var session: String?
  /// The next message takes a photo along.
  private var takesPhoto: Bool
  private let isVerbose: Bool
  /// Messages are for the board's own agent.
  private var isOwn = false

  static func run(_ options: Options) throws(Failure) -> ExitCode {
    if options.has("--new"), options.value("--session") != nil {
      throw Failure(.usage, "--new begins a conversation, --session goes on with one: leave out either")
    }
    let configuration = try ConfigCommand.read(options.configurationPath, as: .owner)
    switch options.words.first {
    case "sessions": return try sessions(nil, configuration)
    case "agents": return try agents(configuration)
    default: break
    }
    var chat = ChatCommand(
      configuration: configuration, takesPhoto: options.has("--attach-photo"), isVerbose: options.has("--verbose"))
    if options.value("--agent") != nil || options.has("--new") {
      try chat.choose(agent: options.value("--agent"), session: options.value("--session"), isNew: options.has("--new"))
    } else {
      chat.session = options.value("--session")
    }
    guard let text = options.words.first else { return try chat.converse() }
    return try chat.say(text)
  }

  /// `talon agent chat`: with the board's own agent, also while the gateway is there.
  static func runOwn(_ text: String?, _ options: Options) throws(Failure) -> ExitCode {
    let configuration = try ConfigCommand.read(options.configurationPath, as: .owner)
    var chat = ChatCommand(configuration: configuration, takesPhoto: false, isVerbose: options.has("--verbose"))
    chat.isOwn = true
    guard let text else { return try chat.converse() }
    return try chat.say(text)
  }

  private init(configuration: Configuration, takesPhoto: Bool, isVerbose: Bool) {
    self.configuration = configuration
    self.takesPhoto = takesPhoto
    self.isVerbose = isVerbose
  }

  // MARK: Which conversation

  private mutating func choose(agent: String?, session: String?, isNew: Bool) throws(Failure) {
    if let agent { try check(agent) }
    if isNew { return try begin(agent) }
    guard let agent else { return }
    if let session {
      self.session = session.utf8.starts(with: "agent:".utf8) ? session : "agent:\(agent):\(session)"
    } else {
      self.session = try key("session-of", agent)
    }
  }

  private mutating func begin(_ agent: String?) throws(Failure) {
    let key = try key("session-new", agent)
    session = key
    Console.err("a new conversation: \(key)")
  }

  private func key(_ operation: StaticString, _ agent: String?) throws(Failure) -> String {
    let line = try ConsoleCommands.ask(operation, configuration) { writer in
      guard let agent else { return }
      writer.key("agent")
      writer.string(agent)
    }
    let root = JSONView(line.span)
    return root.member("result")?.text("session") ?? ""
  }

  /// An agent that the gateway has not would be a conversation with nobody.
  private func check(_ agent: String) throws(Failure) {
    let line = try ConsoleCommands.ask("agents", configuration) { _ in }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let list = result.member("agents") else { return }
    var names: [String] = []
    var elements = list.elements()
    while let entry = elements.next() { names.append(entry.text("id")) }
    if names.isEmpty || names.contains(agent) { return }
    throw Failure(.usage, "the gateway has no agent \"\(agent)\"; it has: \(names.joined(separator: ", "))")
  }

  // MARK: Talking

  /// Says one thing, and prints the reply.
  private mutating func say(_ text: String) throws(Failure) -> ExitCode {
    let (session, takesPhoto, isOwn) = (session, takesPhoto, isOwn)
    self.takesPhoto = false
    let client = try ConsoleClient(folder: configuration.runtimeDirectory)
    client.showsDetails = isVerbose
    let line = try client.ask("chat", as: .chat) { writer in
      writer.key("text")
      writer.string(text)
      if let session {
        writer.key("session")
        writer.string(session)
      }
      if takesPhoto {
        writer.key("photo")
        writer.bool(true)
      }
      if isOwn {
        writer.key("own")
        writer.bool(true)
      }
    }
    let end = JSONView(line.span)
    Console.out("")
    if let type = end.member("type"), type.equals("error") { throw ConsoleCommands.failure(end) }
    if let state = end.member("state"), state.equals("final") { return .ok }
    throw Failure(.temporary, "the reply was stopped")
  }

  /// One message a line, until the end of the input, Ctrl-C at the prompt, or `:quit`.
  private mutating func converse() throws(Failure) -> ExitCode {
    let input = try LineInput(most: Budget.chatMessageBytes)
    if input.isTerminal { Console.err(Self.help) }
    while true {
      let line: String
      switch try input.next() {
      case .text(let text): line = text
      case .tooLong: throw Failure(.usage, "a message has at most \(Budget.chatMessageBytes) bytes")
      case .ended, .interrupted: return .ok
      }
      if line.isEmpty { continue }
      do throws(Failure) {
        if line.utf8.first == UInt8(ascii: ":") {
          if try !command(line) { return .ok }
        } else {
          _ = try say(line)
        }
      } catch {
        // Without an agent there is nobody to talk to.
        if error.code == .unavailable || !input.isTerminal { throw error }
        Console.err("talon: \(error.text)")
      }
    }
  }

  private static let help = """
    A line is a message; Ctrl-C stops a reply, and ends this at the prompt. What begins with / is for the gateway.
    :new  :agent NAME  :session KEY  :main  :agents  :sessions  :photo TEXT  :approvals  :yes ID  :no ID  :quit
    """

  /// A line that begins with a colon; false: the end.
  private mutating func command(_ line: String) throws(Failure) -> Bool {
    let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
    let rest = parts.count > 1 ? parts[1] : nil
    switch (parts[0], rest) {
    case (":quit", nil), (":q", nil): return false
    case (":help", nil): Console.err(Self.help)
    case (":new", nil): try begin(nil)
    case (":main", nil): session = nil
    case (":agent", .some(let name)): try choose(agent: name, session: nil, isNew: false)
    case (":session", .some(let key)): session = key
    case (":agents", nil): _ = try Self.agents(configuration)
    case (":sessions", nil): _ = try Self.sessions(nil, configuration)
    case (":approvals", nil): _ = try ApprovalsCommand.list(configuration)
    case (":yes", .some(let id)): _ = try ApprovalsCommand.answer("yes", id, configuration)
    case (":no", .some(let id)): _ = try ApprovalsCommand.answer("no", id, configuration)
    case (":photo", .some(let text)):
      takesPhoto = true
      _ = try say(text)
    default: throw Failure(.usage, "\(parts[0]) is no command here, or lacks a word, or has one too many; see :help")
    }
    return true
  }

  // MARK: Lists

  static func sessions(_ limit: Int64?, _ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try ConsoleCommands.ask("sessions", configuration) { writer in
      guard let limit else { return }
      writer.key("limit")
      writer.int(limit)
    }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let sessions = result.member("sessions") else { return .ok }
    var elements = sessions.elements()
    while let session = elements.next() {
      var text = session.text("key")
      if let updated = session.member("updatedAt"), let time = updated.int64, time > 0 {
        text += "  \(IdentityCommand.string(ISO8601(unixMilliseconds: time).text))"
      }
      let label = session.text("label").isEmpty ? session.text("displayName") : session.text("label")
      if !label.isEmpty, label != session.text("key") { text += "  \(label)" }
      Console.show(text)
    }
    return .ok
  }

  static func agents(_ configuration: Configuration) throws(Failure) -> ExitCode {
    let line = try ConsoleCommands.ask("agents", configuration) { _ in }
    let root = JSONView(line.span)
    guard let result = root.member("result"), let agents = result.member("agents") else { return .ok }
    let usual = result.text("defaultId")
    var elements = agents.elements()
    while let agent = elements.next() {
      var text = agent.text("id")
      var name = agent.text("name")
      if name.isEmpty, let identity = agent.member("identity") { name = identity.text("name") }
      if !name.isEmpty, name != agent.text("id") { text += "  \(Console.quoted(name))" }
      if agent.text("id") == usual { text += "  (the default)" }
      Console.show(text)
    }
    return .ok
  }
}
